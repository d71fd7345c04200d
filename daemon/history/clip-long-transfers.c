/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads write their progress; here a timer reads it while a transfer runs. Most
 * transfers are over before it has fired once.
 */
#include "clip-long-transfers.h"

#include <glib-object.h>

/* what stands still for so long is worth no word until it goes on: `wl-paste | less` does
 * until its reader ends it */
#define STILL_US (10 * G_TIME_SPAN_SECOND)

typedef struct
{
  ClipLongTransfers *long_transfers;
  GObject *object; /* borrowed: it leaves us when it goes */
  ClipTransferProgress *progress;
  ClipTransferDirection direction;
  gint64 since_us; /* monotonic */
  goffset done;    /* when it was looked at last */
  gint64 moved_us; /* monotonic: when that had changed */
} Transfer;

struct ClipLongTransfers
{
  GPtrArray *transfers;
  guint long_ms;
  guint interval_ms;
  guint timer;
  gboolean was_long; /* the watcher was told of one that lasts */
  ClipLongTransfersFunc changed;
  gpointer changed_data;
};

static void on_gone (gpointer data, GObject *object);

static void
transfer_free (gpointer data)
{
  Transfer *self = data;

  if (self->object)
    g_object_weak_unref (self->object, on_gone, self);
  clip_transfer_progress_unref (self->progress);
  g_free (self);
}

static gboolean
is_long (const ClipLongTransfers *self, Transfer *transfer)
{
  const gint64 now_us = g_get_monotonic_time ();
  goffset done;
  goffset total;

  clip_transfer_progress_read (transfer->progress, &done, &total);
  if (done != transfer->done)
    transfer->moved_us = now_us;
  transfer->done = done;
  return now_us - transfer->since_us >=
             (gint64) self->long_ms * G_TIME_SPAN_MILLISECOND &&
         now_us - transfer->moved_us < STILL_US;
}

static gboolean
has_long (const ClipLongTransfers *self)
{
  for (guint i = 0; i < self->transfers->len; i++)
    if (is_long (self, g_ptr_array_index (self->transfers, i)))
      return TRUE;
  return FALSE;
}

/* also when the last of them has just ended */
static void
tell (ClipLongTransfers *self)
{
  gboolean was_long = self->was_long;

  self->was_long = has_long (self);
  if (self->changed && (was_long || self->was_long))
    self->changed (self->changed_data);
}

static gboolean
on_tick (gpointer user_data)
{
  tell (user_data);
  return G_SOURCE_CONTINUE;
}

static void
on_gone (gpointer data, GObject *object G_GNUC_UNUSED)
{
  Transfer *transfer = data;
  ClipLongTransfers *self = transfer->long_transfers;

  transfer->object = NULL;
  g_ptr_array_remove (self->transfers, transfer);
  if (self->transfers->len > 0)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  tell (self);
}

/**
 * clip_long_transfers_new:
 * @long_ms: what is over by then is not long
 * @interval_ms: how often it is worth a word
 */
ClipLongTransfers *
clip_long_transfers_new (guint long_ms, guint interval_ms)
{
  ClipLongTransfers *self = g_new0 (ClipLongTransfers, 1);

  self->transfers = g_ptr_array_new_with_free_func (transfer_free);
  self->long_ms = long_ms;
  self->interval_ms = interval_ms;
  return self;
}

void
clip_long_transfers_free (ClipLongTransfers *self)
{
  if (!self)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_ptr_array_unref (self->transfers);
  g_free (self);
}

/**
 * clip_long_transfers_add:
 * @object: a GObject; when it goes the transfer has ended, however it did
 *
 * Returns: (transfer none): where the transfer notes how far it is, for as long as
 * @object is there
 */
ClipTransferProgress *
clip_long_transfers_add (ClipLongTransfers *self,
                         ClipTransferDirection direction,
                         gpointer object)
{
  Transfer *transfer = g_new0 (Transfer, 1);

  transfer->long_transfers = self;
  transfer->object = object;
  transfer->progress = clip_transfer_progress_new ();
  transfer->direction = direction;
  transfer->since_us = transfer->moved_us = g_get_monotonic_time ();
  g_object_set_data_full (object, "clip-transfer-progress",
                          clip_transfer_progress_ref (transfer->progress),
                          (GDestroyNotify) clip_transfer_progress_unref);
  g_object_weak_ref (object, on_gone, transfer);
  g_ptr_array_add (self->transfers, transfer);
  if (!self->timer)
    self->timer = g_timeout_add (self->interval_ms, on_tick, self);
  return transfer->progress;
}

/**
 * clip_long_transfers_watch:
 * @changed: (nullable): called now and then while something lasts long, and once when
 *   nothing does any more
 */
void
clip_long_transfers_watch (ClipLongTransfers *self,
                           ClipLongTransfersFunc changed,
                           gpointer user_data)
{
  self->changed = changed;
  self->changed_data = user_data;
}

/* How far those are that last long, all together. Some owners announce less than they
 * have: where more has come the total is known no longer. */
ClipLongTransfersSum
clip_long_transfers_sum (ClipLongTransfers *self, ClipTransferDirection direction)
{
  ClipLongTransfersSum sum = { 0 };
  gboolean is_known = TRUE;

  for (guint i = 0; i < self->transfers->len; i++)
    {
      Transfer *transfer = g_ptr_array_index (self->transfers, i);
      goffset done;
      goffset total;

      if (transfer->direction != direction || !is_long (self, transfer))
        continue;
      clip_transfer_progress_read (transfer->progress, &done, &total);
      sum.n++;
      sum.done += done;
      sum.total += total;
      is_known = is_known && total > 0 && done <= total;
    }
  sum.total = is_known ? sum.total : 0;
  return sum;
}

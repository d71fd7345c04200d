/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The thread that moves the bytes notes how far it is; here a timer looks at that now and
 * then. So a transfer pays nothing for being watched, and one that is over before the
 * timer's second look is never mentioned.
 */
#include "clip-bus-progress.h"

#include "clip-paths.h"

/* twice that is long; four a second, and with the last word, which may follow at once,
   five */
#define INTERVAL_MS 250

struct ClipBusProgress
{
  GDBusConnection *connection;
  char *caller; /* NULL on a private connection, which has one peer */
  guint64 transfer;
  guint64 id;
  const char *direction;
  ClipTransferProgress *progress;
  guint timer;
  gboolean is_long; /* it was there at the first look */
  goffset told;     /* -1 = nothing yet */
  goffset told_total;
};

static void
tell (ClipBusProgress *self, goffset done, goffset total)
{
  self->told = done;
  self->told_total = total;
  g_dbus_connection_emit_signal (
      self->connection, self->caller, CLIP_BUS_PATH, CLIP_BUS_NAME, "TransferProgress",
      g_variant_new ("(ttstt)", self->transfer, self->id, self->direction, (guint64) done,
                     (guint64) total),
      NULL);
}

/* a peer that makes us wait is no news */
static gboolean
on_tick (gpointer user_data)
{
  ClipBusProgress *self = user_data;
  goffset done;
  goffset total;

  clip_transfer_progress_read (self->progress, &done, &total);
  if (self->is_long && done > 0 && done != self->told)
    tell (self, done, total);
  self->is_long = TRUE;
  return G_SOURCE_CONTINUE;
}

/**
 * clip_bus_progress_new:
 * @invocation: the call whose caller is told
 * @transfer: what the caller knows it by
 * @id: of the entry; 0 for many, and for one that is yet to be
 * @direction: "in" or "out"
 */
ClipBusProgress *
clip_bus_progress_new (GDBusMethodInvocation *invocation,
                       guint64 transfer,
                       guint64 id,
                       const char *direction)
{
  ClipBusProgress *self = g_new0 (ClipBusProgress, 1);

  self->connection = g_object_ref (g_dbus_method_invocation_get_connection (invocation));
  self->caller = g_strdup (g_dbus_method_invocation_get_sender (invocation));
  self->transfer = transfer;
  self->id = id;
  self->direction = direction;
  self->progress = clip_transfer_progress_new ();
  self->told = -1;
  self->timer = g_timeout_add (INTERVAL_MS, on_tick, self);
  return self;
}

void
clip_bus_progress_free (ClipBusProgress *self)
{
  if (!self)
    return;
  g_source_remove (self->timer);
  clip_transfer_progress_unref (self->progress);
  g_object_unref (self->connection);
  g_free (self->caller);
  g_free (self);
}

/* (transfer none): where the transfer notes how far it is */
ClipTransferProgress *
clip_bus_progress_transfer (ClipBusProgress *self)
{
  return self->progress;
}

/**
 * clip_bus_progress_end:
 *
 * The last word, before the answer to the call: where the transfer was ever mentioned,
 * and all of it is there.
 */
void
clip_bus_progress_end (ClipBusProgress *self)
{
  goffset done;
  goffset total;

  if (self->told < 0 || !clip_transfer_progress_read (self->progress, &done, &total))
    return;
  if (done != self->told || total != self->told_total)
    tell (self, done, total);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-transfer-pool.h"

/* disks answer more than one question at a time; for each that hangs there is one more */
#define N_HANDS 4

/* how long the end waits for hands that a disk or a device holds */
#define PATIENCE_US (G_USEC_PER_SEC / 2)

/* shared with the hands, because one that hangs may outlive everybody else */
struct ClipTransferPool
{
  int ref_count; /* atomic */
  GFunc work;
  GMutex mutex; /* guards n_busy, n_late and hands */
  GCond is_idle;
  guint n_busy; /* what was pushed and is not done */
  int n_late;   /* of these */
  GThreadPool *hands;
  GCancellable *dismissed;
  ClipPipes *pipes;
};

static void
unref (ClipTransferPool *self)
{
  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_object_unref (self->dismissed);
  clip_pipes_free (self->pipes);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->is_idle);
  g_free (self);
}

static void
work_on_thread (gpointer data, gpointer user_data)
{
  ClipTransferPool *self = user_data;

  self->work (data, NULL);
  g_mutex_lock (&self->mutex);
  self->n_busy--;
  if (self->n_busy == 0)
    g_cond_signal (&self->is_idle);
  g_mutex_unlock (&self->mutex);
  unref (self);
}

/**
 * clip_transfer_pool_new:
 * @work: what is done, in a thread of its own, with each pointer pushed
 */
ClipTransferPool *
clip_transfer_pool_new (GFunc work)
{
  ClipTransferPool *self = g_new0 (ClipTransferPool, 1);

  self->ref_count = 1;
  self->work = work;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->is_idle);
  /* begun here, and not by the first to push: that may be a thread that stands
   * back, and GLib cannot take that back for those of a shared pool without a
   * privilege */
  self->hands = g_thread_pool_new (work_on_thread, self, N_HANDS, TRUE, NULL);
  self->dismissed = g_cancellable_new ();
  self->pipes = clip_pipes_new ();
  return self;
}

static gboolean
await_idle (ClipTransferPool *self)
{
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  gboolean is_in_time = TRUE;
  gboolean is_idle;

  g_mutex_lock (&self->mutex);
  while (self->n_busy > 0 && is_in_time)
    is_in_time = g_cond_wait_until (&self->is_idle, &self->mutex, until_us);
  is_idle = self->n_busy == 0;
  g_mutex_unlock (&self->mutex);
  return is_idle;
}

/**
 * clip_transfer_pool_free:
 * @self: (nullable): no thread may push any more
 *
 * Waits until all that was pushed is done, but not for ever: what hangs for half a second
 * is left behind, and goes on by itself if it ever can. The work must own all that it
 * needs; the pool lives for as long as it does.
 */
void
clip_transfer_pool_free (ClipTransferPool *self)
{
  GThreadPool *hands;
  gboolean is_idle;

  if (!self)
    return;
  is_idle = await_idle (self);
  if (!is_idle)
    g_info ("a transfer hangs: left behind");
  g_mutex_lock (&self->mutex);
  hands = g_steal_pointer (&self->hands);
  g_mutex_unlock (&self->mutex);
  g_thread_pool_free (hands, FALSE, is_idle);
  unref (self);
}

void
clip_transfer_pool_push (ClipTransferPool *self, gpointer data)
{
  g_mutex_lock (&self->mutex);
  self->n_busy++;
  g_mutex_unlock (&self->mutex);
  g_atomic_int_inc (&self->ref_count);
  g_thread_pool_push (self->hands, data, NULL);
}

static void
change_hands (ClipTransferPool *self, int by)
{
  g_mutex_lock (&self->mutex);
  self->n_late += by;
  if (self->hands)
    g_thread_pool_set_max_threads (self->hands, N_HANDS + self->n_late, NULL);
  g_mutex_unlock (&self->mutex);
}

/**
 * clip_transfer_pool_add_hand:
 *
 * For work that has not been done for long: a file may be served by a program that never
 * answers, and what hangs there must not count as one of those that others wait for.
 * clip_transfer_pool_drop_hand() follows, when that work is done.
 */
void
clip_transfer_pool_add_hand (ClipTransferPool *self)
{
  g_atomic_int_inc (&self->ref_count);
  change_hands (self, 1);
}

void
clip_transfer_pool_drop_hand (ClipTransferPool *self)
{
  change_hands (self, -1);
  unref (self);
}

/* how much of the work has not been done for long */
guint
clip_transfer_pool_n_late (ClipTransferPool *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = (guint) self->n_late;
  g_mutex_unlock (&self->mutex);
  return n;
}

/* tells every transfer to stop; it is up to them to hear */
void
clip_transfer_pool_dismiss (ClipTransferPool *self)
{
  g_cancellable_cancel (self->dismissed);
}

GCancellable *
clip_transfer_pool_dismissed (ClipTransferPool *self)
{
  return self->dismissed;
}

ClipPipes *
clip_transfer_pool_pipes (ClipTransferPool *self)
{
  return self->pipes;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-transfer-progress.h"

struct ClipTransferProgress
{
  gatomicrefcount refs;
  GMutex mutex;
  goffset done; /* from here on guarded by mutex */
  goffset total;
  gboolean has_ended;
};

ClipTransferProgress *
clip_transfer_progress_new (void)
{
  ClipTransferProgress *self = g_new0 (ClipTransferProgress, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  return self;
}

/* (nullable): of a transfer that is not watched */
ClipTransferProgress *
clip_transfer_progress_ref (ClipTransferProgress *self)
{
  if (self)
    g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
clip_transfer_progress_unref (ClipTransferProgress *self)
{
  if (!self || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/**
 * clip_transfer_progress_expect:
 * @self: (nullable): as in every call that writes
 * @total: how many bytes there will be; 0 = unknown
 */
void
clip_transfer_progress_expect (ClipTransferProgress *self, goffset total)
{
  if (!self)
    return;
  g_mutex_lock (&self->mutex);
  self->total = total;
  g_mutex_unlock (&self->mutex);
}

/* @done: since the transfer began */
void
clip_transfer_progress_advance (ClipTransferProgress *self, goffset done)
{
  if (!self)
    return;
  g_mutex_lock (&self->mutex);
  self->done = done;
  g_mutex_unlock (&self->mutex);
}

/**
 * clip_transfer_progress_end:
 *
 * Everything is there: what was done is what there was to do. Not called where a transfer
 * broke off, or its reader left.
 */
void
clip_transfer_progress_end (ClipTransferProgress *self)
{
  if (!self)
    return;
  g_mutex_lock (&self->mutex);
  self->total = self->done;
  self->has_ended = TRUE;
  g_mutex_unlock (&self->mutex);
}

/**
 * clip_transfer_progress_read:
 * @out_total: (out): 0 = unknown
 *
 * Returns: whether everything is there
 */
gboolean
clip_transfer_progress_read (ClipTransferProgress *self,
                             goffset *out_done,
                             goffset *out_total)
{
  gboolean has_ended;

  g_mutex_lock (&self->mutex);
  *out_done = self->done;
  *out_total = self->total;
  has_ended = self->has_ended;
  g_mutex_unlock (&self->mutex);
  return has_ended;
}

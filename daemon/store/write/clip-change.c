/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-private.h"

/* (transfer full): all zeros, as large as the kind says */
gpointer
clip_change_new (const ClipChangeKind *kind)
{
  ClipChange *self = g_malloc0 (kind->bytes);

  self->kind = kind;
  self->gives_room = kind->gives_room;
  return self;
}

void
clip_change_free (ClipChange *self)
{
  if (!self)
    return;
  if (self->kind->clear)
    self->kind->clear (self);
  g_clear_error (&self->error);
  g_free (self);
}

/* what can be done outside of a transaction, of a slow one on another thread than the
 * writer's */
gboolean
clip_change_prepare (ClipChange *self, GError **error)
{
  return !self->kind->prepare || self->kind->prepare (self, error);
}

/* when a step of it is committed, and more are to come: that much is done, for good */
void
clip_change_keep (ClipChange *self)
{
  self->kept = self->now;
  self->n_retries = 0;
}

/* when the transaction that it ran in is lost: as if it had not */
void
clip_change_revert (ClipChange *self)
{
  self->now = self->kept;
}

/* when the history that it was done in is gone: nothing of it was ever done */
void
clip_change_restart (ClipChange *self)
{
  self->now = self->kept = self->begun;
  self->prepared = FALSE;
  g_clear_error (&self->error);
}

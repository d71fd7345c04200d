/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-batch.h"

#include "clip-batch-private.h"
#include "clip-draft-private.h"

static void
item_free (ClipBatchItem *self)
{
  clip_draft_free (self->draft);
  g_strfreev (self->course.tags);
  g_free (self);
}

ClipBatch *
clip_batch_new (void)
{
  ClipBatch *self = g_new0 (ClipBatch, 1);

  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) item_free);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->ended);
  return self;
}

/* not while it is under way */
void
clip_batch_free (ClipBatch *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->items);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->ended);
  g_clear_error (&self->error);
  g_free (self);
}

/* behind those that are there, whose ids will be lower */
void
clip_batch_add (ClipBatch *self, ClipDraft *draft_take, const ClipCourse *course)
{
  ClipBatchItem *item = g_new (ClipBatchItem, 1);

  *item = (ClipBatchItem){ .draft = draft_take, .course = *course };
  item->course.tags = g_strdupv (course->tags);
  g_ptr_array_add (self->items, item);
  if (!clip_draft_has_blobs (draft_take))
    self->bytes += clip_draft_bytes (draft_take);
}

guint
clip_batch_length (const ClipBatch *self)
{
  return self->items->len;
}

/* of the contents that go into rows, about */
gint64
clip_batch_bytes (const ClipBatch *self)
{
  return self->bytes;
}

/* see clip_draft_prepare() */
gboolean
clip_batch_prepare (ClipBatch *self, GError **error)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const ClipBatchItem *item = self->items->pdata[i];

      if (!clip_draft_prepare (item->draft, error))
        return FALSE;
    }
  return TRUE;
}

/* when a part of it is committed, and more is to come */
void
clip_batch_keep (ClipBatch *self)
{
  self->kept_next = self->next;
  self->kept = self->imported;
}

/* when the transaction that it ran in is lost */
void
clip_batch_revert (ClipBatch *self)
{
  self->next = self->kept_next;
  self->imported = self->kept;
}

/* when nothing of it was ever done, or none has begun */
void
clip_batch_restart (ClipBatch *self)
{
  self->next = 0;
  self->imported = self->before;
  clip_batch_keep (self);
}

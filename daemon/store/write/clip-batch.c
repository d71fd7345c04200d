/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-batch.h"

#include "clip-batch-private.h"
#include "clip-draft-private.h"

/* the most that goes in together: as much as it takes for the sync behind it not to
 * count, and as many files, each of which is open, as leave room for others in the
 * process */
#define MAX_ENTRIES 16384
#define MAX_BYTES (4 * 1024 * 1024)
#define MAX_FILES 64

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

/* what it costs to have it here: bytes in memory, and open files */
static void
count_parts (ClipBatch *self, const ClipDraft *draft)
{
  for (guint i = 0; i < draft->parts->len; i++)
    {
      const ClipDraftPart *part = draft->parts->pdata[i];

      self->n_files += part->stage != NULL;
      if (part->size <= CLIP_INLINE_BYTES)
        self->bytes += part->size;
    }
}

/* behind those that are there, whose ids will be lower */
void
clip_batch_add (ClipBatch *self, ClipDraft *draft_take, const ClipCourse *course)
{
  ClipBatchItem *item = g_new (ClipBatchItem, 1);

  *item = (ClipBatchItem){ .draft = draft_take, .course = *course };
  item->course.tags = g_strdupv (course->tags);
  g_ptr_array_add (self->items, item);
  count_parts (self, draft_take);
}

/* how many entries it has */
guint
clip_batch_length (const ClipBatch *self)
{
  return self->items->len;
}

/* whether the next one is to go into another batch */
gboolean
clip_batch_is_full (const ClipBatch *self)
{
  return self->items->len >= MAX_ENTRIES || self->bytes >= MAX_BYTES ||
         self->n_files >= MAX_FILES;
}

/* what is still to be added; see clip_draft_prepare() */
gboolean
clip_batch_prepare (ClipBatch *self, GError **error)
{
  for (guint i = self->next; i < self->items->len; i++)
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"
#include "clip-error.h"
#include "clip-reserve.h"

#include <string.h>

/* the most that goes in together: as much as it takes for the sync behind it not to
 * count, and as many files, each of which is open, as leave room for others in the
 * process */
#define MAX_ENTRIES 16384
#define MAX_BYTES (4 * 1024 * 1024)
#define MAX_FILES 64

/* what a content, or a tag, takes of memory beside its bytes */
#define PIECE_BYTES 200

/* a transaction, behind which others come first, of other processes, too */
#define STEP_US (50 * 1000)

typedef struct
{
  ClipDraft *draft;
  ClipCourse course;
} Item;

struct ClipImportBatch
{
  GPtrArray *items; /* Item */
  gint64 bytes;     /* that they take of memory */
  guint n_files;    /* open, with contents */
};

typedef struct
{
  ClipChange base;
  ClipImportBatch *batch;
  ClipLimits limits;
} Import;

static void
item_free (Item *self)
{
  clip_draft_free (self->draft);
  g_strfreev (self->course.tags);
  g_free (self);
}

ClipImportBatch *
clip_import_batch_new (void)
{
  ClipImportBatch *self = g_new0 (ClipImportBatch, 1);

  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) item_free);
  return self;
}

void
clip_import_batch_free (ClipImportBatch *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->items);
  g_free (self);
}

/* what it costs to have it here: bytes in memory, and open files */
static void
count_item (ClipImportBatch *self, const Item *item)
{
  const ClipDraft *draft = item->draft;

  for (guint i = 0; i < draft->parts->len; i++)
    {
      const ClipDraftPart *part = draft->parts->pdata[i];

      self->n_files += part->stage != NULL;
      self->bytes += PIECE_BYTES + (gint64) strlen (part->mime);
      if (part->size <= CLIP_INLINE_BYTES)
        self->bytes += part->size;
    }
  for (char **tag = item->course.tags; tag && *tag; tag++)
    self->bytes += PIECE_BYTES + (gint64) strlen (*tag);
}

/* behind those that are there, whose ids will be lower */
void
clip_import_batch_add (ClipImportBatch *self,
                       ClipDraft *draft_take,
                       const ClipCourse *course)
{
  Item *item = g_new (Item, 1);

  *item = (Item){ .draft = draft_take, .course = *course };
  item->course.tags = g_strdupv (course->tags);
  g_ptr_array_add (self->items, item);
  count_item (self, item);
}

/* how many entries it has */
guint
clip_import_batch_length (const ClipImportBatch *self)
{
  return self->items->len;
}

/* whether the next one is to go into another batch */
gboolean
clip_import_batch_is_full (const ClipImportBatch *self)
{
  return self->items->len >= MAX_ENTRIES || self->bytes >= MAX_BYTES ||
         self->n_files >= MAX_FILES;
}

static gboolean
prepare_from (ClipImportBatch *self, guint first, GError **error)
{
  for (guint i = first; i < self->items->len; i++)
    if (!clip_draft_prepare (((const Item *) self->items->pdata[i])->draft, error))
      return FALSE;
  return TRUE;
}

/* before it is the writer's; see clip_draft_prepare() */
gboolean
clip_import_batch_prepare (ClipImportBatch *self, GError **error)
{
  return prepare_from (self, 0, error);
}

/* --- the change --- */

static gboolean
prepare_import (ClipChange *change, GError **error)
{
  return prepare_from (((Import *) change)->batch, change->now.n_done, error);
}

static void
clear_import (ClipChange *change)
{
  clip_import_batch_free (((Import *) change)->batch);
}

/* as many as the time of one transaction is enough for, one at least */
static ClipChangeStep
bring_in (Import *self, ClipTransaction *transaction, GError **error)
{
  ClipImported *imported = &self->base.now.outcome.imported;
  const gint64 end_us = g_get_monotonic_time () + STEP_US;
  const guint first = self->base.now.n_done;
  guint *n = &self->base.now.n_done;

  do
    {
      const Item *item = self->batch->items->pdata[*n];
      ClipChangeStep step =
          clip_step_bring_in (transaction, item->draft, &item->course, imported, error);

      /* a file that an entry before it has just linked may have the name that this one
       * had settled for: that is looked at again once those are committed */
      if (step == CLIP_CHANGE_AGAIN && *n > first)
        return CLIP_CHANGE_MORE;
      if (step != CLIP_CHANGE_DONE)
        return step;
      ++*n;
    }
  while (*n < self->batch->items->len && g_get_monotonic_time () < end_us);
  return *n < self->batch->items->len ? CLIP_CHANGE_MORE : CLIP_CHANGE_DONE;
}

static ClipChangeStep
run_import (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  Import *self = (Import *) change;
  ClipImported *imported = &change->now.outcome.imported;
  const gint64 n_before = imported->n_added;
  ClipChangeStep step;

  if (clip_transaction_is_wiped_since (transaction, imported->begun_us))
    {
      g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CANCELLED,
                           "the history was wiped meanwhile");
      return CLIP_CHANGE_FAILED;
    }
  if (!imported->has_begun)
    {
      imported->keeps_ids = clip_transaction_totals (transaction)->count == 0;
      imported->last_own_id = clip_transaction_totals (transaction)->last_id;
    }
  imported->has_begun = TRUE;
  if (!clip_step_check_room (transaction, &self->limits, error) ||
      !clip_reserve_keep (clip_transaction_dir (transaction), error))
    return CLIP_CHANGE_FAILED;
  step = bring_in (self, transaction, error);
  if (imported->n_added > n_before)
    clip_transaction_add_event (transaction, CLIP_EVENT_IMPORTED,
                                clip_transaction_totals (transaction)->last_id,
                                imported->n_added - n_before);
  return step;
}

static const ClipChangeKind import_kind = {
  .name = "import",
  .yields = TRUE,
  .bytes = sizeof (Import),
  .run = run_import,
  .prepare = prepare_import,
  .clear = clear_import,
};

/**
 * clip_change_import:
 * @batch_take: (transfer full): not empty
 * @before: what came of the batches before
 * @limits: only how much room is to stay free counts: an import never trims
 *
 * Adds the entries of the batch. They keep their ids where the history had no entry when
 * the first batch of an import came. That they came is one event for all of them: a
 * million would keep everybody who listens busy for longer than the import itself.
 *
 * Errors: %CLIP_ERROR_CANCELLED where the history was wiped since the import began,
 * %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
ClipChange *
clip_change_import (ClipImportBatch *batch_take,
                    const ClipImported *before,
                    const ClipLimits *limits)
{
  Import *self = clip_change_new (&import_kind);

  self->batch = batch_take;
  self->limits = *limits;
  self->base.begun.outcome.imported = *before;
  clip_change_restart (&self->base);
  return &self->base;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-batch-private.h"
#include "clip-change.h"
#include "clip-reserve.h"

/* how many before it is looked whether others wait: less than a millisecond's */
#define STRIDE 64

static gboolean
is_wanted_elsewhere (ClipLedger *ledger, guint n_done)
{
  return n_done % STRIDE == 0 && clip_ledger_is_awaited (ledger);
}

static void
announce (ClipLedger *ledger, gint64 n_added)
{
  if (n_added > 0)
    clip_ledger_log (ledger, CLIP_EVENT_IMPORTED, clip_ledger_sums (ledger)->last_id,
                     n_added);
}

/**
 * clip_change_import:
 * @batch: prepared
 * @limits: only how much room is to stay free counts: an import never trims
 *
 * The entries of the batch, as many as there are before somebody else wants to change
 * something, who comes first then. They keep their ids where the history had no entry
 * when the first batch of an import came. That they came is one event for all of them: a
 * million would keep everybody who listens busy for longer than the import itself.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
ClipChangeStep
clip_change_import (ClipLedger *ledger,
                    ClipBatch *batch,
                    const ClipLimits *limits,
                    GError **error)
{
  ClipImported imported = batch->imported;
  guint i = batch->next;

  if (!imported.has_begun)
    imported.keeps_ids = clip_ledger_sums (ledger)->count == 0;
  imported.has_begun = TRUE;
  clip_ledger_widen (ledger);
  if (!clip_change_check_room (ledger, limits, error) ||
      (clip_ledger_dir (ledger) && !clip_reserve_keep (clip_ledger_dir (ledger), error)))
    return CLIP_CHANGE_FAILED;
  do
    {
      const ClipBatchItem *item = batch->items->pdata[i];
      ClipChangeStep step = clip_change_add_as (ledger, item->draft, &item->course,
                                                imported.keeps_ids, &imported, error);

      /* a file that an entry before it has just linked may have the name that this one
       * had settled for: that is looked at again once those are committed */
      if (step == CLIP_CHANGE_AGAIN && i > batch->next)
        break;
      if (step != CLIP_CHANGE_DONE)
        return step;
      i++;
    }
  while (i < batch->items->len && !is_wanted_elsewhere (ledger, i));
  announce (ledger, imported.n_added - batch->imported.n_added);
  batch->imported = imported;
  batch->next = i;
  return i < batch->items->len ? CLIP_CHANGE_MORE : CLIP_CHANGE_DONE;
}

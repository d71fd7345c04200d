/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-batch-private.h"
#include "clip-change.h"

/**
 * clip_change_import:
 * @batch: prepared
 * @limits: only how much room is to stay free counts: an import never trims
 *
 * All entries of the batch, or none; they keep their ids where the history had no entry
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
  ClipImported imported = batch->before;
  gint64 n_added;

  if (!imported.has_begun)
    imported.keeps_ids = ledger->sums.count == 0;
  imported.has_begun = TRUE;
  if (!clip_change_check_room (ledger, limits, error))
    return CLIP_CHANGE_FAILED;
  for (guint i = 0; i < batch->items->len; i++)
    {
      const ClipBatchItem *item = batch->items->pdata[i];
      ClipChangeStep step = clip_change_add_as (ledger, item->draft, &item->course,
                                                imported.keeps_ids, &imported, error);

      if (step != CLIP_CHANGE_DONE)
        return step;
    }
  n_added = imported.n_added - batch->before.n_added;
  if (n_added > 0)
    clip_ledger_log (ledger, CLIP_EVENT_IMPORTED, ledger->sums.last_id, n_added);
  batch->after = imported;
  return CLIP_CHANGE_DONE;
}

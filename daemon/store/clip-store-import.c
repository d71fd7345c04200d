/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Many entries at once: a thread reads the next ones while the writer adds the last. */
#define G_LOG_DOMAIN "clip-store"
#include "clip-batch-private.h"
#include "clip-error.h"
#include "clip-store-private.h"

/* on the writer's thread */
static void
on_imported (ClipJob *job)
{
  ClipBatch *batch = job->user_data;

  g_mutex_lock (&batch->mutex);
  batch->is_under_way = FALSE;
  batch->error = g_steal_pointer (&job->error);
  g_cond_signal (&batch->ended);
  g_mutex_unlock (&batch->mutex);
}

/**
 * clip_store_import_begin:
 * @batch: prepared; nobody's but the store's until clip_store_import_end()
 * @imported: what came of the batches before
 * @limits: only how much room is to stay free counts
 *
 * May be called from any thread, before the store is closed.
 */
void
clip_store_import_begin (ClipStore *self,
                         ClipBatch *batch,
                         const ClipImported *imported,
                         const ClipLimits *limits)
{
  ClipJob *job = clip_job_new (CLIP_JOB_IMPORT, on_imported, batch);

  batch->before = *imported;
  clip_batch_restart (batch);
  job->import.batch = batch;
  job->import.limits = *limits;
  job->prepared = TRUE;
  batch->is_under_way = TRUE;
  clip_writer_push (self->writer, job);
}

/* whether clip_store_import_end() would not wait */
gboolean
clip_store_import_has_ended (ClipBatch *batch)
{
  gboolean has_ended;

  g_mutex_lock (&batch->mutex);
  has_ended = !batch->is_under_way;
  g_mutex_unlock (&batch->mutex);
  return has_ended;
}

/**
 * clip_store_import_end:
 * @imported: (inout): counts with those of this batch, also when it failed in the middle
 *
 * Waits until the batch survives a power cut, or has failed.
 *
 * Errors: those of clip_store_add_finish().
 */
gboolean
clip_store_import_end (ClipBatch *batch, ClipImported *imported, GError **error)
{
  g_mutex_lock (&batch->mutex);
  while (batch->is_under_way)
    g_cond_wait (&batch->ended, &batch->mutex);
  g_mutex_unlock (&batch->mutex);
  if (batch->error)
    clip_batch_revert (batch);
  *imported = batch->imported;
  if (!batch->error)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&batch->error));
  return FALSE;
}

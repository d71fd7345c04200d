/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What changes the history: a job for the writer. */
#define G_LOG_DOMAIN "clip-store"
#include "clip-store-private.h"

#include "clip-error.h"

/* on the writer's thread */
static void
on_changed (ClipJob *job)
{
  g_autoptr (GTask) task = job->user_data;

  if (job->kind == CLIP_JOB_ADD && !job->error && job->added.n_trimmed > 0)
    clip_store_announce_pushed_out (g_task_get_source_object (task),
                                    job->added.n_trimmed);
  if (job->kind == CLIP_JOB_ADD && !job->error && job->added.took_old)
    clip_store_announce_room (g_task_get_source_object (task));
  if (job->error)
    g_task_return_error (task, g_steal_pointer (&job->error));
  else if (job->kind == CLIP_JOB_ADD)
    g_task_return_pointer (task, g_memdup2 (&job->added, sizeof job->added), g_free);
  else if (job->kind == CLIP_JOB_TRIM)
    g_task_return_pointer (task, g_memdup2 (&job->trimmed, sizeof job->trimmed), g_free);
  else
    g_task_return_int (task, job->n);
}

/* on a reader's thread; when the store is closed meanwhile, the writer is told nothing */
static void
search_blobs (ClipReader *reader G_GNUC_UNUSED, GTask *task)
{
  ClipStore *self = g_task_get_source_object (task);
  const ClipJob *asked = g_task_get_task_data (task);
  g_autoptr (ClipJob) job = clip_job_delete_matching (asked->delete_matching.needle);

  job->delete_matching.verdicts = clip_change_search_blobs (
      clip_blobs_fd (self->blobs), job->delete_matching.needle, &self->stops);
  if (g_atomic_int_get (&self->stops))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               "history is closed");
      return;
    }
  job->done = on_changed;
  job->user_data = g_object_ref (task);
  clip_writer_push (self->writer, g_steal_pointer (&job));
}

/**
 * clip_store_change_async:
 * @job_take: (transfer full): what is to be changed, also on failure
 *
 * Ends in clip_store_change_finish(); that of clip_job_add() in clip_store_add_finish(),
 * and that of clip_job_trim() in clip_store_trim_finish().
 */
void
clip_store_change_async (ClipStore *self,
                         ClipJob *job_take,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task =
      clip_store_new_task (self, clip_store_change_async, NULL, callback, user_data);

  job_take->done = on_changed;
  job_take->user_data = task;
  if (!self->writer)
    {
      clip_store_refuse (task);
      clip_job_free (job_take);
    }
  else if (job_take->kind == CLIP_JOB_DELETE_MATCHING)
    {
      g_task_set_task_data (task, job_take, (GDestroyNotify) clip_job_free);
      clip_readers_push (self->readers, CLIP_READ_LONG, task, search_blobs);
    }
  else
    clip_writer_push (self->writer, job_take);
}

/**
 * clip_store_add_finish:
 * @out_added: (out) (optional): what came of it
 *
 * When it returns %TRUE, the entry survives a power cut.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CORRUPT where a content has another size than
 * was said, %CLIP_ERROR_INVALID_ARGUMENT, %CLIP_ERROR_CANCELLED, %G_FILE_ERROR,
 * %CLIP_ERROR_FAILED.
 */
gboolean
clip_store_add_finish (ClipStore *self G_GNUC_UNUSED,
                       GAsyncResult *result,
                       ClipAdded *out_added,
                       GError **error)
{
  g_autofree ClipAdded *added = g_task_propagate_pointer (G_TASK (result), error);

  if (added && out_added)
    *out_added = *added;
  return added != NULL;
}

/* Errors: as clip_store_change_finish(). */
gboolean
clip_store_trim_finish (ClipStore *self G_GNUC_UNUSED,
                        GAsyncResult *result,
                        ClipTrimmed *out_trimmed,
                        GError **error)
{
  g_autofree ClipTrimmed *trimmed = g_task_propagate_pointer (G_TASK (result), error);

  if (trimmed)
    *out_trimmed = *trimmed;
  return trimmed != NULL;
}

/**
 * clip_store_change_finish:
 * @out_n: (out) (optional): how many entries it touched
 *
 * When it returns %TRUE, the change survives a power cut.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CANCELLED,
 * %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
gboolean
clip_store_change_finish (ClipStore *self G_GNUC_UNUSED,
                          GAsyncResult *result,
                          gint64 *out_n,
                          GError **error)
{
  g_autoptr (GError) local = NULL;
  gint64 n = g_task_propagate_int (G_TASK (result), &local);

  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (out_n)
    *out_n = n;
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Room for what comes in and finds the disk full. */
#define G_LOG_DOMAIN "clip-store"
#include "clip-stage-private.h"
#include "clip-store-private.h"

#include <unistd.h>

/* some file systems give blocks to others only once all that was written before is on the disk, which
 * may take: neither the writer nor whoever asked waits for that on his own thread */
static void
settle_in_thread (GTask *task,
                  gpointer source G_GNUC_UNUSED,
                  gpointer data,
                  GCancellable *cancellable G_GNUC_UNUSED)
{
  const ClipStage *stage = data;

  syncfs (clip_blobs_fd (stage->blobs));
  g_task_return_boolean (task, TRUE);
}

/* on the writer's thread */
static void
on_room_made (ClipJob *job)
{
  g_autoptr (GTask) task = job->user_data;

  /* what has gone has gone, also where it was not enough */
  job->stage->paid += job->trimmed.n_bytes;
  if (job->error)
    g_task_return_error (task, g_steal_pointer (&job->error));
  else if (job->trimmed.n_bytes > 0)
    g_task_run_in_thread (task, settle_in_thread);
  else
    g_task_return_boolean (task, TRUE);
}

/**
 * clip_store_make_room_async:
 * @stage: what has met the full disk; referenced
 * @shortage: how much of it there is; copied
 * @limits: as clip_store_add_async() will have them
 *
 * The oldest entries go for a content that comes in, by the rule by which they would go for it
 * when it is added.
 */
void
clip_store_make_room_async (ClipStore *self,
                            ClipStage *stage,
                            const ClipShortage *shortage,
                            const ClipLimits *limits,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task =
      clip_store_new_task (self, clip_store_make_room_async, NULL, callback, user_data);
  ClipJob *job;

  if (!self->writer)
    {
      clip_store_refuse (task);
      return;
    }
  g_task_set_task_data (task, clip_stage_ref (stage), (GDestroyNotify) clip_stage_unref);
  job = clip_job_new (CLIP_JOB_MAKE_ROOM, on_room_made, task);
  job->stage = clip_stage_ref (stage);
  job->shortage = *shortage;
  job->limits = *limits;
  clip_writer_push (self->writer, job);
}

/**
 * clip_store_make_room_finish:
 *
 * Returns: whether it is worth another try
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CANCELLED, %CLIP_ERROR_FAILED.
 */
gboolean
clip_store_make_room_finish (ClipStore *self G_GNUC_UNUSED,
                             GAsyncResult *result,
                             GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

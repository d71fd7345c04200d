/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What changes the history: it is given to the writer, and a callback or a thread hears
 * what came of it. */
#define G_LOG_DOMAIN "clip-store"
#include "clip-store-private.h"

/* on the writer's thread */
static void
on_changed (ClipChange *change)
{
  g_autoptr (GTask) task = change->user_data;
  const ClipOutcome *outcome = &change->now.outcome;
  ClipStore *self = g_task_get_source_object (task);

  if (change->error)
    {
      g_task_return_error (task, g_steal_pointer (&change->error));
      return;
    }
  if (outcome->n_pushed_out > 0)
    clip_store_announce (self, CLIP_SIGNAL_PUSHED_OUT, outcome->n_pushed_out);
  if (outcome->took_old)
    clip_store_announce (self, CLIP_SIGNAL_ROOM_MADE, 0);
  g_task_return_pointer (task, g_memdup2 (outcome, sizeof *outcome), g_free);
}

static void
push (ClipStore *self, ClipChange *change_take, GTask *task_take)
{
  change_take->done = on_changed;
  change_take->user_data = task_take;
  clip_writer_push (self->writer, change_take);
}

/**
 * clip_store_change_async:
 * @change_take: (transfer full): what is to be changed, also on failure
 *
 * Ends in clip_store_change_finish().
 */
void
clip_store_change_async (ClipStore *self,
                         ClipChange *change_take,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task =
      clip_store_new_task (self, clip_store_change_async, NULL, callback, user_data);

  if (self->writer)
    {
      push (self, change_take, task);
      return;
    }
  clip_store_refuse (task);
  clip_change_free (change_take);
}

/* on the thread for files; where it is not wanted any more, the writer is told nothing */
static void
search_blobs (ClipReader *reader G_GNUC_UNUSED, GTask *task)
{
  ClipStore *self = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GBytes *needle = g_task_get_task_data (task);
  gulong handler = clip_store_heed (self, cancellable, &self->files_stop);
  g_autoptr (GHashTable) found =
      clip_change_search_blobs (clip_blobs_fd (self->blobs), needle, &self->files_stop);

  g_cancellable_disconnect (cancellable, handler);
  if (g_atomic_int_get (&self->files_stop))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                             "search was stopped");
  else
    push (self, clip_change_delete_matching (needle, g_steal_pointer (&found)),
          g_object_ref (task));
}

/**
 * clip_store_delete_matching_async:
 * @needle: not empty
 * @cancellable: (nullable): ends the search, and then nothing is deleted
 *
 * Deletes every entry, pinned ones too, whose primary content contains @needle, byte for
 * byte. Ends in clip_store_change_finish().
 */
void
clip_store_delete_matching_async (ClipStore *self,
                                  GBytes *needle,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = clip_store_new_task (self, clip_store_delete_matching_async, cancellable,
                                     callback, user_data);

  /* what was done is answered as done */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_bytes_ref (needle), (GDestroyNotify) g_bytes_unref);
  if (self->writer)
    clip_readers_push (self->readers, CLIP_READ_FILES, 0, task, search_blobs);
  else
    clip_store_refuse (task);
}

/**
 * clip_store_change_finish:
 * @out_outcome: (out) (optional): what came of it
 *
 * When it returns %TRUE, the change survives a power cut.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CANCELLED,
 * %CLIP_ERROR_CORRUPT, also where a content has another size than was said,
 * %CLIP_ERROR_INVALID_ARGUMENT, %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
gboolean
clip_store_change_finish (ClipStore *self G_GNUC_UNUSED,
                          GAsyncResult *result,
                          ClipOutcome *out_outcome,
                          GError **error)
{
  g_autofree ClipOutcome *outcome = g_task_propagate_pointer (G_TASK (result), error);

  if (outcome && out_outcome)
    *out_outcome = *outcome;
  return outcome != NULL;
}

/* --- for a thread that waits --- */

typedef struct
{
  GMutex mutex;
  GCond ended;
  gboolean has_ended; /* from here on guarded by mutex */
  ClipOutcome outcome;
  GError *error;
} Pending;

/* on the writer's thread */
static void
on_ended (ClipChange *change)
{
  Pending *pending = change->user_data;

  g_mutex_lock (&pending->mutex);
  pending->outcome = change->now.outcome;
  pending->error = g_steal_pointer (&change->error);
  pending->has_ended = TRUE;
  g_cond_signal (&pending->ended);
  g_mutex_unlock (&pending->mutex);
}

/**
 * clip_store_change_wait:
 * @change_take: (transfer full): what is to be changed
 * @out_outcome: (out) (optional): what came of it, also where it failed in the middle
 *
 * Waits until the change survives a power cut, or has failed: from any thread but that of
 * the main loop, before the store is closed.
 *
 * Errors: as clip_store_change_finish().
 */
gboolean
clip_store_change_wait (ClipStore *self,
                        ClipChange *change_take,
                        ClipOutcome *out_outcome,
                        GError **error)
{
  Pending pending = { 0 };

  g_mutex_init (&pending.mutex);
  g_cond_init (&pending.ended);
  change_take->done = on_ended;
  change_take->user_data = &pending;
  clip_writer_push (self->writer, change_take);
  g_mutex_lock (&pending.mutex);
  while (!pending.has_ended)
    g_cond_wait (&pending.ended, &pending.mutex);
  g_mutex_unlock (&pending.mutex);
  g_mutex_clear (&pending.mutex);
  g_cond_clear (&pending.ended);
  if (out_outcome)
    *out_outcome = pending.outcome;
  if (!pending.error)
    return TRUE;
  g_propagate_error (error, pending.error);
  return FALSE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls that change the history: each becomes a job for the writer. */
#define G_LOG_DOMAIN "clip-store"
#include "clip-store-private.h"

#include "clip-error.h"

/* on the writer's thread */
static void
on_changed (ClipJob *job)
{
  g_autoptr (GTask) task = job->user_data;

  if (job->error)
    g_task_return_error (task, g_steal_pointer (&job->error));
  else if (job->kind == CLIP_JOB_ADD)
    g_task_return_pointer (task, g_memdup2 (&job->added, sizeof job->added), g_free);
  else if (job->kind == CLIP_JOB_TRIM)
    g_task_return_pointer (task, g_memdup2 (&job->trimmed, sizeof job->trimmed), g_free);
  else
    g_task_return_int (task, job->n);
}

/* (transfer none): the job of a change, whose outcome @callback hears */
static ClipJob *
new_job (ClipStore *self,
         ClipJobKind kind,
         gpointer tag,
         GAsyncReadyCallback callback,
         gpointer user_data)
{
  return clip_job_new (kind, on_changed,
                       clip_store_new_task (self, tag, NULL, callback, user_data));
}

static void
push (ClipStore *self, ClipJob *job_take)
{
  if (self->writer)
    {
      clip_writer_push (self->writer, job_take);
      return;
    }
  clip_store_refuse (job_take->user_data);
  clip_job_free (job_take);
}

/**
 * clip_store_add_async:
 * @draft_take: (transfer full): the entry to be, also on failure
 * @limits: (nullable): what the history is trimmed to; %NULL = nothing
 *
 * Adds an entry; where the history has it already, that one moves to the top.
 */
void
clip_store_add_async (ClipStore *self,
                      ClipDraft *draft_take,
                      const ClipLimits *limits,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  ClipJob *job = new_job (self, CLIP_JOB_ADD, clip_store_add_async, callback, user_data);

  job->add.draft = draft_take;
  if (limits)
    job->add.limits = *limits;
  push (self, job);
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

/**
 * clip_store_delete_async:
 * @ids: those that are not there do not count
 *
 * Deletes entries, pinned ones too, all or none.
 */
void
clip_store_delete_async (ClipStore *self,
                         const gint64 *ids,
                         gsize n_ids,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  ClipJob *job =
      new_job (self, CLIP_JOB_DELETE, clip_store_delete_async, callback, user_data);

  job->delete.ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (n_ids)
    g_array_append_vals (job->delete.ids, ids, (guint) n_ids);
  push (self, job);
}

/* on a reader's thread; when the store is closed meanwhile, the writer is told nothing */
static void
search_blobs (ClipReader *reader G_GNUC_UNUSED, GTask *task)
{
  ClipStore *self = g_task_get_source_object (task);
  GBytes *needle = g_task_get_task_data (task);
  g_autoptr (GHashTable) verdicts =
      clip_change_search_blobs (clip_blobs_fd (self->blobs), needle, &self->stops);
  ClipJob *job;

  if (g_atomic_int_get (&self->stops))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               "history is closed");
      return;
    }
  job = clip_job_new (CLIP_JOB_DELETE_MATCHING, on_changed, g_object_ref (task));
  job->delete_matching.needle = g_bytes_ref (needle);
  job->delete_matching.verdicts = g_steal_pointer (&verdicts);
  clip_writer_push (self->writer, job);
}

/**
 * clip_store_delete_matching_async:
 * @needle: not empty
 *
 * Deletes every entry, pinned ones too, whose primary content contains @needle, byte for
 * byte.
 */
void
clip_store_delete_matching_async (ClipStore *self,
                                  GBytes *needle,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = clip_store_new_task (self, clip_store_delete_matching_async, NULL,
                                     callback, user_data);

  if (!self->writer)
    {
      clip_store_refuse (task);
      return;
    }
  g_task_set_task_data (task, g_bytes_ref (needle), (GDestroyNotify) g_bytes_unref);
  clip_readers_push (self->readers, CLIP_READ_LONG, task, search_blobs);
}

/* the newest entry, unless it is pinned */
void
clip_store_delete_newest_async (ClipStore *self,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  push (self, new_job (self, CLIP_JOB_DELETE_NEWEST, clip_store_delete_newest_async,
                       callback, user_data));
}

/**
 * clip_store_wipe_async:
 * @since_us: only what was last copied since then; 0 = everything
 */
void
clip_store_wipe_async (ClipStore *self,
                       gboolean pinned_too,
                       gint64 since_us,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  ClipJob *job =
      new_job (self, CLIP_JOB_WIPE, clip_store_wipe_async, callback, user_data);

  job->wipe.pinned_too = pinned_too;
  job->wipe.since_us = since_us;
  push (self, job);
}

/**
 * clip_store_trim_async:
 * @pretends: whether only to count
 *
 * Removes what has expired, then the oldest entries, until the limits are kept.
 */
void
clip_store_trim_async (ClipStore *self,
                       const ClipLimits *limits,
                       gboolean pretends,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  ClipJob *job =
      new_job (self, CLIP_JOB_TRIM, clip_store_trim_async, callback, user_data);

  job->trim.limits = *limits;
  job->trim.pretends = pretends;
  push (self, job);
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

/* changes nothing, but as a change does it: what the file at db-path asks for is done, and
 * it is there afterwards */
void
clip_store_touch_async (ClipStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  push (self,
        new_job (self, CLIP_JOB_NOTHING, clip_store_touch_async, callback, user_data));
}

/**
 * clip_store_move_async:
 *
 * Moves the entry to the top, as when it is copied again. Errors: %CLIP_ERROR_NOT_FOUND where there
 * is no such entry.
 */
void
clip_store_move_async (ClipStore *self,
                       gint64 id,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  ClipJob *job =
      new_job (self, CLIP_JOB_MOVE, clip_store_move_async, callback, user_data);

  job->move.id = id;
  push (self, job);
}

/* Returns: the id that it has from now on; -1 with the error set */
gint64
clip_store_move_finish (ClipStore *self G_GNUC_UNUSED, GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* fails with CLIP_ERROR_NOT_FOUND where there is no such entry; as do the next two */
void
clip_store_set_pinned_async (ClipStore *self,
                             gint64 id,
                             gboolean pinned,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  ClipJob *job =
      new_job (self, CLIP_JOB_PIN, clip_store_set_pinned_async, callback, user_data);

  job->pin.id = id;
  job->pin.pinned = pinned;
  push (self, job);
}

/* @expires_us: microseconds since the epoch; 0 = never */
void
clip_store_set_expiry_async (ClipStore *self,
                             gint64 id,
                             gint64 expires_us,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  ClipJob *job = new_job (self, CLIP_JOB_EXPIRE_AT, clip_store_set_expiry_async, callback,
                          user_data);

  job->expire.id = id;
  job->expire.expires_us = expires_us;
  push (self, job);
}

/* @tags: all that it has from now on */
void
clip_store_set_tags_async (ClipStore *self,
                           gint64 id,
                           const char *const *tags,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  ClipJob *job =
      new_job (self, CLIP_JOB_TAG, clip_store_set_tags_async, callback, user_data);

  job->tag.id = id;
  job->tag.tags = g_strdupv ((char **) tags);
  push (self, job);
}

/* @value: (nullable): NULL forgets it */
void
clip_store_set_note_async (ClipStore *self,
                           const char *key,
                           const char *value,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  ClipJob *job =
      new_job (self, CLIP_JOB_NOTE, clip_store_set_note_async, callback, user_data);

  job->note.key = g_strdup (key);
  job->note.value = g_strdup (value);
  push (self, job);
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

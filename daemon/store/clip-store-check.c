/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What takes long and concerns all of the history: each call is a task for a thread of
 * its own, which reads beside everybody else, and asks the writer for small changes.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-store-repair.h"

#include "clip-check.h"
#include "clip-connect.h"
#include "clip-error.h"

/* how long somebody who reads, or carries the log just now, may keep it from being
 * carried into the database */
#define CHECKPOINT_TRIES 250
#define CHECKPOINT_PAUSE_US (20 * 1000)

typedef enum
{
  WORK_CHECK,
  WORK_REPAIR,
  WORK_COMPACT,
} Work;

/* whoever asks waits for the writer */
typedef struct
{
  GMutex mutex;
  GCond done;
  gboolean is_done;
  gint64 n;
  GError *error;
} Wait;

static void
on_done (ClipJob *job)
{
  Wait *wait = job->user_data;

  g_mutex_lock (&wait->mutex);
  wait->n = job->n;
  wait->error = g_steal_pointer (&job->error);
  wait->is_done = TRUE;
  g_cond_signal (&wait->done);
  g_mutex_unlock (&wait->mutex);
}

/**
 * clip_store_wait_job:
 * @job_take: without a callback
 * @out_n: (out) (optional): how much it did
 *
 * Has it done, and blocks until it is: never on the main loop, nor on the writer's
 * thread.
 */
gboolean
clip_store_wait_job (ClipStore *self, ClipJob *job_take, gint64 *out_n, GError **error)
{
  Wait wait = { 0 };

  g_mutex_init (&wait.mutex);
  g_cond_init (&wait.done);
  job_take->done = on_done;
  job_take->user_data = &wait;
  clip_writer_push (self->writer, job_take);
  g_mutex_lock (&wait.mutex);
  while (!wait.is_done)
    g_cond_wait (&wait.done, &wait.mutex);
  g_mutex_unlock (&wait.mutex);
  g_mutex_clear (&wait.mutex);
  g_cond_clear (&wait.done);
  if (out_n)
    *out_n = wait.n;
  if (!wait.error)
    return TRUE;
  g_propagate_error (error, wait.error);
  return FALSE;
}

static void
return_report (GTask *task, GVariant *report_take, GError *error_take)
{
  if (report_take)
    g_task_return_pointer (task, report_take, (GDestroyNotify) g_variant_unref);
  else
    g_task_return_error (task, error_take);
}

static GVariant *
check (ClipStore *self, GError **error)
{
  g_autoptr (ClipReport) report = clip_check (self->dir, &self->stops, error);

  return report ? g_variant_ref_sink (clip_report_to_variant (report, NULL, "")) : NULL;
}

/* the file shrinks when the log is carried into it, for which nobody may be reading what
 * was there before; where somebody is, the last step is left to the next one who can */
static void
carry_log (ClipStore *self)
{
  g_autoptr (GError) error = NULL;
  sqlite3 *db = clip_connect_checkpointer (self->dir, &error);

  if (!db)
    g_info ("the log is not carried over: %s", error->message);
  for (guint i = 0; db && i < CHECKPOINT_TRIES && !g_atomic_int_get (&self->stops); i++)
    {
      if (sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) ==
          SQLITE_OK)
        break;
      /* SQLite does not wait for somebody who carries, whatever its timeout is */
      g_usleep (CHECKPOINT_PAUSE_US);
    }
  sqlite3_close (db);
}

/* A step of some pages a transaction, each behind the jobs that wait. VACUUM would write
 * all of the history anew, and keep everybody from changing it meanwhile. */
static void
compact (ClipStore *self, GTask *task)
{
  gint64 n = G_MAXINT64, n_before;
  GError *error = NULL;

  do
    {
      n_before = n;
      if (!clip_store_wait_job (self, clip_job_new (CLIP_JOB_RETURN_PAGES, NULL, NULL),
                                &n, &error))
        {
          g_task_return_error (task, error);
          return;
        }
    }
  while (n > 0 && n < n_before && !g_atomic_int_get (&self->stops));
  carry_log (self);
  g_task_return_boolean (task, TRUE);
}

/* on the workers' thread */
void
clip_store_work (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  ClipStore *self = user_data;
  Work work = (Work) GPOINTER_TO_INT (g_task_get_task_data (task));
  GVariant *report = NULL;
  GError *error = NULL;

  if (g_atomic_int_get (&self->stops))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "history is closed");
  else if (work == WORK_COMPACT)
    compact (self, task);
  else
    {
      report =
          work == WORK_CHECK ? check (self, &error) : clip_store_repair (self, &error);
      return_report (task, report, error);
    }
}

static void
push (ClipStore *self, GTask *task_take, Work work)
{
  g_task_set_task_data (task_take, GINT_TO_POINTER (work), NULL);
  if (self->workers)
    g_thread_pool_push (self->workers, task_take, NULL);
  else
    clip_store_refuse (task_take);
}

/* @repair: whether to set right what can be */
void
clip_store_check_async (ClipStore *self,
                        gboolean repair,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  push (self,
        clip_store_new_task (self, clip_store_check_async, NULL, callback, user_data),
        repair ? WORK_REPAIR : WORK_CHECK);
}

/**
 * clip_store_check_finish:
 *
 * Returns: (transfer full): what was found, an a{sv} as Check answers it
 *
 * Errors: as clip_check(), %G_IO_ERROR_CANCELLED, %CLIP_ERROR_CANCELLED.
 */
GVariant *
clip_store_check_finish (ClipStore *self G_GNUC_UNUSED,
                         GAsyncResult *result,
                         GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Gives unused pages back to the file system. Ends in g_task_propagate_boolean(). */
void
clip_store_compact_async (ClipStore *self,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  push (self,
        clip_store_new_task (self, clip_store_compact_async, NULL, callback, user_data),
        WORK_COMPACT);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Jobs are done in the order in which they came, and what waits together is committed
 * together: one sync for all of it. Each has a savepoint of its own, and hears of the
 * outcome when it would survive a power cut. A job that is not through after one step, or
 * whose preparation has been overtaken, ends its transaction and is the first of the
 * next.
 *
 * What takes long is kept off this thread: large contents are sealed on a pool beside it
 * (the writer waits for the one whose turn it is), the log is carried over when nothing
 * waits or it has grown, and the bytes of deleted files are freed after everyone has been
 * told.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-commit.h"
#include "clip-fd.h"
#include "clip-thumbnail-sweep.h"
#include "clip-writer-private.h"

/* the most jobs of one transaction: a failure that ends it ends them all */
#define BATCH_JOBS 64
#define MAX_SEALERS 2

/* free pages worth giving back: less than this is used again soon */
#define FREE_PAGES 128

/* for so long after a part of an import the next one is expected */
#define IMPORT_PAUSE_US (250 * 1000)

/* on a pool's thread */
static void
seal (gpointer data, gpointer user_data)
{
  ClipWriter *self = user_data;
  ClipJob *job = data;

  job->prepared = clip_job_prepare (job, &job->error);
  g_mutex_lock (&self->mutex);
  job->ready = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/**
 * clip_writer_push:
 * @job_take: its `done` is called on the writer's thread
 *
 * Never blocks; may be called from any thread.
 */
void
clip_writer_push (ClipWriter *self, ClipJob *job_take)
{
  job_take->ready = !clip_job_is_slow (job_take);
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->jobs, job_take);
  clip_ledger_set_awaited (self->ledger, TRUE);
  if (job_take->ready)
    g_cond_signal (&self->changed);
  else
    g_thread_pool_push (self->sealers, job_take, NULL);
  g_mutex_unlock (&self->mutex);
}

/* lets the writer see what other processes have written, soon */
void
clip_writer_look (ClipWriter *self)
{
  g_mutex_lock (&self->mutex);
  self->looks = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/* whether something deleted may still be found in the files of the database */
gboolean
clip_writer_is_overwriting (ClipWriter *self)
{
  return clip_checkpoint_is_pending (&self->checkpoint);
}

static gboolean
is_first_ready (ClipWriter *self)
{
  const ClipJob *job = g_queue_peek_head (&self->jobs);

  return job && job->ready;
}

/* with the mutex: an import has a transaction for itself, and nobody waits for its end */
static gboolean
fits (ClipWriter *self, const GQueue *batch)
{
  const ClipJob *last = g_queue_peek_tail ((GQueue *) batch);
  const ClipJob *next = g_queue_peek_head (&self->jobs);

  return !last || (batch->length < BATCH_JOBS && !clip_commit_is_short (self->ledger) &&
                   last->kind != CLIP_JOB_IMPORT && next->kind != CLIP_JOB_IMPORT);
}

/* with the mutex: until there may be something to do; the memory that an import had is
 * given back when no more of it comes */
static void
wait (ClipWriter *self)
{
  gint64 due_us = self->checkpoint.due_us;
  gint64 pause_us = g_get_monotonic_time () + IMPORT_PAUSE_US;

  if (clip_ledger_is_wide (self->ledger))
    due_us = due_us > 0 ? MIN (due_us, pause_us) : pause_us;
  if (due_us == 0)
    g_cond_wait (&self->changed, &self->mutex);
  else if (!g_cond_wait_until (&self->changed, &self->mutex, due_us))
    clip_ledger_narrow (self->ledger);
}

/* FALSE = there is nothing to do any more, and will not be; what is due for the log is
 * left to who closes the database last, or opens it next
 * @out_looks: whether to look at what others have written */
static gboolean
wait_batch (ClipWriter *self, GQueue *batch, gboolean *out_looks)
{
  gboolean ends;

  g_mutex_lock (&self->mutex);
  while (!is_first_ready (self) && !self->looks &&
         !(self->closing && g_queue_is_empty (&self->jobs)) &&
         !clip_checkpoint_is_due (&self->checkpoint))
    wait (self);
  while (is_first_ready (self) && fits (self, batch))
    g_queue_push_tail (batch, g_queue_pop_head (&self->jobs));
  clip_ledger_set_awaited (self->ledger, !g_queue_is_empty (&self->jobs));
  *out_looks = self->looks || batch->length > 0;
  ends = self->closing && g_queue_is_empty (&self->jobs) && !*out_looks;
  self->looks = FALSE;
  g_mutex_unlock (&self->mutex);
  return !ends;
}

/* they are the first of the next batch, but for an import, which has made room for
   others */
static void
put_back (ClipWriter *self, GQueue *batch)
{
  g_mutex_lock (&self->mutex);
  while (batch->length > 0)
    {
      ClipJob *job = g_queue_pop_tail (batch);

      if (job->kind == CLIP_JOB_IMPORT)
        g_queue_push_tail (&self->jobs, job);
      else
        g_queue_push_head (&self->jobs, job);
    }
  g_mutex_unlock (&self->mutex);
}

static void
close_fd (gpointer data)
{
  clip_fd_clear (data);
}

static void
finish (ClipJob *job)
{
  clip_job_settle (job);
  if (job->error)
    g_debug ("job %d failed: %s", job->kind, job->error->message);
  if (job->done)
    job->done (job);
  clip_job_free (job);
}

static void return_pages (ClipWriter *self, gint64 n_before);

static void
on_pages_returned (ClipJob *job)
{
  ClipWriter *self = job->user_data;

  self->returning = FALSE;
  if (!job->error)
    return_pages (self, job->return_pages.n_before);
}

/* a step at a time, behind the jobs that wait; until no more come back */
static void
return_pages (ClipWriter *self, gint64 n_before)
{
  ClipJob *job;
  gint64 n;

  clip_database_number (clip_ledger_database (self->ledger), CLIP_SQL_GET_FREE_PAGES, &n,
                        NULL, "");
  if (self->returning || n < FREE_PAGES || n >= n_before)
    return;
  self->returning = TRUE;
  job = clip_job_new (CLIP_JOB_RETURN_PAGES, on_pages_returned, self);
  job->return_pages.n_before = n;
  clip_writer_push (self, job);
}

static gboolean
is_import (const GQueue *batch)
{
  return batch->head && ((const ClipJob *) batch->head->data)->kind == CLIP_JOB_IMPORT;
}

static void
do_batch (ClipWriter *self, GQueue *batch)
{
  g_auto (GQueue) through = G_QUEUE_INIT;
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));
  gboolean publishes, uses_reserve;

  if (batch->length == 0 && !clip_writer_look_for_place (self))
    return;
  if (!is_import (batch))
    clip_ledger_narrow (self->ledger);
  g_array_set_clear_func (fds, close_fd);
  publishes = clip_writer_commit (self, batch, &through, fds) ||
              clip_ledger_has_news (self->ledger) || clip_jobs_have_change (&through);
  uses_reserve = clip_commit_use_reserve (self->ledger, batch, &through);
  put_back (self, batch);
  if (!self->gone)
    clip_writer_follow_up (self, publishes, fds);
  if (clip_ledger_has_mark (self->ledger, CLIP_MARK_IMAGE))
    clip_thumbnail_sweep (self->ledger, self->dir);
  while (through.length > 0)
    finish (g_queue_pop_head (&through));
  if (clip_ledger_has_mark (self->ledger, CLIP_MARK_OVERWRITTEN))
    return_pages (self, G_MAXINT64);
  clip_ledger_set_mark (self->ledger, CLIP_MARK_OVERWRITTEN, FALSE);
  if (uses_reserve || !clip_commit_is_short (self->ledger))
    return;
  g_array_set_size (fds, 0);
  clip_commit_keep_reserve (self->ledger);
}

static gpointer
run (gpointer data)
{
  ClipWriter *self = data;
  g_auto (GQueue) batch = G_QUEUE_INIT;
  gboolean looks;

  /* what was removed while nobody looked, or by a process that was killed then */
  if (!clip_ledger_journals (self->ledger))
    clip_thumbnail_sweep (self->ledger, self->dir);
  while (wait_batch (self, &batch, &looks))
    {
      if (looks)
        do_batch (self, &batch);
      if (clip_checkpoint_is_due (&self->checkpoint))
        clip_checkpoint_run (&self->checkpoint,
                             clip_database_handle (clip_ledger_database (self->ledger)));
    }
  return NULL;
}

/**
 * clip_writer_new:
 * @dir: the folder of the history
 * @on_news: (nullable): called on the writer's thread
 */
ClipWriter *
clip_writer_new (ClipLedger *ledger_take,
                 const char *dir,
                 ClipNewsFunc on_news,
                 gpointer user_data)
{
  ClipWriter *self = g_new0 (ClipWriter, 1);

  self->dir = g_strdup (dir);
  self->untold = g_array_new (FALSE, FALSE, sizeof (ClipEvent));
  self->place = clip_store_folder_new (dir, clip_ledger_blobs (ledger_take));
  self->ledger = ledger_take;
  clip_ledger_set_dir (self->ledger, self->dir);
  self->keeper = clip_db_keeper_new (dir);
  self->sealers = g_thread_pool_new (seal, self, MAX_SEALERS, FALSE, NULL);
  self->on_news = on_news;
  self->user_data = user_data;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->jobs);
  clip_writer_watch_log (self, clip_ledger_database (ledger_take));
  clip_commit_keep_reserve (self->ledger);
  /* what a process that was killed had deleted is still in the log that it left */
  if (clip_store_folder_has_log (self->place))
    clip_checkpoint_note (&self->checkpoint, 1, TRUE);
  self->thread = g_thread_new ("clip-writer", run, self);
  return self;
}

/**
 * clip_writer_free:
 *
 * Does what waits, then carries the log into the database, unless somebody reads.
 */
void
clip_writer_free (ClipWriter *self)
{
  if (!self)
    return;
  g_mutex_lock (&self->mutex);
  self->closing = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);
  g_thread_pool_free (self->sealers, FALSE, TRUE);
  sqlite3_wal_checkpoint_v2 (clip_database_handle (clip_ledger_database (self->ledger)),
                             NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  clip_commit_keep_reserve (self->ledger);
  clip_ledger_free (self->ledger);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  clip_store_folder_free (self->place);
  g_array_unref (self->untold);
  clip_db_keeper_free (self->keeper);
  g_free (self->dir);
  g_free (self);
}

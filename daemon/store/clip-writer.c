/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Jobs are done in the order in which they came, and what waits together is committed
 * together: one sync for all of it. Each has a savepoint of its own, and hears of the
 * outcome when it would survive a power cut. A job that is not through after one step, or
 * whose preparation has been overtaken, ends its transaction and is the first of the
 * next.
 *
 * What takes long is kept off this thread: large contents are sealed on a pool beside it
 * (the writer waits for the one whose turn it is), the log is carried over by another
 * thread, and the bytes of deleted files are freed after everyone has been told. The
 * search index is kept up while there is nothing else to do, in steps of a millisecond or
 * two: no job waits longer for it.
 *
 * A folder may be removed or moved while it is open, and what is written then is lost. So
 * the path is looked at before a transaction, and again behind it, before anybody is told
 * that it is done: where it no longer leads to the database, a new history is begun there,
 * and the jobs are done in that.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-writer.h"

#include "clip-checkpoint.h"
#include "clip-db-keeper.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-indexer.h"
#include "clip-place.h"
#include "clip-thumbnail-sweep.h"
#include "clip-turn.h"
#include "clip-watch.h"

/* the most jobs of one transaction: a failure that ends it ends them all */
#define BATCH_JOBS 64
#define MAX_SEALERS 2

/* how often a history may vanish under one batch */
#define PLACE_TRIES 8

/* free pages worth giving back: less than this is used again soon */
#define FREE_PAGES 128

struct ClipWriter
{
  char *dir;
  ClipPlace *place;        /* the thread's */
  gboolean gone;           /* the thread's: it is not there any more, which was told */
  gboolean is_new;         /* the thread's: there is another, which was not told */
  GArray *untold;          /* the thread's: ClipEvent: what was not told before */
  gboolean is_new_db_file; /* the thread's: likewise */
  ClipLedger *ledger;      /* the thread's */
  ClipDbKeeper *keeper;
  ClipIndexer *indexer;
  ClipCheckpoint *checkpoint;
  GThreadPool *sealers;
  ClipNewsFunc on_news;
  gpointer user_data;
  int log_pages;      /* the thread's */
  gboolean returning; /* the thread's: a job that gives pages back is queued */
  gboolean shrinks;   /* the thread's: the index has left pages, some for itself */

  GThread *thread;
  GMutex mutex;
  GCond changed;
  GQueue jobs;    /* from here on guarded by mutex */
  gboolean looks; /* for what others wrote */
  gboolean closing;
};

/* on a pool's thread */
static void
seal (gpointer data, gpointer user_data)
{
  ClipWriter *self = user_data;
  ClipJob *job = data;

  job->prepared = clip_job_prepare (job, NULL, &job->error);
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
  g_atomic_int_set (&self->ledger->others_wait, TRUE);
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
  return clip_indexer_is_dropping (self->indexer) ||
         clip_checkpoint_is_pending (self->checkpoint);
}

/* whether the search index is being brought up to the last change that was reported */
gboolean
clip_writer_is_indexing (ClipWriter *self)
{
  return clip_indexer_is_busy (self->indexer);
}

/* see CLIP_INDEX_BYTES; from any thread */
void
clip_writer_set_index_bytes (ClipWriter *self, gint64 bytes)
{
  clip_indexer_set_bytes (self->indexer, bytes);
}

static gboolean
is_first_ready (ClipWriter *self)
{
  const ClipJob *job = g_queue_peek_head (&self->jobs);

  return job && job->ready;
}

/* with the mutex: whether to keep the search index up now; at the end, only what is
 * deleted leaves it yet */
static gboolean
is_index_due (ClipWriter *self)
{
  return clip_indexer_wants (self->indexer) &&
         (!self->closing || clip_indexer_is_dropping (self->indexer));
}

/* with the mutex: an import has a transaction for itself, and nobody waits for its end */
static gboolean
fits (ClipWriter *self, const GQueue *batch)
{
  const ClipJob *last = g_queue_peek_tail ((GQueue *) batch);
  const ClipJob *next = g_queue_peek_head (&self->jobs);

  return !last || (batch->length < BATCH_JOBS && !clip_turn_is_short (self->ledger) &&
                   last->kind != CLIP_JOB_IMPORT && next->kind != CLIP_JOB_IMPORT);
}

/* what wait_batch() says */
typedef enum
{
  TURN_JOBS, /* or only something to look at */
  TURN_INDEX,
  TURN_END,
} Turn;

static Turn
wait_batch (ClipWriter *self, GQueue *batch)
{
  Turn turn = TURN_END;

  g_mutex_lock (&self->mutex);
  while (!is_first_ready (self) && !self->looks && !is_index_due (self) &&
         !(self->closing && g_queue_is_empty (&self->jobs)))
    g_cond_wait (&self->changed, &self->mutex);
  while (is_first_ready (self) && fits (self, batch))
    g_queue_push_tail (batch, g_queue_pop_head (&self->jobs));
  g_atomic_int_set (&self->ledger->others_wait, !g_queue_is_empty (&self->jobs));
  if (batch->length > 0 || self->looks)
    turn = TURN_JOBS;
  else if (is_index_due (self))
    turn = TURN_INDEX;
  self->looks = FALSE;
  g_mutex_unlock (&self->mutex);
  return turn;
}

/* they are the first of the next batch, but for an import, which has made room for others */
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
prepare (ClipWriter *self, ClipJob *job)
{
  if (!job->prepared && !job->error)
    job->prepared = clip_job_prepare (job, self->ledger, &job->error);
}

/* what this process and others have written since it was told last; where that cannot be
 * said now, it is said with what comes next */
static void
tell (ClipWriter *self)
{
  g_autoptr (GArray) events = g_array_copy (self->ledger->events);
  g_autoptr (GError) error = NULL;
  ClipNews news = { .events = events,
                    .is_new_history = self->is_new,
                    .is_new_db_file = self->is_new_db_file };

  if (self->ledger->journals && events->len > 0)
    clip_watch_touch (self->dir);
  g_array_set_size (self->ledger->events, 0);
  if (!clip_ledger_begin_look (self->ledger, &error) ||
      !clip_ledger_look (self->ledger, events, &news.newest, &error) ||
      clip_database_number (self->ledger->database, CLIP_SQL_NEXT_EXPIRY,
                            &news.next_expiry_us, &error, "") == CLIP_ROWS_FAILED)
    {
      g_warning ("history cannot be looked at: %s", error->message);
      clip_ledger_end_look (self->ledger);
      g_array_append_vals (self->untold, events->data, events->len);
      return;
    }
  news.sums = self->ledger->sums;
  self->is_new = self->is_new_db_file = FALSE;
  g_array_insert_vals (events, 0, self->untold->data, self->untold->len);
  g_array_set_size (self->untold, 0);
  if (self->on_news)
    {
      news.reader = clip_ledger_reader (self->ledger);
      self->on_news (&news, self->user_data);
    }
  clip_ledger_end_look (self->ledger);
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
    return_pages (self, job->number);
}

/* a step at a time, behind the jobs that wait; until no more come back */
static void
return_pages (ClipWriter *self, gint64 n_before)
{
  ClipJob *job;
  gint64 n;

  clip_database_number (self->ledger->database, CLIP_SQL_GET_FREE_PAGES, &n, NULL, "");
  if (self->returning || n < FREE_PAGES || n >= n_before)
    return;
  self->returning = TRUE;
  job = clip_job_new (CLIP_JOB_RETURN_PAGES, on_pages_returned, self);
  job->number = n;
  clip_writer_push (self, job);
}

/* before anybody is told: who asks then hears that it is pending */
static void
note_checkpoint (ClipWriter *self)
{
  if (self->log_pages > 0)
    clip_checkpoint_note (self->checkpoint, self->log_pages, self->ledger->has_removed);
  self->log_pages = 0;
}

static int
on_committed (void *user_data,
              sqlite3 *db G_GNUC_UNUSED,
              const char *name G_GNUC_UNUSED,
              int log_pages)
{
  ClipWriter *self = user_data;

  self->log_pages = log_pages;
  return SQLITE_OK;
}

static void
list_gone (ClipWriter *self, ClipDatabase *successor, GArray *events)
{
  g_autoptr (GError) error = NULL;

  if (!clip_ledger_list_gone (self->ledger, successor, events, &error))
    g_warning ("not all that was removed is announced: %s", error->message);
}

/* that every entry is gone: all of it can be read as long as it is open */
static void
tell_gone (ClipWriter *self)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (ClipEvent));
  ClipNews news = { .events = events };

  if (self->gone || clip_place_has_database (self->place))
    return;
  self->gone = TRUE;
  clip_indexer_restart (self->indexer);
  list_gone (self, NULL, events);
  if (self->on_news)
    self->on_news (&news, self->user_data);
}

/* what was saved out of a damaged history has kept its id, and was never gone */
static gboolean
begin_anew (ClipWriter *self, GError **error)
{
  ClipDatabase *database;

  if (!clip_place_has_another (self->place))
    tell_gone (self);
  database = clip_place_begin_anew (self->place, error);
  if (!database)
    {
      tell_gone (self);
      return FALSE;
    }
  if (!self->gone)
    list_gone (self, database, self->untold);
  clip_checkpoint_restart (self->checkpoint);
  clip_indexer_restart (self->indexer);
  clip_ledger_move (self->ledger, database);
  sqlite3_wal_hook (clip_database_handle (database), on_committed, self);
  self->log_pages = 0;
  self->gone = FALSE;
  self->is_new = TRUE;
  return TRUE;
}

/* whether there is a history for the jobs to be done in; begins another where it is gone */
static gboolean
find_place (ClipWriter *self, GQueue *batch, GError **error)
{
  if (clip_place_has_database (self->place))
    return clip_blobs_follow (self->ledger->blobs, error);
  clip_jobs_restart (batch);
  return begin_anew (self, error);
}

/* While nothing is to be done nothing is made in a folder that is being removed, but what
 * has come in its place is found. FALSE = there is no history to look at. */
static gboolean
look_for_place (ClipWriter *self)
{
  g_autoptr (GError) error = NULL;

  if (clip_place_has_database (self->place) ||
      (clip_place_has_another (self->place) && begin_anew (self, &error)))
    return TRUE;
  if (error)
    g_warning ("%s", error->message);
  tell_gone (self);
  return FALSE;
}

/* @fds: of deleted files, to be closed when everyone has been told */
static void
follow_up (ClipWriter *self, GArray *fds)
{
  g_autoptr (GError) error = NULL;

  if (!clip_ledger_clean (self->ledger, fds, &error))
    g_warning ("deleted files stay for now: %s", error->message);
  clip_indexer_look (self->indexer);
  note_checkpoint (self);
  tell (self);
}

/* whatever is to be done comes after what the file at db-path asks for. Ids may have begun
 * anew with that: what the index was about to say of them is void. TRUE = a database was
 * taken over */
static gboolean
heed_db_file (ClipWriter *self, GArray *fds)
{
  gboolean adopted = FALSE;
  ClipSettled settled;

  while ((settled = clip_db_keeper_settle (self->keeper, self->ledger)))
    {
      clip_indexer_restart (self->indexer);
      follow_up (self, fds);
      adopted |= settled == CLIP_SETTLED_ADOPTED;
    }
  return adopted;
}

static void
publish_db_file (ClipWriter *self)
{
  self->is_new_db_file = clip_db_keeper_publish (self->keeper, self->ledger);
  if (self->is_new_db_file)
    tell (self);
}

/* As clip_turn_commit(), until it is in a history that others find, too. TRUE = a database
 * was taken over. */
static gboolean
commit_in_place (ClipWriter *self, GQueue *batch, GQueue *through, GArray *fds)
{
  g_autoptr (GError) error = NULL;
  gboolean adopted = FALSE;

  for (guint n_tries = 0; n_tries < PLACE_TRIES; n_tries++)
    {
      if (!find_place (self, batch, &error))
        break;
      if (!clip_jobs_are_notes (batch))
        adopted |= heed_db_file (self, fds);
      for (GList *link = batch->head; link; link = link->next)
        prepare (self, link->data);
      while (batch->length > 0 && !clip_turn_commit (self->ledger, batch, through))
        continue;
      if (clip_place_has_database (self->place))
        return adopted;
      while (through->length > 0)
        g_queue_push_head (batch, g_queue_pop_tail (through));
      clip_jobs_restart (batch);
      g_array_set_size (self->ledger->events, 0);
    }
  if (!error)
    g_set_error (&error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 "history folder '%s' is removed again and again", self->dir);
  clip_jobs_move (batch, through);
  clip_jobs_fail (through, error);
  return FALSE;
}

static void
do_batch (ClipWriter *self, GQueue *batch)
{
  g_auto (GQueue) through = G_QUEUE_INIT;
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));
  gboolean publishes, uses_reserve;

  if (batch->length == 0 && !look_for_place (self))
    return;
  g_array_set_clear_func (fds, close_fd);
  publishes = commit_in_place (self, batch, &through, fds) ||
              clip_ledger_has_news (self->ledger) || clip_jobs_have_change (&through);
  uses_reserve = clip_turn_use_reserve (self->ledger, batch, &through);
  put_back (self, batch);
  if (!self->gone)
    follow_up (self, fds);
  if (!self->gone && publishes)
    publish_db_file (self);
  if (self->ledger->has_lost_image)
    clip_thumbnail_sweep (self->ledger, self->dir);
  while (through.length > 0)
    finish (g_queue_pop_head (&through));
  if (self->ledger->has_removed)
    return_pages (self, G_MAXINT64);
  self->ledger->has_removed = FALSE;
  if (uses_reserve || !clip_turn_is_short (self->ledger))
    return;
  g_array_set_size (fds, 0);
  clip_turn_keep_reserve (self->ledger);
}

static void
keep_index (ClipWriter *self)
{
  clip_indexer_step (self->indexer);
  note_checkpoint (self);
  self->shrinks = self->shrinks || self->ledger->has_removed;
  self->ledger->has_removed = FALSE;
  if (!self->shrinks || clip_indexer_wants (self->indexer))
    return;
  self->shrinks = FALSE;
  return_pages (self, G_MAXINT64);
}

static gpointer
run (gpointer data)
{
  ClipWriter *self = data;
  g_auto (GQueue) batch = G_QUEUE_INIT;
  Turn turn;

  clip_indexer_look (self->indexer);
  /* what was removed while nobody looked, or by a process that was killed then */
  if (!self->ledger->journals)
    clip_thumbnail_sweep (self->ledger, self->dir);
  while ((turn = wait_batch (self, &batch)) != TURN_END)
    if (turn == TURN_JOBS)
      do_batch (self, &batch);
    else
      keep_index (self);
  return NULL;
}

/**
 * clip_writer_new:
 * @dir: the folder of the history
 * @indexes: whether to build what the search index lacks
 * @on_news: (nullable): called on the writer's thread
 */
ClipWriter *
clip_writer_new (ClipLedger *ledger_take,
                 const char *dir,
                 gboolean indexes,
                 ClipNewsFunc on_news,
                 gpointer user_data)
{
  ClipWriter *self = g_new0 (ClipWriter, 1);

  self->dir = g_strdup (dir);
  self->untold = g_array_new (FALSE, FALSE, sizeof (ClipEvent));
  self->place = clip_place_new (dir, ledger_take->blobs);
  self->ledger = ledger_take;
  self->ledger->dir = self->dir;
  self->keeper = clip_db_keeper_new (dir);
  self->indexer = clip_indexer_new (dir, ledger_take, indexes);
  self->checkpoint = clip_checkpoint_new (dir);
  self->sealers = g_thread_pool_new (seal, self, MAX_SEALERS, FALSE, NULL);
  self->on_news = on_news;
  self->user_data = user_data;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->jobs);
  sqlite3_wal_hook (clip_database_handle (ledger_take->database), on_committed, self);
  clip_turn_keep_reserve (self->ledger);
  /* what a process that was killed had deleted is still in the log that it left */
  if (clip_place_has_log (self->place))
    clip_checkpoint_note (self->checkpoint, 1, TRUE);
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
  clip_checkpoint_free (self->checkpoint);
  clip_indexer_free (self->indexer);
  sqlite3_wal_checkpoint_v2 (clip_database_handle (self->ledger->database), NULL,
                             SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  clip_turn_keep_reserve (self->ledger);
  clip_ledger_free (self->ledger);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  clip_place_free (self->place);
  g_array_unref (self->untold);
  clip_db_keeper_free (self->keeper);
  g_free (self->dir);
  g_free (self);
}

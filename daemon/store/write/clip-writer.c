/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Changes are made in the order in which they came, and what waits together is committed
 * together: one sync for all of it. Each hears of the outcome when it would survive a
 * power cut. One that is not through after one step ends its transaction, and is the
 * first of the next, or the last of all where it yields.
 *
 * What takes long is kept off this thread: large contents are sealed on a pool beside it
 * (the writer waits for the one whose turn it is), the log is carried over when nothing
 * waits or it has grown, and the bytes of deleted files are freed after everyone has been
 * told.
 *
 * The folder of the history may be removed or moved while it is open, and what is written
 * then is lost. So its path is looked at before a transaction: where it no longer leads
 * to the database, a new history is begun there. And again behind it, before it is told
 * that anything is done: what went into a history that vanished in between has failed.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-writer.h"

#include "clip-change-batch.h"
#include "clip-checkpoint.h"
#include "clip-connect.h"
#include "clip-db-keeper.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-folder-watch.h"
#include "clip-history-folder.h"
#include "clip-thumbnail-sweep.h"

/* the most changes of one transaction: a failure of the disk ends them all */
#define BATCH_CHANGES 64
#define MAX_SEALERS 2

/* free pages worth giving back: less than this is used again soon */
#define FREE_PAGES 128

struct ClipWriter
{
  char *dir;
  GThreadPool *sealers;
  ClipNewsFunc on_news;
  gpointer user_data;
  GThread *thread;

  ClipHistoryFolder *folder; /* from here on the thread's */
  ClipTransaction *transaction;
  ClipDbKeeper *keeper;
  ClipCheckpoint checkpoint;
  int log_pages;
  gboolean gone;           /* the history is not there any more, which was told */
  gboolean is_new;         /* there is another, which was not told */
  gboolean is_new_db_file; /* likewise */
  gint64 n_wiped;          /* as that file was removed, and not told yet */
  GArray *untold;          /* ClipEvent: what could not be told before */
  gboolean returns_pages;  /* a change that does is queued */

  GMutex mutex;
  GCond changed;
  GQueue changes; /* ClipChange; from here on guarded by mutex */
  gboolean looks; /* for what others wrote */
  gboolean closing;
};

/* --- the queue --- */

/* on a pool's thread */
static void
seal (gpointer data, gpointer user_data)
{
  ClipWriter *self = user_data;
  ClipChange *change = data;

  change->prepared = clip_change_prepare (change, &change->error);
  g_mutex_lock (&self->mutex);
  change->ready = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/**
 * clip_writer_push:
 * @change_take: its `done` is called on the writer's thread
 *
 * Never blocks; may be called from any thread.
 */
void
clip_writer_push (ClipWriter *self, ClipChange *change_take)
{
  change_take->ready = !change_take->is_slow;
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->changes, change_take);
  if (change_take->ready)
    g_cond_signal (&self->changed);
  else
    g_thread_pool_push (self->sealers, change_take, NULL);
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
  const ClipChange *change = g_queue_peek_head (&self->changes);

  return change && change->ready;
}

/* with the mutex: one that yields has a transaction for itself, and its end waits */
static gboolean
fits (ClipWriter *self, GQueue *batch)
{
  const ClipChange *last = g_queue_peek_tail (batch);
  const ClipChange *next = g_queue_peek_head (&self->changes);

  return !last || (batch->length < BATCH_CHANGES &&
                   !clip_change_batch_is_short (self->transaction) &&
                   !last->kind->yields && !next->kind->yields);
}

/* with the mutex: until there may be something to do */
static void
wait (ClipWriter *self)
{
  if (self->checkpoint.due_us == 0)
    g_cond_wait (&self->changed, &self->mutex);
  else
    g_cond_wait_until (&self->changed, &self->mutex, self->checkpoint.due_us);
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
         !(self->closing && g_queue_is_empty (&self->changes)) &&
         !clip_checkpoint_is_due (&self->checkpoint))
    wait (self);
  while (is_first_ready (self) && fits (self, batch))
    g_queue_push_tail (batch, g_queue_pop_head (&self->changes));
  *out_looks = self->looks || batch->length > 0;
  ends = self->closing && g_queue_is_empty (&self->changes) && !*out_looks;
  self->looks = FALSE;
  g_mutex_unlock (&self->mutex);
  return !ends;
}

/* they are the first of the next batch, but for one that yields, and has not just been
 * given the room that is kept */
static void
put_back (ClipWriter *self, GQueue *batch)
{
  ClipChange *change;

  g_mutex_lock (&self->mutex);
  while ((change = g_queue_pop_tail (batch)))
    if (change->kind->yields || (change->yields && change->n_retries == 0))
      g_queue_push_tail (&self->changes, change);
    else
      g_queue_push_head (&self->changes, change);
  g_mutex_unlock (&self->mutex);
}

/* --- what is told --- */

/* what this process and others have written since it was told last; where that cannot be
 * said now, it is said with what comes next */
static void
tell (ClipWriter *self)
{
  GArray *done = clip_transaction_events (self->transaction);
  g_autoptr (GArray) events = g_array_copy (done);
  g_autoptr (GError) error = NULL;
  ClipNews news = { .events = events,
                    .is_new_history = self->is_new,
                    .is_new_db_file = self->is_new_db_file,
                    .n_wiped = self->n_wiped };

  if (clip_transaction_journals (self->transaction) && events->len > 0)
    clip_folder_watch_touch (self->dir);
  g_array_set_size (done, 0);
  if (!clip_transaction_begin_look (self->transaction, &error) ||
      !clip_transaction_look (self->transaction, events, &news.newest, &error) ||
      clip_statements_number (clip_transaction_db (self->transaction),
                              CLIP_SQL_NEXT_EXPIRY, &news.next_expiry_us, &error,
                              "") == CLIP_ROWS_FAILED)
    {
      g_warning ("history cannot be looked at: %s", error->message);
      clip_transaction_end_look (self->transaction);
      g_array_append_vals (self->untold, events->data, events->len);
      return;
    }
  news.totals = *clip_transaction_totals (self->transaction);
  self->is_new = self->is_new_db_file = FALSE;
  self->n_wiped = 0;
  g_array_insert_vals (events, 0, self->untold->data, self->untold->len);
  g_array_set_size (self->untold, 0);
  news.reader = clip_transaction_reader (self->transaction);
  self->on_news (&news, self->user_data);
  clip_transaction_end_look (self->transaction);
}

/* that every entry is gone */
static void
tell_gone (ClipWriter *self)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (ClipEvent));
  const ClipEvent many = { CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0 };
  ClipNews news = { .events = events };

  if (self->gone || clip_history_folder_has_database (self->folder))
    return;
  self->gone = TRUE;
  g_array_append_val (events, many);
  self->on_news (&news, self->user_data);
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

/* how many pages the log has, from each commit on */
static void
watch_log (ClipWriter *self)
{
  self->log_pages = 0;
  /* what a process that was killed had deleted is still in the log that it left */
  if (clip_history_folder_has_log (self->folder))
    clip_checkpoint_note (&self->checkpoint, 1, TRUE);
  sqlite3_wal_hook (clip_statements_handle (clip_transaction_db (self->transaction)),
                    on_committed, self);
}

/* Who listens is told as late as can be: together with who waits, it is one wake-up. The
 * checkpoint is noted before: who asks then hears that it is pending.
 * @publishes: whether to write the file at db-path
 * @fds: of deleted files, to be closed when everyone has been told */
static void
follow_up (ClipWriter *self, gboolean publishes, GArray *fds)
{
  g_autoptr (GError) error = NULL;

  if (!clip_transaction_clean (self->transaction, fds, &error))
    g_warning ("deleted files stay for now: %s", error->message);
  if (self->log_pages > 0)
    clip_checkpoint_note (
        &self->checkpoint, self->log_pages,
        clip_transaction_has_mark (self->transaction, CLIP_MARK_OVERWRITTEN));
  self->log_pages = 0;
  if (publishes && clip_db_keeper_publish (self->keeper, self->transaction))
    self->is_new_db_file = TRUE;
  tell (self);
  /* another that removed something may have been killed before it emptied the log */
  if (clip_transaction_has_mark (self->transaction, CLIP_MARK_OVERWRITTEN))
    clip_checkpoint_note (&self->checkpoint, self->checkpoint.log_pages, TRUE);
}

/* --- a batch --- */

/* what was saved out of a damaged history has kept its id: who listens reads again */
static gboolean
begin_anew (ClipWriter *self, GError **error)
{
  const ClipEvent many = { CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0 };
  ClipStatements *database;

  if (!clip_history_folder_has_another (self->folder))
    tell_gone (self);
  database = clip_history_folder_begin_anew (self->folder, error);
  if (!database)
    {
      tell_gone (self);
      return FALSE;
    }
  if (!self->gone)
    g_array_append_val (self->untold, many);
  clip_checkpoint_restart (&self->checkpoint);
  clip_transaction_move (self->transaction, database);
  watch_log (self);
  self->gone = FALSE;
  self->is_new = TRUE;
  return TRUE;
}

/* While nothing is to be done nothing is made in a folder that is being removed, but what
 * has come in its place is found. FALSE = there is no history to look at. */
static gboolean
look_for_history (ClipWriter *self)
{
  g_autoptr (GError) error = NULL;

  if (clip_history_folder_has_database (self->folder) ||
      (clip_history_folder_has_another (self->folder) && begin_anew (self, &error)))
    return TRUE;
  if (error)
    g_warning ("%s", error->message);
  tell_gone (self);
  return FALSE;
}

/* nothing of them was ever done */
static void
restart (GQueue *changes)
{
  g_queue_foreach (changes, (GFunc) (gpointer) clip_change_restart, NULL);
}

/* for the changes to be made in; begins another where it is gone */
static gboolean
find_history (ClipWriter *self, GQueue *batch, GError **error)
{
  if (clip_history_folder_has_database (self->folder))
    return clip_blobs_follow (clip_transaction_blobs (self->transaction), error);
  restart (batch);
  return begin_anew (self, error);
}

static gboolean
has_only_notes (const GQueue *batch)
{
  for (const GList *link = batch->head; link; link = link->next)
    if (!((const ClipChange *) link->data)->kind->is_note)
      return FALSE;
  return TRUE;
}

/* a change comes after what the file at db-path asks for. TRUE = a database was taken
   over */
static gboolean
heed_db_file (ClipWriter *self, GArray *fds)
{
  gboolean adopted = FALSE;
  gint64 n_wiped = 0;
  ClipSettled settled;

  while ((settled = clip_db_keeper_settle (self->keeper, self->transaction, &n_wiped)))
    {
      if (settled == CLIP_SETTLED_WIPED)
        self->n_wiped = n_wiped;
      follow_up (self, FALSE, fds);
      adopted |= settled == CLIP_SETTLED_ADOPTED;
    }
  return adopted;
}

/* As clip_change_batch_commit(). What was committed to a history that others do not find
 * any more is not acknowledged: the next change begins another. TRUE = a database was
 * taken over. */
static gboolean
commit (ClipWriter *self, GQueue *batch, GQueue *through, GArray *fds)
{
  g_autoptr (GError) error = NULL;
  gboolean adopted = FALSE;

  if (find_history (self, batch, &error))
    {
      if (!has_only_notes (batch))
        adopted = heed_db_file (self, fds);
      if (batch->length > 0)
        clip_change_batch_commit (self->transaction, batch, through);
      if (clip_history_folder_has_database (self->folder))
        return adopted;
      g_set_error (&error, CLIP_ERROR, CLIP_ERROR_FAILED,
                   "history folder '%s' was removed or replaced meanwhile", self->dir);
      clip_transaction_forget (self->transaction);
    }
  restart (batch);
  restart (through);
  clip_change_batch_fail (batch, through, error);
  return FALSE;
}

/* whether somebody asked for one of them, and it went well, even if there turned out to
 * be no entry for it; what an import brings, a sweep finds and a repair mends shows in
 * the events */
static gboolean
has_done_what_was_asked (const GQueue *through)
{
  for (const GList *link = through->head; link; link = link->next)
    {
      const ClipChange *change = link->data;

      if (change->kind->is_asked_for && !change->error)
        return TRUE;
    }
  return FALSE;
}

/* An entry that an earlier step has committed is there for all to see: what fails after
 * it is only the trimming, which the next addition goes on with. */
static void
finish (ClipChange *change)
{
  if (change->error)
    {
      clip_change_revert (change);
      if (change->now.outcome.id != 0)
        {
          g_warning ("history is larger than it may be for now: %s",
                     change->error->message);
          g_clear_error (&change->error);
        }
      else
        g_debug ("%s failed: %s", change->kind->name, change->error->message);
    }
  if (change->done)
    change->done (change);
  clip_change_free (change);
}

static void
on_pages_returned (ClipChange *change)
{
  ((ClipWriter *) change->user_data)->returns_pages = FALSE;
}

static void
return_pages (ClipWriter *self)
{
  ClipChange *change;
  gint64 n;

  clip_statements_number (clip_transaction_db (self->transaction),
                          CLIP_SQL_GET_FREE_PAGES, &n, NULL, "");
  if (self->returns_pages || n < FREE_PAGES)
    return;
  self->returns_pages = TRUE;
  change = clip_change_return_pages (NULL);
  change->done = on_pages_returned;
  change->user_data = self;
  clip_writer_push (self, change);
}

/* before who asked is told; where somebody reads, it is tried again by and by */
static void
empty_log (ClipWriter *self, const GQueue *through)
{
  const ClipChange *first = through->head ? through->head->data : NULL;

  if (!first || !first->kind->empties_log)
    return;
  clip_checkpoint_note (&self->checkpoint, self->checkpoint.log_pages, TRUE);
  clip_checkpoint_run (&self->checkpoint,
                       clip_statements_handle (clip_transaction_db (self->transaction)));
}

static void
close_fd (gpointer data)
{
  clip_fd_clear (data);
}

static void
do_batch (ClipWriter *self, GQueue *batch)
{
  g_auto (GQueue) through = G_QUEUE_INIT;
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));
  gboolean publishes, uses_reserve;

  if (batch->length == 0 && !look_for_history (self))
    return;
  g_array_set_clear_func (fds, close_fd);
  publishes = commit (self, batch, &through, fds) ||
              clip_transaction_has_news (self->transaction) ||
              has_done_what_was_asked (&through);
  uses_reserve = clip_change_batch_use_reserve (self->transaction, batch, &through);
  put_back (self, batch);
  if (!self->gone)
    {
      follow_up (self, publishes, fds);
      empty_log (self, &through);
    }
  if (clip_transaction_has_mark (self->transaction, CLIP_MARK_IMAGE))
    clip_thumbnail_sweep (self->transaction, self->dir);
  while (through.length > 0)
    finish (g_queue_pop_head (&through));
  if (!self->gone && clip_transaction_has_mark (self->transaction, CLIP_MARK_OVERWRITTEN))
    return_pages (self);
  clip_transaction_set_mark (self->transaction, CLIP_MARK_OVERWRITTEN, FALSE);
  if (uses_reserve || !clip_change_batch_is_short (self->transaction))
    return;
  g_array_set_size (fds, 0);
  clip_change_batch_keep_reserve (self->transaction);
}

static gpointer
run (gpointer data)
{
  ClipWriter *self = data;
  g_auto (GQueue) batch = G_QUEUE_INIT;
  gboolean looks;

  /* what was removed while nobody looked, or by a process that was killed then */
  if (!clip_transaction_journals (self->transaction))
    clip_thumbnail_sweep (self->transaction, self->dir);
  while (wait_batch (self, &batch, &looks))
    {
      if (looks)
        do_batch (self, &batch);
      if (clip_checkpoint_is_due (&self->checkpoint))
        clip_checkpoint_run (
            &self->checkpoint,
            clip_statements_handle (clip_transaction_db (self->transaction)));
    }
  return NULL;
}

/**
 * clip_writer_new:
 * @on_news: called on the writer's thread
 */
ClipWriter *
clip_writer_new (ClipTransaction *transaction_take,
                 ClipNewsFunc on_news,
                 gpointer user_data)
{
  ClipWriter *self = g_new0 (ClipWriter, 1);

  self->dir = g_strdup (clip_transaction_dir (transaction_take));
  self->untold = g_array_new (FALSE, FALSE, sizeof (ClipEvent));
  self->folder =
      clip_history_folder_new (self->dir, clip_transaction_blobs (transaction_take));
  self->transaction = transaction_take;
  self->keeper = clip_db_keeper_new (self->dir);
  self->sealers = g_thread_pool_new (seal, self, MAX_SEALERS, FALSE, NULL);
  self->on_news = on_news;
  self->user_data = user_data;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->changes);
  watch_log (self);
  clip_change_batch_keep_reserve (self->transaction);
  self->thread = g_thread_new ("clip-writer", run, self);
  return self;
}

/* Somebody who reads is not waited for, but for a moment where the log holds what was
 * deleted; who opens the history next goes on with that. */
static void
carry_last (ClipWriter *self)
{
  sqlite3 *db = clip_statements_handle (clip_transaction_db (self->transaction));

  if (clip_writer_is_overwriting (self))
    clip_connect_empty_log (db);
  else
    clip_connect_carry_log (db, SQLITE_CHECKPOINT_TRUNCATE);
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
  carry_last (self);
  clip_change_batch_keep_reserve (self->transaction);
  clip_transaction_free (self->transaction);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  clip_history_folder_free (self->folder);
  g_array_unref (self->untold);
  clip_db_keeper_free (self->keeper);
  g_free (self->dir);
  g_free (self);
}

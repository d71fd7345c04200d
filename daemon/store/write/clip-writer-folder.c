/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A folder may be removed or moved while it is open, and what is written then is lost. So
 * the path is looked at before a transaction: where it no longer leads to the database, a
 * new history is begun there. And again behind it, before anybody is told that it is
 * done: what went into a history that vanished in between has failed.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-commit.h"
#include "clip-error.h"
#include "clip-writer-private.h"

/* before anybody is told: who asks then hears that it is pending */
void
clip_writer_note_checkpoint (ClipWriter *self)
{
  if (self->log_pages > 0)
    clip_checkpoint_note (&self->checkpoint, self->log_pages,
                          clip_ledger_has_mark (self->ledger, CLIP_MARK_OVERWRITTEN));
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

/* how many pages the log has, from each commit on */
void
clip_writer_watch_log (ClipWriter *self, ClipDatabase *database)
{
  self->log_pages = 0;
  sqlite3_wal_hook (clip_database_handle (database), on_committed, self);
}

/* what was saved out of a damaged history has kept its id: whoever listens reads again */
static gboolean
begin_anew (ClipWriter *self, GError **error)
{
  const ClipEvent many = { CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0 };
  ClipDatabase *database;

  if (!clip_store_folder_has_another (self->place))
    clip_writer_tell_gone (self);
  database = clip_store_folder_begin_anew (self->place, error);
  if (!database)
    {
      clip_writer_tell_gone (self);
      return FALSE;
    }
  if (!self->gone)
    g_array_append_val (self->untold, many);
  clip_checkpoint_restart (&self->checkpoint);
  clip_ledger_move (self->ledger, database);
  clip_writer_watch_log (self, database);
  self->gone = FALSE;
  self->is_new = TRUE;
  return TRUE;
}

/* whether there is a history for the jobs to be done in; begins another where it is
   gone */
static gboolean
find_place (ClipWriter *self, GQueue *batch, GError **error)
{
  if (clip_store_folder_has_database (self->place))
    return clip_blobs_follow (clip_ledger_blobs (self->ledger), error);
  clip_jobs_restart (batch);
  return begin_anew (self, error);
}

/* While nothing is to be done nothing is made in a folder that is being removed, but what
 * has come in its place is found. FALSE = there is no history to look at. */
gboolean
clip_writer_look_for_place (ClipWriter *self)
{
  g_autoptr (GError) error = NULL;

  if (clip_store_folder_has_database (self->place) ||
      (clip_store_folder_has_another (self->place) && begin_anew (self, &error)))
    return TRUE;
  if (error)
    g_warning ("%s", error->message);
  clip_writer_tell_gone (self);
  return FALSE;
}

/* Who listens is told as late as can be: together with who waits, it is one wake-up.
 * @publishes: whether to write the file at db-path
 * @fds: of deleted files, to be closed when everyone has been told */
void
clip_writer_follow_up (ClipWriter *self, gboolean publishes, GArray *fds)
{
  g_autoptr (GError) error = NULL;

  if (!clip_ledger_clean (self->ledger, fds, &error))
    g_warning ("deleted files stay for now: %s", error->message);
  clip_writer_note_checkpoint (self);
  if (publishes && clip_db_keeper_publish (self->keeper, self->ledger))
    self->is_new_db_file = TRUE;
  clip_writer_tell (self);
}

/* a change comes after what the file at db-path asks for. TRUE = a database was taken
   over */
static gboolean
heed_db_file (ClipWriter *self, GArray *fds)
{
  gboolean adopted = FALSE;
  ClipSettled settled;

  while ((settled = clip_db_keeper_settle (self->keeper, self->ledger)))
    {
      clip_writer_follow_up (self, FALSE, fds);
      adopted |= settled == CLIP_SETTLED_ADOPTED;
    }
  return adopted;
}

/* As clip_commit_jobs(). What was committed to a history that others do not find any more
 * is not acknowledged: the next change begins another. TRUE = a database was taken
 * over. */
gboolean
clip_writer_commit (ClipWriter *self, GQueue *batch, GQueue *through, GArray *fds)
{
  g_autoptr (GError) error = NULL;
  gboolean adopted = FALSE;

  if (find_place (self, batch, &error))
    {
      if (!clip_jobs_are_notes (batch))
        adopted = heed_db_file (self, fds);
      if (batch->length > 0)
        clip_commit_jobs (self->ledger, batch, through);
      if (clip_store_folder_has_database (self->place))
        return adopted;
      g_set_error (&error, CLIP_ERROR, CLIP_ERROR_FAILED,
                   "history folder '%s' was removed or replaced meanwhile", self->dir);
      g_array_set_size (clip_ledger_events (self->ledger), 0);
    }
  clip_jobs_move (batch, through);
  clip_jobs_restart (through);
  clip_jobs_fail (through, error);
  return FALSE;
}

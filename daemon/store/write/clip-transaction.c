/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The course of a transaction, which several changes share. Files follow the rows: one is
 * linked before the row that refers to it is committed, and unlinked after the row that
 * did, in a transaction of its own that makes sure of it. Both happen with the database
 * locked, so that of several processes one at a time does either.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-transaction.h"

#include "clip-blob-file.h"
#include "clip-error.h"
#include "clip-read-sql.h"
#include "clip-reader-private.h"

#include <string.h>

/* how many changes the session's daemon may miss before it only sees the outcome */
#define JOURNAL_ROWS 256

struct ClipTransaction
{
  ClipStatements *database;
  ClipReader *reader; /* by the same connection; made when it is first wanted */
  ClipBlobs *blobs;
  ClipTotals totals;   /* inside of a transaction */
  GArray *events;      /* ClipEvent: of this transaction */
  GPtrArray *linked;   /* names that this transaction gave to files */
  GPtrArray *suspects; /* names that nothing may refer to */
  gboolean journals;   /* for another process to announce */
  gint64 journal_end;  /* read so far */
  guint marks;         /* ClipMark */
  char *dir;           /* of the history */
  guint step_rows;     /* how many entries one transaction removes */
  gint64 wiped_us;     /* monotonic: when the last wipe was asked for; 0 = none was */

  gboolean is_known;     /* the totals are those of our last commit */
  guint32 known_version; /* of the data: another one = somebody has written since */
  gboolean is_behind;    /* what others have written is still to be announced */
  ClipTotals begun_totals;
  gint64 begun_wiped_us;
  gboolean cuts; /* the file, as it ends */
};

/**
 * clip_transaction_new:
 * @dir: of the history
 * @journals: whether to write down each change for another process to announce
 */
ClipTransaction *
clip_transaction_new (const char *dir,
                      ClipStatements *database_take,
                      ClipBlobs *blobs,
                      gboolean journals,
                      GError **error)
{
  g_autoptr (ClipTransaction) self = g_new0 (ClipTransaction, 1);

  self->dir = g_strdup (dir);
  self->database = database_take;
  self->blobs = clip_blobs_ref (blobs);
  self->journals = journals;
  self->step_rows = CLIP_TRANSACTION_ROWS;
  self->is_behind = TRUE;
  self->events = g_array_new (FALSE, FALSE, sizeof (ClipEvent));
  self->linked = g_ptr_array_new_with_free_func (g_free);
  self->suspects = g_ptr_array_new_with_free_func (g_free);
  if (clip_statements_number (self->database, CLIP_SQL_END_OF_JOURNAL, &self->journal_end,
                              error, "") == CLIP_ROWS_FAILED)
    return NULL;
  return g_steal_pointer (&self);
}

void
clip_transaction_free (ClipTransaction *self)
{
  if (!self)
    return;
  clip_reader_free (self->reader);
  clip_statements_free (self->database);
  clip_blobs_unref (self->blobs);
  g_array_unref (self->events);
  g_ptr_array_unref (self->linked);
  g_ptr_array_unref (self->suspects);
  g_free (self->dir);
  g_free (self);
}

/**
 * clip_transaction_move:
 *
 * Outside of a transaction: goes on with another history. What its journal holds is read
 * from the beginning: nobody has announced any of it.
 */
void
clip_transaction_move (ClipTransaction *self, ClipStatements *database_take)
{
  g_clear_pointer (&self->reader, clip_reader_free);
  clip_statements_free (self->database);
  self->database = database_take;
  self->journal_end = 0;
  self->is_known = FALSE;
  self->is_behind = TRUE;
  self->marks = CLIP_MARK_IMAGE;
  g_array_set_size (self->events, 0);
  g_ptr_array_set_size (self->linked, 0);
  g_ptr_array_set_size (self->suspects, 0);
}

ClipStatements *
clip_transaction_db (const ClipTransaction *self)
{
  return self->database;
}

ClipBlobs *
clip_transaction_blobs (const ClipTransaction *self)
{
  return self->blobs;
}

/* inside of a transaction: to be changed with the rows */
ClipTotals *
clip_transaction_totals (ClipTransaction *self)
{
  return &self->totals;
}

/* (transfer none) (element-type ClipEvent): of this transaction, until the next begins */
GArray *
clip_transaction_events (const ClipTransaction *self)
{
  return self->events;
}

/* whether another process announces what is done */
gboolean
clip_transaction_journals (const ClipTransaction *self)
{
  return self->journals;
}

/* of the history */
const char *
clip_transaction_dir (const ClipTransaction *self)
{
  return self->dir;
}

/* how many entries one transaction removes */
guint
clip_transaction_step_rows (const ClipTransaction *self)
{
  return self->step_rows;
}

void
clip_transaction_set_step_rows (ClipTransaction *self, guint n)
{
  self->step_rows = n;
}

/* whether the history was wiped since then, monotonic */
gboolean
clip_transaction_is_wiped_since (const ClipTransaction *self, gint64 us)
{
  return us < self->wiped_us;
}

void
clip_transaction_set_wiped (ClipTransaction *self, gint64 us)
{
  self->wiped_us = us;
}

gboolean
clip_transaction_has_mark (const ClipTransaction *self, ClipMark mark)
{
  return (self->marks & mark) != 0;
}

void
clip_transaction_set_mark (ClipTransaction *self, ClipMark mark, gboolean is_set)
{
  self->marks = is_set ? self->marks | mark : self->marks & ~mark;
}

/* a name that this transaction has given to a file */
void
clip_transaction_note_link (ClipTransaction *self, const char *blob)
{
  g_ptr_array_add (self->linked, g_strdup (blob));
}

/* another process, which is newer, may have changed the schema meanwhile */
static gboolean
check_version (ClipTransaction *self, GError **error)
{
  gint64 version;

  if (clip_statements_number (self->database, CLIP_SQL_GET_VERSION, &version, error,
                              "") != CLIP_ROWS_ROW)
    return FALSE;
  if (version == CLIP_SCHEMA_VERSION)
    return TRUE;
  g_set_error (
      error, CLIP_ERROR, CLIP_ERROR_NEWER_DATABASE,
      "change history: a newer version has changed it to schema %" G_GINT64_FORMAT
      ", this program writes %d",
      version, CLIP_SCHEMA_VERSION);
  return FALSE;
}

static gboolean
load_totals (ClipTransaction *self, GError **error)
{
  if (!clip_totals_read (self->database, CLIP_SQL_GET_TOTALS, &self->totals, error))
    return FALSE;
  self->begun_totals = self->totals;
  return TRUE;
}

static guint32
data_version (ClipTransaction *self)
{
  guint32 version = 0;

  sqlite3_file_control (clip_statements_handle (self->database), "main",
                        SQLITE_FCNTL_DATA_VERSION, &version);
  return version;
}

/* Within a transaction that has read something: whether nobody, we neither, has written
 * since our last commit. Then schema and totals need not be read: SQLite parses each
 * PRAGMA anew whenever it runs. */
static gboolean
is_untouched (ClipTransaction *self)
{
  return self->is_known && data_version (self) == self->known_version;
}

/**
 * clip_transaction_begin:
 *
 * Locks the database for writing; other processes wait meanwhile, as this one waited for
 * them. After a failure nothing is begun.
 *
 * Errors: %CLIP_ERROR_NEWER_DATABASE, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
gboolean
clip_transaction_begin (ClipTransaction *self, GError **error)
{
  g_array_set_size (self->events, 0);
  g_ptr_array_set_size (self->linked, 0);
  if (!clip_statements_run (self->database, CLIP_SQL_BEGIN, error, ""))
    return FALSE;
  self->begun_totals = self->totals;
  self->begun_wiped_us = self->wiped_us;
  if (is_untouched (self))
    return TRUE;
  self->is_behind = TRUE;
  if (check_version (self, error) && load_totals (self, error))
    return TRUE;
  clip_transaction_abandon (self);
  return FALSE;
}

/* Where there are more than a signal has room for, whoever listens reads again. */
static void
gather_removals (GArray *events)
{
  const ClipEvent many = { CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0 };
  guint n_removed = 0, n_left = 0;

  for (guint i = 0; i < events->len; i++)
    n_removed += g_array_index (events, ClipEvent, i).kind == CLIP_EVENT_REMOVED;
  if (n_removed <= CLIP_EVENT_MOST_REMOVED)
    return;
  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, ClipEvent, i).kind != CLIP_EVENT_REMOVED)
      g_array_index (events, ClipEvent, n_left++) = g_array_index (events, ClipEvent, i);
  g_array_set_size (events, n_left);
  g_array_append_val (events, many);
}

static gboolean
write_event (ClipTransaction *self, const ClipEvent *event, GError **error)
{
  return clip_statements_run (self->database, CLIP_SQL_ADD_JOURNAL, error, "iii",
                              (gint64) event->kind, event->id, event->was);
}

/* of more than it holds, that there are more */
static gboolean
write_journal (ClipTransaction *self, GError **error)
{
  const ClipEvent many = { CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0 };
  guint first =
      self->events->len >= JOURNAL_ROWS ? self->events->len - (JOURNAL_ROWS - 1) : 0;

  if (!self->journals || self->events->len == 0)
    return TRUE;
  if (first > 0 && !write_event (self, &many, error))
    return FALSE;
  for (guint i = first; i < self->events->len; i++)
    if (!write_event (self, &g_array_index (self->events, ClipEvent, i), error))
      return FALSE;
  return clip_statements_run (
      self->database, CLIP_SQL_TRIM_JOURNAL, error, "i",
      (gint64) sqlite3_last_insert_rowid (clip_statements_handle (self->database)) -
          JOURNAL_ROWS);
}

static gboolean
write_totals (ClipTransaction *self, GError **error)
{
  const ClipTotals *totals = &self->totals;

  if (memcmp (totals, &self->begun_totals, sizeof *totals) == 0)
    return TRUE;
  return clip_statements_run (self->database, CLIP_SQL_SET_TOTALS, error, "iiiiii",
                              totals->count, totals->bytes, totals->pinned,
                              totals->pinned_bytes, totals->last_id, totals->first_loose);
}

/**
 * clip_transaction_cut:
 *
 * Every page that is free by then goes from the file with the commit. That has SQLite cut
 * it behind what is left, and takes as long as there is left: an incremental vacuum looks
 * each page up in the list of those that are free, which takes minutes where there are
 * hundreds of thousands.
 */
gboolean
clip_transaction_cut (ClipTransaction *self, GError **error)
{
  self->cuts = TRUE;
  return clip_statements_run (self->database, CLIP_SQL_SET_FULL, error, "");
}

/* a commit of its own, before which another process may write: where it fails, the next
 * one that opens the history sees to it */
static void
end_cut (ClipTransaction *self)
{
  self->cuts = FALSE;
  self->is_known = FALSE;
  clip_statements_run (self->database, CLIP_SQL_SET_INCREMENTAL, NULL, "");
}

/**
 * clip_transaction_commit:
 *
 * When it returns %TRUE, what was done survives a power cut. After a failure nothing of
 * it was done.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_FAILED.
 */
gboolean
clip_transaction_commit (ClipTransaction *self, GError **error)
{
  gather_removals (self->events);
  if (write_totals (self, error) && write_journal (self, error) &&
      clip_statements_run (self->database, CLIP_SQL_COMMIT, error, ""))
    {
      g_ptr_array_set_size (self->linked, 0);
      self->known_version = data_version (self);
      self->is_known = TRUE;
      if (self->cuts)
        end_cut (self);
      return TRUE;
    }
  clip_transaction_abandon (self);
  return FALSE;
}

/* takes the whole transaction back; what came before a wipe is not late then */
void
clip_transaction_abandon (ClipTransaction *self)
{
  self->wiped_us = self->begun_wiped_us;
  if (!sqlite3_get_autocommit (clip_statements_handle (self->database)))
    clip_statements_run (self->database, CLIP_SQL_ROLLBACK, NULL, "");
  self->cuts = FALSE; /* nor is the mode another one then */
  for (guint i = 0; i < self->linked->len; i++)
    clip_transaction_suspect (self, self->linked->pdata[i]);
  g_ptr_array_set_size (self->linked, 0);
  g_array_set_size (self->events, 0);
  self->is_known = FALSE;
}

/* what was committed does not count: nobody is told of it, and no file is unlinked for
 * it, which another database may refer to */
void
clip_transaction_forget (ClipTransaction *self)
{
  g_array_set_size (self->events, 0);
  g_ptr_array_set_size (self->suspects, 0);
}

/* the event by which an entry got its id within this transaction, or NULL: that of one
 * that was there before is not looked for among all of them */
static ClipEvent *
find_arrival (ClipTransaction *self, gint64 id)
{
  if (id <= self->begun_totals.last_id)
    return NULL;
  for (guint i = self->events->len; i > 0; i--)
    {
      ClipEvent *event = &g_array_index (self->events, ClipEvent, i - 1);

      if (event->id == id &&
          (event->kind == CLIP_EVENT_ADDED || event->kind == CLIP_EVENT_MOVED))
        return event;
    }
  return NULL;
}

static void
drop_event (ClipTransaction *self, ClipEvent *event)
{
  g_array_remove_index (self->events,
                        (guint) (event - (ClipEvent *) (gpointer) self->events->data));
}

/**
 * clip_transaction_add_event:
 *
 * Remembers what happened to an entry, as it looks from outside of the transaction: what
 * comes and goes within it never was.
 */
void
clip_transaction_add_event (ClipTransaction *self,
                            ClipEventKind kind,
                            gint64 id,
                            gint64 was)
{
  ClipEvent event = { kind, id, was };
  ClipEvent *arrival = NULL;

  if (kind == CLIP_EVENT_REMOVED)
    self->marks |= CLIP_MARK_OVERWRITTEN;
  if (kind == CLIP_EVENT_MOVED)
    arrival = find_arrival (self, was);
  else if (kind == CLIP_EVENT_REMOVED)
    arrival = find_arrival (self, id);

  if (arrival && kind == CLIP_EVENT_MOVED)
    {
      arrival->id = id;
      return;
    }
  if (arrival && arrival->kind == CLIP_EVENT_ADDED)
    {
      drop_event (self, arrival);
      return;
    }
  if (arrival)
    {
      event.id = arrival->was;
      drop_event (self, arrival);
    }
  g_array_append_val (self->events, event);
}

/* what other processes have written since the last call; of what the journal has lost
 * meanwhile, that it was there */
static gboolean
read_journal (ClipTransaction *self, GArray *events, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      self->database, CLIP_SQL_READ_JOURNAL, error, "i", self->journal_end);
  const ClipEvent many = { CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0 };
  ClipRows state;

  while ((state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    {
      gint64 row = sqlite3_column_int64 (rows, 0);
      ClipEvent event = { (ClipEventKind) sqlite3_column_int (rows, 1),
                          sqlite3_column_int64 (rows, 2),
                          sqlite3_column_int64 (rows, 3) };

      if (row > self->journal_end + 1)
        g_array_append_val (events, many);
      if (event.kind == CLIP_EVENT_REMOVED || row > self->journal_end + 1)
        self->marks |= CLIP_MARK_OVERWRITTEN;
      self->journal_end = row;
      g_array_append_val (events, event);
    }
  return state == CLIP_ROWS_END;
}

/* whether what is remembered is about entries: a note is nobody's but ours */
gboolean
clip_transaction_has_news (const ClipTransaction *self)
{
  for (guint i = 0; i < self->events->len; i++)
    if (g_array_index (self->events, ClipEvent, i).kind != CLIP_EVENT_NOTE)
      return TRUE;
  return FALSE;
}

/**
 * clip_transaction_begin_look:
 *
 * What is read from here to clip_transaction_end_look() is of one moment, and locked once
 * for all of it.
 */
gboolean
clip_transaction_begin_look (ClipTransaction *self, GError **error)
{
  return clip_statements_run (self->database, CLIP_SQL_BEGIN_LOOK, error, "");
}

/* nothing where none was begun, or SQLite has ended it over an error */
void
clip_transaction_end_look (ClipTransaction *self)
{
  if (!sqlite3_get_autocommit (clip_statements_handle (self->database)))
    clip_statements_run (self->database, CLIP_SQL_ROLLBACK, NULL, "");
}

/* (transfer none): by the own connection, which has in memory what it has written */
ClipReader *
clip_transaction_reader (ClipTransaction *self)
{
  if (!self->reader)
    self->reader = clip_reader_new_guest (self->dir, self->database);
  return self->reader;
}

/**
 * clip_transaction_look:
 * @events: (element-type ClipEvent): what other processes did since the last call is
 * appended, where this one announces it
 * @out_newest: (out): the highest id there is, 0 = none
 *
 * Outside of a transaction: brings the totals up to date.
 */
gboolean
clip_transaction_look (ClipTransaction *self,
                       GArray *events,
                       gint64 *out_newest,
                       GError **error)
{
  if (clip_statements_number (self->database, CLIP_SQL_NEWEST, out_newest, error, "") ==
      CLIP_ROWS_FAILED)
    return FALSE;
  if (!self->is_behind && is_untouched (self))
    return TRUE;
  if (!(self->journals || read_journal (self, events, error)) ||
      !load_totals (self, error))
    return FALSE;
  self->is_behind = FALSE;
  return TRUE;
}

/* that the file of this name may have lost its last reference */
void
clip_transaction_suspect (ClipTransaction *self, const char *blob)
{
  g_ptr_array_add (self->suspects, g_strdup (blob));
}

/* @name: as a row has it, which another person may have written */
void
clip_transaction_suspect_row (ClipTransaction *self, const char *name)
{
  if (name && clip_blob_name_is_valid (name))
    clip_transaction_suspect (self, name);
}

static gboolean
unlink_unused (ClipTransaction *self, GArray *fds, GError **error)
{
  for (guint i = 0; i < self->suspects->len; i++)
    {
      const char *name = self->suspects->pdata[i];
      gint64 id;
      ClipRows state = clip_statements_number (self->database, CLIP_SQL_FIND_BLOB, &id,
                                               error, "s", name);
      int fd;

      if (state == CLIP_ROWS_FAILED)
        return FALSE;
      if (state == CLIP_ROWS_ROW)
        continue;
      fd = clip_blobs_unlink (self->blobs, name);
      if (fd >= 0)
        g_array_append_val (fds, fd);
    }
  return TRUE;
}

/**
 * clip_transaction_clean:
 * @fds: (element-type int): descriptors of the files that are gone, appended; closing
 * them frees their bytes, which takes long for large ones
 *
 * After a commit: unlinks the suspects that, with the database locked, no row refers to.
 */
gboolean
clip_transaction_clean (ClipTransaction *self, GArray *fds, GError **error)
{
  gboolean done;

  if (self->suspects->len == 0)
    return TRUE;
  if (!clip_statements_run (self->database, CLIP_SQL_BEGIN, error, ""))
    return FALSE;
  done = unlink_unused (self, fds, error);
  clip_statements_run (self->database, CLIP_SQL_ROLLBACK, NULL, "");
  if (done)
    g_ptr_array_set_size (self->suspects, 0);
  return done;
}

/* (element-type gint64): appends the ids that a statement selects */
gboolean
clip_transaction_collect (ClipTransaction *self,
                          sqlite3_stmt *rows_take,
                          GArray *ids,
                          GError **error)
{
  clip_autorows sqlite3_stmt *rows = rows_take;
  ClipRows state;

  while ((state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    {
      gint64 id = sqlite3_column_int64 (rows, 0);

      g_array_append_val (ids, id);
    }
  return state == CLIP_ROWS_END;
}

/* the number of a MIME type, an origin or a tag, given to it if it has none */
gboolean
clip_transaction_intern (ClipTransaction *self,
                         const char *text,
                         ClipNameUse use,
                         gint64 *out_id,
                         GError **error)
{
  ClipStatements *db = self->database;
  ClipRows state =
      clip_statements_number (db, CLIP_SQL_FIND_LASTING_NAME, out_id, error, "s", text);

  if (state != CLIP_ROWS_END)
    return state == CLIP_ROWS_ROW;
  state = clip_statements_number (db, CLIP_SQL_FIND_NAME, out_id, error, "s", text);
  if (state == CLIP_ROWS_ROW && use == CLIP_NAME_LASTING)
    return clip_statements_run (db, CLIP_SQL_KEEP_NAME, error, "i", *out_id);
  if (state != CLIP_ROWS_END)
    return state == CLIP_ROWS_ROW;
  if (!clip_statements_run (db, CLIP_SQL_ADD_NAME, error, "si", text,
                            (gint64) (use == CLIP_NAME_OF_TAG)))
    return FALSE;
  *out_id = sqlite3_last_insert_rowid (clip_statements_handle (db));
  return TRUE;
}

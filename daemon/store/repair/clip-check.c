/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looks at all of a history, and changes nothing. The database is looked at as of one
 * moment, in one read: that keeps no writer waiting, but the log from being emptied.
 */
#include "clip-check.h"

#include "clip-check-files.h"
#include "clip-error.h"
#include "clip-paths.h"
#include "clip-reader-private.h"
#include "clip-sql-functions.h"

#include <string.h>
#include <sys/stat.h>

/* how many instructions SQLite runs between two looks at whether to stop */
#define STOP_STEPS 10000
#define PAGE_BYTES 4096

typedef struct
{
  const gint *stops; /* (nullable): atomic */
  sqlite3 *db;
  ClipDatabase *database;
  ClipReport *report;
} ClipCheck;

static int
on_progress (void *user_data)
{
  const ClipCheck *self = user_data;

  return !clip_check_goes_on (self->stops, NULL);
}

/* only its user may look into any of it; what another may write to is not even opened */
static void
check_modes (const char *dir, ClipReport *report)
{
  static const char *const names[] = { "", CLIP_DATABASE_NAME, CLIP_DATABASE_NAME "-wal",
                                       CLIP_DATABASE_NAME "-shm", CLIP_BLOBS_NAME };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (dir, names[i], NULL);
      struct stat status;

      if (stat (path, &status) == 0 && status.st_mode & 077)
        clip_report_add (report, CLIP_FINDING_MODE, 0, names[i],
                         "its mode is %03o: open to other users",
                         (guint) status.st_mode & 0777);
    }
}

/* What a failed read means: damage is a finding, and TRUE; whatever else kept us from
 * looking says nothing of the history, and a repair must not take it for damage. */
static gboolean
take_error (ClipReport *report, GError *failure_take, GError **error)
{
  if (!g_error_matches (failure_take, CLIP_ERROR, CLIP_ERROR_CORRUPT))
    {
      g_propagate_error (error, failure_take);
      return FALSE;
    }
  clip_report_add (report, CLIP_FINDING_DATABASE, 0, CLIP_DATABASE_NAME, "%s",
                   failure_take->message);
  g_error_free (failure_take);
  return TRUE;
}

/* SQLite's check goes on where a page cannot be read, and says so in a line like any
   other */
static gboolean
is_failure (const char *line)
{
  static const char mark[] = "error code=";
  const char *found = strstr (line, mark);
  gint64 code = found ? g_ascii_strtoll (found + strlen (mark), NULL, 10) & 0xff : 0;

  return found && code != SQLITE_CORRUPT && code != SQLITE_NOTADB;
}

/* @words: (nullable): of SQLite, which may be several lines, of which one is a heading */
static gboolean
add_words (ClipCheck *self, const char *words, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (words ?: "it cannot be read", "\n", -1);

  for (guint i = 0; lines[i]; i++)
    {
      if (is_failure (lines[i]))
        {
          g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                       "could not look at all of the history: %s", lines[i]);
          return FALSE;
        }
      if (*lines[i] && !g_str_has_prefix (lines[i], "***") &&
          !g_str_equal (lines[i], "ok"))
        clip_report_add (self->report, CLIP_FINDING_DATABASE, 0, CLIP_DATABASE_NAME, "%s",
                         lines[i]);
    }
  return TRUE;
}

/* whether all of a file that SQLite has open can be read, whatever is in it */
static gboolean
is_readable (sqlite3 *db, int which)
{
  sqlite3_file *file = NULL;
  sqlite3_int64 size = 0;
  guint8 page[PAGE_BYTES];

  if (sqlite3_file_control (db, "main", which, &file) != SQLITE_OK || !file ||
      !file->pMethods || file->pMethods->xFileSize (file, &size) != SQLITE_OK)
    return TRUE;
  for (sqlite3_int64 offset = 0; offset < size; offset += PAGE_BYTES)
    {
      int code = file->pMethods->xRead (file, page, PAGE_BYTES, offset);

      if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
        return FALSE;
    }
  return TRUE;
}

/* Not every line of SQLite's check says why: where it found something, that the disk
 * answers is tried by itself. By SQLite's own descriptors, as to close another would end
 * its locks. */
static gboolean
check_disk (ClipCheck *self, GError **error)
{
  if (!clip_report_has (self->report, CLIP_FINDING_DATABASE) ||
      (is_readable (self->db, SQLITE_FCNTL_FILE_POINTER) &&
       is_readable (self->db, SQLITE_FCNTL_JOURNAL_POINTER)))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
               "could not look at all of the history: it cannot be read");
  return FALSE;
}

/* what SQLite says of the shape of its pages, and of what its indexes lack */
static gboolean
check_pages (ClipCheck *self, GError **error)
{
  clip_autorows sqlite3_stmt *rows = NULL;
  g_autoptr (GError) local = NULL;

  clip_database_number (self->database, CLIP_READ_PAGES, &self->report->n_pages, NULL,
                        "");
  rows = clip_database_query (self->database, CLIP_READ_INTEGRITY, &local, "");
  while (clip_database_next (self->database, rows, &local) == CLIP_ROWS_ROW &&
         add_words (self, (const char *) sqlite3_column_text (rows, 0), &local))
    continue;
  if (local && !take_error (self->report, g_steal_pointer (&local), error))
    return FALSE;
  return check_disk (self, error);
}

/* what is looked for in the rows */
static gboolean
look_for (ClipCheck *self,
          ClipRead statement,
          ClipFindingKind kind,
          const char *text,
          GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (self->database, statement, error, "");
  ClipRows state;

  while ((state = clip_database_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    clip_report_add_content (self->report, kind, rows, "", text);
  return state == CLIP_ROWS_END;
}

/* the columns of what the history says of itself, and of what is counted */
enum
{
  SUM_COUNT,
  SUM_BYTES,
  SUM_PINNED,
  SUM_PINNED_BYTES,
  SUM_LAST_ID,
  SUM_FIRST_LOOSE,
  N_SUMS,
};

static gboolean
get_sums (ClipCheck *self, ClipRead statement, gint64 sums[N_SUMS], GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (self->database, statement, error, "");
  ClipRows state = clip_database_next (self->database, rows, error);

  for (int i = 0; i < N_SUMS; i++)
    sums[i] = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, i) : -1;
  return state != CLIP_ROWS_FAILED;
}

static gboolean
check_sums (ClipCheck *self, GError **error)
{
  gint64 said[N_SUMS], counted[N_SUMS];

  if (!get_sums (self, CLIP_READ_SAID_SUMS, said, error) ||
      !get_sums (self, CLIP_READ_COUNTED_SUMS, counted, error))
    return FALSE;
  if (memcmp (said, counted, SUM_LAST_ID * sizeof *said) != 0 ||
      said[SUM_LAST_ID] < counted[SUM_LAST_ID] ||
      said[SUM_FIRST_LOOSE] > counted[SUM_FIRST_LOOSE])
    clip_report_add (self->report, CLIP_FINDING_TABLES, 0, "",
                     "%" G_GINT64_FORMAT " entries with %" G_GINT64_FORMAT
                     " bytes are said to be there, and %" G_GINT64_FORMAT
                     " with %" G_GINT64_FORMAT " are",
                     said[SUM_COUNT], said[SUM_BYTES], counted[SUM_COUNT],
                     counted[SUM_BYTES]);
  self->report->n_entries = counted[SUM_COUNT];
  return clip_database_number (self->database, CLIP_READ_COUNT_CONTENTS,
                               &self->report->n_contents, error, "") == CLIP_ROWS_ROW;
}

/* SQLite's own check and the first walk through a damaged tree may say the same: a
 * database that is known to be damaged is not walked through */
static gboolean
check_rows (ClipCheck *self, GError **error)
{
  static const struct
  {
    ClipRead statement;
    ClipFindingKind kind;
    const char *text;
  } looks[] = {
    { CLIP_READ_WRONG_ENTRIES, CLIP_FINDING_ENTRY, "it is not as it was stored" },
    { CLIP_READ_WRONG_CONTENTS, CLIP_FINDING_ENTRY, "it is not as it was stored" },
    { CLIP_READ_UNKNOWN_ENTRIES, CLIP_FINDING_TABLES,
      "it is not found by its bytes, or has other types than it says" },
    { CLIP_READ_LOOSE_ROWS, CLIP_FINDING_TABLES, "a row of it belongs to no entry" },
  };

  if (clip_report_has (self->report, CLIP_FINDING_DATABASE))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (!look_for (self, looks[i].statement, looks[i].kind, looks[i].text, error))
      return FALSE;
  return check_sums (self, error);
}

static gboolean
check_database (ClipReader *reader, const gint *stops, ClipReport *report, GError **error)
{
  ClipCheck self = { stops, clip_database_handle (reader->database), reader->database,
                     report };
  gboolean done;

  if (!clip_sql_functions_register (self.db, error))
    return FALSE;
  sqlite3_progress_handler (self.db, STOP_STEPS, on_progress, &self);
  done = clip_database_run (self.database, CLIP_READ_BEGIN, error, "") &&
         check_pages (&self, error) && check_rows (&self, error);
  sqlite3_progress_handler (self.db, 0, NULL, NULL);
  clip_database_run (self.database, CLIP_READ_END, NULL, "");
  return done;
}

/**
 * clip_check:
 * @dir: the folder of the history
 * @stops: (nullable): atomic; not 0 = give up
 *
 * Looks at every page, row and blob. Takes as long as to read all of it.
 *
 * Returns: (transfer full): what was found; a history without findings is whole
 *
 * Errors: %CLIP_ERROR_NO_HISTORY, %CLIP_ERROR_NEWER_DATABASE, %CLIP_ERROR_CANCELLED,
 * %G_FILE_ERROR where something cannot be looked at, %CLIP_ERROR_FAILED.
 */
ClipReport *
clip_check (const char *dir, const gint *stops, GError **error)
{
  g_autoptr (ClipReport) report = clip_report_new ();
  g_autoptr (GError) local = NULL;
  g_autoptr (ClipReader) reader = NULL;

  check_modes (dir, report); /* SQLite makes the log with that of the database */
  reader = clip_reader_open (dir, &local);
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY) &&
      !clip_check_gone (dir, report, error))
    return NULL;
  if (clip_report_has (report, CLIP_FINDING_GONE))
    return g_steal_pointer (&report);
  if (reader && check_database (reader, stops, report, &local) &&
      clip_check_files (reader, stops, report, &local))
    return g_steal_pointer (&report);
  if (clip_check_goes_on (stops, error) &&
      take_error (report, g_steal_pointer (&local), error))
    return g_steal_pointer (&report);
  return NULL;
}

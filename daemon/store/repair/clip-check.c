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

#define PAGE_BYTES 4096

typedef struct
{
  sqlite3 *db;
  ClipStatements *database;
  ClipReport *report;
} ClipCheck;

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

/* what SQLite says of the shape of its pages, and of what its indexes lack */
static gboolean
check_pages (ClipCheck *self, GError **error)
{
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state;

  clip_statements_number (self->database, CLIP_READ_PAGES, &self->report->n_pages, NULL,
                          "");
  rows = clip_statements_query (self->database, CLIP_READ_INTEGRITY, error, "");
  while ((state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    if (!add_words (self, (const char *) sqlite3_column_text (rows, 0), error))
      return FALSE;
  return state == CLIP_ROWS_END;
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
      clip_statements_query (self->database, statement, error, "");
  ClipRows state;

  while ((state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    clip_report_add_content (self->report, kind, rows, "", text);
  return state == CLIP_ROWS_END;
}

static gboolean
check_totals (ClipCheck *self, GError **error)
{
  ClipTotals said, counted;

  if (!clip_totals_read (self->database, CLIP_READ_TOTALS, &said, error) ||
      !clip_totals_read (self->database, CLIP_READ_COUNTED_TOTALS, &counted, error))
    return FALSE;
  if (said.count != counted.count || said.bytes != counted.bytes ||
      said.pinned != counted.pinned || said.pinned_bytes != counted.pinned_bytes ||
      said.last_id < counted.last_id || said.first_loose > counted.first_loose)
    clip_report_add (self->report, CLIP_FINDING_TABLES, 0, "",
                     "%" G_GINT64_FORMAT " entries with %" G_GINT64_FORMAT
                     " bytes are said to be there, and %" G_GINT64_FORMAT
                     " with %" G_GINT64_FORMAT " are",
                     said.count, said.bytes, counted.count, counted.bytes);
  self->report->n_entries = counted.count;
  return clip_statements_number (self->database, CLIP_READ_COUNT_CONTENTS,
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
  return clip_statements_check_numbers (self->database, CLIP_READ_USED_UP, error) &&
         check_totals (self, error);
}

/* How many pages of a file that SQLite has open the disk does not give, whatever is in
 * them. By SQLite's own descriptor, as to close another would end its locks. */
static gint64
count_lost (sqlite3 *db, int which, gint64 *out_n_pages)
{
  sqlite3_file *file = NULL;
  sqlite3_int64 size = 0;
  guint8 page[PAGE_BYTES];
  gint64 n_lost = 0;

  *out_n_pages = 0;
  if (sqlite3_file_control (db, "main", which, &file) != SQLITE_OK || !file ||
      !file->pMethods || file->pMethods->xFileSize (file, &size) != SQLITE_OK)
    return 0;
  for (sqlite3_int64 offset = 0; offset < size; offset += PAGE_BYTES)
    {
      int code = file->pMethods->xRead (file, page, PAGE_BYTES, offset);

      (*out_n_pages)++;
      n_lost += code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ;
    }
  return n_lost;
}

/* Not every line of SQLite's check says why: where it found something, or failed, that
 * the disk answers is tried by itself. A disk that gives some pages and not others has
 * damaged them; one that gives none says nothing of the history. */
static gboolean
check_disk (ClipCheck *self, GError *failure_take, GError **error)
{
  g_autoptr (GError) failure = failure_take;
  gint64 n_pages, n_log_pages;
  gint64 n_lost = count_lost (self->db, SQLITE_FCNTL_FILE_POINTER, &n_pages);

  if (n_lost > 0 && n_lost < n_pages)
    {
      clip_report_add (self->report, CLIP_FINDING_DATABASE, 0, CLIP_DATABASE_NAME,
                       "the disk does not give %" G_GINT64_FORMAT " of its pages",
                       n_lost);
      return TRUE;
    }
  if (failure)
    return take_error (self->report, g_steal_pointer (&failure), error);
  if (n_lost == 0 &&
      count_lost (self->db, SQLITE_FCNTL_JOURNAL_POINTER, &n_log_pages) == 0)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
               "could not look at all of the history: it cannot be read");
  return FALSE;
}

static gboolean
check_database (ClipReader *reader, const gint *stops, ClipReport *report, GError **error)
{
  ClipCheck self = { clip_statements_handle (reader->database), reader->database,
                     report };
  g_autoptr (GError) local = NULL;
  gboolean done;

  if (!clip_sql_functions_register (self.db, error))
    return FALSE;
  clip_statements_heed (self.database, stops);
  done = clip_statements_run (self.database, CLIP_READ_BEGIN, &local, "") &&
         check_pages (&self, &local) && check_rows (&self, &local);
  clip_statements_heed (self.database, NULL);
  if (!done || clip_report_has (report, CLIP_FINDING_DATABASE))
    done = clip_check_goes_on (stops, error) &&
           check_disk (&self, g_steal_pointer (&local), error);
  clip_statements_run (self.database, CLIP_READ_END, NULL, "");
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
  /* what else there is to be seen is seen when the database is another */
  if (clip_check_goes_on (stops, error) &&
      (clip_report_has (report, CLIP_FINDING_DATABASE) ||
       take_error (report, g_steal_pointer (&local), error)))
    return g_steal_pointer (&report);
  return NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looks at all of a history, and changes nothing. It is read in steps, and between two of
 * them nothing is open: a history of any size goes on meanwhile. The exception is
 * SQLite's own look at its pages, which is one read; that keeps no writer waiting, but
 * the log from being emptied.
 *
 * What changes meanwhile can look damaged from one step to the next, so that what seems
 * wrong is looked at again before it is said.
 */
#include "clip-check-private.h"

#include "clip-detect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

/* how many instructions SQLite runs between two looks at whether to stop */
#define STOP_STEPS 10000
#define PAGE_BYTES 4096

/* how each database begins, and the zero behind it */
#define MAGIC "SQLite format 3"

gboolean
clip_check_is_on (const ClipCheck *self, GError **error)
{
  if (!self->stops || !g_atomic_int_get (self->stops))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED, "check was stopped");
  return FALSE;
}

static int
on_progress (void *user_data)
{
  return !clip_check_is_on (user_data, NULL);
}

/* only its user may look into any of it */
static void
check_mode (ClipCheck *self, const char *name, const struct stat *folder)
{
  g_autofree char *path = g_build_filename (self->dir, name, NULL);
  struct stat status;

  if (lstat (path, &status) < 0)
    return;
  if (status.st_uid != folder->st_uid)
    clip_report_add (self->report, CLIP_FINDING_MODE, 0, name,
                     "it belongs to user %u, the history to user %u",
                     (guint) status.st_uid, (guint) folder->st_uid);
  else if (status.st_mode & 077)
    clip_report_add (self->report, CLIP_FINDING_MODE, 0, name,
                     "its mode is %03o: open to other users",
                     (guint) status.st_mode & 0777);
}

static void
check_modes (ClipCheck *self)
{
  static const char *const names[] = { CLIP_DATABASE_NAME, CLIP_DATABASE_NAME "-wal",
                                       CLIP_DATABASE_NAME "-shm", CLIP_BLOBS_NAME };
  struct stat folder;

  if (stat (self->dir, &folder) < 0)
    return;
  check_mode (self, "", &folder);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    check_mode (self, names[i], &folder);
}

/* a repair that is under way has the folder of the history for itself */
static void
check_salvage (ClipCheck *self)
{
  g_autofree char *path = g_build_filename (self->dir, CLIP_SALVAGE_NAME, NULL);
  clip_autofd int fd = open (self->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd >= 0 && flock (fd, LOCK_SH | LOCK_NB) == 0 &&
      g_file_test (path, G_FILE_TEST_EXISTS))
    clip_report_add (self->report, CLIP_FINDING_SALVAGE, 0, CLIP_SALVAGE_NAME,
                     "a repair that was interrupted left it");
}

/* What a failed read means: damage is a finding, and TRUE; whatever else kept us from
 * looking says nothing of the history, and a repair must not take it for damage. */
gboolean
clip_check_take_error (ClipReport *report, GError *failure_take, GError **error)
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

/* by SQLite's own descriptor: to close another one would give up the locks that this
 * process has on the file */
static int
read_head (const char *path, void *head, int length)
{
  sqlite3 *db = NULL;
  sqlite3_file *file = NULL;
  int code =
      sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);

  if (code == SQLITE_OK)
    code = sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code == SQLITE_OK)
    code = file && file->pMethods ? file->pMethods->xRead (file, head, length, 0)
                                  : SQLITE_CANTOPEN;
  sqlite3_close (db);
  return code;
}

/* Of a file that is no database at all: what it is. Zeros are what a power cut leaves. */
static void
name_stranger (const char *dir, GError *failure)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  g_autofree char *head = g_malloc0 (CLIP_HEAD_BYTES);
  g_autofree char *before = NULL;
  struct stat status;
  int code;

  if (lstat (path, &status) < 0 || !S_ISREG (status.st_mode))
    return;
  code = read_head (path, head, CLIP_HEAD_BYTES);
  if ((code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) || *head == '\0' ||
      memcmp (head, MAGIC, sizeof MAGIC) == 0)
    return;
  before = failure->message;
  failure->message = g_strdup_printf (
      "%s: it looks like %s", before,
      clip_detect_mime (head, (gsize) MIN (status.st_size, CLIP_HEAD_BYTES), FALSE));
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
  sqlite3 *db = clip_database_handle (self->reader->database);

  if (!clip_report_has (self->report, CLIP_FINDING_DATABASE) ||
      (is_readable (db, SQLITE_FCNTL_FILE_POINTER) &&
       is_readable (db, SQLITE_FCNTL_JOURNAL_POINTER)))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
               "could not look at all of the history: it cannot be read");
  return FALSE;
}

/* What SQLite says of the shape of its pages, and of what its indexes lack. */
static gboolean
check_pages (ClipCheck *self, GError **error)
{
  ClipDatabase *database = self->reader->database;
  clip_autorows sqlite3_stmt *rows = NULL;
  g_autoptr (GError) local = NULL;

  clip_database_number (database, CLIP_READ_PAGES, &self->report->n_pages, NULL, "");
  sqlite3_progress_handler (clip_database_handle (database), STOP_STEPS, on_progress,
                            self);
  rows = clip_database_query (database, CLIP_READ_INTEGRITY, &local, "");
  while (clip_database_next (database, rows, &local) == CLIP_ROWS_ROW &&
         add_words (self, (const char *) sqlite3_column_text (rows, 0), &local))
    continue;
  sqlite3_progress_handler (clip_database_handle (database), 0, NULL, NULL);
  if (!clip_check_is_on (self, error))
    return FALSE;
  if (local && !clip_check_take_error (self->report, g_steal_pointer (&local), error))
    return FALSE;
  return check_disk (self, error);
}

/* SQLite's own check and the first walk through a damaged tree may say the same: a
 * database that is known to be damaged is not walked through */
static gboolean
check_rows (ClipCheck *self, GError **error)
{
  if (clip_report_has (self->report, CLIP_FINDING_DATABASE))
    return TRUE;
  return clip_check_entries (self, error) && clip_check_contents (self, error) &&
         clip_check_tables (self, error);
}

static gboolean
check_all (ClipCheck *self, GError **error)
{
  return check_pages (self, error) && check_rows (self, error) &&
         clip_check_blobs (self, error) && clip_check_files (self, error);
}

/* @failure_take: that there is no history, and the error where nothing is left of one */
static gboolean
check_gone (ClipCheck *self, GError *failure_take, GError **error)
{
  gboolean looked = clip_check_gone (self, error);

  if (looked && clip_report_has (self->report, CLIP_FINDING_GONE))
    {
      g_error_free (failure_take);
      return TRUE;
    }
  if (looked)
    g_propagate_error (error, failure_take);
  else
    g_error_free (failure_take);
  return FALSE;
}

/**
 * clip_check_start:
 * @dir: the folder of the history
 *
 * Looks for what whoever opens the history to change it sets right by itself: what is
 * left where the database is gone.
 *
 * Returns: (transfer full): what was found
 *
 * Errors: %G_FILE_ERROR where something cannot be looked at.
 */
ClipReport *
clip_check_start (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  g_autoptr (ClipReport) report = clip_report_new ();
  ClipCheck self = { .dir = dir, .report = report };
  struct stat status;
  gboolean is_there = stat (path, &status) == 0 && status.st_size > 0;

  if (is_there || clip_check_gone (&self, error))
    return g_steal_pointer (&report);
  return NULL;
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
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) local = NULL;
  ClipCheck self = { .dir = dir, .stops = stops, .report = report };

  check_modes (&self);
  check_salvage (&self);
  self.reader = reader = clip_reader_open (dir, &local);
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    return check_gone (&self, g_steal_pointer (&local), error) ? g_steal_pointer (&report)
                                                               : NULL;
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_CORRUPT))
    name_stranger (dir, local);
  if ((reader && check_all (&self, &local)) ||
      clip_check_take_error (report, g_steal_pointer (&local), error))
    return g_steal_pointer (&report);
  return NULL;
}

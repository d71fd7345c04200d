/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a check found, set right, each finding by itself and under the lock of the
 * database: it is looked at again, as much may have happened since. What cannot be kept
 * is set aside before it goes. What one of these leaves behind (a blob that nothing
 * refers to any more, a sum) is found by the next check.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-repair.h"

#include "clip-error.h"
#include "clip-paths.h"
#include "clip-record.h"
#include "clip-tags.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* of the statements that read all that there is of a content, whatever it says */
enum
{
  RAW_POSITION,
  RAW_BLOB_NAME,
  RAW_PREVIEW,
  RAW_BODY,
  RAW_ROW,
};

static void
append_blob (GByteArray *bytes, sqlite3_stmt *rows, int column)
{
  if (sqlite3_column_type (rows, column) == SQLITE_BLOB)
    g_byte_array_append (bytes, sqlite3_column_blob (rows, column),
                         (guint) sqlite3_column_bytes (rows, column));
}

static gboolean
save_row (ClipAside *aside, gint64 id, sqlite3_stmt *rows, GError **error)
{
  const char *blob = (const char *) sqlite3_column_text (rows, RAW_BLOB_NAME);
  g_autofree char *name = g_strdup_printf ("%" G_GINT64_FORMAT ".%d", id,
                                           sqlite3_column_int (rows, RAW_POSITION));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (blob)
    {
      g_autofree char *object = g_build_filename (CLIP_BLOBS_NAME, blob, NULL);

      return clip_aside_link (aside, object, name, error);
    }
  append_blob (bytes, rows, RAW_PREVIEW);
  append_blob (bytes, rows, RAW_BODY);
  return clip_aside_write (aside, name, bytes->data, bytes->len, error);
}

/* @row: of the content; -1 = all of them */
static gboolean
save (ClipLedger *ledger,
      ClipAside *aside,
      ClipSql statement,
      gint64 id,
      gint64 row,
      GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (ledger->database, statement, error, "i", id);
  ClipRows state;

  while ((state = clip_database_next (ledger->database, rows, error)) == CLIP_ROWS_ROW)
    if ((row < 0 || sqlite3_column_int64 (rows, RAW_ROW) == row) &&
        !save_row (aside, id, rows, error))
      return FALSE;
  return state == CLIP_ROWS_END;
}

static gboolean
drop_entry (ClipLedger *ledger, ClipAside *aside, gint64 id, GError **error)
{
  ClipRecord record = { 0 };
  ClipRows state = clip_record_load (ledger, id, &record, error);

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  if (!save (ledger, aside, CLIP_SQL_RAW_ENTRY, id, -1, error) ||
      !save (ledger, aside, CLIP_SQL_RAW_CONTENTS, id, -1, error) ||
      !clip_record_drop (ledger, &record, error) ||
      !clip_database_run (ledger->database, CLIP_SQL_DROP_CONTENTS, error, "i", id))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_REMOVED, id, 0);
  g_message ("entry %" G_GINT64_FORMAT " is damaged, and was set aside", id);
  return TRUE;
}

static gboolean
drop_content (ClipLedger *ledger, ClipAside *aside, gint64 id, gint64 row, GError **error)
{
  ClipDatabase *database = ledger->database;

  if (!save (ledger, aside, CLIP_SQL_RAW_CONTENTS, id, row, error) ||
      !clip_database_run (database, CLIP_SQL_DROP_CONTENT, error, "i", row) ||
      !clip_database_run (database, CLIP_SQL_COUNT_EXTRAS, error, "i", id))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_CHANGED, id, 0);
  return TRUE;
}

/* @row: 0 = the primary one */
static gboolean
drop (ClipLedger *ledger, ClipAside *aside, gint64 id, gint64 row, GError **error)
{
  return row == 0 ? drop_entry (ledger, aside, id, error)
                  : drop_content (ledger, aside, id, row, error);
}

/* one that is right by now, or that somebody deleted, is left alone */
static gboolean
repair_content (ClipLedger *ledger,
                ClipAside *aside,
                const ClipFinding *finding,
                GError **error)
{
  ClipDatabase *database = ledger->database;
  gint64 id = finding->id;
  gint64 is_right;
  ClipRows state = finding->row == 0
                       ? clip_database_number (database, CLIP_SQL_IS_ENTRY_RIGHT,
                                               &is_right, error, "i", id)
                       : clip_database_number (database, CLIP_SQL_IS_CONTENT_RIGHT,
                                               &is_right, error, "ii", finding->row, id);

  if (state != CLIP_ROWS_ROW || is_right)
    return state != CLIP_ROWS_FAILED;
  return drop (ledger, aside, id, finding->row, error);
}

/* the next content that a blob belongs to; @out_row: 0 = the primary one */
static ClipRows
find_user (ClipLedger *ledger,
           gint64 blob,
           gint64 *out_id,
           gint64 *out_row,
           GError **error)
{
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state = clip_database_number (ledger->database, CLIP_SQL_ENTRY_OF_BLOB, out_id,
                                         error, "i", blob);

  *out_row = 0;
  if (state != CLIP_ROWS_END)
    return state;
  rows =
      clip_database_query (ledger->database, CLIP_SQL_CONTENT_OF_BLOB, error, "i", blob);
  state = clip_database_next (ledger->database, rows, error);
  if (state == CLIP_ROWS_ROW)
    {
      *out_id = sqlite3_column_int64 (rows, 0);
      *out_row = sqlite3_column_int64 (rows, 1);
    }
  return state;
}

/* Everything that it is part of, then itself: the file keeps its name until the rows that
 * refer to it are gone for good. */
static gboolean
repair_blob (ClipLedger *ledger, ClipAside *aside, const char *object, GError **error)
{
  const char *name = object + strlen (CLIP_BLOBS_NAME "/");
  gint64 blob, id, row;
  ClipRows state = clip_database_number (ledger->database, CLIP_SQL_FIND_BLOB, &blob,
                                         error, "s", name);

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  while ((state = find_user (ledger, blob, &id, &row, error)) == CLIP_ROWS_ROW)
    if (!drop (ledger, aside, id, row, error))
      return FALSE;
  if (state != CLIP_ROWS_END || !clip_aside_link (aside, object, object, error))
    return FALSE;
  clip_ledger_suspect (ledger, name);
  return clip_database_run (ledger->database, CLIP_SQL_DROP_BLOB, error, "i", blob);
}

/* one that an entry refers to by now is none */
static gboolean
repair_unused (ClipLedger *ledger, ClipAside *aside, const char *object, GError **error)
{
  gint64 blob, id, row;
  ClipRows state =
      clip_database_number (ledger->database, CLIP_SQL_FIND_BLOB, &blob, error, "s",
                            object + strlen (CLIP_BLOBS_NAME "/"));

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  state = find_user (ledger, blob, &id, &row, error);
  return state == CLIP_ROWS_END ? repair_blob (ledger, aside, object, error)
                                : state == CLIP_ROWS_ROW;
}

/* a file that has its row by now is none */
static gboolean
repair_stray (ClipLedger *ledger, ClipAside *aside, const char *object, GError **error)
{
  const char *name = object + strlen (CLIP_BLOBS_NAME "/");
  gint64 blob;
  ClipRows state = clip_database_number (ledger->database, CLIP_SQL_FIND_BLOB, &blob,
                                         error, "s", name);

  return state == CLIP_ROWS_END ? clip_aside_move (aside, object, error)
                                : state == CLIP_ROWS_ROW;
}

static gboolean
repair_mode (ClipLedger *ledger, const char *object, GError **error)
{
  g_autofree char *path = g_build_filename ("..", object, NULL);
  int blobs_fd = clip_blobs_fd (ledger->blobs);
  struct stat folder, status;
  mode_t mode = 0600;

  if (fstatat (blobs_fd, path, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return TRUE;
  if (S_ISLNK (status.st_mode) || fstatat (blobs_fd, "..", &folder, 0) < 0)
    return TRUE;
  if (S_ISDIR (status.st_mode))
    mode = 0700;
  else if (g_str_has_prefix (object, CLIP_BLOBS_NAME "/"))
    mode = 0400;
  if ((status.st_uid != folder.st_uid &&
       fchownat (blobs_fd, path, folder.st_uid, folder.st_gid, AT_SYMLINK_NOFOLLOW) <
           0) ||
      fchmodat (blobs_fd, path, mode, 0) < 0)
    return clip_set_errno (error, errno, "set the mode of '%s' right", object);
  return TRUE;
}

static gboolean
repair_duplicates (ClipLedger *ledger, gint64 id, GError **error)
{
  ClipRecord record = { 0 };
  ClipRows state;

  if (!clip_database_run (ledger->database, CLIP_SQL_DROP_DUPS_OF, error, "i", id))
    return FALSE;
  state = clip_record_load (ledger, id, &record, error);
  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  return clip_database_run (ledger->database, CLIP_SQL_ADD_DUP, error, "ii", record.hash,
                            id);
}

static gboolean
repair_references (ClipLedger *ledger, ClipAside *aside, gint64 id, GError **error)
{
  ClipRecord record = { 0 };
  ClipRows state = clip_record_load (ledger, id, &record, error);

  if (state == CLIP_ROWS_FAILED)
    return FALSE;
  if (state == CLIP_ROWS_ROW)
    return clip_database_run (ledger->database, CLIP_SQL_COUNT_EXTRAS, error, "i", id) &&
           clip_database_run (ledger->database, CLIP_SQL_DROP_NAMELESS_TAGS, error, "i",
                              id);
  return save (ledger, aside, CLIP_SQL_RAW_CONTENTS, id, -1, error) &&
         clip_database_run (ledger->database, CLIP_SQL_DROP_CONTENTS, error, "i", id) &&
         clip_tags_set (ledger, id, NULL, error);
}

static gboolean
repair_totals (ClipLedger *ledger, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (ledger->database, CLIP_SQL_COUNT_SUMS, error, "");
  ClipSums *sums = &ledger->sums;

  if (clip_database_next (ledger->database, rows, error) != CLIP_ROWS_ROW)
    return FALSE;
  sums->count = sqlite3_column_int64 (rows, 0);
  sums->bytes = sqlite3_column_int64 (rows, 1);
  sums->pinned = sqlite3_column_int64 (rows, 2);
  sums->pinned_bytes = sqlite3_column_int64 (rows, 3);
  sums->last_id = MAX (sums->last_id, sqlite3_column_int64 (rows, 4));
  sums->first_loose = MIN (sums->first_loose, sqlite3_column_int64 (rows, 5));
  return TRUE;
}

static gboolean
repair (ClipLedger *ledger, ClipAside *aside, const ClipFinding *finding, GError **error)
{
  switch (finding->kind)
    {
    case CLIP_FINDING_ENTRY:
      return repair_content (ledger, aside, finding, error);
    case CLIP_FINDING_BLOB_MISSING:
    case CLIP_FINDING_BLOB_DAMAGED:
      return repair_blob (ledger, aside, finding->path, error);
    case CLIP_FINDING_BLOB_UNUSED:
      return repair_unused (ledger, aside, finding->path, error);
    case CLIP_FINDING_STRAY:
    case CLIP_FINDING_LEFTOVER:
      return repair_stray (ledger, aside, finding->path, error);
    case CLIP_FINDING_MODE:
      return repair_mode (ledger, finding->path, error);
    case CLIP_FINDING_DUPLICATES:
      return repair_duplicates (ledger, finding->id, error);
    case CLIP_FINDING_REFERENCE:
      return repair_references (ledger, aside, finding->id, error);
    case CLIP_FINDING_TOTALS:
      return repair_totals (ledger, error);
    default:
      return TRUE; /* no matter of rows */
    }
}

/* Within a transaction. Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CORRUPT,
 * %G_FILE_ERROR, %CLIP_ERROR_FAILED. */
ClipChangeStep
clip_change_repair (ClipLedger *ledger,
                    ClipAside *aside,
                    const ClipFinding *finding,
                    GError **error)
{
  return repair (ledger, aside, finding, error) ? CLIP_CHANGE_DONE : CLIP_CHANGE_FAILED;
}

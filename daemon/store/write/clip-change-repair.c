/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a check found, set right, each finding by itself and under the lock of the
 * database: its row is looked at again, as much may have happened since; a file is not,
 * as all who write would wait while it is read. What cannot be kept is set aside before
 * it goes. What the entries say of themselves in other tables is then made anew of what
 * is left.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-repair.h"

#include "clip-paths.h"
#include "clip-record.h"

#include <string.h>

/* of the statement that reads all that there is of an entry, whatever it says */
enum
{
  RAW_POSITION,
  RAW_BLOB_NAME,
  RAW_PREVIEW,
  RAW_BODY,
  RAW_ROW,
  RAW_BLOB,
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

/* @row: of the content; 0 = all of the entry
 * @out_blob: (out): of the last of them; 0 = none */
static gboolean
save (ClipLedger *ledger,
      ClipAside *aside,
      gint64 id,
      gint64 row,
      gint64 *out_blob,
      GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_RAW_CONTENTS, error, "i", id);
  ClipRows state;

  *out_blob = 0;
  while ((state = clip_database_next (clip_ledger_database (ledger), rows, error)) ==
         CLIP_ROWS_ROW)
    {
      if (row != 0 && sqlite3_column_int64 (rows, RAW_ROW) != row)
        continue;
      if (!save_row (aside, id, rows, error))
        return FALSE;
      *out_blob = sqlite3_column_int64 (rows, RAW_BLOB);
    }
  return state == CLIP_ROWS_END;
}

static gboolean
drop_entry (ClipLedger *ledger, ClipAside *aside, gint64 id, GError **error)
{
  ClipRecord record = { 0 };
  ClipRows state = clip_record_load (ledger, id, &record, error);
  gint64 blob;

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  if (!save (ledger, aside, id, 0, &blob, error) ||
      !clip_record_drop (ledger, &record, error) ||
      !clip_database_run (clip_ledger_database (ledger), CLIP_SQL_DROP_CONTENTS, error,
                          "i", id))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_REMOVED, id, 0);
  g_message ("entry %" G_GINT64_FORMAT " is damaged, and was set aside", id);
  return TRUE;
}

static gboolean
drop_content (ClipLedger *ledger, ClipAside *aside, gint64 id, gint64 row, GError **error)
{
  ClipDatabase *database = clip_ledger_database (ledger);
  gint64 blob;

  if (!save (ledger, aside, id, row, &blob, error) ||
      !clip_database_run (database, CLIP_SQL_DROP_CONTENT, error, "i", row) ||
      !clip_database_run (database, CLIP_SQL_COUNT_EXTRAS, error, "i", id) ||
      (blob && !clip_record_drop_blob (ledger, blob, error)))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_CHANGED, id, 0);
  return TRUE;
}

/* one that is right by now, or that somebody deleted, is left alone; of a file that is
 * damaged the rows are right */
static gboolean
repair_content (ClipLedger *ledger,
                ClipAside *aside,
                const ClipFinding *finding,
                GError **error)
{
  gboolean is_primary = finding->row == 0;
  gint64 is_wrong;
  ClipRows state = clip_database_number (
      clip_ledger_database (ledger),
      is_primary ? CLIP_SQL_IS_ENTRY_WRONG : CLIP_SQL_IS_CONTENT_WRONG, &is_wrong, error,
      is_primary ? "i" : "ii", finding->id, finding->row);

  if (state != CLIP_ROWS_ROW || !(is_wrong || finding->kind != CLIP_FINDING_ENTRY))
    return state != CLIP_ROWS_FAILED;
  return is_primary ? drop_entry (ledger, aside, finding->id, error)
                    : drop_content (ledger, aside, finding->id, finding->row, error);
}

/* a file that has its row by now is none */
static gboolean
repair_stray (ClipLedger *ledger, ClipAside *aside, const char *object, GError **error)
{
  const char *name = object + strlen (CLIP_BLOBS_NAME "/");
  gint64 blob;
  ClipRows state = clip_database_number (clip_ledger_database (ledger),
                                         CLIP_SQL_FIND_BLOB, &blob, error, "s", name);

  return state == CLIP_ROWS_ROW ||
         (state == CLIP_ROWS_END && clip_aside_move (aside, object, error) &&
          clip_aside_sync (aside, error));
}

static gboolean
count_sums (ClipLedger *ledger, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (clip_ledger_database (ledger), CLIP_SQL_COUNT_SUMS, error, "");
  ClipSums *sums = clip_ledger_sums (ledger);

  if (clip_database_next (clip_ledger_database (ledger), rows, error) != CLIP_ROWS_ROW)
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
tidy (ClipLedger *ledger, GError **error)
{
  static const ClipSql steps[] = { CLIP_SQL_WIPE_DUPS, CLIP_SQL_TIDY_DUPS,
                                   CLIP_SQL_TIDY_TAGS, CLIP_SQL_TIDY_EXTRAS,
                                   CLIP_SQL_TIDY_BLOBS };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (!clip_database_run (clip_ledger_database (ledger), steps[i], error, ""))
      return FALSE;
  return count_sums (ledger, error);
}

/**
 * clip_change_repair:
 * @finding: (nullable): of a content or a stray; %NULL = what the other tables say
 *
 * Within a transaction. Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CORRUPT,
 * %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
ClipChangeStep
clip_change_repair (ClipLedger *ledger,
                    ClipAside *aside,
                    const ClipFinding *finding,
                    GError **error)
{
  gboolean done;

  if (!finding)
    done = tidy (ledger, error);
  else if (finding->kind == CLIP_FINDING_STRAY)
    done = repair_stray (ledger, aside, finding->path, error);
  else
    done = repair_content (ledger, aside, finding, error);
  return done ? CLIP_CHANGE_DONE : CLIP_CHANGE_FAILED;
}

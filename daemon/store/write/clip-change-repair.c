/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a check found, set right, each finding by itself and under the lock of the
 * database: its row is looked at again, as much may have happened since; a file is not,
 * as all who write would wait while it is read. What cannot be kept is set aside before
 * it goes. What the entries say of themselves in other tables is then made anew of what
 * is left.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"

#include "clip-paths.h"
#include "clip-reader-private.h"

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

      return !clip_blob_name_is_valid (blob) ||
             clip_aside_link (aside, object, name, error);
    }
  clip_value_append (bytes, sqlite3_column_value (rows, RAW_PREVIEW));
  clip_value_append (bytes, sqlite3_column_value (rows, RAW_BODY));
  return clip_aside_write (aside, name, bytes->data, bytes->len, error);
}

/* @row: of the content; 0 = all of the entry
 * @out_blob: (out): of the last of them; 0 = none */
static gboolean
save (ClipTransaction *transaction,
      ClipAside *aside,
      gint64 id,
      gint64 row,
      gint64 *out_blob,
      GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_RAW_CONTENTS, error, "i", id);
  ClipRows state;

  *out_blob = 0;
  while ((state = clip_statements_next (clip_transaction_db (transaction), rows,
                                        error)) == CLIP_ROWS_ROW)
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
drop_entry (ClipTransaction *transaction, ClipAside *aside, gint64 id, GError **error)
{
  ClipEntryRows record = { 0 };
  ClipRows state = clip_entry_rows_load (transaction, id, &record, error);
  gint64 blob;

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  if (!save (transaction, aside, id, 0, &blob, error) ||
      !clip_entry_rows_drop (transaction, &record, error) ||
      !clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_DROP_CONTENTS,
                            error, "i", id))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_REMOVED, id, 0);
  g_message ("entry %" G_GINT64_FORMAT " is damaged, and was set aside", id);
  return TRUE;
}

static gboolean
drop_content (ClipTransaction *transaction,
              ClipAside *aside,
              gint64 id,
              gint64 row,
              GError **error)
{
  ClipStatements *database = clip_transaction_db (transaction);
  gint64 blob;

  if (!save (transaction, aside, id, row, &blob, error) ||
      !clip_statements_run (database, CLIP_SQL_DROP_CONTENT, error, "i", row) ||
      !clip_statements_run (database, CLIP_SQL_COUNT_EXTRAS, error, "i", id) ||
      (blob && !clip_entry_rows_drop_blob (transaction, blob, error)))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_CHANGED, id, 0);
  return TRUE;
}

/* one that is right by now, or that somebody deleted, is left alone; of a file that is
 * damaged the rows are right */
static gboolean
repair_content (ClipTransaction *transaction,
                ClipAside *aside,
                const ClipFinding *finding,
                GError **error)
{
  gboolean is_primary = finding->row == 0;
  gint64 is_wrong;
  ClipRows state = clip_statements_number (
      clip_transaction_db (transaction),
      is_primary ? CLIP_SQL_IS_ENTRY_WRONG : CLIP_SQL_IS_CONTENT_WRONG, &is_wrong, error,
      is_primary ? "i" : "ii", finding->id, finding->row);

  if (state != CLIP_ROWS_ROW || !(is_wrong || finding->kind != CLIP_FINDING_ENTRY))
    return state != CLIP_ROWS_FAILED;
  return is_primary ? drop_entry (transaction, aside, finding->id, error)
                    : drop_content (transaction, aside, finding->id, finding->row, error);
}

/* a file that has its row by now is none */
static gboolean
repair_stray (ClipTransaction *transaction,
              ClipAside *aside,
              const char *object,
              GError **error)
{
  const char *name = object + strlen (CLIP_BLOBS_NAME "/");
  gint64 blob;
  ClipRows state = clip_statements_number (clip_transaction_db (transaction),
                                           CLIP_SQL_FIND_BLOB, &blob, error, "s", name);

  return state == CLIP_ROWS_ROW ||
         (state == CLIP_ROWS_END && clip_aside_move (aside, object, error) &&
          clip_aside_sync (aside, error));
}

static gboolean
count_totals (ClipTransaction *transaction, GError **error)
{
  ClipTotals *totals = clip_transaction_totals (transaction);
  const ClipTotals said = *totals;

  if (!clip_totals_read (clip_transaction_db (transaction), CLIP_SQL_COUNT_TOTALS, totals,
                         error))
    return FALSE;
  totals->last_id = MAX (totals->last_id, said.last_id);
  totals->first_loose = MIN (totals->first_loose, said.first_loose);
  return TRUE;
}

static gboolean
tidy (ClipTransaction *transaction, GError **error)
{
  static const ClipSql steps[] = { CLIP_SQL_WIPE_DUPS, CLIP_SQL_TIDY_DUPS,
                                   CLIP_SQL_TIDY_TAGS, CLIP_SQL_TIDY_EXTRAS,
                                   CLIP_SQL_TIDY_BLOBS };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (!clip_statements_run (clip_transaction_db (transaction), steps[i], error, ""))
      return FALSE;
  return count_totals (transaction, error);
}

typedef struct
{
  ClipChange base;
  const ClipFinding *finding; /* (nullable): borrowed, as is what it leaves */
  ClipAside *aside;
} Repair;

static ClipChangeStep
run_repair (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  const Repair *self = (Repair *) change;
  gboolean done;

  if (!self->finding)
    done = tidy (transaction, error);
  else if (self->finding->kind == CLIP_FINDING_STRAY)
    done = repair_stray (transaction, self->aside, self->finding->path, error);
  else
    done = repair_content (transaction, self->aside, self->finding, error);
  return done ? CLIP_CHANGE_DONE : CLIP_CHANGE_FAILED;
}

static const ClipChangeKind repair_kind = {
  .name = "repair",
  .bytes = sizeof (Repair),
  .run = run_repair,
};

/**
 * clip_change_repair:
 * @finding: (nullable): of a content or a stray; %NULL = what the other tables say
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CORRUPT, %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
ClipChange *
clip_change_repair (ClipAside *aside, const ClipFinding *finding)
{
  Repair *self = clip_change_new (&repair_kind);

  self->aside = aside;
  self->finding = finding;
  return &self->base;
}

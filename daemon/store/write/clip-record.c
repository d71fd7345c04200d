/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One entry in the tables: every row that belongs to it is written, moved and dropped
 * here, and the sums follow.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-record.h"

#include "clip-blob-file.h"
#include "clip-tags.h"

#include <string.h>

/* how much of the content the preview is; 0 for a preview that stands for itself */
gsize
clip_record_head (sqlite3_stmt *rows)
{
  return sqlite3_column_type (rows, CLIP_ENTRY_PREVIEW) == SQLITE_BLOB
             ? (gsize) sqlite3_column_bytes (rows, CLIP_ENTRY_PREVIEW)
             : 0;
}

static gint64
hash_inline (sqlite3_stmt *rows)
{
  g_autoptr (ClipHasher) hasher = clip_hasher_new ();
  gsize head = clip_record_head (rows);
  ClipHash hash;

  clip_hasher_add (hasher, sqlite3_column_blob (rows, CLIP_ENTRY_PREVIEW), head);
  clip_hasher_add (hasher, sqlite3_column_blob (rows, CLIP_ENTRY_BODY),
                   (gsize) sqlite3_column_bytes (rows, CLIP_ENTRY_BODY));
  hash = clip_hasher_end (hasher);
  return clip_hash_short (&hash);
}

static gboolean
hash_blob (ClipLedger *ledger, gint64 blob, gint64 *out_hash, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_GET_BLOB, error, "i", blob);
  ClipRows state = clip_database_next (clip_ledger_database (ledger), rows, error);
  ClipHash hash = { { 0 } };

  /* a damaged row must not keep its entry from being removed */
  if (state == CLIP_ROWS_ROW && sqlite3_column_bytes (rows, 1) == sizeof hash.bytes)
    memcpy (hash.bytes, sqlite3_column_blob (rows, 1), sizeof hash.bytes);
  *out_hash = clip_hash_short (&hash);
  return state != CLIP_ROWS_FAILED;
}

static gboolean
add_extra_bytes (ClipLedger *ledger, ClipRecord *record, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_LIST_CONTENTS, error, "i", record->id);
  ClipRows state;

  while ((state = clip_database_next (clip_ledger_database (ledger), rows, error)) ==
         CLIP_ROWS_ROW)
    record->bytes += sqlite3_column_int64 (rows, CLIP_CONTENT_SIZE);
  return state == CLIP_ROWS_END;
}

static gboolean
fill_hash (ClipLedger *ledger, sqlite3_stmt *rows, ClipRecord *record, GError **error)
{
  gint64 blob = sqlite3_column_int64 (rows, CLIP_ENTRY_BLOB);

  if (blob)
    return hash_blob (ledger, blob, &record->hash, error);
  record->hash = hash_inline (rows);
  return TRUE;
}

/* whether there is such an entry, and what it is */
ClipRows
clip_record_load (ClipLedger *ledger, gint64 id, ClipRecord *record, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_GET_ENTRY, error, "i", id);
  ClipRows state = clip_database_next (clip_ledger_database (ledger), rows, error);

  if (state != CLIP_ROWS_ROW)
    return state;
  record->id = id;
  record->last_us = sqlite3_column_int64 (rows, CLIP_ENTRY_LAST_US);
  record->first_us = sqlite3_column_int64 (rows, CLIP_ENTRY_FIRST_US);
  record->copies = sqlite3_column_int64 (rows, CLIP_ENTRY_COPIES);
  record->expires_us = sqlite3_column_int64 (rows, CLIP_ENTRY_EXPIRES_US);
  record->pinned = sqlite3_column_int64 (rows, CLIP_ENTRY_PINNED);
  record->extras = sqlite3_column_int64 (rows, CLIP_ENTRY_EXTRAS);
  record->bytes = sqlite3_column_int64 (rows, CLIP_ENTRY_SIZE);
  record->kind = (ClipClass) sqlite3_column_int (rows, CLIP_ENTRY_KIND);
  record->has_origin = sqlite3_column_int64 (rows, CLIP_ENTRY_ORIGIN) != 0;
  if (!fill_hash (ledger, rows, record, error) ||
      (record->extras > 0 && !add_extra_bytes (ledger, record, error)))
    return CLIP_ROWS_FAILED;
  return CLIP_ROWS_ROW;
}

/**
 * clip_record_link:
 *
 * Sees to it that the file of a claimed content is there; a row refers to it, or will.
 */
gboolean
clip_record_link (ClipLedger *ledger, const ClipDraftPart *part, GError **error)
{
  if (part->bytes)
    return TRUE;
  if (!clip_stage_link (part->stage, error))
    return FALSE;
  if (clip_stage_is_linked (part->stage))
    clip_ledger_note_link (ledger, clip_stage_name (part->stage));
  return TRUE;
}

/* the number of the blob's row; 0 for a content that the database holds itself */
static gboolean
refer (ClipLedger *ledger, const ClipDraftPart *part, gint64 *out_blob, GError **error)
{
  ClipBlobState file;
  const char *name;
  ClipRows state;

  *out_blob = 0;
  if (part->bytes)
    return TRUE;
  if (!clip_record_link (ledger, part, error))
    return FALSE;
  name = clip_stage_name (part->stage);
  state = clip_database_number (clip_ledger_database (ledger), CLIP_SQL_FIND_BLOB,
                                out_blob, error, "s", name);
  if (state != CLIP_ROWS_END)
    return state == CLIP_ROWS_ROW;
  clip_blob_state_take (&file, clip_blobs_fd (clip_ledger_blobs (ledger)), name);
  if (!clip_database_run (clip_ledger_database (ledger), CLIP_SQL_ADD_BLOB, error,
                          "sbiii", name, clip_stage_hash (part->stage)->bytes,
                          (gsize) CLIP_HASH_BYTES, part->size, file.inode,
                          file.changed_ns))
    return FALSE;
  *out_blob =
      sqlite3_last_insert_rowid (clip_database_handle (clip_ledger_database (ledger)));
  return TRUE;
}

/* the checksum that the row of the content gets */
static gint64
sum_part (const ClipDraftPart *part, gint64 id, gint64 position)
{
  gsize length = CLIP_HASH_BYTES;
  const void *data = part->bytes ? g_bytes_get_data (part->bytes, &length)
                                 : clip_stage_hash (part->stage)->bytes;

  return clip_sum (id, position, part->mime, part->size, data, length);
}

static gboolean
insert_extra (ClipLedger *ledger,
              gint64 id,
              gint64 position,
              const ClipDraftPart *part,
              GError **error)
{
  gint64 mime, blob;
  gsize length = 0;
  const void *data = part->bytes ? g_bytes_get_data (part->bytes, &length) : NULL;

  return clip_ledger_name (ledger, part->mime, CLIP_NAME_LASTING, &mime, error) &&
         refer (ledger, part, &blob, error) &&
         clip_database_run (clip_ledger_database (ledger), CLIP_SQL_ADD_CONTENT, error,
                            "iiiiibi", id, position, mime, part->size, blob, data, length,
                            sum_part (part, id, position));
}

/* the columns of the row that hold the preview and the bytes, or what is left of them */
static gboolean
run_insert (ClipLedger *ledger,
            const ClipRecord *record,
            const ClipDraft *draft,
            gint64 mime,
            gint64 origin,
            gint64 blob,
            GError **error)
{
  const ClipDraftPart *primary = draft->parts->pdata[0];
  gsize length = 0;
  const char *data = primary->bytes ? g_bytes_get_data (primary->bytes, &length) : NULL;
  gsize head = draft->begins ? strlen (draft->preview) : 0;
  gint64 sum = sum_part (primary, record->id, 0);

  data = length > head ? data + head : NULL;
  length -= head;
  if (draft->begins)
    return clip_database_run (
        clip_ledger_database (ledger), CLIP_SQL_ADD_ENTRY, error, "iiiiiiiiiiiibbi",
        record->id, record->last_us, record->first_us, record->copies, record->expires_us,
        record->pinned, (gint64) draft->kind, record->extras, primary->size, mime, origin,
        blob, draft->preview, head, data, length, sum);
  return clip_database_run (
      clip_ledger_database (ledger), CLIP_SQL_ADD_ENTRY, error, "iiiiiiiiiiiisbi",
      record->id, record->last_us, record->first_us, record->copies, record->expires_us,
      record->pinned, (gint64) draft->kind, record->extras, primary->size, mime, origin,
      blob, draft->preview, data, length, sum);
}

static gboolean
insert_row (ClipLedger *ledger,
            const ClipRecord *record,
            const ClipDraft *draft,
            GError **error)
{
  const ClipDraftPart *primary = draft->parts->pdata[0];
  gint64 mime, blob, origin = 0;

  return clip_ledger_name (ledger, primary->mime, CLIP_NAME_LASTING, &mime, error) &&
         (!*draft->origin ||
          clip_ledger_name (ledger, draft->origin, CLIP_NAME_LASTING, &origin, error)) &&
         refer (ledger, primary, &blob, error) &&
         run_insert (ledger, record, draft, mime, origin, blob, error);
}

/* @n: 1 for one that is pinned from now on, -1 for one that no longer is, 0 for
   neither */
void
clip_record_count_pin (ClipSums *sums, const ClipRecord *record, gint64 n)
{
  sums->pinned += n;
  sums->pinned_bytes += n * record->bytes;
}

/* @n: 1 for an entry that comes, -1 for one that goes */
static void
count (ClipSums *sums, const ClipRecord *record, gint64 n)
{
  sums->count += n;
  sums->bytes += n * record->bytes;
  clip_record_count_pin (sums, record, n * record->pinned);
}

/**
 * clip_record_insert:
 * @record: the course of the entry and its id; what it holds is in @draft
 *
 * Links the files of the draft, claimed before, and writes its rows.
 */
gboolean
clip_record_insert (ClipLedger *ledger,
                    const ClipRecord *record,
                    const ClipDraft *draft,
                    GError **error)
{
  if (!insert_row (ledger, record, draft, error) ||
      !clip_database_run (clip_ledger_database (ledger), CLIP_SQL_ADD_DUP, error, "ii",
                          draft->hash, record->id))
    return FALSE;
  for (guint i = 1; i < draft->parts->len; i++)
    if (!insert_extra (ledger, record->id, i, draft->parts->pdata[i], error))
      return FALSE;
  count (clip_ledger_sums (ledger), record, 1);
  return TRUE;
}

static gboolean
move_tags (ClipLedger *ledger, gint64 from, gint64 to, GError **error)
{
  return clip_database_run (clip_ledger_database (ledger), CLIP_SQL_COPY_TAGS, error,
                            "ii", from, to) &&
         clip_database_run (clip_ledger_database (ledger), CLIP_SQL_DROP_TAGS, error, "i",
                            from);
}

/**
 * clip_record_move:
 * @id: the id that the entry gets
 * @record: its course from now on; its id is still the old one
 */
gboolean
clip_record_move (ClipLedger *ledger, gint64 id, const ClipRecord *record, GError **error)
{
  return clip_database_run (clip_ledger_database (ledger), CLIP_SQL_MOVE_ENTRY, error,
                            "iiiiiiii", record->id, id, record->last_us, record->first_us,
                            record->copies, record->expires_us, record->pinned,
                            clip_sum_step (record->id, id)) &&
         clip_database_run (clip_ledger_database (ledger), CLIP_SQL_DROP_DUP, error, "ii",
                            record->hash, record->id) &&
         clip_database_run (clip_ledger_database (ledger), CLIP_SQL_ADD_DUP, error, "ii",
                            record->hash, id) &&
         (record->extras == 0 ||
          clip_database_run (clip_ledger_database (ledger), CLIP_SQL_MOVE_CONTENTS, error,
                             "iii", record->id, id, clip_sum_step (record->id, id))) &&
         move_tags (ledger, record->id, id, error);
}

static gboolean
list_blobs (ClipLedger *ledger, const ClipRecord *record, GArray *blobs, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_LIST_CONTENTS, error, "i", record->id);
  ClipRows state;

  while ((state = clip_database_next (clip_ledger_database (ledger), rows, error)) ==
         CLIP_ROWS_ROW)
    {
      gint64 blob = sqlite3_column_int64 (rows, CLIP_CONTENT_BLOB);

      if (blob)
        g_array_append_val (blobs, blob);
    }
  return state == CLIP_ROWS_END;
}

static gboolean
list_all_blobs (ClipLedger *ledger,
                const ClipRecord *record,
                GArray *blobs,
                GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_GET_ENTRY, error, "i", record->id);
  ClipRows state = clip_database_next (clip_ledger_database (ledger), rows, error);
  gint64 blob = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, CLIP_ENTRY_BLOB) : 0;

  if (blob)
    g_array_append_val (blobs, blob);
  return state != CLIP_ROWS_FAILED &&
         (record->extras == 0 || list_blobs (ledger, record, blobs, error));
}

static ClipRows
is_used (ClipLedger *ledger, gint64 blob, GError **error)
{
  gint64 found;
  ClipRows state = clip_database_number (
      clip_ledger_database (ledger), CLIP_SQL_IS_BLOB_IN_ENTRY, &found, error, "i", blob);

  return state != CLIP_ROWS_END ? state
                                : clip_database_number (clip_ledger_database (ledger),
                                                        CLIP_SQL_IS_BLOB_IN_CONTENT,
                                                        &found, error, "i", blob);
}

/* the row of a blob goes with the last row that refers to it; its file after the commit
 */
gboolean
clip_record_drop_blob (ClipLedger *ledger, gint64 blob, GError **error)
{
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state = is_used (ledger, blob, error);

  if (state != CLIP_ROWS_END)
    return state == CLIP_ROWS_ROW;
  rows = clip_database_query (clip_ledger_database (ledger), CLIP_SQL_GET_BLOB, error,
                              "i", blob);
  state = clip_database_next (clip_ledger_database (ledger), rows, error);
  if (state == CLIP_ROWS_ROW)
    clip_ledger_suspect (ledger, (const char *) sqlite3_column_text (rows, 0));
  return state != CLIP_ROWS_FAILED &&
         clip_database_run (clip_ledger_database (ledger), CLIP_SQL_DROP_BLOB, error, "i",
                            blob);
}

static gboolean
drop_rows (ClipLedger *ledger, const ClipRecord *record, GError **error)
{
  ClipDatabase *database = clip_ledger_database (ledger);

  return clip_database_run (database, CLIP_SQL_DROP_DUP, error, "ii", record->hash,
                            record->id) &&
         (record->extras == 0 ||
          clip_database_run (database, CLIP_SQL_DROP_CONTENTS, error, "i", record->id)) &&
         clip_tags_set (ledger, record->id, NULL, error) &&
         clip_database_run (database, CLIP_SQL_DROP_ENTRY, error, "i", record->id);
}

/* @record: loaded; its rows go, and so do the blobs that nothing else refers to */
gboolean
clip_record_drop (ClipLedger *ledger, const ClipRecord *record, GError **error)
{
  g_autoptr (GArray) blobs = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!list_all_blobs (ledger, record, blobs, error) ||
      !drop_rows (ledger, record, error))
    return FALSE;
  for (guint i = 0; i < blobs->len; i++)
    if (!clip_record_drop_blob (ledger, g_array_index (blobs, gint64, i), error))
      return FALSE;
  count (clip_ledger_sums (ledger), record, -1);
  if (record->kind == CLIP_CLASS_IMAGE)
    clip_ledger_set_mark (ledger, CLIP_MARK_IMAGE, TRUE);
  return TRUE;
}

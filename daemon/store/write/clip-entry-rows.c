/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One entry in the tables: every row that belongs to it is written, moved and dropped
 * here, and the totals follow.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-entry-rows.h"

#include "clip-blob-file.h"

#include <string.h>

/* how much of the content the preview is; 0 for a preview that stands for itself */
gsize
clip_entry_rows_head (sqlite3_stmt *rows)
{
  return sqlite3_column_type (rows, CLIP_ENTRY_PREVIEW) == SQLITE_BLOB
             ? (gsize) sqlite3_column_bytes (rows, CLIP_ENTRY_PREVIEW)
             : 0;
}

static gint64
hash_inline (sqlite3_stmt *rows)
{
  g_autoptr (ClipHasher) hasher = clip_hasher_new ();
  gsize head = clip_entry_rows_head (rows);
  ClipHash hash;

  clip_hasher_add (hasher, sqlite3_column_blob (rows, CLIP_ENTRY_PREVIEW), head);
  clip_hasher_add (hasher, sqlite3_column_blob (rows, CLIP_ENTRY_BODY),
                   (gsize) sqlite3_column_bytes (rows, CLIP_ENTRY_BODY));
  hash = clip_hasher_end (hasher);
  return clip_hash_short (&hash);
}

static gboolean
hash_blob (ClipTransaction *transaction, gint64 blob, gint64 *out_hash, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_GET_BLOB, error, "i", blob);
  ClipRows state = clip_statements_next (clip_transaction_db (transaction), rows, error);
  ClipHash hash = { { 0 } };

  /* a damaged row must not keep its entry from being removed */
  if (state == CLIP_ROWS_ROW && sqlite3_column_bytes (rows, 1) == sizeof hash.bytes)
    memcpy (hash.bytes, sqlite3_column_blob (rows, 1), sizeof hash.bytes);
  *out_hash = clip_hash_short (&hash);
  return state != CLIP_ROWS_FAILED;
}

static gboolean
add_extra_bytes (ClipTransaction *transaction, ClipEntryRows *record, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_LIST_CONTENTS, error, "i", record->id);
  ClipRows state;

  while ((state = clip_statements_next (clip_transaction_db (transaction), rows,
                                        error)) == CLIP_ROWS_ROW)
    record->bytes += sqlite3_column_int64 (rows, CLIP_CONTENT_SIZE);
  return state == CLIP_ROWS_END;
}

static gboolean
fill_primary (ClipTransaction *transaction,
              sqlite3_stmt *rows,
              ClipEntryRows *record,
              GError **error)
{
  record->blob = sqlite3_column_int64 (rows, CLIP_ENTRY_BLOB);
  if (record->blob)
    return hash_blob (transaction, record->blob, &record->hash, error);
  record->hash = hash_inline (rows);
  return TRUE;
}

/* whether there is such an entry, and what it is */
ClipRows
clip_entry_rows_load (ClipTransaction *transaction,
                      gint64 id,
                      ClipEntryRows *record,
                      GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_GET_ENTRY, error, "i", id);
  ClipRows state = clip_statements_next (clip_transaction_db (transaction), rows, error);

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
  if (!fill_primary (transaction, rows, record, error) ||
      (record->extras > 0 && !add_extra_bytes (transaction, record, error)))
    return CLIP_ROWS_FAILED;
  return CLIP_ROWS_ROW;
}

/**
 * clip_entry_rows_link:
 *
 * Sees to it that the file of a claimed content is there; a row refers to it, or will.
 */
gboolean
clip_entry_rows_link (ClipTransaction *transaction,
                      const ClipDraftPart *part,
                      GError **error)
{
  if (part->bytes)
    return TRUE;
  if (!clip_stage_link (part->stage, error))
    return FALSE;
  if (clip_stage_is_linked (part->stage))
    clip_transaction_note_link (transaction, clip_stage_name (part->stage));
  return TRUE;
}

/* the number of the blob's row; 0 for a content that the database holds itself */
static gboolean
refer (ClipTransaction *transaction,
       const ClipDraftPart *part,
       gint64 *out_blob,
       GError **error)
{
  ClipBlobs *blobs = clip_transaction_blobs (transaction);
  ClipBlobState file;
  const char *name;
  ClipRows state;

  *out_blob = 0;
  if (part->bytes)
    return TRUE;
  if (!clip_entry_rows_link (transaction, part, error))
    return FALSE;
  name = clip_stage_name (part->stage);
  state = clip_statements_number (clip_transaction_db (transaction), CLIP_SQL_FIND_BLOB,
                                  out_blob, error, "s", name);
  if (state != CLIP_ROWS_END)
    return state == CLIP_ROWS_ROW;
  if (!clip_stage_is_linked (part->stage) && !clip_blobs_keep (blobs, name, error))
    return FALSE;
  clip_blob_state_take (&file, clip_blobs_fd (blobs), name);
  if (!clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_ADD_BLOB, error,
                            "sbiii", name, clip_stage_hash (part->stage)->bytes,
                            (gsize) CLIP_HASH_BYTES, part->size, file.inode,
                            file.changed_ns))
    return FALSE;
  *out_blob = sqlite3_last_insert_rowid (
      clip_statements_handle (clip_transaction_db (transaction)));
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
insert_extra (ClipTransaction *transaction,
              gint64 id,
              gint64 position,
              const ClipDraftPart *part,
              GError **error)
{
  gint64 mime, blob;
  gsize length = 0;
  const void *data = part->bytes ? g_bytes_get_data (part->bytes, &length) : NULL;

  return clip_transaction_intern (transaction, part->mime, CLIP_NAME_LASTING, &mime,
                                  error) &&
         refer (transaction, part, &blob, error) &&
         clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_ADD_CONTENT,
                              error, "iiiiibi", id, position, mime, part->size, blob,
                              data, length, sum_part (part, id, position));
}

/* the columns of the row that hold the preview and the bytes, or what is left of them */
static gboolean
run_insert (ClipTransaction *transaction,
            const ClipEntryRows *record,
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
    return clip_statements_run (
        clip_transaction_db (transaction), CLIP_SQL_ADD_ENTRY, error, "iiiiiiiiiiiibbi",
        record->id, record->last_us, record->first_us, record->copies, record->expires_us,
        record->pinned, (gint64) draft->kind, record->extras, primary->size, mime, origin,
        blob, draft->preview, head, data, length, sum);
  return clip_statements_run (
      clip_transaction_db (transaction), CLIP_SQL_ADD_ENTRY, error, "iiiiiiiiiiiisbi",
      record->id, record->last_us, record->first_us, record->copies, record->expires_us,
      record->pinned, (gint64) draft->kind, record->extras, primary->size, mime, origin,
      blob, draft->preview, data, length, sum);
}

static gboolean
insert_row (ClipTransaction *transaction,
            const ClipEntryRows *record,
            const ClipDraft *draft,
            GError **error)
{
  const ClipDraftPart *primary = draft->parts->pdata[0];
  gint64 mime, blob, origin = 0;

  return clip_transaction_intern (transaction, primary->mime, CLIP_NAME_LASTING, &mime,
                                  error) &&
         (!*draft->origin ||
          clip_transaction_intern (transaction, draft->origin, CLIP_NAME_LASTING, &origin,
                                   error)) &&
         refer (transaction, primary, &blob, error) &&
         run_insert (transaction, record, draft, mime, origin, blob, error);
}

/* @n: 1 for one that is pinned from now on, -1 for one that no longer is, 0 for
   neither */
void
clip_entry_rows_count_pin (ClipTotals *totals, const ClipEntryRows *record, gint64 n)
{
  totals->pinned += n;
  totals->pinned_bytes += n * record->bytes;
}

/* @n: 1 for an entry that comes, -1 for one that goes */
static void
count (ClipTotals *totals, const ClipEntryRows *record, gint64 n)
{
  totals->count += n;
  totals->bytes += n * record->bytes;
  clip_entry_rows_count_pin (totals, record, n * record->pinned);
}

/**
 * clip_entry_rows_insert:
 * @record: the course of the entry and its id; what it holds is in @draft
 *
 * Links the files of the draft, claimed before, and writes its rows.
 */
gboolean
clip_entry_rows_insert (ClipTransaction *transaction,
                        const ClipEntryRows *record,
                        const ClipDraft *draft,
                        GError **error)
{
  if (!insert_row (transaction, record, draft, error) ||
      !clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_ADD_DUP, error,
                            "ii", draft->hash, record->id))
    return FALSE;
  for (guint i = 1; i < draft->parts->len; i++)
    if (!insert_extra (transaction, record->id, i, draft->parts->pdata[i], error))
      return FALSE;
  count (clip_transaction_totals (transaction), record, 1);
  return TRUE;
}

/* --- its tags --- */

/* A tag may be as private as what it was given to: its name goes with the last entry that
 * has it. An index tells; a name that was a type or an origin as well stays. */
static gboolean
drop_unused (ClipTransaction *transaction, const GArray *names, GError **error)
{
  for (guint i = 0; i < names->len; i++)
    if (!clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_DROP_TAG_NAME,
                              error, "i", g_array_index (names, gint64, i)))
      return FALSE;
  /* what the log holds of them is to be overwritten soon */
  if (names->len > 0)
    clip_transaction_set_mark (transaction, CLIP_MARK_OVERWRITTEN, TRUE);
  return TRUE;
}

/* @tags: (nullable): in addition to those that the entry has */
gboolean
clip_entry_rows_add_tags (ClipTransaction *transaction,
                          gint64 id,
                          const char *const *tags,
                          GError **error)
{
  for (; tags && *tags; tags++)
    {
      gint64 name;

      if (!clip_transaction_intern (transaction, *tags, CLIP_NAME_OF_TAG, &name, error) ||
          !clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_ADD_TAG,
                                error, "ii", id, name))
        return FALSE;
    }
  return TRUE;
}

/* @tags: (nullable): all that the entry has from now on */
gboolean
clip_entry_rows_set_tags (ClipTransaction *transaction,
                          gint64 id,
                          const char *const *tags,
                          GError **error)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!clip_transaction_collect (transaction,
                                 clip_statements_query (clip_transaction_db (transaction),
                                                        CLIP_SQL_LIST_TAGS, error, "i",
                                                        id),
                                 names, error))
    return FALSE;
  if (names->len > 0 && !clip_statements_run (clip_transaction_db (transaction),
                                              CLIP_SQL_DROP_TAGS, error, "i", id))
    return FALSE;
  return clip_entry_rows_add_tags (transaction, id, tags, error) &&
         drop_unused (transaction, names, error);
}

static gboolean
move_tags (ClipTransaction *transaction, gint64 from, gint64 to, GError **error)
{
  return clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_COPY_TAGS,
                              error, "ii", from, to) &&
         clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_DROP_TAGS,
                              error, "i", from);
}

/**
 * clip_entry_rows_move:
 * @id: the id that the entry gets
 * @record: its course from now on; its id is still the old one
 */
gboolean
clip_entry_rows_move (ClipTransaction *transaction,
                      gint64 id,
                      const ClipEntryRows *record,
                      GError **error)
{
  return clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_MOVE_ENTRY,
                              error, "iiiiiiii", record->id, id, record->last_us,
                              record->first_us, record->copies, record->expires_us,
                              record->pinned, clip_sum_step (record->id, id)) &&
         clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_DROP_DUP, error,
                              "ii", record->hash, record->id) &&
         clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_ADD_DUP, error,
                              "ii", record->hash, id) &&
         (record->extras == 0 ||
          clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_MOVE_CONTENTS,
                               error, "iii", record->id, id,
                               clip_sum_step (record->id, id))) &&
         move_tags (transaction, record->id, id, error);
}

/* beside the primary content's */
static gboolean
list_blobs (ClipTransaction *transaction,
            const ClipEntryRows *record,
            GArray *blobs,
            GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_LIST_CONTENTS, error, "i", record->id);
  ClipRows state;

  while ((state = clip_statements_next (clip_transaction_db (transaction), rows,
                                        error)) == CLIP_ROWS_ROW)
    {
      gint64 blob = sqlite3_column_int64 (rows, CLIP_CONTENT_BLOB);

      if (blob)
        g_array_append_val (blobs, blob);
    }
  return state == CLIP_ROWS_END;
}

static ClipRows
is_used (ClipTransaction *transaction, gint64 blob, GError **error)
{
  gint64 found;
  ClipRows state =
      clip_statements_number (clip_transaction_db (transaction),
                              CLIP_SQL_IS_BLOB_IN_ENTRY, &found, error, "i", blob);

  return state != CLIP_ROWS_END
             ? state
             : clip_statements_number (clip_transaction_db (transaction),
                                       CLIP_SQL_IS_BLOB_IN_CONTENT, &found, error, "i",
                                       blob);
}

/* the row of a blob goes with the last row that refers to it; its file after the commit
 */
gboolean
clip_entry_rows_drop_blob (ClipTransaction *transaction, gint64 blob, GError **error)
{
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state = is_used (transaction, blob, error);

  if (state != CLIP_ROWS_END)
    return state == CLIP_ROWS_ROW;
  rows = clip_statements_query (clip_transaction_db (transaction), CLIP_SQL_GET_BLOB,
                                error, "i", blob);
  state = clip_statements_next (clip_transaction_db (transaction), rows, error);
  if (state == CLIP_ROWS_ROW)
    clip_transaction_suspect_row (transaction,
                                  (const char *) sqlite3_column_text (rows, 0));
  return state != CLIP_ROWS_FAILED &&
         clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_DROP_BLOB,
                              error, "i", blob);
}

static gboolean
drop_rows (ClipTransaction *transaction, const ClipEntryRows *record, GError **error)
{
  ClipStatements *database = clip_transaction_db (transaction);

  return clip_statements_run (database, CLIP_SQL_DROP_DUP, error, "ii", record->hash,
                              record->id) &&
         (record->extras == 0 || clip_statements_run (database, CLIP_SQL_DROP_CONTENTS,
                                                      error, "i", record->id)) &&
         clip_entry_rows_set_tags (transaction, record->id, NULL, error) &&
         clip_statements_run (database, CLIP_SQL_DROP_ENTRY, error, "i", record->id);
}

/* @record: loaded; its rows go, and so do the blobs that nothing else refers to */
gboolean
clip_entry_rows_drop (ClipTransaction *transaction,
                      const ClipEntryRows *record,
                      GError **error)
{
  g_autoptr (GArray) blobs = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (record->blob)
    g_array_append_val (blobs, record->blob);
  if ((record->extras > 0 && !list_blobs (transaction, record, blobs, error)) ||
      !drop_rows (transaction, record, error))
    return FALSE;
  for (guint i = 0; i < blobs->len; i++)
    if (!clip_entry_rows_drop_blob (transaction, g_array_index (blobs, gint64, i), error))
      return FALSE;
  count (clip_transaction_totals (transaction), record, -1);
  if (record->kind == CLIP_CLASS_IMAGE)
    clip_transaction_set_mark (transaction, CLIP_MARK_IMAGE, TRUE);
  return TRUE;
}

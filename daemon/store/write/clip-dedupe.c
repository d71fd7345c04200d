/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether a copy is one that the history has already. A picker that offers only the plain
 * text of a rich entry again makes no second one, and the rich copy that follows a plain
 * one replaces it, unless that has a pin or a tag: what a person has put there by name
 * pastes what it did, and what takes its place has no more than came. A text is none that
 * was copied as something else, with the same bytes. Files are the same in all types
 * alone: one of these says whether they are copied or moved when they are pasted, and
 * each file manager reads it in its own way. So a list of files is never added to another
 * content, nor offered in its place.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-entry-rows.h"

#include "clip-mime.h"

#include <string.h>

/* how long a watcher takes on a busy machine */
#define ECHO_US (5 * G_USEC_PER_SEC)

static gboolean
starts_with (const char *data, gsize length, const void *start, gsize start_length)
{
  return start_length <= length &&
         (start_length == 0 || memcmp (data, start, start_length) == 0);
}

static gboolean
is_same_blob (ClipTransaction *transaction,
              gint64 blob,
              const ClipDraftPart *part,
              gboolean *out_same,
              GError **error)
{
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state;

  *out_same = FALSE;
  if (part->bytes)
    return TRUE;
  rows = clip_statements_query (clip_transaction_db (transaction), CLIP_SQL_GET_BLOB,
                                error, "i", blob);
  state = clip_statements_next (clip_transaction_db (transaction), rows, error);
  /* one name, one file: the stage compared the bytes when it settled for it */
  *out_same =
      state == CLIP_ROWS_ROW && g_strcmp0 ((const char *) sqlite3_column_text (rows, 0),
                                           clip_stage_name (part->stage)) == 0;
  return state != CLIP_ROWS_FAILED;
}

/* each program names plain text in its own way. @a: (nullable): of an entry that is
 * damaged */
static gboolean
is_same_type (const char *a, const char *b)
{
  return a && (strcmp (a, b) == 0 || clip_mime_same (a, b) ||
               (clip_mime_is_plain (a) && clip_mime_is_plain (b)));
}

static gboolean
is_same_primary (ClipTransaction *transaction,
                 gint64 id,
                 const ClipDraftPart *part,
                 gboolean *out_same,
                 GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_GET_ENTRY, error, "i", id);
  ClipRows state = clip_statements_next (clip_transaction_db (transaction), rows, error);
  const char *data;
  gsize length, head;

  *out_same = FALSE;
  if (state != CLIP_ROWS_ROW ||
      sqlite3_column_int64 (rows, CLIP_ENTRY_SIZE) != part->size ||
      !is_same_type ((const char *) sqlite3_column_text (rows, CLIP_ENTRY_MIME),
                     part->mime))
    return state != CLIP_ROWS_FAILED;
  if (sqlite3_column_int64 (rows, CLIP_ENTRY_BLOB))
    return is_same_blob (transaction, sqlite3_column_int64 (rows, CLIP_ENTRY_BLOB), part,
                         out_same, error);
  if (!part->bytes)
    return TRUE;
  data = g_bytes_get_data (part->bytes, &length);
  head = clip_entry_rows_head (rows);
  *out_same =
      starts_with (data, length, sqlite3_column_blob (rows, CLIP_ENTRY_PREVIEW), head) &&
      (gsize) sqlite3_column_bytes (rows, CLIP_ENTRY_BODY) == length - head &&
      starts_with (data + head, length - head,
                   sqlite3_column_blob (rows, CLIP_ENTRY_BODY), length - head);
  return TRUE;
}

/* @type: of the row, as the part has its own */
static gboolean
is_same_extra (ClipTransaction *transaction,
               sqlite3_stmt *rows,
               const char *type,
               const ClipDraftPart *part,
               gboolean *out_same,
               GError **error)
{
  gint64 blob = sqlite3_column_int64 (rows, CLIP_CONTENT_BLOB);
  gsize length;
  const char *data;

  *out_same = FALSE;
  if (sqlite3_column_int64 (rows, CLIP_CONTENT_SIZE) != part->size ||
      strcmp (type, part->type) != 0)
    return TRUE;
  if (blob)
    return is_same_blob (transaction, blob, part, out_same, error);
  if (!part->bytes)
    return TRUE;
  data = g_bytes_get_data (part->bytes, &length);
  *out_same =
      (gsize) sqlite3_column_bytes (rows, CLIP_CONTENT_BODY) == length &&
      starts_with (data, length, sqlite3_column_blob (rows, CLIP_CONTENT_BODY), length);
  return TRUE;
}

/* or what no copy is read in, as it is of use to one program: as text/x-moz-url, which Qt
 * takes for a list */
static gboolean
may_be_files (const char *mime)
{
  return clip_mime_class (mime) == CLIP_CLASS_FILES || !clip_mime_is_kept (mime);
}

static gboolean
has_files (const ClipDraft *draft)
{
  for (guint i = 0; i < draft->parts->len; i++)
    {
      const ClipDraftPart *part = draft->parts->pdata[i];

      if (may_be_files (part->mime))
        return TRUE;
    }
  return FALSE;
}

/* how many of the further contents the draft has, too, and whether one of them is a list
 * of files. To look a name up takes long: once for each, not for each pair of them. */
static gboolean
count_common (ClipTransaction *transaction,
              const ClipEntryRows *record,
              const ClipDraft *draft,
              gint64 *out_common,
              gboolean *out_files,
              GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_LIST_CONTENTS, error, "i", record->id);
  ClipRows state;

  *out_common = 0;
  *out_files = FALSE;
  while ((state = clip_statements_next (clip_transaction_db (transaction), rows,
                                        error)) == CLIP_ROWS_ROW)
    {
      const char *mime = (const char *) sqlite3_column_text (rows, CLIP_CONTENT_MIME);
      g_autofree char *type = g_ascii_strdown (clip_mime_canonical (mime), -1);
      gboolean same = FALSE;

      for (guint i = 1; i < draft->parts->len && !same; i++)
        if (!is_same_extra (transaction, rows, type, draft->parts->pdata[i], &same,
                            error))
          return FALSE;
      *out_common += same;
      *out_files |= may_be_files (mime);
    }
  return state == CLIP_ROWS_END;
}

/* whether it has a pin or a tag */
static ClipRows
find_mark (ClipTransaction *transaction, const ClipEntryRows *record, GError **error)
{
  gint64 name;

  return record->pinned
             ? CLIP_ROWS_ROW
             : clip_statements_number (clip_transaction_db (transaction),
                                       CLIP_SQL_LIST_TAGS, &name, error, "i", record->id);
}

/* A watcher that stores what it finds on the clipboard, beside a daemon that watches it:
 * one copy is told twice, by a display and by a caller, in either order. */
gboolean
clip_dedupe_is_echo (ClipTransaction *transaction,
                     const ClipEntryRows *record,
                     const ClipDraft *draft)
{
  return record->id == clip_transaction_totals (transaction)->last_id &&
         record->has_origin != (*draft->origin != '\0') &&
         ABS (draft->last_us - record->last_us) < ECHO_US;
}

/* An image viewer copies the file, too (KDE's), of which a watcher takes the image. */
static gboolean
is_image_told_twice (ClipTransaction *transaction,
                     const ClipEntryRows *record,
                     const ClipDraft *draft)
{
  return draft->kind == CLIP_CLASS_IMAGE &&
         clip_dedupe_is_echo (transaction, record, draft);
}

/**
 * clip_dedupe_compare:
 * @draft: prepared
 *
 * Two copies are one entry when their primary contents are equal, in type and byte for
 * byte, and the further contents of one are among those of the other; with a list of
 * files, but for an image that is told of twice, and for a draft that takes the place of
 * an entry, where these are equal, too.
 */
ClipRelation
clip_dedupe_compare (ClipTransaction *transaction,
                     const ClipEntryRows *record,
                     const ClipDraft *draft,
                     GError **error)
{
  gint64 n_extras = (gint64) draft->parts->len - 1;
  gint64 common;
  gboolean same, files, is_twice;
  ClipRows mark;

  if (!is_same_primary (transaction, record->id, draft->parts->pdata[0], &same, error))
    return CLIP_RELATION_FAILED;
  if (!same)
    return CLIP_RELATION_OTHER;
  if (!count_common (transaction, record, draft, &common, &files, error))
    return CLIP_RELATION_FAILED;
  if (common == n_extras && common == record->extras)
    return CLIP_RELATION_SAME;
  if (draft->replaces != 0)
    return CLIP_RELATION_OTHER;
  files = files || has_files (draft);
  is_twice = is_image_told_twice (transaction, record, draft);
  /* the image alone is there when its viewer has ended */
  if (common == n_extras &&
      (!files || is_twice || (draft->initial && draft->kind == CLIP_CLASS_IMAGE)))
    return CLIP_RELATION_HOLDS;
  /* a caller adds no list to what a display has told */
  if ((files && !(is_twice && *draft->origin)) || common != record->extras)
    return CLIP_RELATION_OTHER;
  mark = find_mark (transaction, record, error);
  return mark == CLIP_ROWS_FAILED ? CLIP_RELATION_FAILED
         : mark == CLIP_ROWS_ROW  ? CLIP_RELATION_OTHER
                                  : CLIP_RELATION_WITHIN;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A content of an entry, opened to be sent: the one that answers to a type, found in its
 * row or in its file. Its bytes are compared with their sum, or with the hash of the
 * file, before they are handed out.
 */
#include "clip-payload.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-reader-private.h"

#include <string.h>

/* the columns of the statements that read a content's bytes */
enum
{
  COLUMN_MIME,
  COLUMN_SIZE,
  COLUMN_BLOB,
  COLUMN_PREVIEW,
  COLUMN_BODY,
  COLUMN_SUM,
};

/* those of the statements that say what a file is to be */
enum
{
  COLUMN_NAME,
  COLUMN_HASH,
  COLUMN_INODE,
  COLUMN_CHANGED_NS,
};

void
clip_payload_free (ClipPayload *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->bytes, g_bytes_unref);
  clip_fd_clear (&self->fd);
  g_free (self->mime);
  g_free (self);
}

/* of the bytes; of those in memory it is taken here */
ClipHash
clip_payload_hash (const ClipPayload *self)
{
  const void *data;
  gsize length;

  if (!self->bytes)
    return self->hash;
  data = g_bytes_get_data (self->bytes, &length);
  return clip_hash_of (data, length);
}

/* a number that tells it from others which were made to have its hash: from XXH3 that is
 * easily done. Of bytes it is of SHA-256; a file is told by itself, as the store compares
 * these. */
guint64
clip_payload_mark (const ClipPayload *self)
{
  guint8 digest[32];
  gsize digest_length = sizeof digest;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint64 mark;

  if (self->bytes)
    g_checksum_update (sum, g_bytes_get_data (self->bytes, NULL),
                       (gssize) g_bytes_get_size (self->bytes));
  else
    g_checksum_update (sum, (const guint8 *) &self->state, sizeof self->state);
  g_checksum_get_digest (sum, digest, &digest_length);
  memcpy (&mark, digest, sizeof mark);
  return mark;
}

/* Which content of an entry answers to @mime: the exact name before another name of the
 * same type. 0 = the primary one; -1 with @error set. */
static gint64
find_position (ClipReader *self, gint64 id, const char *mime, GError **error)
{
  g_autoptr (ClipEntry) entry = clip_reader_lookup (self, id, error);
  gint64 similar = -1;

  for (guint i = 0; entry && i < entry->contents->len; i++)
    {
      const ClipContent *content = entry->contents->pdata[i];

      if (strcmp (content->mime, mime) == 0)
        return content->position;
      if (similar < 0 && clip_mime_answers (content->mime, mime))
        similar = content->position;
    }
  if (entry && similar < 0)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT,
                 "id %" G_GINT64_FORMAT " has no '%s'", id, mime);
  return similar;
}

static GBytes *
read_inline (sqlite3_stmt *rows)
{
  GByteArray *bytes = g_byte_array_new ();

  clip_value_append (bytes, sqlite3_column_value (rows, COLUMN_PREVIEW));
  clip_value_append (bytes, sqlite3_column_value (rows, COLUMN_BODY));
  return g_byte_array_free_to_bytes (bytes);
}

static gboolean
set_corrupt (GError **error, const char *what, gint64 id)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "history: %s %" G_GINT64_FORMAT " is damaged", what, id);
  return FALSE;
}

/* The bytes of a file that was changed, or copied here with the history, are compared
 * with its hash: once where a daemon is told and takes note. */
static gboolean
check_file (sqlite3_stmt *rows,
            const char *name,
            const ClipHash *hash,
            ClipPayload *payload,
            GError **error)
{
  const ClipBlobState known = { sqlite3_column_int64 (rows, COLUMN_INODE),
                                sqlite3_column_int64 (rows, COLUMN_CHANGED_NS) };

  clip_blob_state_take_fd (&payload->state, payload->fd);
  if (clip_blob_state_equal (&known, &payload->state))
    payload->rehashed = 0;
  else if (!clip_blob_file_check (payload->fd, name, hash, NULL, error))
    return FALSE;
  return TRUE;
}

/**
 * clip_reader_open_file:
 * @payload: its size says what the file must hold; it gets the descriptor
 * @out_hash: (out): of the bytes
 *
 * Opens a blob, and makes sure of the bytes.
 *
 * Errors: %CLIP_ERROR_CORRUPT, %G_FILE_ERROR.
 */
gboolean
clip_reader_open_file (ClipReader *self,
                       gint64 blob,
                       ClipPayload *payload,
                       ClipHash *out_hash,
                       GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (self->database, CLIP_READ_BLOB, error, "i", blob);
  ClipRows state = clip_statements_next (self->database, rows, error);
  const char *name;

  if (state == CLIP_ROWS_FAILED)
    return FALSE;
  if (state == CLIP_ROWS_END ||
      sqlite3_column_bytes (rows, COLUMN_HASH) != sizeof out_hash->bytes)
    return set_corrupt (error, "blob", blob);
  name = (const char *) sqlite3_column_text (rows, COLUMN_NAME);
  memcpy (out_hash->bytes, sqlite3_column_blob (rows, COLUMN_HASH),
          sizeof out_hash->bytes);
  if (!name || !clip_blob_name_fits (name, out_hash))
    return set_corrupt (error, "blob", blob);
  payload->fd =
      clip_blob_file_open (clip_reader_blobs (self), name, payload->size, error);
  payload->rehashed = blob;
  return payload->fd >= 0 && check_file (rows, name, out_hash, payload, error);
}

/**
 * clip_reader_check_sum:
 * @column: where the row has its sum
 * @data: the bytes; of a blob its hash
 *
 * Errors: %CLIP_ERROR_CORRUPT.
 */
gboolean
clip_reader_check_sum (sqlite3_stmt *rows,
                       int column,
                       const ClipSummed *content,
                       const void *data,
                       gsize length,
                       GError **error)
{
  if (sqlite3_column_type (rows, column) == SQLITE_INTEGER &&
      sqlite3_column_int64 (rows, column) == clip_sum (content->id, content->position,
                                                       content->mime, content->size, data,
                                                       length))
    return TRUE;
  return set_corrupt (error, "id", content->id);
}

static gboolean
fill_bytes (ClipReader *self,
            sqlite3_stmt *rows,
            gint64 id,
            gint64 position,
            ClipPayload *payload,
            GError **error)
{
  ClipSummed content = { id, position, payload->mime, payload->size };
  gsize length;
  const void *data;

  if (sqlite3_column_type (rows, COLUMN_BLOB) != SQLITE_NULL)
    return clip_reader_open_file (self, sqlite3_column_int64 (rows, COLUMN_BLOB), payload,
                                  &payload->hash, error) &&
           clip_reader_check_sum (rows, COLUMN_SUM, &content, payload->hash.bytes,
                                  sizeof payload->hash.bytes, error);
  payload->bytes = read_inline (rows);
  data = g_bytes_get_data (payload->bytes, &length);
  if (length == (gsize) payload->size)
    return clip_reader_check_sum (rows, COLUMN_SUM, &content, data, length, error);
  return set_corrupt (error, "id", id);
}

static sqlite3_stmt *
query_bytes (ClipReader *self, gint64 id, gint64 position, GError **error)
{
  ClipMoment moment = clip_reader_moment (self);

  if (position == 0)
    return clip_statements_query (self->database, CLIP_READ_PRIMARY_BYTES, error, "iii",
                                  id, moment.now_us, moment.old_us);
  return clip_statements_query (self->database, CLIP_READ_EXTRA_BYTES, error, "ii", id,
                                position);
}

static ClipPayload *
open_at (ClipReader *self, gint64 id, gint64 position, GError **error)
{
  g_autoptr (ClipPayload) payload = g_new0 (ClipPayload, 1);
  clip_autorows sqlite3_stmt *rows = query_bytes (self, id, position, error);
  ClipRows state = clip_statements_next (self->database, rows, error);

  payload->fd = -1;
  if (state == CLIP_ROWS_END)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                 "id %" G_GINT64_FORMAT " not found", id);
  if (state != CLIP_ROWS_ROW)
    return NULL;
  payload->mime = g_strdup (clip_reader_mime (self, rows, COLUMN_MIME, error));
  payload->size = sqlite3_column_int64 (rows, COLUMN_SIZE);
  if (!payload->mime || !fill_bytes (self, rows, id, position, payload, error))
    return NULL;
  return g_steal_pointer (&payload);
}

/* a file may be gone because its entry is: then that is what there is to say */
static gboolean
is_gone (ClipReader *self, gint64 id)
{
  g_autoptr (GError) error = NULL;

  clip_entry_free (clip_reader_lookup (self, id, &error));
  return g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

/**
 * clip_reader_open_content:
 * @mime: (nullable): which of its contents; %NULL or "" = the primary one
 *
 * Returns: (transfer full): the bytes, or a descriptor at offset 0 of the file that holds
 * them. The content stays whole while it is held, whatever happens to the entry.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SUCH_FORMAT, %CLIP_ERROR_CORRUPT where
 * the bytes are not all there, %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
ClipPayload *
clip_reader_open_content (ClipReader *self, gint64 id, const char *mime, GError **error)
{
  g_autoptr (GError) local = NULL;
  ClipPayload *payload = NULL;
  gint64 position = 0;

  if (self->is_wiped && is_gone (self, id))
    position = find_position (self, id, "", &local);
  else if (mime && *mime)
    position = find_position (self, id, mime, &local);
  if (position >= 0)
    payload = open_at (self, id, position, &local);
  if (payload)
    return payload;
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_CORRUPT) && is_gone (self, id))
    {
      g_clear_error (&local);
      g_set_error (&local, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                   "id %" G_GINT64_FORMAT " not found", id);
    }
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

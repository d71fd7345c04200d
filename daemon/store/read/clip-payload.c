/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-reader-private.h"

#include "clip-blob-file.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"

#include <string.h>

/* the columns of the statements that read a content's bytes */
enum
{
  COLUMN_MIME,
  COLUMN_SIZE,
  COLUMN_BLOB,
  COLUMN_PREVIEW,
  COLUMN_BODY,
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
        return i;
      if (similar < 0 && clip_mime_same (content->mime, mime))
        similar = i;
    }
  if (entry && similar < 0)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT,
                 "id %" G_GINT64_FORMAT " has no '%s'", id, mime);
  return similar;
}

static GBytes *
read_inline (sqlite3_stmt *rows)
{
  gboolean split = sqlite3_column_type (rows, COLUMN_PREVIEW) == SQLITE_BLOB;
  gsize head = split ? (gsize) sqlite3_column_bytes (rows, COLUMN_PREVIEW) : 0;
  gsize rest = (gsize) sqlite3_column_bytes (rows, COLUMN_BODY);
  char *data = g_malloc (head + rest + 1);

  if (head)
    memcpy (data, sqlite3_column_blob (rows, COLUMN_PREVIEW), head);
  if (rest)
    memcpy (data + head, sqlite3_column_blob (rows, COLUMN_BODY), rest);
  return g_bytes_new_take (data, head + rest);
}

static gboolean
fill_bytes (ClipReader *self, sqlite3_stmt *rows, ClipPayload *payload, GError **error)
{
  if (sqlite3_column_type (rows, COLUMN_BLOB) != SQLITE_NULL)
    {
      payload->fd = clip_reader_open_blob (self, sqlite3_column_int64 (rows, COLUMN_BLOB),
                                           payload->size, error);
      return payload->fd >= 0;
    }
  payload->bytes = read_inline (rows);
  if (g_bytes_get_size (payload->bytes) == (gsize) payload->size)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "history: content of %" G_GINT64_FORMAT " bytes has %" G_GSIZE_FORMAT,
               payload->size, g_bytes_get_size (payload->bytes));
  return FALSE;
}

static ClipPayload *
open_at (ClipReader *self, gint64 id, gint64 position, GError **error)
{
  ClipDeadline deadline = clip_reader_deadline (self);
  g_autoptr (ClipPayload) payload = g_new0 (ClipPayload, 1);
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state;

  payload->fd = -1;
  rows = position == 0
             ? clip_database_query (self->database, CLIP_READ_PRIMARY_BYTES, error, "iii",
                                    id, deadline.now_us, deadline.old_us)
             : clip_database_query (self->database, CLIP_READ_EXTRA_BYTES, error, "ii",
                                    id, position);
  state = clip_database_next (self->database, rows, error);
  if (state == CLIP_ROWS_END)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                 "id %" G_GINT64_FORMAT " not found", id);
  if (state != CLIP_ROWS_ROW)
    return NULL;
  payload->mime = g_strdup (clip_reader_mime (self, rows, COLUMN_MIME, error));
  payload->size = sqlite3_column_int64 (rows, COLUMN_SIZE);
  if (!payload->mime || !fill_bytes (self, rows, payload, error))
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

  if (mime && *mime)
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

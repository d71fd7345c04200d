/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One entry on its way into an archive: its properties, and its contents, each of which
 * is compared with its sum, so that no archive has other bytes than were stored.
 */
#include "clip-error.h"
#include "clip-export-private.h"
#include "clip-fd.h"
#include "clip-preview.h"

/* of CLIP_READ_EXPORT_EXTRAS */
enum
{
  EXTRA_POSITION,
  EXTRA_MIME,
  EXTRA_SIZE,
  EXTRA_BLOB,
  EXTRA_BODY,
  EXTRA_SUM,
};

static gboolean
append_value (GByteArray *bytes, sqlite3_stmt *rows, int column)
{
  const void *data = sqlite3_column_blob (rows, column);
  gsize length = (gsize) sqlite3_column_bytes (rows, column);

  if (length > 0)
    g_byte_array_append (bytes, data, (guint) length);
  return length > 0;
}

static char *
format_hash (const ClipHash *hash)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < sizeof hash->bytes; i++)
    g_string_append_printf (text, "%02x", hash->bytes[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_member (ClipExport *self, const char *mime, const char *hash, ClipExportFile file)
{
  clip_archive_writer_add_file (self->writer, mime, file.size, hash);
  g_ptr_array_add (self->files, g_memdup2 (&file, sizeof file));
}

/* A content in a row of an entry, or in one of content: the columns of its place, and
 * what its sum is of. */
typedef struct
{
  ClipSummed summed;
  int blob, preview, body, sum; /* -1 = there is none */
} Content;

static gboolean
add_blob (ClipExport *self,
          ClipReader *reader,
          sqlite3_stmt *rows,
          const Content *content,
          GError **error)
{
  ClipPayload payload = { .fd = -1, .size = content->summed.size };
  clip_autofd int fd = -1;
  g_autofree char *text = NULL;
  ClipHash hash;
  gboolean opened = clip_reader_open_file (
      reader, sqlite3_column_int64 (rows, content->blob), &payload, &hash, error);

  fd = payload.fd;
  if (!opened || !clip_reader_check_sum (rows, content->sum, &content->summed, hash.bytes,
                                         sizeof hash.bytes, error))
    return FALSE;
  text = format_hash (&hash);
  add_member (self, content->summed.mime, text,
              (ClipExportFile){ .fd = g_steal_fd (&fd), .size = payload.size });
  return TRUE;
}

static gboolean
add_inline (ClipExport *self, sqlite3_stmt *rows, const Content *content, GError **error)
{
  const char *mime = content->summed.mime;
  gint64 size = content->summed.size;
  GByteArray *bytes = self->content;

  g_byte_array_set_size (bytes, 0);
  if (content->preview >= 0 &&
      sqlite3_column_type (rows, content->preview) == SQLITE_BLOB)
    append_value (bytes, rows, content->preview);
  append_value (bytes, rows, content->body);
  if (bytes->len != size)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                   "history: content of %" G_GINT64_FORMAT " bytes has %u", size,
                   bytes->len);
      return FALSE;
    }
  if (!clip_reader_check_sum (rows, content->sum, &content->summed, bytes->data,
                              bytes->len, error))
    return FALSE;
  self->gathered += size;
  if (clip_archive_writer_has_room (self->writer, size))
    clip_archive_writer_add_bytes (self->writer, mime, bytes->data, bytes->len);
  else
    add_member (self, mime, NULL,
                (ClipExportFile){ .bytes = g_bytes_new (bytes->data, bytes->len),
                                  .fd = -1,
                                  .size = size });
  return TRUE;
}

static gboolean
add_content (ClipExport *self,
             ClipReader *reader,
             sqlite3_stmt *rows,
             const Content *content,
             GError **error)
{
  return sqlite3_column_type (rows, content->blob) == SQLITE_NULL
             ? add_inline (self, rows, content, error)
             : add_blob (self, reader, rows, content, error);
}

static gboolean
add_primary (ClipExport *self,
             ClipReader *reader,
             sqlite3_stmt *rows,
             const ClipRow *row,
             GError **error)
{
  Content content = { { row->id, 0, row->mime, row->size },
                      CLIP_COLUMN_BLOB,
                      CLIP_COLUMN_PREVIEW,
                      CLIP_COLUMN_BODY,
                      CLIP_COLUMN_SUM };

  return add_content (self, reader, rows, &content, error);
}

static gboolean
add_extra (ClipExport *self,
           ClipReader *reader,
           gint64 id,
           sqlite3_stmt *rows,
           GError **error)
{
  Content content = { { id, sqlite3_column_int64 (rows, EXTRA_POSITION),
                        clip_reader_mime (reader, rows, EXTRA_MIME, error),
                        sqlite3_column_int64 (rows, EXTRA_SIZE) },
                      EXTRA_BLOB,
                      -1,
                      EXTRA_BODY,
                      EXTRA_SUM };

  return content.summed.mime && add_content (self, reader, rows, &content, error);
}

static gboolean
add_extras (ClipExport *self, ClipReader *reader, gint64 id, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (reader->database, CLIP_READ_EXPORT_EXTRAS, error, "i", id);
  ClipRows state;

  while ((state = clip_database_next (reader->database, rows, error)) == CLIP_ROWS_ROW)
    if (!add_extra (self, reader, id, rows, error))
      return FALSE;
  return state == CLIP_ROWS_END;
}

static char **
read_tags (ClipReader *reader, gint64 id, GError **error)
{
  g_autoptr (GStrvBuilder) tags = g_strv_builder_new ();
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (reader->database, CLIP_READ_TAGS, error, "i", id);
  ClipRows state;

  while ((state = clip_database_next (reader->database, rows, error)) == CLIP_ROWS_ROW)
    g_strv_builder_add (tags, (const char *) sqlite3_column_text (rows, 0));
  return state == CLIP_ROWS_END ? g_strv_builder_end (tags) : NULL;
}

static gboolean
is_wanted (const ClipExport *self,
           const ClipReader *reader,
           const ClipRow *row,
           char **tags)
{
  const ClipExportFilter *filter = &self->filter;
  gboolean needs_pin = filter->pinned || reader->is_wiped;

  return (!needs_pin || row->pinned) && row->last_us >= filter->since_us &&
         (!filter->tag || g_strv_contains ((const char *const *) tags, filter->tag));
}

/* What is named as an image is listed as one. Where the type is that of an image and the
 * line is not, it was guessed: who imports it would make another line. */
static gboolean
is_guessed (const ClipRow *row)
{
  return row->kind == CLIP_CLASS_IMAGE &&
         !clip_preview_is_image (row->preview, row->preview_length);
}

/**
 * clip_export_add_entry:
 * @rows: at a row of CLIP_READ_EXPORT
 *
 * One that the filter does not want is passed over.
 *
 * Errors: %CLIP_ERROR_CORRUPT where its bytes are not what was stored, and then
 * nothing of it is in the archive; %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
gboolean
clip_export_add_entry (ClipExport *self,
                       ClipReader *reader,
                       sqlite3_stmt *rows,
                       GError **error)
{
  g_auto (GStrv) tags = NULL;
  ClipRow row = { 0 };

  if (!clip_reader_fill_row (reader, rows, &row, error))
    return FALSE;
  tags = read_tags (reader, row.id, error);
  if (!tags || !is_wanted (self, reader, &row, tags))
    return tags != NULL;
  clip_archive_writer_begin_entry (self->writer, &row, (const char *const *) tags);
  if (!add_primary (self, reader, rows, &row, error) ||
      (sqlite3_column_int64 (rows, CLIP_COLUMN_EXTRAS) > 0 &&
       !add_extras (self, reader, row.id, error)))
    {
      clip_archive_writer_drop_entry (self->writer);
      return FALSE;
    }
  if (is_guessed (&row))
    clip_archive_writer_set_guessed (self->writer);
  clip_archive_writer_end_entry (self->writer);
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entries into an archive, oldest first, so that whoever takes them in gives them ids in
 * the same order. As for a join, some are gathered, the read is let go, and then somebody
 * writes what was gathered and moves the file behind it, however long that takes.
 *
 * The history may change between two parts. An entry that goes is missing; one that is
 * copied again has the highest id by then, and comes once more, or later. The files of an
 * entry are open before the read that found it ends, so that each comes whole. As with
 * every read, what has to go is not there any more. Each content is compared with its
 * sum, so that no archive has other bytes than were stored.
 */
#include "clip-export.h"

#include "clip-archive-writer.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-preview.h"
#include "clip-reader-private.h"
#include "clip-tar.h"

#include <string.h>

/* a content that is a member of its own */
typedef struct
{
  GBytes *bytes; /* or */
  int fd;
  gint64 size;
} File;

struct ClipExport
{
  ClipExportFilter filter;
  ClipArchiveWriter *writer;
  GString *buffer;
  GByteArray *content;
  GPtrArray *files; /* File: of the last entry that was gathered */
  guint next_file;
  gint64 next_id;
  guint next_of_ids;
  gint64 padded; /* the size of the file that was handed out, whose padding is due; -1 */
  gint64 gathered;
  gulong n_entries;
  gint64 doubtful; /* the id of an entry that looked damaged once; 0 = none */
  GArray *left_out;
  gboolean has_begun;
  gboolean has_gathered_all;
  gboolean has_ended;
};

static void
file_free (File *self)
{
  g_clear_pointer (&self->bytes, g_bytes_unref);
  clip_fd_clear (&self->fd);
  g_free (self);
}

/* @now_us: when the archive is made */
ClipExport *
clip_export_new (const ClipExportFilter *filter, gint64 now_us)
{
  ClipExport *self = g_new0 (ClipExport, 1);

  self->filter = *filter;
  self->writer = clip_archive_writer_new (now_us);
  self->buffer =
      g_string_sized_new (CLIP_ARCHIVE_LINES_BYTES + CLIP_ARCHIVE_LINES_BYTES / 2);
  self->content = g_byte_array_new ();
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) file_free);
  self->padded = -1;
  self->next_id = 1;
  self->left_out = g_array_new (FALSE, FALSE, sizeof (gint64));
  return self;
}

void
clip_export_free (ClipExport *self)
{
  if (!self)
    return;
  clip_archive_writer_free (self->writer);
  g_string_free (self->buffer, TRUE);
  g_byte_array_unref (self->content);
  g_ptr_array_unref (self->files);
  g_array_unref (self->left_out);
  g_free (self);
}

/* --- one entry --- */

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

static void
add_member (ClipExport *self, const char *mime, const char *hash, File file)
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
  char hex[CLIP_HASH_HEX_BYTES];
  ClipHash hash;
  gboolean opened = clip_reader_open_file (
      reader, sqlite3_column_int64 (rows, content->blob), &payload, &hash, error);

  fd = payload.fd;
  if (!opened || !clip_reader_check_sum (rows, content->sum, &content->summed, hash.bytes,
                                         sizeof hash.bytes, error))
    return FALSE;
  clip_hash_format (&hash, hex);
  add_member (self, content->summed.mime, hex,
              (File){ .fd = g_steal_fd (&fd), .size = payload.size });
  return TRUE;
}

static gboolean
add_inline (ClipExport *self, sqlite3_stmt *rows, const Content *content, GError **error)
{
  const char *mime = content->summed.mime;
  gint64 size = content->summed.size;
  GByteArray *bytes = self->content;

  g_byte_array_set_size (bytes, 0);
  if (content->preview >= 0)
    clip_value_append (bytes, sqlite3_column_value (rows, content->preview));
  clip_value_append (bytes, sqlite3_column_value (rows, content->body));
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
    add_member (
        self, mime, NULL,
        (File){ .bytes = g_bytes_new (bytes->data, bytes->len), .fd = -1, .size = size });
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
      clip_statements_query (reader->database, CLIP_READ_EXPORT_EXTRAS, error, "i", id);
  ClipRows state;

  while ((state = clip_statements_next (reader->database, rows, error)) == CLIP_ROWS_ROW)
    if (!add_extra (self, reader, id, rows, error))
      return FALSE;
  return state == CLIP_ROWS_END;
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

/* @rows: at a row of CLIP_READ_EXPORT
 *
 * One that the filter does not want is passed over. Of one whose bytes are not what was
 * stored nothing is in the archive, and the error is %CLIP_ERROR_CORRUPT. */
static gboolean
add_entry (ClipExport *self, ClipReader *reader, sqlite3_stmt *rows, GError **error)
{
  g_auto (GStrv) tags = NULL;
  ClipRow row = { 0 };

  if (!clip_reader_fill_row (reader, rows, &row, error))
    return FALSE;
  tags = clip_reader_list_tags (reader, row.id, error);
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
  self->n_entries++;
  return TRUE;
}

/* --- all of them --- */

static void
move_on (ClipExport *self, gint64 id)
{
  self->next_id = id + 1;
  if (self->filter.ids)
    self->next_of_ids++;
}

/* Within one read an entry that is deleted meanwhile is still there while its file is
 * gone. So what looks damaged is looked at again in another read, and if it is still
 * there, and still damaged, the others are worth having without it. */
static gboolean
doubt (ClipExport *self, gint64 id, GError *reason_take, GError **error)
{
  g_autoptr (GError) reason = reason_take;

  g_ptr_array_set_size (self->files, 0);
  if (!g_error_matches (reason, CLIP_ERROR, CLIP_ERROR_CORRUPT))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  if (self->doubtful == id)
    {
      g_array_append_val (self->left_out, id);
      move_on (self, id);
    }
  self->doubtful = id;
  return TRUE;
}

/* up to the first entry with files, or as much as goes into a member of lines;
 * @out_stopped: whether another read is to go on */
static gboolean
gather_rows (ClipExport *self,
             ClipReader *reader,
             sqlite3_stmt *rows,
             gint64 last,
             gboolean *out_stopped,
             GError **error)
{
  ClipRows state = CLIP_ROWS_ROW;

  *out_stopped = TRUE;
  while (!clip_archive_writer_is_full (self->writer))
    {
      g_autoptr (GError) reason = NULL;
      gint64 id;

      state = clip_statements_next (reader->database, rows, error);
      id = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, CLIP_COLUMN_ID) : 0;
      *out_stopped = id > 0 && id <= last;
      if (!*out_stopped)
        return state != CLIP_ROWS_FAILED;
      if (!self->filter.ids && id < self->next_id)
        return clip_reader_set_disorder (reader, error);
      if (!add_entry (self, reader, rows, &reason))
        return doubt (self, id, g_steal_pointer (&reason), error);
      move_on (self, id);
    }
  return TRUE;
}

static gboolean
gather_from (ClipExport *self,
             ClipReader *reader,
             gint64 first,
             gint64 last,
             gboolean *out_stopped,
             GError **error)
{
  ClipMoment moment = clip_reader_moment (reader);
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (reader->database, CLIP_READ_EXPORT, error, "iii", first,
                             moment.now_us, moment.old_us);

  return gather_rows (self, reader, rows, last, out_stopped, error);
}

/* one after the other: what is not there by now is left out */
static gboolean
gather_ids (ClipExport *self, ClipReader *reader, GError **error)
{
  while (self->next_of_ids < self->filter.ids->len &&
         !clip_archive_writer_is_full (self->writer))
    {
      guint before = self->next_of_ids;
      gint64 id = g_array_index (self->filter.ids, gint64, before);
      gboolean stopped;

      if (!gather_from (self, reader, id, id, &stopped, error))
        return FALSE;
      if (!stopped && self->next_of_ids == before)
        self->next_of_ids++;
    }
  self->has_gathered_all = self->next_of_ids == self->filter.ids->len;
  return TRUE;
}

static gboolean
gather (ClipExport *self, ClipReader *reader, GError **error)
{
  gboolean stopped;

  if (self->filter.ids)
    return gather_ids (self, reader, error);
  if (!gather_from (self, reader, self->next_id, G_MAXINT64, &stopped, error))
    return FALSE;
  self->has_gathered_all = !stopped;
  return TRUE;
}

/* the next content that is a member; what lies in memory goes into the buffer */
static void
hand_out_file (ClipExport *self, ClipPart *part)
{
  File *file = self->files->pdata[self->next_file++];

  clip_archive_writer_begin_file (self->writer, self->buffer, file->size);
  if (file->bytes)
    {
      g_string_append_len (self->buffer, g_bytes_get_data (file->bytes, NULL),
                           (gssize) file->size);
      clip_tar_append_padding (self->buffer, file->size);
      return;
    }
  part->fd = g_steal_fd (&file->fd);
  part->size = self->padded = file->size;
}

static gboolean
fill (ClipExport *self, ClipReader *reader, ClipPart *part, GError **error)
{
  if (self->next_file < self->files->len)
    {
      hand_out_file (self, part);
      return TRUE;
    }
  g_ptr_array_set_size (self->files, 0);
  self->next_file = 0;
  if (self->has_gathered_all)
    {
      clip_archive_writer_end (self->writer, self->buffer);
      self->has_ended = TRUE;
      return TRUE;
    }
  if (!gather (self, reader, error))
    return FALSE;
  clip_archive_writer_flush (self->writer, self->buffer);
  return TRUE;
}

/**
 * clip_export_next:
 * @out_part: (out): what comes next; its bytes are borrowed until the next call, its
 * descriptor is the caller's
 * @out_more: (out): %FALSE at the end, and then there is no part
 *
 * No read is open any more when this returns. An entry that is damaged is left out, see
 * clip_export_left_out().
 *
 * Errors: %CLIP_ERROR_FAILED, %G_FILE_ERROR.
 */
gboolean
clip_export_next (ClipExport *self,
                  ClipReader *reader,
                  ClipPart *out_part,
                  gboolean *out_more,
                  GError **error)
{
  g_auto (ClipPart) part = { .fd = -1 };

  *out_more = !self->has_ended;
  g_string_truncate (self->buffer, 0);
  self->gathered = 0;
  if (!self->has_begun)
    clip_archive_writer_begin (self->writer, self->buffer);
  self->has_begun = TRUE;
  if (self->padded >= 0)
    clip_tar_append_padding (self->buffer, self->padded);
  self->padded = -1;
  while (!self->has_ended && part.fd < 0 && self->buffer->len < CLIP_ARCHIVE_LINES_BYTES)
    if (!fill (self, reader, &part, error))
      return FALSE;
  *out_part = part;
  out_part->data = self->buffer->str;
  out_part->length = self->buffer->len;
  part.fd = -1;
  return TRUE;
}

/* the bytes of the contents that the last part has in its lines */
gint64
clip_export_gathered (const ClipExport *self)
{
  return self->gathered;
}

/* those that are in the parts up to now */
gulong
clip_export_count (const ClipExport *self)
{
  return self->n_entries;
}

/* (element-type gint64): the ids of those that are damaged, so far */
const GArray *
clip_export_left_out (const ClipExport *self)
{
  return self->left_out;
}

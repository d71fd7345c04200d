/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entries into an archive, oldest first, so that whoever takes them in gives them ids in
 * the same order. As for a join, some are gathered, the read is let go, and then somebody
 * writes what was gathered and moves the file behind it, however long that takes.
 *
 * The history may change between two parts. An entry that goes is missing; one that is
 * copied again has the highest id by then, and comes once more, or later. The files of an
 * entry are open before the read that found it ends, so that each comes whole. As with
 * every read, what has to go is not there any more.
 */
#include "clip-export-private.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-tar.h"

#include <string.h>

static void
file_free (ClipExportFile *self)
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

      state = clip_database_next (reader->database, rows, error);
      id = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, CLIP_COLUMN_ID) : 0;
      *out_stopped = id > 0 && id <= last;
      if (!*out_stopped)
        return state != CLIP_ROWS_FAILED;
      if (!clip_export_add_entry (self, reader, rows, &reason))
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
      clip_database_query (reader->database, CLIP_READ_EXPORT, error, "iii", first,
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
  ClipExportFile *file = self->files->pdata[self->next_file++];

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

/* (element-type gint64): the ids of those that are damaged, so far */
const GArray *
clip_export_left_out (const ClipExport *self)
{
  return self->left_out;
}

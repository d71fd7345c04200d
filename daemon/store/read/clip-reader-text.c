/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What of an entry is searched, and indexed: its content where that is text, up to a
 * mebibyte of it, and else its preview. It may lie in the row, in two columns of it, or
 * in a file.
 */
#include "clip-reader-private.h"

#include "clip-fd.h"

#include <unistd.h>

/* how much of a text that lies in a file is searched */
#define SEARCHED_BYTES (1024 * 1024)

static gboolean
read_file (ClipReader *self, sqlite3_stmt *rows, gsize length)
{
  clip_autofd int fd =
      clip_reader_open_blob (self, sqlite3_column_int64 (rows, CLIP_TEXT_BLOB),
                             sqlite3_column_int64 (rows, CLIP_TEXT_SIZE), NULL);

  g_byte_array_set_size (self->buffer, (guint) length);
  return fd >= 0 && clip_read_exactly (fd, self->buffer->data, length, 0, NULL);
}

static void
append_column (GByteArray *buffer, sqlite3_stmt *rows, int column)
{
  g_byte_array_append (buffer, sqlite3_column_blob (rows, column),
                       (guint) sqlite3_column_bytes (rows, column));
}

static gboolean
join_columns (ClipReader *self, sqlite3_stmt *rows, const void **out_text)
{
  g_byte_array_set_size (self->buffer, 0);
  append_column (self->buffer, rows, CLIP_TEXT_PREVIEW);
  append_column (self->buffer, rows, CLIP_TEXT_BODY);
  *out_text = self->buffer->data;
  return TRUE;
}

/**
 * clip_reader_text:
 * @rows: at a row of a statement that selects the text
 * @longest: a text that has more bytes is not wanted
 * @out_text: (out): borrowed from @rows or @self; never %NULL
 *
 * Returns: whether there is one. A damaged file is not found, and keeps nothing else from
 * being found.
 */
gboolean
clip_reader_text (ClipReader *self,
                  sqlite3_stmt *rows,
                  gsize longest,
                  const void **out_text,
                  gsize *out_length)
{
  gboolean begins = sqlite3_column_type (rows, CLIP_TEXT_PREVIEW) == SQLITE_BLOB;
  gboolean has_body = sqlite3_column_type (rows, CLIP_TEXT_BODY) != SQLITE_NULL;
  gboolean has_file = sqlite3_column_type (rows, CLIP_TEXT_BLOB) != SQLITE_NULL;
  int column = has_body ? CLIP_TEXT_BODY : CLIP_TEXT_PREVIEW;

  if (has_file)
    *out_length =
        (gsize) MIN (sqlite3_column_int64 (rows, CLIP_TEXT_SIZE), SEARCHED_BYTES);
  else
    *out_length = (gsize) sqlite3_column_bytes (rows, column);
  if (begins && has_body && !has_file)
    *out_length += (gsize) sqlite3_column_bytes (rows, CLIP_TEXT_PREVIEW);
  if (*out_length > longest)
    return FALSE;
  if (has_file)
    {
      if (!read_file (self, rows, *out_length))
        return FALSE;
      *out_text = *out_length > 0 ? (const char *) self->buffer->data : "";
      return TRUE;
    }
  if (begins && has_body)
    return join_columns (self, rows, out_text);
  *out_text = sqlite3_column_blob (rows, column) ?: "";
  return TRUE;
}

/**
 * clip_reader_texts:
 * @range: which entries; `first` moves on past those that were read
 * @out_more: (out): whether there may be more
 *
 * Reads what a search looks at, a bounded part of it, and leaves no read open.
 *
 * Errors: %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
gboolean
clip_reader_texts (ClipReader *self,
                   ClipTextRange *range,
                   ClipTextFunc function,
                   gpointer user_data,
                   gboolean *out_more,
                   GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      self->database, CLIP_READ_TEXTS, error, "ii", range->first, range->last);
  ClipRows state = CLIP_ROWS_ROW;
  gboolean goes_on = TRUE;
  gsize bytes = 0;

  for (guint n = 0; goes_on && n < range->max_rows && bytes < range->max_bytes; n++)
    {
      const void *text;
      gsize length;

      state = clip_database_next (self->database, rows, error);
      if (state != CLIP_ROWS_ROW)
        break;
      if (!clip_reader_text (self, rows, range->longest, &text, &length))
        text = NULL;
      bytes += text ? length : 0;
      range->first = sqlite3_column_int64 (rows, CLIP_TEXT_ID);
      goes_on = function (range->first, text, length, user_data);
      range->first++;
    }
  *out_more = state == CLIP_ROWS_ROW;
  return state != CLIP_ROWS_FAILED;
}

/* whether something deleted may still be found in the search index */
gboolean
clip_reader_is_dropping (ClipReader *self, gboolean *out_dropping, GError **error)
{
  gint64 found;

  *out_dropping = FALSE;
  if (!self->has_index)
    return TRUE;
  if (clip_database_number (self->database, CLIP_READ_IS_STALE, &found, error, "") ==
      CLIP_ROWS_FAILED)
    return FALSE;
  *out_dropping = found != 0;
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What of an entry is searched, and indexed: its content where that is text, up to a
 * mebibyte of it, and else its preview. It may lie in the row, in two columns of it, or
 * in a file.
 */
#include "clip-reader-private.h"

#include "clip-fd.h"

#include <string.h>
#include <unistd.h>

/* how much of a text that lies in a file is searched */
#define SEARCHED_BYTES (1024 * 1024)

/* it keeps its size: a search comes here for every row */
static guint8 *
make_room (ClipReader *self, gsize length)
{
  if (self->buffer->len <= length)
    g_byte_array_set_size (self->buffer, (guint) length + 1);
  return self->buffer->data;
}

/* up to @longest of it; @out_length is what is searched in any case */
static gboolean
read_file (ClipReader *self, gint64 blob, gsize longest, gsize *out_length)
{
  clip_autofd int fd = -1;
  gint64 size;

  if (clip_database_number (self->database, CLIP_READ_BLOB_SIZE, &size, NULL, "i",
                            blob) != CLIP_ROWS_ROW)
    return FALSE;
  *out_length = (gsize) MIN (size, SEARCHED_BYTES);
  if (*out_length > longest)
    return FALSE;
  fd = clip_reader_open_blob (self, blob, size, NULL);
  return fd >= 0 &&
         clip_read_exactly (fd, make_room (self, *out_length), *out_length, 0, NULL);
}

/* a preview that is a BLOB is what the content begins with */
static gboolean
join (ClipReader *self, sqlite3_value *preview, sqlite3_value *body, gsize *out_length)
{
  const void *start = sqlite3_value_blob (preview);
  const void *rest = sqlite3_value_blob (body);
  gsize start_bytes = (gsize) sqlite3_value_bytes (preview);
  gsize rest_bytes = (gsize) sqlite3_value_bytes (body);
  guint8 *text = make_room (self, start_bytes + rest_bytes);

  if (start_bytes > 0)
    memcpy (text, start, start_bytes);
  if (rest_bytes > 0)
    memcpy (text + start_bytes, rest, rest_bytes);
  *out_length = start_bytes + rest_bytes;
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
  /* the connection is used by one thread: a column's value may be looked into, which
   * costs half of what asking for it column by column does */
  sqlite3_value *preview = sqlite3_column_value (rows, CLIP_TEXT_PREVIEW);
  sqlite3_value *rest = sqlite3_column_value (rows, CLIP_TEXT_REST);
  int type = sqlite3_value_type (rest);

  if (type == SQLITE_INTEGER ||
      (type == SQLITE_BLOB && sqlite3_value_type (preview) == SQLITE_BLOB))
    {
      if (!(type == SQLITE_BLOB
                ? join (self, preview, rest, out_length)
                : read_file (self, sqlite3_value_int64 (rest), longest, out_length)))
        return FALSE;
      *out_text = self->buffer->data;
    }
  else
    {
      sqlite3_value *value = type == SQLITE_BLOB ? rest : preview;

      *out_text = sqlite3_value_blob (value) ?: "";
      *out_length = (gsize) sqlite3_value_bytes (value);
    }
  return *out_length <= longest;
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What of an entry is searched: its content where that is text, up to a
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

static gboolean
read_file (ClipReader *self, gint64 blob, gsize *out_length)
{
  clip_autofd int fd = -1;
  gint64 size;

  if (clip_database_number (self->database, CLIP_READ_BLOB_SIZE, &size, NULL, "i",
                            blob) != CLIP_ROWS_ROW)
    return FALSE;
  *out_length = (gsize) MIN (size, SEARCHED_BYTES);
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
 * @out_text: (out): borrowed from @rows or @self; never %NULL
 *
 * Returns: whether there is one. A damaged file is not found, and keeps nothing else from
 * being found.
 */
gboolean
clip_reader_text (ClipReader *self,
                  sqlite3_stmt *rows,
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
                : read_file (self, sqlite3_value_int64 (rest), out_length)))
        return FALSE;
      *out_text = self->buffer->data;
    }
  else
    {
      sqlite3_value *value = type == SQLITE_BLOB ? rest : preview;

      *out_text = sqlite3_value_blob (value) ?: "";
      *out_length = (gsize) sqlite3_value_bytes (value);
    }
  return TRUE;
}

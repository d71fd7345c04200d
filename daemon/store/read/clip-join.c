/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Many entries as one stream. What lies in the database is gathered in a buffer, so that
 * a hundred thousand words leave in a few dozen writes; what lies in a file is handed out
 * as that file, for the kernel to move. No read is open when a part is handed out: its
 * reader may take hours.
 *
 * That every entry is there is found out before the first part, for the price of one
 * look-up each; what is deleted after that is missed only when its turn comes.
 */
#include "clip-join.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-reader-private.h"

#include <string.h>

/* of CLIP_READ_PRIMARY_BYTES */
#define COLUMN_SIZE 1

/* how many are looked up at a time: it takes about 0.1 s */
#define LOOKED_UP 10000

struct ClipJoin
{
  gint64 *ids;
  gsize n_ids;
  gsize n_found; /* of them, that are there */
  gsize next;
  GByteArray *separator;
  GByteArray *buffer;
  char *mime;
  gint64 total; /* of the primary contents */
};

/**
 * clip_join_new:
 * @ids: (array length=n_ids): of the entries, in the order wanted; copied. One may come
 * more than once.
 * @separator: what stands between two contents; copied
 * @mime: (nullable): which of their contents; %NULL or "" = the primary one of each
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT where the separator is longer than 4096 bytes.
 */
ClipJoin *
clip_join_new (const gint64 *ids,
               gsize n_ids,
               const void *separator,
               gsize separator_length,
               const char *mime,
               GError **error)
{
  ClipJoin *self;

  if (separator_length > CLIP_JOIN_MAX_SEPARATOR_BYTES)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "separator: longer than %d bytes", CLIP_JOIN_MAX_SEPARATOR_BYTES);
      return NULL;
    }
  self = g_new0 (ClipJoin, 1);
  self->ids = g_memdup2 (ids, n_ids * sizeof *ids);
  self->n_ids = n_ids;
  self->separator = g_byte_array_new ();
  g_byte_array_append (self->separator, separator, (guint) separator_length);
  self->buffer = g_byte_array_new ();
  self->mime = g_strdup (mime);
  return self;
}

void
clip_join_free (ClipJoin *self)
{
  if (!self)
    return;
  g_free (self->ids);
  g_byte_array_unref (self->separator);
  g_byte_array_unref (self->buffer);
  g_free (self->mime);
  g_free (self);
}

void
clip_part_clear (ClipPart *self)
{
  clip_fd_clear (&self->fd);
}

/* of those that are not looked up yet, the next ones */
static gboolean
look_up_some (ClipJoin *self, ClipReader *reader, GError **error)
{
  const gsize end = MIN (self->n_found + LOOKED_UP, self->n_ids);
  ClipMoment moment = clip_reader_moment (reader);
  ClipRows state = CLIP_ROWS_ROW;

  for (; self->n_found < end && state == CLIP_ROWS_ROW; self->n_found++)
    {
      clip_autorows sqlite3_stmt *rows =
          clip_statements_query (reader->database, CLIP_READ_PRIMARY_BYTES, error, "iii",
                                 self->ids[self->n_found], moment.now_us, moment.old_us);

      state = clip_statements_next (reader->database, rows, error);
      if (state == CLIP_ROWS_END)
        g_set_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                     "id %" G_GINT64_FORMAT " not found", self->ids[self->n_found]);
      else if (state == CLIP_ROWS_ROW)
        self->total += sqlite3_column_int64 (rows, COLUMN_SIZE);
    }
  return state == CLIP_ROWS_ROW;
}

/* a file is left to @part: nothing can be gathered behind it */
static gboolean
take_next (ClipJoin *self, ClipReader *reader, ClipPart *part, GError **error)
{
  g_autoptr (ClipPayload) payload =
      clip_reader_open_content (reader, self->ids[self->next], self->mime, error);
  gsize length;
  const guint8 *data;

  if (!payload)
    return FALSE;
  if (self->next++ > 0)
    g_byte_array_append (self->buffer, self->separator->data, self->separator->len);
  part->fd = g_steal_fd (&payload->fd);
  part->size = payload->size;
  if (!payload->bytes)
    return TRUE;
  data = g_bytes_get_data (payload->bytes, &length);
  g_byte_array_append (self->buffer, data, (guint) length);
  return TRUE;
}

static gboolean
gather (ClipJoin *self, ClipReader *reader, ClipPart *part, GError **error)
{
  while (self->n_found == self->n_ids && self->next < self->n_ids && part->fd < 0 &&
         self->buffer->len < CLIP_JOIN_BYTES)
    if (!take_next (self, reader, part, error))
      return FALSE;
  return TRUE;
}

/**
 * clip_join_next:
 * @out_part: (out): what comes next; its bytes are borrowed until the next call, its
 * descriptor is the caller's
 * @out_more: (out): %FALSE at the end, and then there is no part
 *
 * Gathers contents and separators until a file comes or about 256 KiB are there. No read
 * is open any more when this returns.
 *
 * Before that it looks whether all entries are there, 10,000 in a call, and the part is
 * empty while there are more; whether they hold the type, and whether it is whole, shows
 * when their turn comes.
 *
 * Errors: those of clip_reader_open_content(). What has been gathered by then is lost.
 */
gboolean
clip_join_next (ClipJoin *self,
                ClipReader *reader,
                ClipPart *out_part,
                gboolean *out_more,
                GError **error)
{
  g_auto (ClipPart) part = { .fd = -1 };

  if (self->n_found < self->n_ids && !look_up_some (self, reader, error))
    return FALSE;
  g_byte_array_set_size (self->buffer, 0);
  *out_more = self->next < self->n_ids;
  if (!gather (self, reader, &part, error))
    return FALSE;
  *out_part = part;
  out_part->data = self->buffer->data;
  out_part->length = self->buffer->len;
  part.fd = -1;
  return TRUE;
}

/**
 * clip_join_total:
 *
 * Returns: how many bytes there are in all, separators included, from the first part on
 * that is not empty; 0 where that is not known: before, and of other types than the
 * primary ones
 */
gint64
clip_join_total (const ClipJoin *self)
{
  if (self->next == 0 || (self->mime && *self->mime))
    return 0;
  return self->total + (gint64) (self->n_ids - 1) * self->separator->len;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-foreign-bytes.h"

#include "clip-fd.h"
#include "clip-foreign-file.h"

#include <string.h>

/* @fd: of a plain file, which outlives this */
void
clip_foreign_bytes_init (ClipForeignBytes *self, int fd, goffset at, goffset end)
{
  *self = (ClipForeignBytes){ .fd = fd, .at = at, .end = end };
  self->buffer = g_malloc (CLIP_FOREIGN_BUFFER_BYTES);
}

void
clip_foreign_bytes_clear (ClipForeignBytes *self)
{
  g_clear_pointer (&self->buffer, g_free);
}

void
clip_foreign_bytes_seek (ClipForeignBytes *self, goffset at)
{
  self->at = at;
}

static gboolean
is_buffered (const ClipForeignBytes *self)
{
  return self->at >= self->buffer_at &&
         self->at < self->buffer_at + (goffset) self->buffered;
}

/**
 * clip_foreign_bytes_peek:
 * @out_length: (out): how many bytes are there at once; 0 at the end
 *
 * Errors: %CLIP_ERROR_CORRUPT where the file has become shorter, %G_FILE_ERROR.
 */
gboolean
clip_foreign_bytes_peek (ClipForeignBytes *self,
                         const guint8 **out_bytes,
                         gsize *out_length,
                         GError **error)
{
  if (!is_buffered (self) && self->at < self->end)
    {
      self->buffered = 0;
      self->buffer_at = self->at;
      if (!clip_read_exactly (
              self->fd, self->buffer,
              (gsize) MIN (self->end - self->at, CLIP_FOREIGN_BUFFER_BYTES), self->at,
              error))
        return FALSE;
      self->buffered = (gsize) MIN (self->end - self->at, CLIP_FOREIGN_BUFFER_BYTES);
    }
  *out_bytes = self->buffer + (self->at - self->buffer_at);
  *out_length =
      self->at < self->end
          ? (gsize) MIN (self->buffer_at + (goffset) self->buffered, self->end) -
                (gsize) self->at
          : 0;
  return TRUE;
}

/* Errors: %CLIP_ERROR_CORRUPT where it ends before, %G_FILE_ERROR. */
gboolean
clip_foreign_bytes_read (ClipForeignBytes *self, void *into, gsize length, GError **error)
{
  gsize done = 0;

  while (done < length)
    {
      const guint8 *bytes;
      gsize n;

      if (!clip_foreign_bytes_peek (self, &bytes, &n, error))
        return FALSE;
      if (n == 0)
        return clip_foreign_damaged (error, self->at, "it breaks off");
      n = MIN (n, length - done);
      memcpy ((guint8 *) into + done, bytes, n);
      self->at += (goffset) n;
      done += n;
    }
  return TRUE;
}

/* Errors: %CLIP_ERROR_CORRUPT where it ends before. */
gboolean
clip_foreign_bytes_pass (ClipForeignBytes *self, guint64 length, GError **error)
{
  if (length > (guint64) (self->end - self->at))
    return clip_foreign_damaged (error, self->at, "it breaks off");
  self->at += (goffset) length;
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

#define CLIP_FOREIGN_BUFFER_BYTES (64 * 1024)

/* A part of a file, read from its beginning to its end, or passed over. */
typedef struct
{
  int fd; /* borrowed */
  goffset at;
  goffset end;
  goffset buffer_at; /* where in the file the buffer begins */
  gsize buffered;
  guint8 *buffer;
} ClipForeignBytes;

void clip_foreign_bytes_init (ClipForeignBytes *self, int fd, goffset at, goffset end);
void clip_foreign_bytes_clear (ClipForeignBytes *self);
void clip_foreign_bytes_seek (ClipForeignBytes *self, goffset at);
gboolean clip_foreign_bytes_peek (ClipForeignBytes *self,
                                  const guint8 **out_bytes,
                                  gsize *out_length,
                                  GError **error);
gboolean clip_foreign_bytes_read (ClipForeignBytes *self,
                                  void *into,
                                  gsize length,
                                  GError **error);
gboolean clip_foreign_bytes_pass (ClipForeignBytes *self, guint64 length, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClipForeignBytes, clip_foreign_bytes_clear)

G_END_DECLS

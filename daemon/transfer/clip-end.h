/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What a descriptor is decides how bytes get in and out of it: flags, for the ladder. */
typedef enum
{
  CLIP_END_FILE = 1 << 0,   /* has an offset, is always ready: file, memfd, disk */
  CLIP_END_PIPE = 1 << 1,   /* FIFOs too */
  CLIP_END_SOCKET = 1 << 2, /* of any family */
  CLIP_END_DEVICE = 1 << 3, /* terminal, /dev/null, and all other kinds */
  CLIP_END_BYTES = 1 << 4,  /* a content in memory: no descriptor */
} ClipEndKind;

#define CLIP_END_ANY (CLIP_END_FILE | CLIP_END_PIPE | CLIP_END_SOCKET | CLIP_END_DEVICE)

/* One end of a transfer. The descriptor is borrowed. */
typedef struct
{
  int fd; /* -1 for bytes */
  ClipEndKind kind;
  goffset start;       /* of a file to read: where it stood when we got it */
  goffset cached_to;   /* from there: what the page cache had when it was last asked */
  int bounce_fd;       /* memory that a pipe is read through; or -1 */
  gboolean is_number;  /* an eventfd or its like: content means nothing to it */
  gboolean must_guess; /* a pipe that can only be asked whether it has room */
} ClipEnd;

void clip_end_init_source (ClipEnd *self, int fd);
void clip_end_init_sink (ClipEnd *self, int fd);
void clip_end_clear (ClipEnd *self);
void clip_end_expect_all (const ClipEnd *self);

gssize clip_end_read (ClipEnd *self, void *buffer, gsize length, goffset at);
gssize clip_end_write (ClipEnd *self, const void *data, gsize length);
gboolean clip_end_is_ready (const ClipEnd *self, short events);
gboolean clip_end_is_cached (ClipEnd *self, goffset at, goffset left);
gboolean clip_end_may_block (const ClipEnd *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blob-file.h"
#include "clip-hash.h"
G_BEGIN_DECLS

/* A content, opened. Exactly one of bytes and fd is set. */
typedef struct
{
  GBytes *bytes;
  int fd; /* of a blob, read-only; -1 with bytes */
  gint64 size;
  char *mime;
  ClipHash hash;       /* with fd */
  gint64 rehashed;     /* the number of a blob that was read to be sure of it, and */
  ClipBlobState state; /* in which state its file was: worth noting; 0 = none */
} ClipPayload;

void clip_payload_free (ClipPayload *self);
ClipHash clip_payload_hash (const ClipPayload *self);
guint64 clip_payload_mark (const ClipPayload *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPayload, clip_payload_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A WebP is a RIFF file: chunks of an even number of bytes, which have to fit into the
 * length that its head says. The first one with pictures in it has the size.
 */
#include "clip-image-header.h"

#include <string.h>

#define FILE_HEAD_BYTES 12
#define CHUNK_HEAD_BYTES 8
#define KIND_BYTES 4 /* the word WEBP counts */
#define CHUNK_WORK 1024

static guint32
le24 (const ClipImageHeader *self, gsize at)
{
  return clip_image_le16 (self, at) | (guint32) self->data[at + 2] << 16;
}

#define FRAME_HEAD_BYTES 3
#define KEY_FRAME_BYTES 10

/* one that is no key frame has no size, and is an image all the same */
static gboolean
read_lossy (ClipImageHeader *self, gsize at, guint32 length)
{
  const guint8 *data = self->data + at;

  if (length > G_MAXINT32 || length < FRAME_HEAD_BYTES ||
      !clip_image_has (self, at, FRAME_HEAD_BYTES))
    return FALSE;
  if (data[0] & 1)
    return TRUE;
  if (length < KEY_FRAME_BYTES || !clip_image_has (self, at, KEY_FRAME_BYTES) ||
      memcmp (data + FRAME_HEAD_BYTES, "\x9D\x01\x2A", 3) != 0)
    return FALSE;
  self->width = clip_image_le16 (self, at + 6) & 0x3FFF;
  self->height = clip_image_le16 (self, at + 8) & 0x3FFF;
  return TRUE;
}

#define LOSSLESS_BYTES 5

/* 14 bits each, one for alpha, three of a version */
static gboolean
read_lossless (ClipImageHeader *self, gsize at, guint32 length)
{
  guint32 bits = clip_image_le32 (self, at + 1);

  if (length < LOSSLESS_BYTES || !clip_image_has (self, at, LOSSLESS_BYTES) ||
      self->data[at] != 0x2F)
    return FALSE;
  self->width = 1 + (bits & 0x3FFF);
  self->height = 1 + (bits >> 14 & 0x3FFF);
  return bits >> 29 == 0;
}

#define EXTENDED_BYTES 10

static gboolean
read_extended (ClipImageHeader *self, gsize at, guint32 length)
{
  if (length != EXTENDED_BYTES || !clip_image_has (self, at, EXTENDED_BYTES))
    return FALSE;
  self->width = 1 + le24 (self, at + 4);
  self->height = 1 + le24 (self, at + 7);
  return TRUE;
}

static gboolean
is_chunk (const ClipImageHeader *self, gsize at, const char *name)
{
  return memcmp (self->data + at, name, 4) == 0;
}

gboolean
clip_image_read_webp (ClipImageHeader *self)
{
  guint32 said = clip_image_le32 (self, 4);
  guint64 left = said >= KIND_BYTES ? said - KIND_BYTES : 0;
  gsize at = FILE_HEAD_BYTES;

  while (left >= CHUNK_HEAD_BYTES && clip_image_has (self, at, CHUNK_HEAD_BYTES) &&
         clip_image_work (self, CHUNK_WORK))
    {
      guint32 length = clip_image_le32 (self, at + 4);
      gsize data = at + CHUNK_HEAD_BYTES;
      guint64 taken = CHUNK_HEAD_BYTES + (guint64) length;

      if (taken > left || is_chunk (self, at, "ALPH"))
        return FALSE;
      if (is_chunk (self, at, "VP8 "))
        return read_lossy (self, data, length);
      if (is_chunk (self, at, "VP8L"))
        return read_lossless (self, data, length);
      if (is_chunk (self, at, "VP8X"))
        return read_extended (self, data, length);
      taken += length & 1;
      if (taken > left)
        return FALSE;
      left -= taken;
      at += taken;
    }
  return FALSE;
}

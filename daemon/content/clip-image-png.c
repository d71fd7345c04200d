/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A PNG is an image where its IHDR is sound, checksum included; one with a palette where
 * that is, too. Unknown chunks are passed over, also in front of the header,
 * but their checksums count.
 */
#include "clip-image-header.h"

#include <string.h>

#define SIGNATURE_BYTES 8
#define CHUNK_HEAD_BYTES 8
#define SUM_BYTES 4
#define HEADER_BYTES 13
#define PALETTE_MOST 256

typedef struct
{
  gsize at; /* of its data */
  guint32 length;
  const guint8 *type;
} Chunk;

/* the polynomial of PNG and zlib, four bits at a time */
static guint32
checksum (const guint8 *data, gsize length)
{
  static const guint32 table[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
    0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
    0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
  };
  guint32 sum = 0xFFFFFFFF;

  for (gsize i = 0; i < length; i++)
    {
      sum = table[(sum ^ data[i]) & 0xF] ^ sum >> 4;
      sum = table[(sum ^ data[i] >> 4) & 0xF] ^ sum >> 4;
    }
  return ~sum;
}

static gboolean
read_chunk (const ClipImageHeader *self, gsize at, Chunk *out_chunk)
{
  if (!clip_image_has (self, at, CHUNK_HEAD_BYTES))
    return FALSE;
  out_chunk->at = at + CHUNK_HEAD_BYTES;
  out_chunk->length = clip_image_be32 (self, at);
  out_chunk->type = self->data + at + 4;
  return TRUE;
}

static gboolean
is_type (const Chunk *chunk, const char *type)
{
  return memcmp (chunk->type, type, 4) == 0;
}

/* type and data are summed */
static gboolean
is_sound (ClipImageHeader *self, const Chunk *chunk)
{
  return chunk->length <= G_MAXINT32 &&
         clip_image_has (self, chunk->at, (gsize) chunk->length + SUM_BYTES) &&
         clip_image_work (self, chunk->length) &&
         checksum (chunk->type, (gsize) chunk->length + 4) ==
             clip_image_be32 (self, chunk->at + chunk->length);
}

#define PALETTED 3

/* gray, true colour, palette, gray and alpha, true colour and alpha */
static gboolean
has_sound_depth (guint8 depth, guint8 colour)
{
  switch (colour)
    {
    case 0:
      return depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    case PALETTED:
      return depth == 1 || depth == 2 || depth == 4 || depth == 8;
    case 2:
    case 4:
    case 6:
      return depth == 8 || depth == 16;
    default:
      return FALSE;
    }
}

/* eight bytes a pixel have to be a number */
static gboolean
has_sound_size (const ClipImageHeader *self)
{
  return self->width > 0 && self->height > 0 && self->width <= G_MAXINT32 &&
         self->height <= G_MAXINT32 &&
         (guint64) self->width * self->height <= G_MAXINT64 / 8;
}

static gboolean
read_header (ClipImageHeader *self, const Chunk *chunk)
{
  const guint8 *data = self->data + chunk->at;

  if (chunk->length != HEADER_BYTES || !clip_image_has (self, chunk->at, HEADER_BYTES))
    return FALSE;
  self->width = clip_image_be32 (self, chunk->at);
  self->height = clip_image_be32 (self, chunk->at + 4);
  return has_sound_size (self) && has_sound_depth (data[8], data[9]) && data[10] == 0 &&
         data[11] == 0 && data[12] <= 1 && is_sound (self, chunk);
}

static gboolean
read_palette (ClipImageHeader *self, const Chunk *chunk, guint8 depth)
{
  guint32 colours = chunk->length / 3;

  return chunk->length % 3 == 0 && colours > 0 && colours <= 1u << depth &&
         is_sound (self, chunk);
}

/* Returns: whether what has to stand between header and data does */
static gboolean
has_palette (ClipImageHeader *self, gsize at, guint8 depth)
{
  gboolean seen = FALSE;
  Chunk chunk;

  for (; read_chunk (self, at, &chunk); at = chunk.at + chunk.length + SUM_BYTES)
    {
      if (is_type (&chunk, "IDAT"))
        return seen;
      if (is_type (&chunk, "tRNS"))
        return seen && chunk.length <= PALETTE_MOST && is_sound (self, &chunk);
      if (is_type (&chunk, "IHDR") || is_type (&chunk, "IEND"))
        return FALSE;
      if (!is_type (&chunk, "PLTE"))
        {
          if (!is_sound (self, &chunk))
            return FALSE;
          continue;
        }
      if (seen || !read_palette (self, &chunk, depth))
        return FALSE;
      seen = TRUE;
    }
  return FALSE;
}

gboolean
clip_image_read_png (ClipImageHeader *self)
{
  gsize at = SIGNATURE_BYTES;
  Chunk chunk;

  while (read_chunk (self, at, &chunk))
    {
      gsize next = chunk.at + chunk.length + SUM_BYTES;

      if (is_type (&chunk, "IHDR"))
        return read_header (self, &chunk) &&
               (self->data[chunk.at + 9] != PALETTED ||
                has_palette (self, next, self->data[chunk.at + 8]));
      if (is_type (&chunk, "PLTE") || is_type (&chunk, "tRNS") ||
          is_type (&chunk, "IDAT") || is_type (&chunk, "IEND") ||
          !is_sound (self, &chunk))
        return FALSE;
      at = next;
    }
  return FALSE;
}

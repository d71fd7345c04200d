/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Width and height out of the header of an image, for its line in the list. These
 * are the few header fields alone: no image is decoded in this process. Every byte is a
 * stranger's: each read is checked against the head's end, and each loop moves on.
 */
#include "clip-image-size.h"

#include "clip-detect.h"

#include <string.h>

typedef struct
{
  const guint8 *data;
  gsize length;
  guint32 width;
  guint32 height;
} Header;

static gboolean
has_bytes (const Header *self, gsize at, gsize n)
{
  return at <= self->length && n <= self->length - at;
}

static guint32
le16 (const Header *self, gsize at)
{
  return has_bytes (self, at, 2) ? self->data[at] | self->data[at + 1] << 8 : 0;
}

static guint32
be16 (const Header *self, gsize at)
{
  return has_bytes (self, at, 2) ? self->data[at] << 8 | self->data[at + 1] : 0;
}

static guint32
le32 (const Header *self, gsize at)
{
  return le16 (self, at) | le16 (self, at + 2) << 16;
}

static guint32
be32 (const Header *self, gsize at)
{
  return be16 (self, at) << 16 | be16 (self, at + 2);
}

static gboolean
has (const Header *self, gsize at, const char *text, gsize length)
{
  return has_bytes (self, at, length) && memcmp (self->data + at, text, length) == 0;
}

static void
size_png (Header *self)
{
  if (!has (self, 12, "IHDR", 4) || self->length < 24)
    return;
  self->width = be32 (self, 16);
  self->height = be32 (self, 20);
}

static void
size_gif (Header *self)
{
  self->width = le16 (self, 6);
  self->height = le16 (self, 8);
}

/* a height below zero says that the rows come from the top */
static void
size_bmp (Header *self)
{
  guint32 header_bytes = le32 (self, 14);
  guint32 height;

  if (header_bytes == 12)
    {
      self->width = le16 (self, 18);
      self->height = le16 (self, 20);
    }
  else if (header_bytes >= 40 && self->length >= 26)
    {
      height = le32 (self, 22);
      self->width = le32 (self, 18);
      self->height = height > G_MAXINT32 ? 0 - height : height;
    }
}

static void
size_webp (Header *self)
{
  if (has (self, 12, "VP8X", 4) && self->length >= 30)
    {
      self->width = 1 + (le16 (self, 24) | self->data[26] << 16);
      self->height = 1 + (le16 (self, 27) | self->data[29] << 16);
    }
  else if (has (self, 12, "VP8L", 4) && has (self, 20, "\x2F", 1) && self->length >= 25)
    {
      self->width = 1 + (le32 (self, 21) & 0x3FFF);
      self->height = 1 + (le32 (self, 21) >> 14 & 0x3FFF);
    }
  else if (has (self, 12, "VP8 ", 4) && has (self, 23, "\x9D\x01\x2A", 3))
    {
      self->width = le16 (self, 26) & 0x3FFF;
      self->height = le16 (self, 28) & 0x3FFF;
    }
}

/* the markers that start a frame, and so carry its size; C4, C8 and CC are tables */
static gboolean
is_frame (guint8 marker)
{
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 &&
         marker != 0xCC;
}

/* fill bytes, and the markers that no length follows */
static gboolean
is_bare (guint8 marker)
{
  return marker == 0xFF || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
}

/* a camera's preview takes some dozens; who fills gigabytes with fill bytes has no size */
#define JPEG_MAX_MARKERS 4096

static void
size_jpeg (Header *self)
{
  gsize at = 2;

  for (guint n = 0; n < JPEG_MAX_MARKERS; n++)
    {
      guint8 marker;
      guint32 bytes;

      if (!has_bytes (self, at, 4) || self->data[at] != 0xFF)
        return;
      marker = self->data[at + 1];
      bytes = be16 (self, at + 2);
      if (is_bare (marker))
        {
          at += marker == 0xFF ? 1 : 2;
          continue;
        }
      if (is_frame (marker))
        {
          self->height = be16 (self, at + 5);
          self->width = be16 (self, at + 7);
          return;
        }
      if (marker == 0x00 || marker == 0xD9 || marker == 0xDA)
        return;
      at += 2 + bytes;
    }
}

#define TIFF_WIDTH 256
#define TIFF_HEIGHT 257
#define TIFF_SHORT 3
#define TIFF_LONG 4

/* the first directory: a count, then twelve bytes an entry: tag, type, count, value */
static void
size_tiff (Header *self)
{
  gboolean little = self->data[0] == 'I';
  guint32 (*get16) (const Header *, gsize) = little ? le16 : be16;
  guint32 (*get32) (const Header *, gsize) = little ? le32 : be32;
  gsize directory = get32 (self, 4);
  guint32 entries = get16 (self, directory);

  for (guint32 i = 0; i < entries; i++)
    {
      gsize at = directory + 2 + 12 * (gsize) i;
      guint32 tag = get16 (self, at);
      guint32 type = get16 (self, at + 2);
      guint32 value = type == TIFF_SHORT  ? get16 (self, at + 8)
                      : type == TIFF_LONG ? get32 (self, at + 8)
                                          : 0;

      if (!has_bytes (self, at, 12))
        return;
      if (tag == TIFF_WIDTH)
        self->width = value;
      else if (tag == TIFF_HEIGHT)
        self->height = value;
    }
}

static const struct
{
  const char *format;
  void (*read) (Header *self);
} readers[] = {
  { "png", size_png },   { "jpeg", size_jpeg }, { "gif", size_gif },
  { "webp", size_webp }, { "bmp", size_bmp },   { "tiff", size_tiff },
};

/**
 * clip_image_size:
 * @head: the first bytes of an image, or all of them
 * @out_width: (out): pixels, untouched on %FALSE
 * @out_height: (out): pixels, untouched on %FALSE
 *
 * Returns: whether the size stands in @head. A JPEG has it behind the preview that it may
 * carry, a TIFF wherever its writer liked. Of more than the head only a few places are read.
 */
gboolean
clip_image_size (const void *head, gsize length, guint32 *out_width, guint32 *out_height)
{
  const char *format = clip_detect_image (head, length);
  Header header = { .data = head, .length = length };

  for (guint i = 0; format && i < G_N_ELEMENTS (readers); i++)
    if (strcmp (format, readers[i].format) == 0)
      readers[i].read (&header);
  if (header.width == 0 || header.height == 0)
    return FALSE;
  *out_width = header.width;
  *out_height = header.height;
  return TRUE;
}

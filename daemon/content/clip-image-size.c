/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Width and height out of the header of an image, for its line in the list. These
 * are the few header fields alone: no image is decoded in this process. Every byte is a
 * stranger's: each read is checked against the end, and each loop moves on.
 *
 * What is listed as an image is decided as the existing tool does it, which asks the
 * readers of Go's library: what scripts match must not depend on which of the two is
 * installed. There is a size also in many that those do not know.
 */
#include "clip-image-size.h"

#include "clip-image-header.h"

#include <string.h>

#define GIF_BYTES 13
#define GIF_HAS_COLOURS 0x80

static gboolean
read_gif (ClipImageHeader *self)
{
  guint8 flags;

  self->width = clip_image_le16 (self, 6);
  self->height = clip_image_le16 (self, 8);
  if (!clip_image_has (self, 0, GIF_BYTES))
    return FALSE;
  flags = self->data[10];
  return !(flags & GIF_HAS_COLOURS) ||
         clip_image_has (self, GIF_BYTES, (gsize) 3 << (1 + (flags & 7)));
}

#define BMP_FILE_BYTES 14
#define BMP_OS2_BYTES 12
#define BMP_INFO_BYTES 40
#define BMP_V4_BYTES 108
#define BMP_V5_BYTES 124
#define BMP_BITFIELDS 3

/* a height below zero says that the rows come from the top */
static void
read_bmp_size (ClipImageHeader *self, guint32 header_bytes)
{
  guint32 height;

  if (header_bytes == BMP_OS2_BYTES)
    {
      self->width = clip_image_le16 (self, 18);
      self->height = clip_image_le16 (self, 20);
    }
  else if (header_bytes >= BMP_INFO_BYTES && clip_image_has (self, 0, 26))
    {
      height = clip_image_le32 (self, 22);
      self->width = clip_image_le32 (self, 18);
      self->height = height > G_MAXINT32 ? 0 - height : height;
    }
}

/* the masks of colours that say what is said without them */
static gboolean
has_plain_masks (const ClipImageHeader *self, guint32 header_bytes)
{
  return header_bytes > BMP_INFO_BYTES && clip_image_le32 (self, 54) == 0xFF0000 &&
         clip_image_le32 (self, 58) == 0xFF00 && clip_image_le32 (self, 62) == 0xFF &&
         clip_image_le32 (self, 66) == 0xFF000000;
}

/* the rows have to follow on the header, or on 256 colours at most */
static gboolean
has_plain_rows (const ClipImageHeader *self, guint32 header_bytes)
{
  guint32 bits = clip_image_le16 (self, 28);
  guint32 start = clip_image_le32 (self, 10);
  guint32 colours = clip_image_le32 (self, 46);
  gsize end = BMP_FILE_BYTES + (gsize) header_bytes;

  if (bits == 24 || bits == 32)
    return start == end;
  if (colours == 0)
    colours = 256;
  return bits == 8 && colours <= 256 && start == end + 4 * (gsize) colours &&
         clip_image_has (self, end, 4 * (gsize) colours);
}

static gboolean
read_bmp (ClipImageHeader *self)
{
  guint32 header_bytes = clip_image_le32 (self, 14);
  guint32 compression = clip_image_le32 (self, 30);

  read_bmp_size (self, header_bytes);
  return (header_bytes == BMP_INFO_BYTES || header_bytes == BMP_V4_BYTES ||
          header_bytes == BMP_V5_BYTES) &&
         clip_image_has (self, BMP_FILE_BYTES, header_bytes) &&
         self->width <= G_MAXINT32 && clip_image_le16 (self, 26) == 1 &&
         (compression == 0 ||
          (compression == BMP_BITFIELDS && has_plain_masks (self, header_bytes))) &&
         has_plain_rows (self, header_bytes);
}

/* in @bytes, a question mark stands for any byte */
static const struct
{
  const char *bytes;
  gsize length;
  const char *format;
  gboolean (*read) (ClipImageHeader *self);
} readers[] = {
  { "\x89PNG\r\n\x1A\n", 8, "png", clip_image_read_png },
  { "\xFF\xD8", 2, "jpeg", clip_image_read_jpeg },
  { "GIF87a", 6, "gif", read_gif },
  { "GIF89a", 6, "gif", read_gif },
  { "BM????\0\0\0\0", 10, "bmp", read_bmp },
  { "II*\0", 4, "tiff", clip_image_read_tiff },
  { "MM\0*", 4, "tiff", clip_image_read_tiff },
  { "RIFF????WEBPVP8", 15, "webp", clip_image_read_webp },
};

static gboolean
begins (const guint8 *data, gsize length, const char *bytes, gsize n)
{
  if (length < n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (bytes[i] != '?' && (guint8) bytes[i] != data[i])
      return FALSE;
  return TRUE;
}

/**
 * clip_image_size:
 * @data: the first bytes of a content, or all of it
 * @out_size: (out): written in any case
 *
 * A JPEG has its size behind the preview that it may carry, a TIFF wherever its writer
 * liked. Of more than the head only a few places are read.
 *
 * Returns: whether it is listed as an image, as far as @data tells
 */
gboolean
clip_image_size (const void *data, gsize length, ClipImageSize *out_size)
{
  ClipImageHeader header = { .data = data, .length = length };

  memset (out_size, 0, sizeof *out_size);
  for (guint i = 0; i < G_N_ELEMENTS (readers) && !out_size->format; i++)
    if (begins (data, length, readers[i].bytes, readers[i].length))
      {
        out_size->format = readers[i].format;
        out_size->is_listed = readers[i].read (&header);
      }
  out_size->width = header.width;
  out_size->height = header.height;
  return out_size->is_listed;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* what one reader of a format works on; every byte of it is a stranger's */
typedef struct
{
  const guint8 *data;
  gsize length;
  gsize work; /* what has been looked at, roughly, in bytes */
  guint32 width;
  guint32 height;
} ClipImageHeader;

/* who fills gigabytes with what has to be skipped has no image */
#define CLIP_IMAGE_MAX_WORK (16 << 20)

/* Each sets the size as soon as it has read it. Returns: whether it is an image by the
 * rules of the existing tool */
gboolean clip_image_read_jpeg (ClipImageHeader *self);
gboolean clip_image_read_png (ClipImageHeader *self);
gboolean clip_image_read_tiff (ClipImageHeader *self);
gboolean clip_image_read_webp (ClipImageHeader *self);

static inline gboolean
clip_image_has (const ClipImageHeader *self, gsize at, gsize n)
{
  return at <= self->length && n <= self->length - at;
}

/* Returns: whether there may be so much more of it */
static inline gboolean
clip_image_work (ClipImageHeader *self, gsize bytes)
{
  if (bytes > CLIP_IMAGE_MAX_WORK - self->work)
    return FALSE;
  self->work += bytes;
  return TRUE;
}

/* what lies outside is 0: a reader that cares has asked whether it is there */
static inline guint32
clip_image_le16 (const ClipImageHeader *self, gsize at)
{
  return clip_image_has (self, at, 2) ? self->data[at] | self->data[at + 1] << 8 : 0;
}

static inline guint32
clip_image_be16 (const ClipImageHeader *self, gsize at)
{
  return clip_image_has (self, at, 2) ? self->data[at] << 8 | self->data[at + 1] : 0;
}

static inline guint32
clip_image_le32 (const ClipImageHeader *self, gsize at)
{
  return clip_image_le16 (self, at) | clip_image_le16 (self, at + 2) << 16;
}

static inline guint32
clip_image_be32 (const ClipImageHeader *self, gsize at)
{
  return clip_image_be16 (self, at) << 16 | clip_image_be16 (self, at + 2);
}

G_END_DECLS

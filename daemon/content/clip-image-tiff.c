/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A TIFF is an image where its first directory is sound and in order, and where it says
 * of its samples what the existing tool can decode.
 */
#include "clip-image-header.h"

#include <string.h>

#define ENTRY_BYTES 12
#define INLINE_BYTES 4

enum
{
  TAG_WIDTH = 256,
  TAG_HEIGHT = 257,
  TAG_SAMPLE_BITS = 258,
  TAG_PHOTOMETRIC = 262,
  TAG_COLOURS = 320,
  TAG_EXTRA_SAMPLES = 338,
  TAG_SAMPLE_FORMAT = 339,
};

/* whose value has to be there; ascending */
static const guint16 read_tags[] = {
  TAG_WIDTH,
  TAG_HEIGHT,
  TAG_SAMPLE_BITS,
  259, /* compression */
  TAG_PHOTOMETRIC,
  266, /* the order of bits in a byte */
  273, /* where strips are */
  278, /* their rows */
  279, /* their bytes */
  292, /* two kinds of fax */
  293,
  317, /* predictor */
  TAG_COLOURS,
  322, /* tiles: width, height, places, bytes */
  323,
  324,
  325,
  TAG_EXTRA_SAMPLES,
  TAG_SAMPLE_FORMAT,
};

enum
{
  TYPE_BYTE = 1,
  TYPE_SHORT = 3,
  TYPE_LONG = 4,
};

/* the numbers of one entry */
typedef struct
{
  guint16 type;
  guint32 count;
  gsize at;
} Values;

typedef struct
{
  ClipImageHeader *header;
  guint32 (*get16) (const ClipImageHeader *header, gsize at);
  guint32 (*get32) (const ClipImageHeader *header, gsize at);
  Values sample_bits;
  guint32 photometric;
  guint32 extra_samples;
} Tiff;

static gsize
bytes_of (guint16 type)
{
  return type == TYPE_BYTE ? 1 : type == TYPE_SHORT ? 2 : 4;
}

static guint32
value_at (const Tiff *self, const Values *values, gsize i)
{
  gsize at = values->at + i * bytes_of (values->type);

  return values->type == TYPE_BYTE    ? self->header->data[at]
         : values->type == TYPE_SHORT ? self->get16 (self->header, at)
                                      : self->get32 (self->header, at);
}

static guint32
first_value (const Tiff *self, const Values *values)
{
  return values->count > 0 ? value_at (self, values, 0) : 0;
}

/* few bytes stand in the entry itself, many where it says */
static gboolean
read_values (const Tiff *self, gsize entry, Values *out_values)
{
  guint16 type = (guint16) self->get16 (self->header, entry + 2);
  guint32 count = self->get32 (self->header, entry + 4);
  guint64 bytes = (guint64) count * bytes_of (type);

  if ((type != TYPE_BYTE && type != TYPE_SHORT && type != TYPE_LONG) ||
      bytes > G_MAXINT32)
    return FALSE;
  out_values->type = type;
  out_values->count = count;
  out_values->at =
      bytes > INLINE_BYTES ? self->get32 (self->header, entry + 8) : entry + 8;
  return clip_image_has (self->header, out_values->at, (gsize) bytes);
}

static gboolean
are_all (const Tiff *self, const Values *values, guint32 expected)
{
  if (!clip_image_work (self->header, values->count))
    return FALSE;
  for (guint32 i = 0; i < values->count; i++)
    if (value_at (self, values, i) != expected)
      return FALSE;
  return TRUE;
}

static gboolean
is_read (guint32 tag)
{
  for (guint i = 0; i < G_N_ELEMENTS (read_tags); i++)
    if (read_tags[i] == tag)
      return TRUE;
  return FALSE;
}

static gboolean
read_entry (Tiff *self, guint32 tag, gsize at)
{
  Values values;

  if (!is_read (tag))
    return TRUE;
  if (!read_values (self, at, &values))
    return FALSE;
  if (tag == TAG_WIDTH)
    self->header->width = first_value (self, &values);
  else if (tag == TAG_HEIGHT)
    self->header->height = first_value (self, &values);
  else if (tag == TAG_SAMPLE_BITS)
    self->sample_bits = values;
  else if (tag == TAG_PHOTOMETRIC)
    self->photometric = first_value (self, &values);
  else if (tag == TAG_EXTRA_SAMPLES)
    self->extra_samples = first_value (self, &values);
  else if (tag == TAG_COLOURS)
    return values.count % 3 == 0 && values.count > 0 && values.count <= 3 * 256;
  else if (tag == TAG_SAMPLE_FORMAT)
    return are_all (self, &values, 1);
  return TRUE;
}

#define PHOTOMETRIC_RGB 2
#define PHOTOMETRIC_PALETTE 3

/* what has no such tag is black and white */
static gboolean
are_samples_sound (const Tiff *self)
{
  const Values *bits = &self->sample_bits;
  gboolean given = bits->type != 0;
  guint32 depth = given ? first_value (self, bits) : 1;
  guint32 samples = given ? bits->count : 1;

  if (depth != 1 && depth != 8 && depth != 16)
    return FALSE;
  if (self->photometric != PHOTOMETRIC_RGB)
    return self->photometric <= PHOTOMETRIC_PALETTE && samples == 1;
  if (samples != 3 &&
      (samples != 4 || (self->extra_samples != 1 && self->extra_samples != 2)))
    return FALSE;
  return are_all (self, bits, depth == 16 ? 16 : 8);
}

/* the first directory: a count, then twelve bytes an entry: tag, type, count, value */
static gboolean
read_directory (Tiff *self)
{
  ClipImageHeader *header = self->header;
  gsize at = self->get32 (header, 4);
  guint32 entries = self->get16 (header, at);
  gint64 last_tag = -1;

  if (!clip_image_has (header, at, 2 + (gsize) entries * ENTRY_BYTES))
    return FALSE;
  at += 2;
  for (guint32 i = 0; i < entries; i++, at += ENTRY_BYTES)
    {
      guint32 tag = self->get16 (header, at);

      if (tag <= last_tag || !read_entry (self, tag, at))
        return FALSE;
      last_tag = tag;
    }
  return TRUE;
}

gboolean
clip_image_read_tiff (ClipImageHeader *self)
{
  gboolean little = self->data[0] == 'I';
  Tiff tiff = {
    .header = self,
    .get16 = little ? clip_image_le16 : clip_image_be16,
    .get32 = little ? clip_image_le32 : clip_image_be32,
  };

  return clip_image_has (self, 4, 4) && read_directory (&tiff) &&
         are_samples_sound (&tiff);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A JPEG is an image where its frame is sound and, unless a JFIF segment stands in front
 * of that, what follows is whole up to the first scan. What lies between two segments is
 * passed over, as it always was.
 */
#include "clip-image-header.h"

#include <string.h>

#define MOST_COMPONENTS 4

typedef struct
{
  ClipImageHeader *header;
  gsize at;
  guint components; /* 0: no frame yet */
  gboolean jfif;
} Jpeg;

enum
{
  FRAME_BASELINE = 0xC0,
  FRAME_PROGRESSIVE = 0xC2,
  HUFFMAN_TABLES = 0xC4,
  RESTART_FIRST = 0xD0,
  RESTART_LAST = 0xD7,
  IMAGE_END = 0xD9,
  SCAN = 0xDA,
  QUANTIZATION_TABLES = 0xDB,
  RESTART_INTERVAL = 0xDD,
  APP_FIRST = 0xE0,
  APP_LAST = 0xEF,
  COMMENT = 0xFE,
};

/* what skipping a segment costs: a page that may have to be read */
#define SEGMENT_WORK 1024

static int
read_byte (Jpeg *self)
{
  ClipImageHeader *header = self->header;

  if (self->at >= header->length || !clip_image_work (header, 1))
    return -1;
  return header->data[self->at++];
}

/* Returns: -1 where there is none */
static int
next_marker (Jpeg *self)
{
  for (;;)
    {
      int mark = read_byte (self);
      int marker = read_byte (self);

      while (mark != 0xFF && marker >= 0)
        {
          mark = marker;
          marker = read_byte (self);
        }
      if (marker == 0) /* a byte of data that happens to be FF */
        continue;
      while (marker == 0xFF)
        marker = read_byte (self);
      return marker;
    }
}

/* how a component's sampling has to fit those before it: what the existing tool can
   decode */
static gboolean
samples_well (const guint8 *samplings, guint i, guint components)
{
  guint8 h = samplings[i] >> 4, v = samplings[i] & 0xF;

  if ((h != 1 && h != 2 && h != 4) || (v != 1 && v != 2 && v != 4))
    return FALSE;
  if (components == 3)
    return i == 0   ? v != 4
           : i == 1 ? (samplings[0] >> 4) % h == 0 && (samplings[0] & 0xF) % v == 0
                    : samplings[1] == samplings[i];
  if (components == 4)
    return i == 0   ? samplings[0] == 0x11 || samplings[0] == 0x22
           : i == 3 ? samplings[0] == samplings[i]
                    : samplings[i] == 0x11;
  return TRUE;
}

/* each has three bytes: a name of its own, its sampling, its table */
static gboolean
are_components_sound (const guint8 *data, guint components)
{
  guint8 samplings[MOST_COMPONENTS];

  for (guint i = 0; i < components; i++)
    {
      for (guint j = 0; j < i; j++)
        if (data[3 * i] == data[3 * j])
          return FALSE;
      samplings[i] = data[3 * i + 1];
      if (data[3 * i + 2] > 3 || !samples_well (samplings, i, components))
        return FALSE;
    }
  return TRUE;
}

#define FRAME_BYTES 6

static void
read_size (Jpeg *self)
{
  self->header->height = clip_image_be16 (self->header, self->at + 1);
  self->header->width = clip_image_be16 (self->header, self->at + 3);
}

static gboolean
read_frame (Jpeg *self, guint length)
{
  const guint8 *data = self->header->data + self->at;
  guint components;

  if (self->components > 0 || length < FRAME_BYTES)
    return FALSE;
  read_size (self);
  components = (length - FRAME_BYTES) / 3;
  if (length != FRAME_BYTES + 3 * components ||
      (components != 1 && components != 3 && components != 4))
    return FALSE;
  self->components = components;
  return data[0] == 8 && data[5] == components &&
         are_components_sound (data + FRAME_BYTES, components);
}

static gboolean
is_passed_over (int marker)
{
  return marker == HUFFMAN_TABLES || marker == QUANTIZATION_TABLES ||
         marker == RESTART_INTERVAL || marker == COMMENT ||
         (marker >= APP_FIRST && marker <= APP_LAST);
}

/* a frame of a kind that the existing tool does not decode; it has a size all the same */
static gboolean
is_other_frame (int marker)
{
  return marker > FRAME_PROGRESSIVE && marker <= 0xCF && marker != HUFFMAN_TABLES &&
         marker != 0xC8 && marker != 0xCC;
}

typedef enum
{
  MORE,
  SOUND,
  UNSOUND,
} Soundness;

static Soundness
read_segment (Jpeg *self, int marker, guint length)
{
  ClipImageHeader *header = self->header;

  if (marker == SCAN)
    return self->components > 0 ? SOUND : UNSOUND;
  if (is_other_frame (marker))
    read_size (self);
  if (!clip_image_has (header, self->at, length) ||
      !clip_image_work (header, SEGMENT_WORK))
    return UNSOUND;
  if (marker >= FRAME_BASELINE && marker <= FRAME_PROGRESSIVE)
    {
      if (!read_frame (self, length))
        return UNSOUND;
      return self->jfif ? SOUND : MORE;
    }
  if (marker == APP_FIRST && length >= 5)
    self->jfif = memcmp (header->data + self->at, "JFIF", 5) == 0;
  return is_passed_over (marker) ? MORE : UNSOUND;
}

gboolean
clip_image_read_jpeg (ClipImageHeader *self)
{
  Jpeg jpeg = { .header = self, .at = 2 };
  Soundness soundness = MORE;

  while (soundness == MORE)
    {
      int marker = next_marker (&jpeg);
      guint length;

      if (marker < 0 || marker == IMAGE_END)
        return FALSE;
      if (marker >= RESTART_FIRST && marker <= RESTART_LAST)
        continue;
      length = clip_image_be16 (self, jpeg.at); /* its own two bytes count */
      if (length < 2)
        return FALSE;
      jpeg.at += 2;
      soundness = read_segment (&jpeg, marker, length - 2);
      jpeg.at += length - 2;
    }
  return soundness == SOUND;
}

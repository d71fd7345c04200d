/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which blocks hold a trigram, for a run of trigrams that lie in one row. Of each: how
 * far it is from the one before, in seven bits a byte; how many blocks there are; their
 * numbers, a byte each. Where that would be longer than a bit for each block, the count
 * is 0 and the bits follow.
 */
#include "clip-postings.h"

#include <string.h>

#define SET_BYTES (CLIP_SEGMENT_BLOCKS / 8)

void
clip_postings_append_number (GByteArray *out, guint64 number)
{
  guint8 byte;

  for (; number >= 0x80; number >>= 7)
    {
      byte = (guint8) (number | 0x80);
      g_byte_array_append (out, &byte, 1);
    }
  byte = (guint8) number;
  g_byte_array_append (out, &byte, 1);
}

/* Returns: its bytes; 0 where @data is not one */
gsize
clip_postings_read_number (const guint8 *data, gsize length, guint64 *out_number)
{
  *out_number = 0;
  for (gsize i = 0; i < MIN (length, 9); i++)
    {
      *out_number |= (guint64) (data[i] & 0x7F) << 7 * i;
      if (data[i] < 0x80)
        return i + 1;
    }
  return 0;
}

static guint
count (const ClipBlockSet *blocks)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (blocks->words); i++)
    n += (guint) __builtin_popcountll (blocks->words[i]);
  return n;
}

void
clip_postings_append_set (GByteArray *out, const ClipBlockSet *blocks)
{
  for (guint i = 0; i < G_N_ELEMENTS (blocks->words); i++)
    {
      guint64 word = GUINT64_TO_LE (blocks->words[i]);

      g_byte_array_append (out, (const guint8 *) &word, sizeof word);
    }
}

/* @data: of %CLIP_SEGMENT_BLOCKS bits */
void
clip_postings_read_set (const guint8 *data, ClipBlockSet *out_blocks)
{
  memcpy (out_blocks, data, SET_BYTES);
  for (guint i = 0; i < G_N_ELEMENTS (out_blocks->words); i++)
    out_blocks->words[i] = GUINT64_FROM_LE (out_blocks->words[i]);
}

/* @skip: how far the trigram is from the one before it in this row; 0 for the first */
void
clip_postings_append (GByteArray *out, guint32 skip, const ClipBlockSet *blocks)
{
  guint n = count (blocks);
  guint8 first = (guint8) (n < SET_BYTES ? n : 0);

  clip_postings_append_number (out, skip);
  g_byte_array_append (out, &first, 1);
  if (first == 0)
    clip_postings_append_set (out, blocks);
  for (guint block = 0; first > 0 && block < CLIP_SEGMENT_BLOCKS; block++)
    if (clip_block_set_has (blocks, block))
      {
        guint8 byte = (guint8) block;

        g_byte_array_append (out, &byte, 1);
      }
}

static void
read_blocks (const guint8 *data, guint8 n, ClipBlockSet *out_blocks)
{
  if (n == 0)
    clip_postings_read_set (data, out_blocks);
  for (guint8 i = 0; i < n; i++)
    clip_block_set_add (out_blocks, data[i]);
}

/**
 * clip_postings_find:
 * @data: a row of postings
 * @distance: how far the trigram is from the first one of the row
 * @out_blocks: (out): where it is. All blocks where the row cannot be read: a damaged
 * index makes searching slow, never wrong.
 */
void
clip_postings_find (const guint8 *data,
                    gsize length,
                    guint32 distance,
                    ClipBlockSet *out_blocks)
{
  guint64 at = 0;

  memset (out_blocks, 0, sizeof *out_blocks);
  while (length > 0)
    {
      guint64 skip;
      gsize used = clip_postings_read_number (data, length, &skip);
      guint8 n = used > 0 && used < length ? data[used] : 0;
      gsize size = used + 1 + (n == 0 ? SET_BYTES : n);

      if (used == 0 || size > length)
        {
          memset (out_blocks, 0xFF, sizeof *out_blocks);
          return;
        }
      at += skip;
      if (at >= distance)
        {
          if (at == distance)
            read_blocks (data + used + 1, n, out_blocks);
          return;
        }
      data += size;
      length -= size;
    }
}

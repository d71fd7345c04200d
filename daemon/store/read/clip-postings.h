/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* a segment has at most so many blocks: a block's number is one byte */
#define CLIP_SEGMENT_BLOCKS 256

/* some of the blocks of a segment */
typedef struct
{
  guint64 words[CLIP_SEGMENT_BLOCKS / 64];
} ClipBlockSet;

static inline void
clip_block_set_add (ClipBlockSet *self, guint block)
{
  self->words[block / 64] |= G_GUINT64_CONSTANT (1) << block % 64;
}

static inline gboolean
clip_block_set_has (const ClipBlockSet *self, guint block)
{
  return (self->words[block / 64] >> block % 64 & 1) != 0;
}

void clip_postings_append_number (GByteArray *out, guint64 number);
gsize clip_postings_read_number (const guint8 *data, gsize length, guint64 *out_number);
void clip_postings_append (GByteArray *out, guint32 skip, const ClipBlockSet *blocks);
void clip_postings_append_set (GByteArray *out, const ClipBlockSet *blocks);
void clip_postings_read_set (const guint8 *data, ClipBlockSet *out_blocks);
void clip_postings_find (const guint8 *data,
                         gsize length,
                         guint32 distance,
                         ClipBlockSet *out_blocks);

G_END_DECLS

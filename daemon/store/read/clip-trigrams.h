/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

#define CLIP_TRIGRAM_BYTES 3

/* the three bytes of a folded text that start at @bytes, as one number below 1 << 24 */
static inline guint32
clip_trigram_at (const guint8 *bytes)
{
  return (guint32) bytes[0] << 16 | (guint32) bytes[1] << 8 | bytes[2];
}

void clip_trigrams_fold (GByteArray *out, const void *text, gsize length);

G_END_DECLS

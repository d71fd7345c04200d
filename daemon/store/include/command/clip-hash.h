/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

#define CLIP_HASH_BYTES 16

/* XXH3-128 in its canonical form: the same on every machine. */
typedef struct
{
  guint8 bytes[CLIP_HASH_BYTES];
} ClipHash;

/* a hash in the making */
typedef struct ClipHasher ClipHasher;

ClipHasher *clip_hasher_new (void);
void clip_hasher_free (ClipHasher *self);
void clip_hasher_add (ClipHasher *self, const void *data, gsize length);
ClipHash clip_hasher_end (const ClipHasher *self);

/* in hex */
#define CLIP_HASH_HEX_BYTES (2 * CLIP_HASH_BYTES + 1)

ClipHash clip_hash_of (const void *data, gsize length);
void clip_hash_format (const ClipHash *hash, char out_hex[CLIP_HASH_HEX_BYTES]);
gint64 clip_hash_short (const ClipHash *hash);

#define CLIP_SUM_MASK G_GINT64_CONSTANT (0xffffffffffff)

gint64 clip_sum (gint64 id,
                 gint64 position,
                 const char *mime,
                 gint64 size,
                 const void *data,
                 gsize length);
gint64 clip_sum_step (gint64 from, gint64 to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipHasher, clip_hasher_free)

G_END_DECLS

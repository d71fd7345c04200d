/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-hash.h"

#include <string.h>

/* compiled in: another library to load is what a reader would wait for */
#define XXH_INLINE_ALL
#include <xxhash.h>

struct ClipHasher
{
  XXH3_state_t state;
};

/* odd: ids that differ have sums that differ */
#define ID_FACTOR G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

G_STATIC_ASSERT (sizeof (XXH128_canonical_t) == CLIP_HASH_BYTES);

/* (transfer full): the hash of nothing yet */
ClipHasher *
clip_hasher_new (void)
{
  ClipHasher *self = g_aligned_alloc (1, sizeof (ClipHasher), G_ALIGNOF (ClipHasher));

  XXH3_INITSTATE (&self->state);
  XXH3_128bits_reset (&self->state);
  return self;
}

void
clip_hasher_free (ClipHasher *self)
{
  g_aligned_free (self);
}

void
clip_hasher_add (ClipHasher *self, const void *data, gsize length)
{
  if (length)
    XXH3_128bits_update (&self->state, data, length);
}

static ClipHash
canonical_of (XXH128_hash_t value)
{
  XXH128_canonical_t canonical;
  ClipHash hash;

  XXH128_canonicalFromHash (&canonical, value);
  memcpy (hash.bytes, canonical.digest, sizeof hash.bytes);
  return hash;
}

ClipHash
clip_hasher_end (const ClipHasher *self)
{
  return canonical_of (XXH3_128bits_digest (&self->state));
}

/* of all that there is, in one piece */
ClipHash
clip_hash_of (const void *data, gsize length)
{
  return canonical_of (XXH3_128bits (length ? data : "", length));
}

/* @out_hex: (out): in lower case, with a NUL behind it */
void
clip_hash_format (const ClipHash *hash, char out_hex[CLIP_HASH_HEX_BYTES])
{
  for (guint i = 0; i < CLIP_HASH_BYTES; i++)
    g_snprintf (out_hex + 2 * i, 3, "%02x", hash->bytes[i]);
}

/* the last 40 bits: what the table of duplicates keeps */
gint64
clip_hash_short (const ClipHash *hash)
{
  gint64 value = 0;

  for (guint i = CLIP_HASH_BYTES - 5; i < CLIP_HASH_BYTES; i++)
    value = value << 8 | hash->bytes[i];
  return value;
}

/**
 * clip_sum:
 * @id: of the entry
 * @position: of the content in it; 0 = the primary one
 * @size: of the content
 * @data: the content, or the hash of the file that holds it
 *
 * Returns: the checksum, 48 bits, that the row of a content carries: a page that was
 * changed below SQLite does not pass for another content, nor for the same one of another
 * entry or type
 */
gint64
clip_sum (gint64 id,
          gint64 position,
          const char *mime,
          gint64 size,
          const void *data,
          gsize length)
{
  guint64 seed = XXH3_64bits_withSeed (mime, strlen (mime),
                                       (guint64) size * ID_FACTOR + (guint64) position);
  guint64 sum = XXH3_64bits_withSeed (length ? data : "", length, seed);

  return (gint64) ((sum + (guint64) id * ID_FACTOR) & CLIP_SUM_MASK);
}

/* what is added to a sum, modulo 2^48, when the entry gets another id */
gint64
clip_sum_step (gint64 from, gint64 to)
{
  return (gint64) (((guint64) to - (guint64) from) * ID_FACTOR & CLIP_SUM_MASK);
}

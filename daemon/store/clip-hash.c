/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-hash.h"

#include <string.h>
#include <xxhash.h>

G_STATIC_ASSERT (sizeof (XXH128_canonical_t) == CLIP_HASH_BYTES);

/* (transfer full): the hash of nothing yet */
ClipHasher *
clip_hasher_new (void)
{
  ClipHasher *self = XXH3_createState ();

  XXH3_128bits_reset (self);
  return self;
}

void
clip_hasher_free (ClipHasher *self)
{
  XXH3_freeState (self);
}

void
clip_hasher_add (ClipHasher *self, const void *data, gsize length)
{
  if (length)
    XXH3_128bits_update (self, data, length);
}

ClipHash
clip_hasher_end (const ClipHasher *self)
{
  XXH128_canonical_t canonical;
  ClipHash hash;

  XXH128_canonicalFromHash (&canonical, XXH3_128bits_digest (self));
  memcpy (hash.bytes, canonical.digest, sizeof hash.bytes);
  return hash;
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-thumbnail-name.h"

#include <string.h>

/**
 * clip_thumbnail_name:
 * @hash: of the image, which is the primary content of an entry
 * @out_name: (out): of the file in the folder of the thumbnails
 */
void
clip_thumbnail_name (const ClipHash *hash, char out_name[CLIP_THUMBNAIL_NAME_BYTES])
{
  static const char hex[] = "0123456789abcdef";
  char *end = out_name;

  for (guint i = 0; i < CLIP_HASH_BYTES; i++)
    {
      *end++ = hex[hash->bytes[i] >> 4];
      *end++ = hex[hash->bytes[i] & 0xF];
    }
  memcpy (end, ".png", sizeof ".png");
}

/**
 * clip_thumbnail_name_parse:
 *
 * Returns: whether @name is one that clip_thumbnail_name() makes
 */
gboolean
clip_thumbnail_name_parse (const char *name, ClipHash *out_hash)
{
  char again[CLIP_THUMBNAIL_NAME_BYTES];

  if (strlen (name) + 1 != sizeof again)
    return FALSE;
  for (guint i = 0; i < CLIP_HASH_BYTES; i++)
    {
      int high = g_ascii_xdigit_value (name[2 * i]);
      int low = g_ascii_xdigit_value (name[2 * i + 1]);

      if (high < 0 || low < 0)
        return FALSE;
      out_hash->bytes[i] = (guint8) (high << 4 | low);
    }
  clip_thumbnail_name (out_hash, again);
  return strcmp (name, again) == 0;
}

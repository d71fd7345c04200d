/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-thumbnail-name.h"

#include <string.h>
#include <unistd.h>

#define SUFFIX_BYTES sizeof ".png"

static const char suffixes[][SUFFIX_BYTES] = {
  [CLIP_THUMBNAIL_FILE] = ".png",
  [CLIP_THUMBNAIL_PIXELS] = ".pam",
};

/**
 * clip_thumbnail_name:
 * @hash: of the image, which is the primary content of an entry
 * @out_name: (out): of the file in the folder of the thumbnails
 */
void
clip_thumbnail_name (const ClipHash *hash,
                     ClipThumbnailKind kind,
                     char out_name[CLIP_THUMBNAIL_NAME_BYTES])
{
  clip_hash_format (hash, out_name);
  memcpy (out_name + 2 * CLIP_HASH_BYTES, suffixes[kind], SUFFIX_BYTES);
}

/* the name for as long as we make it */
void
clip_thumbnail_part_name (const char *name, char out_part[CLIP_THUMBNAIL_PART_BYTES])
{
  g_snprintf (out_part, CLIP_THUMBNAIL_PART_BYTES, ".%s.%d", name, (int) getpid ());
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
  gboolean is_same = FALSE;

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
  for (guint kind = 0; kind < G_N_ELEMENTS (suffixes) && !is_same; kind++)
    {
      clip_thumbnail_name (out_hash, (ClipThumbnailKind) kind, again);
      is_same = strcmp (name, again) == 0;
    }
  return is_same;
}

/* as clip_thumbnail_name_parse(), for what clip_thumbnail_part_name() makes */
gboolean
clip_thumbnail_part_parse (const char *part, ClipHash *out_hash)
{
  char name[CLIP_THUMBNAIL_NAME_BYTES];
  gsize length = sizeof name - 1;

  if (*part != '.' || strlen (part) <= 1 + length || part[1 + length] != '.')
    return FALSE;
  g_strlcpy (name, part + 1, sizeof name);
  return clip_thumbnail_name_parse (name, out_hash);
}

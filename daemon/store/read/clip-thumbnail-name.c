/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The name is of the image, and of the very folder: pickers decode what is in the file,
 * which is to be nothing that came with a history folder from another person. No copy of
 * a folder has its number and the moment in which it was made.
 */
#include "clip-thumbnail-name.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX_BYTES sizeof ".png"

/* where the mark begins, with a hyphen */
#define MARK_AT (2 * CLIP_HASH_BYTES)

static const char suffixes[][SUFFIX_BYTES] = {
  [CLIP_THUMBNAIL_FILE] = ".png",
  [CLIP_THUMBNAIL_PIXELS] = ".pam",
};

/* Returns: the hash of an image without the folder's, or with it where it has none */
static ClipHash
mix (int folder_fd, const ClipHash *hash)
{
  struct statx folder = { 0 };
  guint64 identity[3] = { 0 };
  ClipHash mixed;

  if (statx (folder_fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &folder) == 0)
    {
      identity[0] = folder.stx_ino;
      identity[1] = (guint64) folder.stx_btime.tv_sec;
      identity[2] = folder.stx_btime.tv_nsec;
    }
  mixed = clip_hash_of (identity, sizeof identity);
  for (guint i = 0; i < CLIP_HASH_BYTES; i++)
    mixed.bytes[i] ^= hash->bytes[i];
  return mixed;
}

/**
 * clip_thumbnail_name:
 * @folder_fd: of the thumbnails
 * @hash: of the image, which is the primary content of an entry
 * @mark: of the image, see clip_payload_mark()
 * @out_name: (out): of the file in the folder of the thumbnails
 */
void
clip_thumbnail_name (int folder_fd,
                     const ClipHash *hash,
                     guint64 mark,
                     ClipThumbnailKind kind,
                     char out_name[CLIP_THUMBNAIL_NAME_BYTES])
{
  const ClipHash mixed = mix (folder_fd, hash);

  clip_hash_format (&mixed, out_name);
  g_snprintf (out_name + MARK_AT, CLIP_THUMBNAIL_NAME_BYTES - MARK_AT,
              "-%016" G_GINT64_MODIFIER "x%s", mark, suffixes[kind]);
}

/* the name for as long as we make it */
void
clip_thumbnail_part_name (const char *name, char out_part[CLIP_THUMBNAIL_PART_BYTES])
{
  g_snprintf (out_part, CLIP_THUMBNAIL_PART_BYTES, ".%s.%d", name, (int) getpid ());
}

/**
 * clip_thumbnail_name_parse:
 * @folder_fd: of the thumbnails
 * @out_hash: (out): of the image; of none where it was made in another folder
 *
 * Returns: whether @name is one that clip_thumbnail_name() makes
 */
gboolean
clip_thumbnail_name_parse (int folder_fd, const char *name, ClipHash *out_hash)
{
  char again[CLIP_THUMBNAIL_NAME_BYTES];
  gboolean is_same = FALSE;
  guint64 mark;

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
  *out_hash = mix (folder_fd, out_hash);
  mark = g_ascii_strtoull (name + MARK_AT + 1, NULL, 16);
  for (guint kind = 0; kind < G_N_ELEMENTS (suffixes) && !is_same; kind++)
    {
      clip_thumbnail_name (folder_fd, out_hash, mark, (ClipThumbnailKind) kind, again);
      is_same = strcmp (name, again) == 0;
    }
  return is_same;
}

/* as clip_thumbnail_name_parse(), for what clip_thumbnail_part_name() makes */
gboolean
clip_thumbnail_part_parse (int folder_fd, const char *part, ClipHash *out_hash)
{
  char name[CLIP_THUMBNAIL_NAME_BYTES];
  gsize length = sizeof name - 1;

  if (*part != '.' || strlen (part) <= 1 + length || part[1 + length] != '.')
    return FALSE;
  g_strlcpy (name, part + 1, sizeof name);
  return clip_thumbnail_name_parse (folder_fd, name, out_hash);
}

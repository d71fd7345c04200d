/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-hash.h"
G_BEGIN_DECLS

/* Below the folder of the history, so that one in memory leaves nothing on the disk, and
 * whoever removes a history has removed its thumbnails. */
#define CLIP_THUMBNAILS_DIR "thumbnails"

typedef enum
{
  CLIP_THUMBNAIL_FILE,   /* a PNG, for whoever is shown files */
  CLIP_THUMBNAIL_PIXELS, /* a PAM of the size of an icon, for whoever is sent pixels */
} ClipThumbnailKind;

/* a hash in hex, a mark in hex, and a suffix */
#define CLIP_THUMBNAIL_NAME_BYTES \
  (2 * CLIP_HASH_BYTES + 1 + 2 * sizeof (guint64) + sizeof ".png")

/* while it is being made: a dot before that, and a process behind it */
#define CLIP_THUMBNAIL_PART_BYTES (CLIP_THUMBNAIL_NAME_BYTES + 16)

void clip_thumbnail_name (int folder_fd,
                          const ClipHash *hash,
                          guint64 mark,
                          ClipThumbnailKind kind,
                          char out_name[CLIP_THUMBNAIL_NAME_BYTES]);
void clip_thumbnail_part_name (const char *name,
                               char out_part[CLIP_THUMBNAIL_PART_BYTES]);
gboolean clip_thumbnail_name_parse (int folder_fd, const char *name, ClipHash *out_hash);
gboolean clip_thumbnail_part_parse (int folder_fd, const char *part, ClipHash *out_hash);

G_END_DECLS

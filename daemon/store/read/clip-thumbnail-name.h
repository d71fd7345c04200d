/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-hash.h"
G_BEGIN_DECLS

/* Below the folder of the history, so that one in memory leaves nothing on the disk, and whoever
 * removes a history has removed its thumbnails. */
#define CLIP_THUMBNAILS_DIR "thumbnails"

/* the hash in hex, and a suffix */
#define CLIP_THUMBNAIL_NAME_BYTES (2 * CLIP_HASH_BYTES + sizeof ".png")

void clip_thumbnail_name (const ClipHash *hash, char out_name[CLIP_THUMBNAIL_NAME_BYTES]);
gboolean clip_thumbnail_name_parse (const char *name, ClipHash *out_hash);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* what SQLite may take on the disk before its first write, and more */
#define CLIP_INDEX_ROOM_BYTES (256 * 1024)

gboolean clip_index_room_is_short (const char *path);

G_END_DECLS

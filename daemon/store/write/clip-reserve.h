/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Room on the disk that is kept for what gives room back. */
#define CLIP_RESERVE_NAME "reserve"
#define CLIP_RESERVE_BYTES (1024 * 1024)

gboolean clip_reserve_keep (const char *dir, GError **error);
goffset clip_reserve_lacks (const char *dir);
gboolean clip_reserve_release (const char *dir);
gboolean clip_reserve_release_part (const char *dir);

G_END_DECLS

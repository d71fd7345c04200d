/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* Thumbnails for what a search has found. @paths: (element-type gint64 filename) (nullable): of the
 * images among the entries that have one by now. */
typedef void (*ClipFinderIconsFunc) (GHashTable *paths, gpointer user_data);

void clip_finder_icons_find (const char *store_dir,
                             GPtrArray *entries,
                             ClipFinderIconsFunc found,
                             gpointer user_data);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
#include "clip-thumbnail-name.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* Thumbnails for what a search has found. @icons: (element-type gint64 GVariant): of the
 * images among the entries that have one by now: a serialized GIcon, or the pixels, as
 * notifications and KRunner have them (iiibiiay). */
typedef void (*ClipFinderIconsFunc) (GHashTable *icons, gpointer user_data);

void clip_finder_icons_find (const char *store_dir,
                             GPtrArray *entries,
                             ClipThumbnailKind kind,
                             ClipFinderIconsFunc found,
                             gpointer user_data);

G_END_DECLS

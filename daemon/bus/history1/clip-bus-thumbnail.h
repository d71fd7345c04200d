/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Thumbnails of a history for those who call. */

/* what is kept, and given where nothing is said; up to what is made for one call alone */
#define CLIP_BUS_THUMBNAIL_PIXELS 256
#define CLIP_BUS_THUMBNAIL_MAX_PIXELS 2048

void clip_bus_thumbnail_async (const char *store_dir,
                               gint64 id,
                               guint pixels,
                               gint64 pid,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
int clip_bus_thumbnail_finish (GAsyncResult *result, GError **error);

G_END_DECLS

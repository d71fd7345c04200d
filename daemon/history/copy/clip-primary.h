/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-clipboard.h"
G_BEGIN_DECLS

/* What is selected with the mouse (X11's PRIMARY and what takes its place on Wayland),
 * where the user wants it to be kept. It is never taken over by itself, since a program
 * whose selection is taken shows it as gone, but only where a caller asks for that,
 * to paste it into one that knows no other way. */
#define CLIP_TYPE_PRIMARY (clip_primary_get_type ())
G_DECLARE_FINAL_TYPE (ClipPrimary, clip_primary, CLIP, PRIMARY, GObject)

ClipPrimary *clip_primary_new (ClipStore *store,
                               ClipTransfers *transfers,
                               ClipLongTransfers *long_transfers,
                               ClipPause *pause,
                               ClipClipboard *clipboard);
void clip_primary_close (ClipPrimary *self);
void clip_primary_set_settings (ClipPrimary *self, const ClipSettings *settings);
void clip_primary_watch (ClipPrimary *self, ClipBackend *backend);
void clip_primary_unwatch (ClipPrimary *self, ClipBackend *backend);
void clip_primary_spare (ClipPrimary *self, gint64 id);
void clip_primary_own_async (ClipPrimary *self,
                             ClipBackend *backend,
                             gint64 id,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean clip_primary_own_finish (ClipPrimary *self,
                                  GAsyncResult *result,
                                  GError **error);

G_END_DECLS

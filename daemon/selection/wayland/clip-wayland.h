/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

/* ext-data-control-v1 or wlr-data-control-unstable-v1, whichever the compositor has */
void clip_wayland_new_async (const char *display_name,
                             gboolean primary,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
ClipBackend *clip_wayland_new_finish (GAsyncResult *result, GError **error);

G_END_DECLS

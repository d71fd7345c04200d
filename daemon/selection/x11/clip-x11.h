/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

/* an X11 server: XFixes to watch, ICCCM to receive and to serve; its own thread and
 * connection */
ClipBackend *clip_x11_new (const char *display_name, gboolean primary, GError **error);
void clip_x11_new_async (const char *display_name,
                         gboolean primary,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data);
ClipBackend *clip_x11_new_finish (GAsyncResult *result, GError **error);

G_END_DECLS

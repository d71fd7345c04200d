/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

char *clip_x_socket_beside (const char *wayland_socket, const GArray *parents);
gboolean clip_x_socket_is_apart (const char *display_name, const char *wayland_socket);
gboolean clip_x_socket_is_at (const char *path, const char *display_name);
gboolean clip_x_socket_is_used (const char *display_name);
gboolean clip_x_socket_is_listed (const char *sockets, const char *display_name);

G_END_DECLS

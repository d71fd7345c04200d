/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

struct wl_display;

/* @why is valid during the call */
typedef void (*ClipWaylandLost) (const char *why, gpointer user_data);

char *clip_wayland_display_find (const char *name, GError **error);
int clip_wayland_display_connect_on_thread (const char *path);
GSource *clip_wayland_display_new (const char *path, int fd_take, GError **error);
struct wl_display *clip_wayland_display_get (GSource *source);
void clip_wayland_display_watch (GSource *source,
                                 ClipWaylandLost lost,
                                 gpointer user_data);
gboolean clip_wayland_display_flush (GSource *source, GError **error);

G_END_DECLS

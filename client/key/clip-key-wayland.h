/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

struct wl_display;

gboolean clip_key_wayland_await (struct wl_display *display, GError **error);
gboolean clip_key_wayland_has_focus (struct wl_display *display);

G_END_DECLS

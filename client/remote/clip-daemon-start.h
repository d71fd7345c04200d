/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

void clip_daemon_tell_display (GDBusConnection *bus);
gboolean clip_daemon_start (GDBusConnection *bus, gboolean is_to_watch, GError **error);
gboolean clip_daemon_show_display (GDBusConnection *bus);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

gboolean clip_session_bus_is_named (void);
GDBusConnection *clip_session_bus (GError **error);
void clip_session_bus_hand_on (void);
GDBusConnection *clip_session_bus_at (const char *address, guint ms, GError **error);

G_END_DECLS

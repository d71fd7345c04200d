/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

GDBusConnection *clip_private_daemon_start (const char *store, GError **error);
gboolean clip_private_daemon_has_said_why (const GError *error);
gboolean clip_private_daemon_repair (const char *store, GError **error);

G_END_DECLS

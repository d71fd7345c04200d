/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* When each connection to the bus was made, as far as it happened before us. */
typedef struct ClipConnections ClipConnections;

ClipConnections *clip_connections_new (GDBusConnection *bus);
void clip_connections_free (ClipConnections *self);
gint64 clip_connections_since (const ClipConnections *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipConnections, clip_connections_free)

G_END_DECLS

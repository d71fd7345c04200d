/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

void clip_bus_error_note_limits (GDBusMethodInvocation *invocation);
void clip_bus_return_error (GDBusMethodInvocation *invocation, const GError *error);
void clip_bus_error_refuse (GDBusConnection *bus, GDBusMessage *call, const char *why);

G_END_DECLS

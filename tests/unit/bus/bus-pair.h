/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Two connections, of which one plays the bus: it says who sends, as a bus does. */
void bus_pair_connect (GDBusConnection **out_bus, GDBusConnection **out_client);
void bus_pair_close (GDBusConnection *bus_take, GDBusConnection *client_take);

G_END_DECLS

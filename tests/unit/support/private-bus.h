/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
#include <unistd.h>
G_BEGIN_DECLS

/* GLib forks a process that ends the bus when the test has ended, as its end of a pipe
   closes; the next bus of the same test is not to inherit that end, and live on */
static inline void
private_bus_up (GTestDBus *bus)
{
  g_test_dbus_up (bus);
  close_range (STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

G_END_DECLS

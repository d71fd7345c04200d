/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* With the main () of the window: what was deleted can be taken back for a thousand times
 * as long, however slow the machine is. */
#include <glib.h>

/* instead of GLib's */
guint
g_timeout_add_seconds (guint seconds, GSourceFunc function, gpointer data)
{
  return g_timeout_add (seconds * 1000 * 1000, function, data);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* With the main () of the window: what was deleted can be taken back for a thousand times
 * as long, however slow the machine is. With CLIP_TEST_CLICKS in its environment a second
 * click is waited for until SIGUSR1. */
#include <glib-unix.h>

/* of a second click, as the window has it */
#define SECOND_CLICK_MS 300

static void
on_over (gpointer data)
{
  g_print ("no second click is waited for\n");
}

/* instead of GLib's */
guint
g_timeout_add (guint ms, GSourceFunc function, gpointer data)
{
  if (ms == SECOND_CLICK_MS && g_getenv ("CLIP_TEST_CLICKS"))
    return g_unix_signal_add_full (G_PRIORITY_DEFAULT, SIGUSR1, function, data, on_over);
  return g_timeout_add_full (G_PRIORITY_DEFAULT, ms, function, data, NULL);
}

/* instead of GLib's */
guint
g_timeout_add_seconds (guint seconds, GSourceFunc function, gpointer data)
{
  return g_timeout_add (seconds * 1000 * 1000, function, data);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The connection to the system's bus, which the tests have a bus of their own for. */
#include "clip-session-watch.h"
#include "history-fixture.h"

static void
set_up (HistoryFixture *self, gconstpointer data)
{
  history_fixture_setup (self, data);
  clip_settings_set (self->settings, CLIP_SETTING_CLEAR_ON, "logout", CLIP_FROM_FLAG,
                     NULL);
  clip_history_set_settings (self->history, self->settings);
}

/* on whichever thread lets it go last */
static void
on_gone (gpointer is_gone, GObject *where_it_was G_GNUC_UNUSED)
{
  g_atomic_int_set ((gint *) is_gone, TRUE);
}

static void
on_no_logind (gpointer user_data G_GNUC_UNUSED)
{
}

/* one that is told to end before it has begun asks for the bus a second time */
static void
test_nothing_left (HistoryFixture *self, gconstpointer data)
{
  ClipSessionWatch *watch =
      clip_session_watch_new (self->history, NULL, on_no_logind, NULL);
  GDBusConnection *system;
  gint is_gone = FALSE; /* atomic */

  if (GPOINTER_TO_INT (data))
    g_assert_false (clip_session_watch_is_over (watch));
  system = g_bus_get_sync (G_BUS_TYPE_SYSTEM, NULL, NULL);
  g_assert_nonnull (system);
  /* which the watch sees to once it has it */
  wait_until (!g_dbus_connection_get_exit_on_close (system));
  g_object_weak_ref (G_OBJECT (system), on_gone, &is_gone);
  g_object_unref (system);
  clip_session_watch_free (watch);
  wait_until (g_atomic_int_get (&is_gone));
}

#define add(path, is_over) \
  g_test_add ("/session-watch/" path, HistoryFixture, GINT_TO_POINTER (is_over), set_up, \
              test_nothing_left, history_fixture_teardown)

int
main (int argc, char *argv[])
{
  GTestDBus *bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  int status;

  g_test_init (&argc, &argv, NULL);
  /* it forks a process that outlives the bus, which no thread may be in the way of */
  g_test_dbus_up (bus);
  g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (bus), TRUE);
  add ("lets-the-bus-go", FALSE);
  add ("told-to-end-before-it-began-lets-the-bus-go", TRUE);
  status = g_test_run ();
  g_test_dbus_down (bus);
  g_object_unref (bus);
  return status;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A daemon that comes and goes, and a clock that is set forward; what starts it again is
   counted. */
#include "clip-configure.h"
#include "clip-daemon-restart.h"
#include "later-clock.h"
#include "private-bus.h"
#include "wait-until.h"

#define NAME "org.cliphist.History1"

static guint n_starts;

/* instead of the command */
GSubprocess *
clip_configure_start (const char *const *words G_GNUC_UNUSED, GError **error)
{
  n_starts++;
  return g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, error, "true", NULL);
}

typedef struct
{
  GTestDBus *bus;
  GDBusConnection *daemon;
  CliphistHistory *history;
  ClipDaemonRestart *restart;
} Rig;

static GDBusConnection *
connect_to (GTestDBus *bus)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *connection = g_dbus_connection_new_for_address_sync (
      g_test_dbus_get_bus_address (bus),
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);

  g_assert_no_error (error);
  return connection;
}

static void
call_bus (Rig *self, const char *method, GVariant *parameters)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply G_GNUC_UNUSED = g_dbus_connection_call_sync (
      self->daemon, "org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus", method, parameters, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL,
      &error);

  g_assert_no_error (error);
}

static gboolean
is_available (Rig *self)
{
  gboolean available;

  g_object_get (self->history, "available", &available, NULL);
  return available;
}

static void
set_up (Rig *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GDBusConnection) own = NULL;

  self->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  private_bus_up (self->bus);
  self->daemon = connect_to (self->bus);
  own = connect_to (self->bus);
  self->history = cliphist_history_new_for_connection (own);
  self->restart = clip_daemon_restart_new (self->history);
  n_starts = 0;
}

static void
tear_down (Rig *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_daemon_restart_free (self->restart);
  g_object_unref (self->history);
  g_object_unref (self->daemon);
  g_test_dbus_stop (self->bus);
  g_object_unref (self->bus);
}

/* Returns: how many seconds after its end it is started again, where it stood for
   @stood_s */
static int
rest_after (Rig *self, int stood_s)
{
  const guint n_before = n_starts;
  int rest_s = 0;

  call_bus (self, "RequestName", g_variant_new ("(su)", NAME, 0));
  wait_until (is_available (self));
  g_atomic_int_add (&later_s, stood_s);
  call_bus (self, "ReleaseName", g_variant_new ("(s)", NAME));
  wait_until (!is_available (self));
  while (n_starts == n_before && rest_s < 200)
    {
      g_atomic_int_inc (&later_s);
      rest_s++;
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_test_message ("%d s", rest_s);
  return rest_s;
}

/* a timer of seconds may be one late */
static void
test_rests (Rig *self, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpint (rest_after (self, 0), <=, 2);
  g_assert_cmpint (rest_after (self, 0), >=, 2);
  g_assert_cmpint (rest_after (self, 0), >=, 4);
  g_assert_cmpint (rest_after (self, 0), >=, 8);
  /* that was no crash at the start */
  g_assert_cmpint (rest_after (self, 61), <=, 2);
  g_assert_cmpint (rest_after (self, 0), <=, 3);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpint (rest_after (self, 0), <=, 65);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add ("/window/daemon-that-crashes-is-started-less-and-less-often", Rig, NULL,
              set_up, test_rests, tear_down);
  return g_test_run ();
}

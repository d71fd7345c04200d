/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the daemon knows of its callers: how many calls they have under way, and that they
   leave. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <string.h>

#define FLAGS G_DBUS_CALL_FLAGS_NONE
#define BUS "org.freedesktop.DBus"

/* nobody reads: each transfer waits for its reader */
static gboolean
open_and_stall (GDBusConnection *connection, GPtrArray *stalled, GError **error)
{
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_sync (
      connection, "org.cliphist.History1", "/org/cliphist/History1",
      "org.cliphist.History1", "Open", g_variant_new ("(tsa{sv})", (guint64) 1, "", NULL),
      NULL, FLAGS, -1, NULL, &fds, NULL, error);

  if (!reply)
    return FALSE;
  g_ptr_array_add (stalled, g_steal_pointer (&fds));
  return TRUE;
}

static void
test_caller_has_a_limit (BusFixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) stalled = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GDBusConnection) greedy = bus_fixture_connect (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;
  g_autofree char *remote = NULL;

  bus_fixture_store_big (self);
  while (stalled->len < 400 && open_and_stall (greedy, stalled, &error))
    ;
  g_assert_cmpuint (stalled->len, ==, 256);
  remote = g_dbus_error_get_remote_error (error);
  g_assert_cmpstr (remote, ==, "org.cliphist.History1.Error.Limits");
  /* it is the process that counts, and not its connection */
  g_assert_false (open_and_stall (self->connection, stalled, &again));
  g_assert_true (g_dbus_error_is_remote_error (again));
  g_dbus_connection_close_sync (greedy, NULL, NULL);
}

static void
test_transfers_end_with_their_caller (BusFixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) stalled = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GDBusConnection) leaver = bus_fixture_connect (self);
  g_autoptr (GError) error = NULL;
  guint stalled_ends;

  bus_fixture_store_big (self);
  bus_fixture_store_text (self, "word");
  for (guint i = 0; i < 20; i++)
    g_assert_true (open_and_stall (leaver, stalled, &error));
  /* a file and a pipe each */
  wait_until (bus_fixture_count_ends (self) >= 40);
  stalled_ends = bus_fixture_count_ends (self);
  g_dbus_connection_close_sync (leaver, NULL, NULL);
  wait_until (bus_fixture_count_ends (self) <= stalled_ends - 40);
}

/* what a content comes from and goes into while it is short; a daemon that has just
 * started still opens files of its own */
static gboolean
is_of_content (const char *target)
{
  return g_str_has_prefix (target, "pipe:") ||
         g_str_has_prefix (target, "/memfd:content");
}

static void
test_half_a_store_leaves_nothing (BusFixture *self, gconstpointer data)
{
  g_autoptr (GDBusConnection) leaver = bus_fixture_connect (self);
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  clip_autofd int write_fd = -1;
  GVariantBuilder contents;
  guint before = bus_fixture_count_fds (self, is_of_content);
  int pipe_fds[2];

  g_assert_true (clip_pipe (pipe_fds, NULL));
  write_fd = pipe_fds[1];
  g_assert_true (clip_write_all (write_fd, "half a co", 9, NULL));
  g_unix_fd_list_append (fds, pipe_fds[0], NULL);
  close (pipe_fds[0]);
  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  g_variant_builder_add (&contents, "(sh)", "", 0);
  g_dbus_connection_call_with_unix_fd_list (
      leaver, "org.cliphist.History1", "/org/cliphist/History1", "org.cliphist.History1",
      "Store", g_variant_new ("(a(sh)a{sv})", &contents, NULL), NULL, FLAGS, -1, fds,
      NULL, NULL, NULL);
  g_dbus_connection_flush_sync (leaver, NULL, NULL);
  wait_until (bus_fixture_count_fds (self, is_of_content) > before);
  g_dbus_connection_close_sync (leaver, NULL, NULL);
  wait_until (bus_fixture_count_fds (self, is_of_content) <= before);
  g_assert_cmpuint (bus_fixture_store_text (self, "whole"), ==, 1);
}

/* what a monitor counts: matches that anybody asks the bus for, and the end of it */
typedef struct
{
  const char *sender;
  int matches;
  int is_over;
} Overheard;

static GDBusMessage *
overhear (GDBusConnection *connection G_GNUC_UNUSED,
          GDBusMessage *message,
          gboolean incoming,
          gpointer user_data)
{
  Overheard *self = user_data;
  const char *member = g_dbus_message_get_member (message);

  if (!incoming || !member)
    return message;
  if (strcmp (member, "AddMatch") == 0 &&
      g_strcmp0 (g_dbus_message_get_sender (message), self->sender) == 0)
    g_atomic_int_inc (&self->matches);
  if (strcmp (member, "ListNames") == 0)
    g_atomic_int_set (&self->is_over, 1);
  g_object_unref (message);
  return NULL;
}

static void
call_bus (GDBusConnection *connection,
          const char *interface,
          const char *method,
          GVariant *body)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply G_GNUC_UNUSED =
      g_dbus_connection_call_sync (connection, BUS, "/org/freedesktop/DBus", interface,
                                   method, body, NULL, FLAGS, -1, NULL, &error);

  g_assert_no_error (error);
}

/* Returns: (transfer full): a connection that is told of every message */
static GDBusConnection *
start_monitor (BusFixture *self, Overheard *overheard)
{
  GDBusConnection *monitor = bus_fixture_connect (self);

  call_bus (monitor, BUS ".Monitoring", "BecomeMonitor",
            g_variant_new_parsed ("(@as [], @u 0)"));
  g_dbus_connection_add_filter (monitor, overhear, overheard, NULL);
  return monitor;
}

static void
end_monitor (BusFixture *self, GDBusConnection *monitor, Overheard *overheard)
{
  call_bus (self->connection, BUS, "ListNames", NULL);
  wait_until (g_atomic_int_get (&overheard->is_over));
  g_dbus_connection_close_sync (monitor, NULL, NULL);
}

/* how often the bus is asked to tell that this caller leaves, which makes three calls */
static void
assert_watched (BusFixture *self, int expected)
{
  g_autofree char *owner = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy));
  g_autoptr (GPtrArray) opened = g_ptr_array_new_with_free_func (g_object_unref);
  Overheard overheard = { .sender = owner };
  g_autoptr (GDBusConnection) monitor = start_monitor (self, &overheard);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3; i++)
    g_assert_true (open_and_stall (self->connection, opened, &error));
  wait_until (g_atomic_int_get (&overheard.matches) >= expected);
  end_monitor (self, monitor, &overheard);
  g_assert_cmpint (overheard.matches, ==, expected);
}

/* to be told that takes four messages */
static void
test_short_call_is_not_watched (BusFixture *self, gconstpointer data)
{
  bus_fixture_store_text (self, "word");
  assert_watched (self, 0);
}

static void
test_lasting_call_is_watched_once (BusFixture *self, gconstpointer data)
{
  bus_fixture_store_big (self);
  assert_watched (self, 1);
}

#define add(path, function) bus_fixture_add ("/bus-callers/" path, function)

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  add ("caller-has-a-limit", test_caller_has_a_limit);
  add ("transfers-end-with-their-caller", test_transfers_end_with_their_caller);
  add ("half-a-store-leaves-nothing", test_half_a_store_leaves_nothing);
  add ("short-call-is-not-watched", test_short_call_is_not_watched);
  add ("lasting-call-is-watched-once", test_lasting_call_is_watched_once);
  return g_test_run ();
}

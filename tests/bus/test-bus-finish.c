/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A daemon that ends in good order, or is replaced, while it is called. */
#include "bus-fixture.h"
#include "clip-fd.h"
#include "clip-paths.h"

#include <signal.h>
#include <string.h>

#define N_CALLS 60

typedef struct
{
  guint n_answered;
  guint n_done;
  guint n_silent; /* the daemon ended without a word */
} Callers;

static void
on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Callers *callers = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), NULL, result, &error);

  callers->n_answered++;
  callers->n_done += reply != NULL;
  callers->n_silent += g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY);
}

/* by the name that anybody calls */
static void
begin_store (BusFixture *self, int fd, Callers *callers)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  GVariantBuilder contents;

  g_unix_fd_list_append (fds, fd, NULL);
  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  g_variant_builder_add (&contents, "(sh)", "", 0);
  g_dbus_connection_call_with_unix_fd_list (
      self->connection, CLIP_BUS_NAME, CLIP_BUS_PATH, CLIP_BUS_NAME, "Store",
      g_variant_new ("(a(sh)a{sv})", &contents, NULL), NULL,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, G_MAXINT, fds, NULL, on_stored, callers);
}

static void
begin_store_of (BusFixture *self, guint number, Callers *callers)
{
  g_autofree char *text = g_strdup_printf ("entry %u", number);
  clip_autofd int fd = bus_fixture_memfd (text, strlen (text));

  begin_store (self, fd, callers);
}

static gboolean
has_owner (BusFixture *self)
{
  g_autofree char *owner = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy));

  return owner != NULL;
}

static void
assert_ended_well (GSubprocess *daemon)
{
  g_assert_true (g_subprocess_wait (daemon, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (daemon));
}

/* Returns: (transfer full): what is stored comes out of this pipe; the daemon has the
 * call, and is told to end */
static int
end_beside_a_store (BusFixture *self, Callers *callers)
{
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  begin_store (self, fds[0], callers);
  clip_fd_clear (&fds[0]);
  bus_fixture_store_text (self, "behind it");
  g_subprocess_send_signal (self->daemon, SIGTERM);
  return fds[1];
}

/* the name has gone before it is done; then the next one has it */
static void
test_call_under_way (BusFixture *self, gconstpointer data)
{
  Callers callers = { 0 };
  clip_autofd int write_fd = end_beside_a_store (self, &callers);

  wait_until (!has_owner (self));
  g_assert_cmpuint (callers.n_answered, ==, 0);
  g_assert_true (clip_write_all (write_fd, "word", 4, NULL));
  clip_fd_clear (&write_fd);
  wait_until (callers.n_answered == 1);
  g_assert_cmpuint (callers.n_done, ==, 1);
  assert_ended_well (self->daemon);
  g_clear_object (&self->daemon);
}

/* it would last as long as its writer does */
static void
test_call_without_end (BusFixture *self, gconstpointer data)
{
  Callers callers = { 0 };
  clip_autofd int write_fd = end_beside_a_store (self, &callers);

  assert_ended_well (self->daemon);
  g_clear_object (&self->daemon);
  wait_until (callers.n_answered == 1);
  g_assert_cmpuint (callers.n_done, ==, 0);
  clip_fd_clear (&write_fd); /* until now nobody had ended it */
}

static pid_t
find_bus (BusFixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      self->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus", "GetConnectionUnixProcessID",
      g_variant_new ("(s)", "org.freedesktop.DBus"), G_VARIANT_TYPE ("(u)"),
      G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  guint32 pid = 0;

  g_assert_no_error (error);
  g_variant_get (reply, "(u)", &pid);
  g_assert_cmpuint (pid, >, 1);
  return (pid_t) pid;
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

/* it would have to say so to release the name, and GIO waits 25 s for that */
static void
test_stopped_bus (BusFixture *self, gconstpointer data)
{
  const gint64 deadline_us = g_get_monotonic_time () + 15 * G_USEC_PER_SEC;
  const pid_t bus = find_bus (self);
  gboolean has_ended = FALSE;

  g_assert_cmpint (kill (bus, SIGSTOP), ==, 0);
  g_subprocess_send_signal (self->daemon, SIGTERM);
  g_subprocess_wait_async (self->daemon, NULL, on_ended, &has_ended);
  while (!has_ended && g_get_monotonic_time () < deadline_us)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (kill (bus, SIGCONT), ==, 0);
  g_assert_true (has_ended);
  g_assert_true (g_subprocess_get_successful (self->daemon));
  g_clear_object (&self->daemon);
}

static guint64
count_entries (BusFixture *self)
{
  GVariantBuilder query;
  g_autoptr (GVariant) page = NULL;
  g_autoptr (GError) error = NULL;

  g_variant_builder_init (&query, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&query, "{sv}", "limit", g_variant_new_uint32 (1000));
  clip_dbus_history_call_list_sync (self->proxy, g_variant_builder_end (&query),
                                    G_DBUS_CALL_FLAGS_NONE, -1, &page, NULL, &error);
  g_assert_no_error (error);
  return g_variant_n_children (page);
}

/* what is refused is not kept, and what is kept is said to be */
static void
test_end_among_calls (BusFixture *self, gconstpointer data)
{
  Callers callers = { 0 };

  for (guint i = 0; i < N_CALLS; i++)
    {
      begin_store_of (self, i, &callers);
      if (i == N_CALLS / 2)
        g_subprocess_send_signal (self->daemon, SIGTERM);
    }
  wait_until (callers.n_answered == N_CALLS);
  g_assert_cmpuint (callers.n_silent, ==, 0);
  assert_ended_well (self->daemon);
  g_clear_object (&self->daemon);
  wait_until (!has_owner (self));
  bus_fixture_start_daemon (self, NULL);
  g_assert_cmpuint (count_entries (self), ==, callers.n_done);
}

static void
test_replaced_among_calls (BusFixture *self, gconstpointer data)
{
  g_autoptr (GSubprocess) first = g_steal_pointer (&self->daemon);
  g_autofree char *before = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy));
  gboolean is_replaced = FALSE;
  guint n_sent = 0;
  Callers callers = { 0 };

  self->daemon = bus_fixture_spawn (self, "--replace");
  for (; !is_replaced || n_sent < N_CALLS; n_sent++)
    {
      g_autofree char *now = NULL;

      begin_store_of (self, n_sent, &callers);
      wait_until (callers.n_answered + 8 > n_sent);
      now = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy));
      is_replaced |= now && !g_str_equal (now, before);
    }
  assert_ended_well (first);
  wait_until (callers.n_answered == n_sent);
  g_assert_cmpuint (callers.n_done, ==, n_sent);
  g_assert_cmpuint (count_entries (self), ==, MIN (n_sent, 1000));
}

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/bus/finish/a-call-under-way-is-answered", test_call_under_way);
  bus_fixture_add ("/bus/finish/a-call-without-end-is-not-waited-for",
                   test_call_without_end);
  bus_fixture_add ("/bus/finish/a-bus-that-takes-nothing-is-not-waited-for",
                   test_stopped_bus);
  bus_fixture_add ("/bus/finish/every-call-beside-it-is-answered", test_end_among_calls);
  bus_fixture_add ("/bus/finish/who-is-replaced-answers-every-call",
                   test_replaced_among_calls);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program in a sandbox gets to see of the history: nothing, unless it is named. */
#include "bus-fixture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define HISTORY "org.cliphist.History1"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define SANDBOXED HISTORY ".Error.Sandboxed"
#define LIMITS HISTORY ".Error.Limits"

static const char *caller_path;

/* a folder that is the root of what "runs in Flatpak" */
static char *
make_root (BusFixture *self, const char *info)
{
  char *root = g_build_filename (self->dir, "root", NULL);
  g_autofree char *path = g_build_filename (root, ".flatpak-info", NULL);

  g_assert_cmpint (g_mkdir_with_parents (root, 0755), ==, 0);
  if (info)
    g_assert_true (g_file_set_contents (path, info, -1, NULL));
  return root;
}

/* (transfer full): "ok", or the name of the error */
static char *
call_from (BusFixture *self,
           const char *root,
           const char *manner,
           const char *method,
           const char *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) caller = NULL;
  g_autoptr (GError) error = NULL;
  char *said = NULL;

  g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS",
                                g_test_dbus_get_bus_address (self->bus), TRUE);
  /* in another root there is no /proc for who looks for leaks */
  g_subprocess_launcher_setenv (launcher, "ASAN_OPTIONS", "detect_leaks=0", TRUE);
  caller = g_subprocess_launcher_spawn (launcher, &error, caller_path, root, manner,
                                        method, arguments, NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (caller, NULL, NULL, &said, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (caller));
  return g_strchomp (said);
}

static void
assert_says (BusFixture *self, const char *root, const char *manner, const char *wanted)
{
  g_autofree char *said = call_from (self, root, manner, HISTORY ".List", "(@a{sv} {},)");

  g_assert_cmpstr (said, ==, wanted);
}

#define FLATPAK "[Application]\nname=org.example.Editor\nruntime=runtime/a/b/c\n"

static void
test_flatpak_sees_nothing (BusFixture *self, gconstpointer data)
{
  static const char *const calls[][2] = {
    { HISTORY ".List", "(@a{sv} {},)" },
    { HISTORY ".Lookup", "(uint64 0,)" },
    { HISTORY ".Open", "(uint64 0, '', @a{sv} {})" },
    { HISTORY ".Delete", "([uint64 1], @a{sv} {})" },
    { HISTORY ".Wipe", "(@a{sv} {},)" },
    { HISTORY ".Pause", "(int64 -1, @a{sv} {})" },
    { "org.gnome.Shell.SearchProvider2.GetInitialResultSet", "(['word'],)" },
    { PROPERTIES ".Get", "('" HISTORY "', 'Count')" },
    { PROPERTIES ".GetAll", "('" HISTORY "',)" },
  };
  g_autofree char *root = make_root (self, FLATPAK);

  bus_fixture_store_text (self, "a word");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *said = call_from (self, root, "shown", calls[i][0], calls[i][1]);

      g_assert_cmpstr (said, ==, SANDBOXED);
    }
  /* nothing has been done either */
  g_assert_cmpuint (bus_fixture_store_text (self, "a word"), ==, 2);
}

static void
test_flatpak_cannot_hide (BusFixture *self, gconstpointer data)
{
  g_autofree char *root = make_root (self, FLATPAK);

  assert_says (self, root, "hidden", SANDBOXED);
}

static void
test_no_name_is_refused (BusFixture *self, gconstpointer data)
{
  g_autofree char *root = make_root (self, "not a key file");

  assert_says (self, root, "shown", SANDBOXED);
}

static void
test_host_programs_are_answered (BusFixture *self, gconstpointer data)
{
  g_autofree char *plain = make_root (self, NULL);

  assert_says (self, "-", "shown", "ok");
  /* as a program with capabilities is, a compositor for example */
  assert_says (self, "-", "hidden", "ok");
  /* another root alone is no sandbox: a container that somebody works in */
  assert_says (self, plain, "shown", "ok");
}

static void
test_named_are_answered (BusFixture *self, gconstpointer data)
{
  g_autofree char *root = make_root (self, FLATPAK);
  g_autofree char *said = NULL;
  g_autofree char *config = g_build_filename (self->dir, "config", NULL);

  bus_fixture_end_daemon (self, SIGTERM);
  g_assert_true (g_file_set_contents (
      config, "allow-sandboxed org.example.Viewer org.example.Ed*\n", -1, NULL));
  bus_fixture_start_daemon (self, NULL);
  assert_says (self, root, "shown", "ok");
  said = call_from (self, root, "shown", HISTORY ".UseDisplay", "(@a{ss} {}, @a{sv} {})");
  g_assert_cmpstr (said, ==, SANDBOXED);
  g_free (make_root (self, "[Application]\nname=org.example.Player\n"));
  assert_says (self, root, "shown", SANDBOXED);
}

typedef struct
{
  guint n_answered;
  guint n_late;
} Order;

typedef struct
{
  Order *order;
  gint64 until; /* of a question: as the call before it has left it */
} Call;

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Call *call = user_data;
  Order *order = call->order;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autoptr (GVariant) value = NULL;

  order->n_answered++;
  if (!reply || !g_variant_is_of_type (reply, G_VARIANT_TYPE ("(v)")))
    return;
  g_variant_get (reply, "(v)", &value);
  order->n_late += g_variant_get_int64 (value) != call->until;
}

/* a caller that is new, and does not wait for its answers */
static void
test_calls_keep_their_order (BusFixture *self, gconstpointer data)
{
  g_autoptr (GDBusConnection) caller = bus_fixture_connect (self);
  Order order = { 0 };
  Call calls[40];

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      gboolean asks = i % 2;

      calls[i] = (Call){ &order, i % 4 == 1 ? -1 : 0 };
      g_dbus_connection_call (
          caller, HISTORY, "/org/cliphist/History1", asks ? PROPERTIES : HISTORY,
          asks ? "Get" : "Pause",
          asks ? g_variant_new ("(ss)", HISTORY, "PausedUntil")
               : g_variant_new ("(xa{sv})", (gint64) (i % 4 == 0 ? -1 : 0), NULL),
          NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_answer, &calls[i]);
    }
  wait_until (order.n_answered == G_N_ELEMENTS (calls));
  g_assert_cmpuint (order.n_late, ==, 0);
  g_dbus_connection_close_sync (caller, NULL, NULL);
}

/* (transfer full) (nullable): of an error, its name */
static char *
ask_count (GDBusConnection *caller)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_sync (caller, HISTORY, "/org/cliphist/History1", PROPERTIES,
                                   "Get", g_variant_new ("(ss)", HISTORY, "Count"), NULL,
                                   G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);

  return reply ? NULL : g_dbus_error_get_remote_error (error);
}

/* it is no word about sandboxes, and holds for no later call */
static void
test_without_descriptors_that_is_said (BusFixture *self, gconstpointer data)
{
  const pid_t pid = atoi (g_subprocess_get_identifier (self->daemon));
  g_autoptr (GDBusConnection) caller = bus_fixture_connect (self);
  g_autofree char *refused = NULL;
  g_autofree char *after = NULL;
  struct rlimit before, few;

  g_assert_no_errno (prlimit (pid, RLIMIT_NOFILE, NULL, &before));
  few = (struct rlimit){ 3, before.rlim_max };
  g_assert_no_errno (prlimit (pid, RLIMIT_NOFILE, &few, NULL));
  refused = ask_count (caller);
  g_assert_no_errno (prlimit (pid, RLIMIT_NOFILE, &before, NULL));
  g_assert_cmpstr (refused, ==, LIMITS);
  after = ask_count (caller);
  g_assert_cmpstr (after, ==, NULL);
  g_dbus_connection_close_sync (caller, NULL, NULL);
}

int
main (int argc, char *argv[])
{
  g_assert_cmpint (argc, >=, 3);
  caller_path = argv[--argc];
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/bus/sandbox/flatpak-sees-and-does-nothing",
                   test_flatpak_sees_nothing);
  bus_fixture_add ("/bus/sandbox/flatpak-cannot-hide", test_flatpak_cannot_hide);
  bus_fixture_add ("/bus/sandbox/one-without-a-name-is-refused", test_no_name_is_refused);
  bus_fixture_add ("/bus/sandbox/programs-outside-are-answered",
                   test_host_programs_are_answered);
  bus_fixture_add ("/bus/sandbox/those-named-in-the-settings-are-answered",
                   test_named_are_answered);
  bus_fixture_add ("/bus/sandbox/calls-of-a-new-caller-keep-their-order",
                   test_calls_keep_their_order);
  bus_fixture_add ("/bus/sandbox/without-descriptors-that-is-said",
                   test_without_descriptors_that_is_said);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the daemon says on the screen, and what a click there does. */
#include "bus-fixture.h"
#include "notify-server.h"

#include <signal.h>
#include <string.h>

#define FLAGS G_DBUS_CALL_FLAGS_NONE

static NotifyServer *
new_server (BusFixture *self)
{
  return notify_server_new (g_test_dbus_get_bus_address (self->bus), notify_server_all);
}

static void
pause_until (BusFixture *self, gint64 until_us)
{
  g_autoptr (GError) error = NULL;

  clip_dbus_history_call_pause_sync (self->proxy, until_us, g_variant_new ("a{sv}", NULL),
                                     FLAGS, -1, NULL, &error);
  g_assert_no_error (error);
}

static void
restart_with (BusFixture *self, const char *settings)
{
  g_autofree char *config = g_build_filename (self->dir, "config", NULL);

  bus_fixture_end_daemon (self, SIGTERM);
  g_assert_true (g_file_set_contents (config, settings, -1, NULL));
  bus_fixture_start_daemon (self, NULL);
}

static void
test_pause (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server = new_server (self);

  pause_until (self, -1);
  wait_until (server->notes->len == 1);
  g_assert_cmpstr (notify_server_last (server)->summary, ==,
                   "The clipboard history is paused");
  g_assert_cmpstr (notify_server_last (server)->actions[1], ==, "Resume");
  /* a click that closes it is none that ends the pause */
  g_assert_null (notify_server_last (server)->actions[2]);
  notify_server_click (server);
  wait_until (server->notes->len == 2);
  g_assert_cmpstr (notify_server_last (server)->summary, ==,
                   "The clipboard history is on again");
  g_assert_cmpuint (notify_server_last (server)->replaces, ==, 1);
  wait_until (clip_dbus_history_get_paused_until (self->proxy) == 0);
  notify_server_free (server);
}

/* it lasts over days, and a login is where it is forgotten */
static void
test_still_paused (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server = new_server (self);

  pause_until (self, -1);
  wait_until (server->notes->len == 1);
  restart_with (self, "");
  wait_until (server->notes->len == 2);
  g_assert_cmpstr (notify_server_last (server)->summary, ==,
                   "The clipboard history is paused");
  notify_server_click (server);
  wait_until (clip_dbus_history_get_paused_until (self->proxy) == 0);
  wait_until (server->notes->len == 3);
  restart_with (self, "");
  bus_fixture_end_daemon (self, SIGTERM);
  g_assert_cmpuint (server->notes->len, ==, 3);
  notify_server_free (server);
}

static void
test_switched_off (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server;

  restart_with (self, "notify no\n");
  server = new_server (self);
  pause_until (self, -1);
  pause_until (self, 0);
  /* whatever is said is on its way before the daemon ends */
  bus_fixture_end_daemon (self, SIGTERM);
  g_assert_cmpuint (server->notes->len, ==, 0);
  notify_server_free (server);
}

/* a blob that a disk has changed */
static void
damage (BusFixture *self)
{
  g_autofree char *command =
      g_strdup_printf ("sh -c 'file=$(echo %s/blobs/*/*) && chmod 600 $file &&"
                       " truncate -s 5 $file && chmod 400 $file'",
                       clip_dbus_history_get_store (self->proxy));
  int status;

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static void
test_repaired (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server = new_server (self);
  g_autoptr (GVariant) report = NULL;
  g_autoptr (GError) error = NULL;
  const ServerNote *note;

  g_assert_cmpuint (bus_fixture_store_big (self), >, 0);
  damage (self);
  clip_dbus_history_call_check_sync (self->proxy,
                                     g_variant_new_parsed ("{'repair': <true>}"), FLAGS,
                                     -1, &report, NULL, &error);
  g_assert_no_error (error);
  wait_until (server->notes->len == 1);
  note = notify_server_last (server);
  g_assert_cmpstr (note->summary, ==,
                   "The clipboard history was damaged, and is repaired");
  g_assert_nonnull (strstr (note->body, "/damaged"));
  notify_server_free (server);
}

static void
lose (const char *dir)
{
  g_autofree char *command = g_strdup_printf (
      "sh -c 'cd %s/store && rm history.db-* && : >history.db && ls blobs/*/*'", dir);
  int status;

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

/* once: what begins then is a history as any other */
static void
test_lost (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server = new_server (self);
  const ServerNote *note;

  g_assert_cmpuint (bus_fixture_store_big (self), >, 0);
  bus_fixture_end_daemon (self, SIGTERM);
  lose (self->dir);
  bus_fixture_start_daemon (self, NULL);
  wait_until (server->notes->len == 1);
  note = notify_server_last (server);
  g_assert_cmpstr (note->summary, ==, "The clipboard history was lost");
  g_assert_nonnull (strstr (note->body, "/damaged"));
  g_assert_nonnull (strstr (note->body, "history.db"));
  bus_fixture_end_daemon (self, SIGTERM);
  bus_fixture_start_daemon (self, NULL);
  bus_fixture_end_daemon (self, SIGTERM);
  g_assert_cmpuint (server->notes->len, ==, 1);
  bus_fixture_start_daemon (self, NULL);
  notify_server_free (server);
}

/* in words that a person understands, and not again with each change of the file */
static void
test_mistake (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server = new_server (self);
  const ServerNote *note;

  restart_with (self, "max-items = 5\nignore-pattern [\n");
  wait_until (server->notes->len == 1);
  note = notify_server_last (server);
  g_assert_cmpstr (note->summary, ==,
                   "The configuration of the clipboard history has a mistake");
  g_assert_nonnull (strstr (note->body, ":1: invalid value"));
  g_assert_nonnull (strstr (note->body, ":2: ignore-pattern: no regular expression"));
  g_assert_nonnull (strstr (note->body, "this rule is OFF"));
  restart_with (self, "");
  bus_fixture_end_daemon (self, SIGTERM);
  g_assert_cmpuint (server->notes->len, ==, 1);
  bus_fixture_start_daemon (self, NULL);
  notify_server_free (server);
}

/* also where there is no bus that logind could be on */
static void
test_no_logind (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server = new_server (self);
  g_autofree char *config = g_build_filename (self->dir, "config", NULL);
  const ServerNote *note;

  g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/dev/null", TRUE);
  restart_with (self, "");
  g_assert_true (g_file_set_contents (config, "clear-on logout\n", -1, NULL));
  wait_until (server->notes->len == 1);
  note = notify_server_last (server);
  g_assert_cmpstr (note->summary, ==,
                   "A setting of the clipboard history is off on this desktop");
  g_assert_nonnull (strstr (note->body, "clear-on logout: no logind tells"));
  g_assert_true (g_file_set_contents (config, "clear-on lock\n", -1, NULL));
  wait_until (server->notes->len == 2);
  note = notify_server_last (server);
  g_assert_nonnull (strstr (note->body, "clear-on lock: no service of this desktop"));
  restart_with (self, "clear-on logout\n");
  wait_until (server->notes->len == 3);
  restart_with (self, "clear-on lock\n");
  bus_fixture_end_daemon (self, SIGTERM);
  g_assert_cmpuint (server->notes->len, ==, 3);
  g_unsetenv ("DBUS_SYSTEM_BUS_ADDRESS");
  bus_fixture_start_daemon (self, NULL);
  notify_server_free (server);
}

static void
test_stuck (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server = new_server (self);

  server->is_stuck = TRUE;
  pause_until (self, -1);
  wait_until (server->unanswered->len > 0);
  pause_until (self, 0);
  g_assert_cmpuint (bus_fixture_store_text (self, "while the server hangs"), ==, 1);
  bus_fixture_end_daemon (self, SIGTERM);
  bus_fixture_start_daemon (self, NULL);
  g_assert_cmpuint (bus_fixture_store_text (self, "another one"), ==, 2);
  notify_server_free (server);
}

/* what is no database, in its place, or a whole one again */
static void
swap_database (BusFixture *self)
{
  g_autofree char *command = g_strdup_printf (
      "sh -c 'cd %s/store && if test -e whole; then mv whole history.db;"
      " else mv history.db whole && rm -f history.db-* && seq 9999 >history.db; fi'",
      self->dir);
  int status;

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static void
run_in_vain (BusFixture *self)
{
  g_autoptr (GSubprocess) daemon = bus_fixture_spawn (self, NULL);

  wait_until (!g_subprocess_get_identifier (daemon));
  g_assert_cmpint (g_subprocess_get_exit_status (daemon), ==, 1);
}

/* a service manager tries again each second, and it is told once */
static void
test_unopened (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  NotifyServer *server = new_server (self);

  bus_fixture_end_daemon (self, SIGTERM);
  swap_database (self);
  run_in_vain (self);
  g_assert_cmpuint (server->notes->len, ==, 1);
  g_assert_cmpstr (notify_server_last (server)->summary, ==,
                   "The clipboard history does not work");
  g_assert_nonnull (strstr (notify_server_last (server)->body, "cliphist doctor"));
  run_in_vain (self);
  g_assert_cmpuint (server->notes->len, ==, 1);
  swap_database (self);
  bus_fixture_start_daemon (self, NULL);
  bus_fixture_end_daemon (self, SIGTERM);
  swap_database (self);
  run_in_vain (self);
  g_assert_cmpuint (server->notes->len, ==, 2);
  swap_database (self);
  bus_fixture_start_daemon (self, NULL);
  notify_server_free (server);
}

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/notify/a-pause-can-be-ended-by-a-click", test_pause);
  bus_fixture_add ("/notify/a-pause-that-goes-on-is-told-at-the-start",
                   test_still_paused);
  bus_fixture_add ("/notify/switched-off-it-says-nothing", test_switched_off);
  bus_fixture_add ("/notify/a-repair-is-told", test_repaired);
  bus_fixture_add ("/notify/that-a-history-is-lost-is-told", test_lost);
  bus_fixture_add ("/notify/a-mistake-in-the-configuration-is-told", test_mistake);
  bus_fixture_add ("/notify/a-rule-that-needs-logind-is-off-without-it", test_no_logind);
  bus_fixture_add ("/notify/a-stuck-server-hinders-nothing", test_stuck);
  bus_fixture_add ("/notify/a-history-that-does-not-open-is-told-once", test_unopened);
  return g_test_run ();
}

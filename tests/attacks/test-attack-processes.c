/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A number of a process that means another one by now. Runs in a namespace of such
   numbers. */
#include "bus-fixture.h"

#include <string.h>

#define SANDBOXED "org.cliphist.History1.Error.Sandboxed"

static const char *thief;

/* (transfer full): what the thief says in the end */
static char *
rob (BusFixture *self, const char *root)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GDataInputStream) out = NULL;
  g_autofree char *connected = NULL;
  char *said;

  g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS",
                                g_test_dbus_get_bus_address (self->bus), TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, thief, root, NULL);
  g_assert_no_error (error);
  out = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  connected = g_data_input_stream_read_line (out, NULL, NULL, NULL);
  g_assert_cmpstr (connected, ==, "connected");
  /* the daemon has heard of it by the time it answers somebody else */
  bus_fixture_store_text (self, "word");
  g_output_stream_write_all (g_subprocess_get_stdin_pipe (process), "\n", 1, NULL, NULL,
                             &error);
  g_assert_no_error (error);
  said = g_data_input_stream_read_line (out, NULL, NULL, &error);
  g_assert_no_error (error);
  g_subprocess_wait (process, NULL, NULL);
  return said;
}

static void
test_reused (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *root = g_build_filename (self->dir, "root", NULL);
  g_autofree char *info = g_build_filename (root, ".flatpak-info", NULL);
  g_autofree char *said = NULL;

  g_assert_cmpint (g_mkdir_with_parents (root, 0755), ==, 0);
  g_assert_true (
      g_file_set_contents (info, "[Application]\nname=org.example.Editor\n", -1, NULL));
  said = rob (self, root);
  g_assert_cmpstr (said, ==, SANDBOXED);
}

static void
test_kept (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *said = rob (self, "-");

  g_assert_cmpstr (said, ==, "ok");
}

int
main (int argc, char *argv[])
{
  g_assert_cmpint (argc, >, 2);
  thief = argv[--argc];
  argv[argc] = NULL;
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/attack/processes/number-that-is-used-again", test_reused);
  bus_fixture_add ("/attack/processes/number-that-is-not", test_kept);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes that hold all that they can get, and one beside them that wants a word. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLAGS G_DBUS_CALL_FLAGS_NONE
#define TEXTS 64

/* of holes */
#define ENDLESS_BYTES ((goffset) 1 << 40)

/* far above what it takes, far below what a transfer that stands still is waited for */
#define SOON_MS 10000

static const char *hoarder;

static GSubprocess *
start_hoarder (BusFixture *self, guint n_connections, const char *method)
{
  g_autofree char *n = g_strdup_printf ("%u", n_connections);
  g_autoptr (GError) error = NULL;
  GSubprocess *process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, hoarder,
      g_test_dbus_get_bus_address (self->bus), n, method, NULL);

  g_assert_no_error (error);
  return process;
}

/* Returns: how much it was refused */
static int
await_hoarder (GSubprocess *process)
{
  g_autoptr (GDataInputStream) out =
      g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  g_autofree char *line = g_data_input_stream_read_line (out, NULL, NULL, NULL);
  int n_opened, n_refused;

  g_assert_nonnull (line);
  g_test_message ("%s", line);
  g_assert_cmpint (sscanf (line, "%d opened, %d refused", &n_opened, &n_refused), ==, 2);
  return n_refused;
}

static void
end_hoarder (GSubprocess *process)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL);
  g_subprocess_wait (process, NULL, NULL);
  g_object_unref (process);
}

/* the bus has a queue of its own for the daemon: a full one refuses first */
static gboolean
is_refused_by_bus (GError **error)
{
  if (!g_error_matches (*error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED))
    return FALSE;
  g_clear_error (error);
  return TRUE;
}

static void
assert_called (BusFixture *self, const char *method, GVariant *parameters, int fd)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (parameters);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;
  gint64 begun_us = g_get_monotonic_time ();

  do
    {
      g_autoptr (GUnixFDList) fds = fd >= 0 ? g_unix_fd_list_new () : NULL;
      g_autoptr (GUnixFDList) sent = NULL;

      if (fds)
        g_unix_fd_list_append (fds, fd, NULL);
      reply = g_dbus_connection_call_with_unix_fd_list_sync (
          self->connection, "org.cliphist.History1", "/org/cliphist/History1",
          "org.cliphist.History1", method, owned, NULL, FLAGS, SOON_MS, fds, &sent, NULL,
          &error);
    }
  while (!reply && is_refused_by_bus (&error) &&
         g_get_monotonic_time () - begun_us < SOON_MS * G_TIME_SPAN_MILLISECOND);
  g_assert_no_error (error);
  g_assert_nonnull (reply);
  g_test_message ("%s: %.1f ms", method,
                  (double) (g_get_monotonic_time () - begun_us) / 1000);
}

static void
assert_has_room (BusFixture *self)
{
  clip_autofd int fd = bus_fixture_memfd ("word", 4);
  int fds[2];

  assert_called (self, "List", g_variant_new_parsed ("(@a{sv} {},)"), -1);
  g_assert_true (clip_pipe (fds, NULL));
  g_assert_true (clip_write_all (fds[1], "word", 4, NULL));
  close (fds[1]);
  assert_called (self, "Store",
                 g_variant_new_parsed ("([('text/plain', @h 0)], @a{sv} {})"), fds[0]);
  close (fds[0]);
  assert_called (self, "Lookup", g_variant_new_parsed ("(@t 0,)"), -1);
  assert_called (self, "Open", g_variant_new_parsed ("(@t 0, '', @a{sv} {})"), -1);
  assert_called (self, "Print", g_variant_new_parsed ("(@a{sv} {}, @h 0)"), fd);
}

/* an entry that fits no pipe, and texts over which an expression takes long */
static void
fill (BusFixture *self)
{
  g_autofree char *xs = g_strnfill (60000, 'x');

  g_assert_cmpuint (bus_fixture_store_big (self), ==, 1);
  for (guint i = 0; i < TEXTS; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u %s", i, xs);

      bus_fixture_store_text (self, text);
    }
}

static void
test_shares (BusFixture *self, guint n_processes, guint n_connections)
{
  GSubprocess *hoarders[16];

  fill (self);
  for (guint i = 0; i < n_processes; i++)
    hoarders[i] = start_hoarder (self, n_connections, NULL);
  for (guint i = 0; i < n_processes; i++)
    await_hoarder (hoarders[i]);
  for (guint i = 0; i < 3; i++)
    assert_has_room (self);
  for (guint i = 0; i < n_processes; i++)
    end_hoarder (hoarders[i]);
}

static void
test_one_process (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  test_shares (self, 1, 4);
}

static void
test_many_processes (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  test_shares (self, 16, 1);
}

static gboolean
is_refused (BusFixture *self, guint64 id)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;

  if (clip_dbus_history_call_open_sync (self->proxy, id, "",
                                        g_variant_new ("a{sv}", NULL), FLAGS, SOON_MS,
                                        NULL, NULL, NULL, NULL, NULL, NULL, &error))
    return FALSE;
  name = g_dbus_error_get_remote_error (error);
  g_assert_cmpstr (name, ==, "org.cliphist.History1.Error.Limits");
  return TRUE;
}

/* Each takes its time to be decoded. Another process waits for those that are being made,
 * and not for all that were asked for before. */
static void
test_thumbnails (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GSubprocess *thief;

  g_assert_cmpuint (bus_fixture_store_image (self, 5000, 5000), ==, 1);
  g_assert_cmpuint (bus_fixture_store_image (self, 300, 200), ==, 2);
  thief = start_hoarder (self, 1, "Thumbnail");
  await_hoarder (thief);
  for (guint i = 0; i < 3; i++)
    assert_called (self, "Thumbnail",
                   g_variant_new_parsed ("(@t 2, {'size': <uint32 %u>})", 257 + i), -1);
  end_hoarder (thief);
}

/* whoever opens what is large leaves a tenth to those who want little */
static void
test_tenth (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GSubprocess *hoarders[8];

  g_assert_cmpuint (bus_fixture_store_big (self), ==, 1);
  g_assert_cmpuint (bus_fixture_store_text (self, "word"), ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (hoarders); i++)
    {
      hoarders[i] = start_hoarder (self, 1, "Open");
      await_hoarder (hoarders[i]);
    }
  g_assert_true (is_refused (self, 1));
  for (guint i = 0; i < 3; i++)
    g_assert_false (is_refused (self, 2));
  for (guint i = 0; i < G_N_ELEMENTS (hoarders); i++)
    end_hoarder (hoarders[i]);
  g_assert_cmpuint (bus_fixture_store_text (self, "after"), ==, 3);
}

/* each may stand still for a day: of what ten processes have taken, one gives way */
static void
test_copies_that_never_come (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GSubprocess *hoarders[10];

  for (guint i = 0; i < G_N_ELEMENTS (hoarders); i++)
    {
      hoarders[i] = start_hoarder (self, 4, "Store");
      g_assert_cmpint (await_hoarder (hoarders[i]), >, 0);
    }
  g_assert_cmpuint (bus_fixture_store_text (self, "one"), ==, 1);
  for (guint i = 0; i < 3; i++)
    assert_has_room (self);
  for (guint i = 0; i < G_N_ELEMENTS (hoarders); i++)
    end_hoarder (hoarders[i]);
}

/* what they had is free again once they have left, though nothing else is copied */
static void
test_copies_of_who_has_left (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GSubprocess *hoarders[6];

  g_assert_cmpuint (bus_fixture_store_big (self), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (hoarders); i++)
    {
      hoarders[i] = start_hoarder (self, 4, "Store");
      g_assert_cmpint (await_hoarder (hoarders[i]), >, 0);
    }
  g_assert_true (is_refused (self, 1));
  for (guint i = 0; i < G_N_ELEMENTS (hoarders); i++)
    end_hoarder (hoarders[i]);
  wait_until (!is_refused (self, 1));
}

static gboolean
is_any (const char *target G_GNUC_UNUSED)
{
  return TRUE;
}

static gboolean
may_count (BusFixture *self)
{
  g_autofree char *path =
      g_strdup_printf ("/proc/%s/fd", g_subprocess_get_identifier (self->daemon));

  return access (path, R_OK) == 0;
}

/* what is short is the descriptors, and not the calls: 256 of these would have 4,096 */
static void
test_many_contents (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GSubprocess *process = start_hoarder (self, 4, "Store8");

  g_assert_cmpint (await_hoarder (process), >, 0);
  assert_has_room (self);
  if (may_count (self))
    g_assert_cmpuint (bus_fixture_count_fds (self, is_any), <, 1000);
  else
    g_test_skip ("nobody but root looks into the daemon");
  end_hoarder (process);
}

/* what GNOME Shell and KRunner ask for, anybody may ask for */
static void
test_desktop (BusFixture *self, gconstpointer method)
{
  GSubprocess *process;

  fill (self);
  /* a bus lets a connection have 128 */
  process = start_hoarder (self, 4, method);
  g_assert_cmpint (await_hoarder (process), >, 0);
  assert_has_room (self);
  end_hoarder (process);
}

static void
test_shell (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  test_desktop (self, "GetInitialResultSet");
}

static void
test_runner (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  test_desktop (self, "Match");
}

/* its pictures are part of a call; of one connection the bus lets 128 wait, fewer than a
 * process may have of other calls */
static void
test_metas (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GSubprocess *process;

  g_assert_cmpuint (bus_fixture_store_image (self, 300, 200), ==, 1);
  process = start_hoarder (self, 1, "GetResultMetas");
  g_assert_cmpint (await_hoarder (process), >, 0);
  assert_has_room (self);
  end_hoarder (process);
}

/* (transfer full): of the one there is */
static char *
get_child (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  g_assert_nonnull (folder);
  name = g_dir_read_name (folder);
  g_assert_nonnull (name);
  g_assert_null (g_dir_read_name (folder));
  return g_build_filename (path, name, NULL);
}

/* (transfer full): the path of the one file of a content */
static char *
find_blob (BusFixture *self)
{
  g_autofree char *blobs =
      g_build_filename (clip_dbus_history_get_store (self->proxy), "blobs", NULL);
  g_autofree char *folder = get_child (blobs);

  return get_child (folder);
}

/* the file takes minutes to search; out of its folder, it is found by no other call */
static void
test_searches_over_files (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GSubprocess *process;
  g_autofree char *blob = NULL;

  fill (self);
  blob = find_blob (self);
  g_assert_cmpint (chmod (blob, 0600), ==, 0);
  g_assert_cmpint (truncate (blob, ENDLESS_BYTES), ==, 0);
  process = start_hoarder (self, 4, "DeleteMatching");
  g_assert_cmpint (await_hoarder (process), >, 0);
  assert_called (self, "List", g_variant_new_parsed ("({'words': <['nowhere']>},)"), -1);
  assert_called (self, "List", g_variant_new_parsed ("({'regex': <'now.*e'>},)"), -1);
  assert_has_room (self);
  end_hoarder (process);
  g_assert_cmpint (unlink (blob), ==, 0);
  assert_called (self, "DeleteMatching", g_variant_new_parsed ("(b'nowhere', @a{sv} {})"),
                 -1);
}

static void
test_checks (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const methods[] = { "Check", "Trim" };

  fill (self);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      GSubprocess *process = start_hoarder (self, 4, methods[i]);

      g_assert_cmpint (await_hoarder (process), >, 0);
      assert_called (self, methods[i], g_variant_new_parsed ("(@a{sv} {},)"), -1);
      end_hoarder (process);
    }
}

/* the changes of all go through one thread */
static void
test_deletes (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GSubprocess *process = start_hoarder (self, 4, "Delete");

  g_assert_cmpint (await_hoarder (process), >, 0);
  assert_called (self, "Delete", g_variant_new_parsed ("([@t 1], @a{sv} {})"), -1);
  end_hoarder (process);
}

int
main (int argc, char *argv[])
{
  g_assert_cmpint (argc, >, 2);
  hoarder = argv[--argc];
  argv[argc] = NULL;
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/attack/shares/one-process-with-four-connections", test_one_process);
  bus_fixture_add ("/attack/shares/sixteen-processes", test_many_processes);
  bus_fixture_add ("/attack/shares/thumbnails", test_thumbnails);
  bus_fixture_add ("/attack/shares/a-tenth-for-little-calls", test_tenth);
  bus_fixture_add ("/attack/shares/copies-that-never-come", test_copies_that_never_come);
  bus_fixture_add ("/attack/shares/copies-of-who-has-left", test_copies_of_who_has_left);
  bus_fixture_add ("/attack/shares/copies-of-many-contents", test_many_contents);
  bus_fixture_add ("/attack/shares/searches-of-gnome-shell", test_shell);
  bus_fixture_add ("/attack/shares/searches-of-krunner", test_runner);
  bus_fixture_add ("/attack/shares/pictures-for-gnome-shell", test_metas);
  bus_fixture_add ("/attack/shares/searches-over-files", test_searches_over_files);
  bus_fixture_add ("/attack/shares/checks", test_checks);
  bus_fixture_add ("/attack/shares/deletes-of-many-ids", test_deletes);
  return g_test_run ();
}

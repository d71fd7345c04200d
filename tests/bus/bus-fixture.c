/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bus-fixture.h"

#include "clip-fd.h"
#include "clip-paths.h"
#include "private-bus.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

static const char *daemon_path;

/* the one argument that is left is the daemon */
void
bus_fixture_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_assert_cmpint (*argc, ==, 2);
  daemon_path = (*argv)[1];
}

/* a daemon never outlives the test, whatever becomes of that */
static void
die_with_parent (gpointer user_data G_GNUC_UNUSED)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

GSubprocess *
bus_fixture_spawn (BusFixture *self, const char *option)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autofree char *store = g_build_filename (self->dir, "store", NULL);
  g_autofree char *config = g_build_filename (self->dir, "config", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_subprocess_launcher_set_child_setup (launcher, die_with_parent, NULL, NULL);
  g_subprocess_launcher_setenv (launcher, "CLIPHIST_CONFIG_PATH", config, TRUE);
  g_subprocess_launcher_setenv (launcher, "CLIPHIST_MIN_FREE_SPACE", "0", TRUE);
  g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS",
                                g_test_dbus_get_bus_address (self->bus), TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_RUNTIME_DIR", self->dir, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, daemon_path, "--no-display",
                                         "--store", store, option, NULL);
  g_assert_no_error (error);
  return process;
}

void
bus_fixture_start_daemon (BusFixture *self, const char *option)
{
  g_autofree char *owner = NULL;
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  self->daemon = bus_fixture_spawn (self, option);
  while (!(owner = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy))))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, TRUE);
    }
}

void
bus_fixture_end_daemon (BusFixture *self, int signal_number)
{
  char *owner;

  g_subprocess_send_signal (self->daemon, signal_number);
  g_subprocess_wait (self->daemon, NULL, NULL);
  g_clear_object (&self->daemon);
  while ((owner = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy))))
    {
      g_free (owner);
      g_main_context_iteration (NULL, TRUE);
    }
}

/* one more caller on the same bus */
GDBusConnection *
bus_fixture_connect (BusFixture *self)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *connection = g_dbus_connection_new_for_address_sync (
      g_test_dbus_get_bus_address (self->bus),
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);

  g_assert_no_error (error);
  return connection;
}

static void
set_up (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->dir = g_dir_make_tmp ("clip-bus-XXXXXX", NULL);
  self->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  private_bus_up (self->bus);
  self->connection = bus_fixture_connect (self);
  self->proxy = clip_dbus_history_proxy_new_sync (
      self->connection, G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START, CLIP_BUS_NAME,
      CLIP_BUS_PATH, NULL, &error);
  g_assert_no_error (error);
  bus_fixture_start_daemon (self, NULL);
}

static void
tear_down (BusFixture *self, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", self->dir);

  if (self->daemon)
    bus_fixture_end_daemon (self, SIGTERM);
  g_clear_object (&self->proxy);
  g_dbus_connection_close_sync (self->connection, NULL, NULL);
  g_clear_object (&self->connection);
  g_test_dbus_stop (self->bus);
  g_clear_object (&self->bus);
  g_assert_cmpint (system (command), ==, 0);
  g_free (self->dir);
}

/* @test gets a daemon of its own */
void
bus_fixture_add (const char *path, BusFixtureTest test)
{
  g_test_add (path, BusFixture, NULL, set_up, test, tear_down);
}

/* what the daemon keeps to look after a large pipe is no end of it */
static gboolean
is_only_path (const char *info_path)
{
  g_autofree char *info = NULL;
  const char *flags;

  if (!g_file_get_contents (info_path, &info, NULL, NULL))
    return TRUE; /* gone meanwhile */
  flags = strstr (info, "flags:");
  return flags && g_ascii_strtoull (flags + strlen ("flags:"), NULL, 8) & O_PATH;
}

/* @counts: told what a descriptor of the daemon's refers to */
guint
bus_fixture_count_fds (BusFixture *self, gboolean (*counts) (const char *target))
{
  const char *pid = g_subprocess_get_identifier (self->daemon);
  g_autofree char *path = g_strdup_printf ("/proc/%s/fd", pid);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *link = g_build_filename (path, name, NULL);
      g_autofree char *target = g_file_read_link (link, NULL);
      g_autofree char *info = g_strdup_printf ("/proc/%s/fdinfo/%s", pid, name);

      n += target && counts (target) && !is_only_path (info);
    }
  return n;
}

static gboolean
is_end (const char *target)
{
  return g_str_has_prefix (target, "pipe:") || strstr (target, "/blobs/");
}

/* pipes and blobs that the daemon holds; SQLite keeps files open for the next one */
guint
bus_fixture_count_ends (BusFixture *self)
{
  return bus_fixture_count_fds (self, is_end);
}

/* memory that is the daemon's alone; Private_Dirty counts pages of a program just built,
   too */
guint64
bus_fixture_private_bytes (BusFixture *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/smaps_rollup",
                                           g_subprocess_get_identifier (self->daemon));
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, "Anonymous:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (line + strlen ("Anonymous:"), NULL, 10) * 1024;
}

int
bus_fixture_memfd (const void *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);
  int fd = clip_memfd (bytes, NULL);

  g_assert_cmpint (fd, >=, 0);
  return fd;
}

guint64
bus_fixture_store (BusFixture *self,
                   const char *mime,
                   int fd,
                   GVariant *options,
                   char **out_dropped,
                   GError **error)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GVariant) details = NULL;
  GVariantBuilder contents;
  guint64 id = 0;

  g_unix_fd_list_append (fds, fd, NULL);
  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  g_variant_builder_add (&contents, "(sh)", mime, 0);
  if (!clip_dbus_history_call_store_sync (self->proxy, g_variant_builder_end (&contents),
                                          options ?: g_variant_new ("a{sv}", NULL),
                                          G_DBUS_CALL_FLAGS_NONE, G_MAXINT, fds, &id,
                                          &details, NULL, NULL, error))
    return 0;
  if (out_dropped)
    g_variant_lookup (details, "dropped", "s", out_dropped);
  return id;
}

guint64
bus_fixture_store_text (BusFixture *self, const char *text)
{
  clip_autofd int fd = bus_fixture_memfd (text, strlen (text));
  g_autoptr (GError) error = NULL;
  guint64 id = bus_fixture_store (self, "", fd, NULL, NULL, &error);

  g_assert_no_error (error);
  return id;
}

/* black, as a BMP */
guint64
bus_fixture_store_image (BusFixture *self, guint width, guint height)
{
  const gsize n_bytes = 54 + (gsize) 3 * width * height;
  g_autofree guint8 *bytes = g_malloc0 (n_bytes);
  clip_autofd int fd = -1;

  memcpy (bytes, "BM", 2);
  bytes[10] = 54; /* where the pixels begin */
  bytes[14] = 40; /* how long what follows is */
  bytes[18] = width & 0xFF;
  bytes[19] = (guint8) (width >> 8);
  bytes[22] = height & 0xFF;
  bytes[23] = (guint8) (height >> 8);
  bytes[26] = 1;
  bytes[28] = 24; /* bits of a pixel */
  fd = bus_fixture_memfd (bytes, n_bytes);
  return bus_fixture_store (self, "image/bmp", fd, NULL, NULL, NULL);
}

guint64
bus_fixture_store_big (BusFixture *self)
{
  g_autofree char *big = g_malloc (BUS_FIXTURE_BIG_BYTES);
  clip_autofd int fd = -1;

  memset (big, 'x', BUS_FIXTURE_BIG_BYTES);
  fd = bus_fixture_memfd (big, BUS_FIXTURE_BIG_BYTES);
  return bus_fixture_store (self, "", fd, NULL, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the daemon holds for streams whose readers have stopped reading. A sanitizer keeps
 * what is freed, so under one the last line of the fact is not asked: that what comes out
 * is still whole is a fact of the unit test.
 */
#include "bus-fixture.h"
#include "clip-fd.h"
#include "clip-paths.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

/* as many of the 32 as one process gets: half as many as are left free */
#define STALLED 10

/* for each: what it reads at a time, and a connection; but not all that it is to bring */
#define MAX_BYTES_EACH (1024 * 1024)

/* what is there once, however many there are: the writer and the index are at work,
   too */
#define MAX_BYTES_ONCE (512 * 1024)

/* together more than a sink holds by far, and each of them within the database */
#define CLIPS 300
#define CLIP_BYTES 8000

static void
store_clips (BusFixture *self)
{
  for (guint i = 0; i < CLIPS; i++)
    {
      g_autofree char *text = g_strnfill (CLIP_BYTES, (char) ('a' + i % 26));
      g_autofree char *number = g_strdup_printf ("%u ", i);

      memcpy (text, number, strlen (number));
      bus_fixture_store_text (self, text);
    }
}

/* a pipe with a name, because one without would be enlarged until it holds all.
 * Returns: the end to read from, which nobody does */
static int
stall (BusFixture *self, const char *method, GVariant *parameters)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autofree char *path = g_build_filename (self->dir, "pipe", NULL);
  int reader, writer;

  g_assert_cmpint (mkfifo (path, S_IRUSR | S_IWUSR), ==, 0);
  reader = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  writer = open (path, O_WRONLY | O_CLOEXEC);
  g_assert_cmpint (unlink (path), ==, 0);
  g_assert_cmpint (g_unix_fd_list_append (fds, writer, NULL), ==, 0);
  close (writer);
  g_dbus_connection_call_with_unix_fd_list (
      self->connection, CLIP_BUS_NAME, CLIP_BUS_PATH, "org.cliphist.History1", method,
      parameters, NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT, fds, NULL, NULL, NULL);
  return reader;
}

static GVariant *
join_all (void)
{
  guint64 ids[CLIPS];

  for (guint i = 0; i < CLIPS; i++)
    ids[i] = i + 1;
  return g_variant_new (
      "(@at@h@a{sv})",
      g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, ids, CLIPS, sizeof *ids),
      g_variant_new_handle (0), g_variant_new ("a{sv}", NULL));
}

static GVariant *
print_all (void)
{
  return g_variant_new_parsed ("({'width': <@u 1000>}, @h 0)");
}

static gboolean
has_begun (int fd)
{
  int bytes = 0;

  return ioctl (fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

static void
assert_little (BusFixture *self, const char *method, GVariant *(*make) (void) )
{
  const guint64 most = STALLED * MAX_BYTES_EACH + MAX_BYTES_ONCE;
  int fds[STALLED];
  guint64 before;

  store_clips (self);
  before = bus_fixture_private_bytes (self);
  for (guint i = 0; i < STALLED; i++)
    fds[i] = stall (self, method, make ());
  for (guint i = 0; i < STALLED; i++)
    wait_until (has_begun (fds[i]));
  wait_until (!BUS_FIXTURE_IS_MEASURABLE ||
              bus_fixture_private_bytes (self) <= before + most);
  g_test_message ("%s: %" G_GINT64_FORMAT " KiB for %d", method,
                  ((gint64) bus_fixture_private_bytes (self) - (gint64) before) / 1024,
                  STALLED);
  for (guint i = 0; i < STALLED; i++)
    clip_fd_clear (&fds[i]);
}

static void
test_joins (BusFixture *self, gconstpointer data)
{
  assert_little (self, "Join", join_all);
}

static void
test_prints (BusFixture *self, gconstpointer data)
{
  assert_little (self, "Print", print_all);
}

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/bus-stalled/joins-hold-little", test_joins);
  bus_fixture_add ("/bus-stalled/prints-hold-little", test_prints);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Print and Join, as a caller sees them. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>

#define NO_OPTIONS g_variant_new ("a{sv}", NULL)
#define FLAGS G_DBUS_CALL_FLAGS_NONE
#define OURS(name) "org.cliphist.History1.Error." name

static void
assert_remote (GError *error, const char *name)
{
  g_autofree char *remote = NULL;

  g_assert_nonnull (error);
  remote = g_dbus_error_get_remote_error (error);
  g_assert_cmpstr (remote, ==, name);
}

static GVariant *
parse (const char *text)
{
  return g_variant_new_parsed (text);
}

static GUnixFDList *
list_of (int fd)
{
  GUnixFDList *fds = g_unix_fd_list_new ();

  g_assert_cmpint (g_unix_fd_list_append (fds, fd, NULL), ==, 0);
  return fds;
}

/* what the daemon wrote into a file of ours */
static char *
read_back (int fd, gsize *out_length)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GByteArray) ended = g_byte_array_new ();

  g_assert_cmpint (lseek (fd, 0, SEEK_SET), ==, 0);
  bytes = clip_read_to_end (fd, BUS_FIXTURE_BIG_BYTES, NULL);
  *out_length = g_bytes_get_size (bytes);
  if (*out_length > 0)
    g_byte_array_append (ended, g_bytes_get_data (bytes, NULL), (guint) *out_length);
  g_byte_array_append (ended, (const guint8 *) "", 1);
  return (char *) g_byte_array_steal (ended, NULL);
}

/* (nullable): what came, with @error set where nothing should have */
static char *
join (BusFixture *self, const char *ids, const char *options, GError **error)
{
  clip_autofd int fd = bus_fixture_memfd ("", 0);
  g_autoptr (GUnixFDList) fds = list_of (fd);
  g_autofree char *text = NULL;
  guint64 bytes = 0;
  gsize length;
  gboolean fine = clip_dbus_history_call_join_sync (
      self->proxy, parse (ids), g_variant_new_handle (0), parse (options), FLAGS,
      G_MAXINT, fds, &bytes, NULL, NULL, error);

  text = read_back (fd, &length);
  if (!fine)
    {
      g_assert_cmpuint (length, ==, 0);
      return NULL;
    }
  g_assert_cmpuint (bytes, ==, length);
  return g_steal_pointer (&text);
}

static void
assert_joined (BusFixture *self, const char *ids, const char *options, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *joined = join (self, ids, options, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (joined, ==, text);
}

static void
assert_not_joined (BusFixture *self,
                   const char *ids,
                   const char *options,
                   const char *name)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (join (self, ids, options, &error));
  assert_remote (error, name);
}

static void
test_joined (BusFixture *self, gconstpointer data)
{
  bus_fixture_store_text (self, "one");
  bus_fixture_store_text (self, "two");
  bus_fixture_store_text (self, "three");
  assert_joined (self, "@at [2, 1, 2]", "@a{sv} {}", "twoonetwo");
  assert_joined (self, "@at [1, 0]", "{'separator': <[byte 0x2c, 0x20]>}", "one, three");
  assert_joined (self, "@at [1]", "{'mime': <'UTF8_STRING'>}", "one");
  assert_joined (self, "@at []", "@a{sv} {}", "");
}

static void
test_not_joined (BusFixture *self, gconstpointer data)
{
  bus_fixture_store_text (self, "one");
  assert_not_joined (self, "@at [1, 77]", "@a{sv} {}", OURS ("NotFound"));
  assert_not_joined (self, "@at [1]", "{'mime': <'image/png'>}", OURS ("NoSuchFormat"));
  assert_not_joined (self, "@at [1]", "{'separator': <', '>}", OURS ("InvalidArgument"));
  assert_not_joined (self, "@at [1]", "{'mime': <7>}", OURS ("InvalidArgument"));
}

static char *
print_rows (BusFixture *self, const char *query, guint64 *out_rows, GError **error)
{
  clip_autofd int fd = bus_fixture_memfd ("", 0);
  g_autoptr (GUnixFDList) fds = list_of (fd);
  gsize length;
  char *text;

  if (!clip_dbus_history_call_print_sync (self->proxy, parse (query),
                                          g_variant_new_handle (0), FLAGS, G_MAXINT, fds,
                                          out_rows, NULL, NULL, error))
    return NULL;
  text = read_back (fd, &length);
  for (gsize i = 0; i < length; i++)
    text[i] = text[i] ?: '|';
  return text;
}

static void
assert_printed (BusFixture *self, const char *query, guint64 rows, const char *expected)
{
  g_autoptr (GError) error = NULL;
  guint64 printed = 0;
  g_autofree char *text = print_rows (self, query, &printed, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (printed, ==, rows);
}

static void
test_printed (BusFixture *self, gconstpointer data)
{
  g_autofree char *json = NULL;
  guint64 rows = 0;

  bus_fixture_store_text (self, "one");
  bus_fixture_store_text (self, "two");
  bus_fixture_store_text (self, "three");
  assert_printed (self, "@a{sv} {}", 3, "3\tthree\n2\ttwo\n1\tone\n");
  assert_printed (self, "{'limit': <@u 2>}", 2, "3\tthree\n2\ttwo\n");
  assert_printed (self, "{'before': <@t 3>, 'format': <'nul'>}", 2, "2\ttwo|1\tone|");
  assert_printed (self, "{'words': <['EE']>, 'width': <@u 4>}", 1, "3\t…ree\n");
  assert_printed (self, "{'words': <['nowhere']>}", 0, "");
  json = print_rows (self, "{'format': <'json'>, 'limit': <@u 1>}", &rows, NULL);
  g_assert_nonnull (strstr (json, "\"preview\":\"three\""));
}

/* 100 is a page of List, and 2048 one of the store */
static void
test_prints_all (BusFixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;
  guint64 rows = 0;

  for (guint i = 0; i < 120; i++)
    {
      g_autofree char *word = g_strdup_printf ("word %u", i);

      bus_fixture_store_text (self, word);
    }
  text = print_rows (self, "@a{sv} {}", &rows, NULL);
  g_assert_cmpuint (rows, ==, 120);
  g_assert_true (g_str_has_suffix (text, "\n1\tword 0\n"));
}

static void
test_not_printed (BusFixture *self, gconstpointer data)
{
  static const char *const queries[] = { "{'format': <'xml'>}", "{'width': <'wide'>}",
                                         "{'regex': <'('>}" };

  bus_fixture_store_text (self, "one");
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (print_rows (self, queries[i], NULL, &error));
      assert_remote (error, OURS ("InvalidArgument"));
    }
}

static void
test_bad_sink_refused (BusFixture *self, gconstpointer data)
{
  clip_autofd int fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  g_autoptr (GUnixFDList) fds = list_of (fd);
  g_autoptr (GError) read_only = NULL;
  g_autoptr (GError) missing = NULL;

  clip_dbus_history_call_join_sync (self->proxy, parse ("@at []"),
                                    g_variant_new_handle (0), NO_OPTIONS, FLAGS, -1, fds,
                                    NULL, NULL, NULL, &read_only);
  assert_remote (read_only, OURS ("InvalidArgument"));
  clip_dbus_history_call_print_sync (self->proxy, NO_OPTIONS, g_variant_new_handle (0),
                                     FLAGS, -1, NULL, NULL, NULL, NULL, &missing);
  assert_remote (missing, OURS ("InvalidArgument"));
}

/* nobody reads. Returns: the end to read from */
static int
join_and_stall (GDBusConnection *connection)
{
  g_autoptr (GUnixFDList) fds = NULL;
  int ends[2];

  g_assert_true (clip_pipe (ends, NULL));
  fds = list_of (ends[1]);
  close (ends[1]);
  g_dbus_connection_call_with_unix_fd_list (
      connection, "org.cliphist.History1", "/org/cliphist/History1",
      "org.cliphist.History1", "Join",
      g_variant_new ("(@at@h@a{sv})", parse ("@at [1, 1]"), g_variant_new_handle (0),
                     NO_OPTIONS),
      NULL, FLAGS, G_MAXINT, fds, NULL, NULL, NULL);
  return ends[0];
}

static void
test_ends_with_its_caller (BusFixture *self, gconstpointer data)
{
  g_autoptr (GDBusConnection) leaver = bus_fixture_connect (self);
  clip_autofd int first = -1;
  clip_autofd int second = -1;
  g_autoptr (GBytes) rest = NULL;
  guint before;

  bus_fixture_store_big (self);
  bus_fixture_store_text (self, "word");
  before = bus_fixture_count_ends (self);
  first = join_and_stall (leaver);
  second = join_and_stall (leaver);
  /* a pipe and a blob each */
  wait_until (bus_fixture_count_ends (self) >= before + 4);
  g_dbus_connection_close_sync (leaver, NULL, NULL);
  wait_until (bus_fixture_count_ends (self) <= before);
  /* the main loop was free meanwhile, and the reader is told */
  rest = clip_read_to_end (first, BUS_FIXTURE_BIG_BYTES * 2, NULL);
  g_assert_cmpuint (g_bytes_get_size (rest), <, BUS_FIXTURE_BIG_BYTES);
}

static void
test_daemon_ends_meanwhile (BusFixture *self, gconstpointer data)
{
  clip_autofd int fd = -1;
  char one;

  bus_fixture_store_big (self);
  fd = join_and_stall (self->connection);
  g_dbus_connection_flush_sync (self->connection, NULL, NULL);
  g_assert_cmpint (read (fd, &one, 1), ==, 1);
  g_subprocess_send_signal (self->daemon, SIGTERM);
  g_assert_true (g_subprocess_wait_check (self->daemon, NULL, NULL));
  g_clear_object (&self->daemon);
}

#define add(path, function) bus_fixture_add ("/bus-streams/" path, function)

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  add ("join-writes-in-the-order-asked-for", test_joined);
  add ("join-of-what-is-not-there-is-refused", test_not_joined);
  add ("print-writes-what-was-asked-for", test_printed);
  add ("print-goes-on-beyond-a-page", test_prints_all);
  add ("print-of-what-is-no-query-is-refused", test_not_printed);
  add ("bad-sink-refused", test_bad_sink_refused);
  add ("ends-with-its-caller", test_ends_with_its_caller);
  add ("daemon-ends-meanwhile", test_daemon_ends_meanwhile);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Archives that are made to cost much. What else is wrong with one is for the unit
   tests. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <string.h>

#define FLAGS G_DBUS_CALL_FLAGS_NONE
#define HEAD "{\"cliphist-export\":1,\"created\":1}\n"
#define BLOCK 512

/* a reader that makes a tree of the line takes ten times as much */
#define MOST_BYTES (64 * 1024 * 1024)

static void
add_member (GString *out, const char *name, const char *data, gsize length)
{
  char header[BLOCK] = { 0 };
  guint sum = 0;

  g_strlcpy (header, name, 100);
  g_snprintf (header + 100, 8, "%07o", 0644);
  g_snprintf (header + 108, 8, "%07o", 0);
  g_snprintf (header + 116, 8, "%07o", 0);
  g_snprintf (header + 124, 12, "%011" G_GINT64_MODIFIER "o", (guint64) length);
  g_snprintf (header + 136, 12, "%011o", 0);
  memset (header + 148, ' ', 8);
  header[156] = '0';
  memcpy (header + 257, "ustar\00000", 8);
  for (guint i = 0; i < BLOCK; i++)
    sum += (guchar) header[i];
  g_snprintf (header + 148, 8, "%06o", sum);
  g_string_append_len (out, header, BLOCK);
  g_string_append_len (out, data, (gssize) length);
  while (out->len % BLOCK != 0)
    g_string_append_c (out, '\0');
}

/* with one line */
static GString *
make_archive (const char *line)
{
  GString *out = g_string_new (NULL);

  add_member (out, "1.json", HEAD, strlen (HEAD));
  add_member (out, "2.jsonl", line, strlen (line));
  for (guint i = 0; i < 2 * BLOCK; i++)
    g_string_append_c (out, '\0');
  return out;
}

/* the most memory that the daemon has ever had */
static guint64
peak_bytes (BusFixture *self)
{
  g_autofree char *path =
      g_strdup_printf ("/proc/%s/status", g_subprocess_get_identifier (self->daemon));
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, "VmHWM:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) * 1024;
}

static void
import (BusFixture *self, GString *archive_take, GError **error)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  clip_autofd int fd = bus_fixture_memfd (archive_take->str, archive_take->len);

  g_string_free (archive_take, TRUE);
  g_unix_fd_list_append (fds, fd, NULL);
  clip_dbus_history_call_import_sync (self->proxy, g_variant_new_handle (0),
                                      g_variant_new ("a{sv}", NULL), FLAGS, G_MAXINT, fds,
                                      NULL, NULL, NULL, NULL, error);
}

static void
assert_corrupt (const GError *error)
{
  g_autofree char *name = error ? g_dbus_error_get_remote_error (error) : NULL;

  g_assert_cmpstr (name, ==, "org.cliphist.History1.Error.Corrupt");
}

/* each of them is a table of its own to a reader of JSON */
static void
test_many_objects (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  GString *line = g_string_new ("{\"x\":[");
  g_autoptr (GError) error = NULL;
  guint64 before;

  while (line->len < 4 * 1024 * 1024 - 64)
    g_string_append (line, "{},");
  g_string_append (line, "{}]}\n");
  before = peak_bytes (self);
  import (self, make_archive (line->str), &error);
  g_string_free (line, TRUE);
  assert_corrupt (error);
  g_test_message ("%" G_GUINT64_FORMAT " KiB", (peak_bytes (self) - before) / 1024);
  g_assert_cmpuint (peak_bytes (self) - before, <, MOST_BYTES);
}

/* entries that would make a page of a list larger than a message may be */
static void
test_long_origin (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *origin = g_strnfill (1024 * 1024, 'o');
  g_autofree char *line =
      g_strdup_printf ("{\"last\":1,\"origin\":\"%s\",\"contents\":"
                       "[{\"type\":\"text/plain\",\"text\":\"a\"}]}\n",
                       origin);
  g_autoptr (GError) error = NULL;

  import (self, make_archive (line), &error);
  assert_corrupt (error);
}

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/attack/archive/many-objects", test_many_objects);
  bus_fixture_add ("/attack/archive/long-origin", test_long_origin);
  return g_test_run ();
}

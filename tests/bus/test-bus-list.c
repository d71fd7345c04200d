/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a list says of its entries, and their thumbnails. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#define NO_OPTIONS g_variant_new ("a{sv}", NULL)
#define OURS(name) "org.cliphist.History1.Error." name

/* @query: as text. Returns: (transfer full): the page */
static GVariant *
list (BusFixture *self, const char *query)
{
  g_autoptr (GError) error = NULL;
  GVariant *options = g_variant_parse (G_VARIANT_TYPE_VARDICT, query, NULL, NULL, &error);
  GVariant *page = NULL;

  g_assert_no_error (error);
  clip_dbus_history_call_list_sync (self->proxy, options, G_DBUS_CALL_FLAGS_NONE, -1,
                                    &page, NULL, &error);
  g_assert_no_error (error);
  g_variant_unref (options);
  return page;
}

/* the ids of the page, as text */
static void
assert_listed (BusFixture *self, const char *query, const char *expected)
{
  g_autoptr (GVariant) page = list (self, query);
  g_autoptr (GString) ids = g_string_new (NULL);

  for (gsize i = 0; i < g_variant_n_children (page); i++)
    {
      g_autoptr (GVariant) entry = g_variant_get_child_value (page, i);
      guint64 id;

      g_assert_true (g_variant_lookup (entry, "id", "t", &id));
      g_string_append_printf (ids, "%d ", (int) id);
    }
  g_assert_cmpstr (ids->str, ==, expected);
}

static GVariant *
list_one (BusFixture *self, const char *query)
{
  g_autoptr (GVariant) page = list (self, query);

  g_assert_cmpuint (g_variant_n_children (page), ==, 1);
  return g_variant_get_child_value (page, 0);
}

static void
test_after (BusFixture *self, gconstpointer data)
{
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      bus_fixture_store_text (self, text);
    }
  assert_listed (self, "{'after': <uint64 4>}", "6 5 ");
  assert_listed (self, "{'after': <uint64 2>, 'before': <uint64 5>}", "4 3 ");
  assert_listed (self, "{'after': <uint64 2>, 'words': <['text 1']>}", "");
  assert_listed (self, "{'after': <uint64 6>}", "");
  assert_listed (self, "{'after': <uint64 18446744073709551615>}", "");
}

static void
test_tags (BusFixture *self, gconstpointer data)
{
  g_autoptr (GVariant) entry = NULL;
  g_autofree const char **tags = NULL;
  const char *const both[] = { "one", "two", NULL };

  bus_fixture_store_text (self, "text");
  clip_dbus_history_call_set_tags_sync (self->proxy, 1, both, NO_OPTIONS,
                                        G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  entry = list_one (self, "{}");
  g_assert_true (g_variant_lookup (entry, "tags", "^a&s", &tags));
  g_assert_cmpstrv (tags, both);
  g_assert_false (g_variant_lookup (entry, "snippet", "&s", NULL));
}

static void
test_program (BusFixture *self, gconstpointer data)
{
  bus_fixture_store_text (self, "of nobody");
  assert_listed (self, "{'program': <'firefox'>}", "");
  assert_listed (self, "{'program': <''>}", "1 ");
}

/* the part of the snippet, and of the text, that was found */
static void
assert_found (BusFixture *self,
              const char *query,
              const char *text,
              const char *snippet,
              const char *found)
{
  g_autoptr (GVariant) entry = list_one (self, query);
  g_autofree char *marked = NULL, *matched = NULL;
  guint32 start, end;
  guint64 from, to;
  const char *line;

  g_assert_true (g_variant_lookup (entry, "snippet", "&s", &line));
  g_assert_true (g_variant_lookup (entry, "snippet-match", "(uu)", &start, &end));
  g_assert_true (g_variant_lookup (entry, "match", "(tt)", &from, &to));
  g_assert_cmpstr (line, ==, snippet);
  g_assert_cmpuint (end, <=, strlen (line));
  g_assert_cmpuint (to, <=, strlen (text));
  marked = g_strndup (line + start, end - start);
  matched = g_strndup (text + from, to - from);
  g_assert_cmpstr (marked, ==, found);
  g_assert_cmpstr (matched, ==, found);
}

static void
test_near_match (BusFixture *self, gconstpointer data)
{
  static const char text[] = "two\n\n  Stra\303\237en, \033 three";

  bus_fixture_store_text (self, text);
  assert_found (self, "{'words': <['stra\303\237e']>}", text,
                "two Stra\303\237en, \342\220\233 three", "Stra\303\237e");
  assert_found (self, "{'regex': <'thr.*'>}", text,
                "two Stra\303\237en, \342\220\233 three", "three");
}

static void
test_far_match (BusFixture *self, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GVariant) entry = NULL;
  const char *line;
  guint64 from;

  for (guint i = 0; i < 2000; i++)
    g_string_append (text, "hay ");
  g_string_append (text, "needle");
  for (guint i = 0; i < 2000; i++)
    g_string_append (text, " hay");
  bus_fixture_store_text (self, text->str);
  entry = list_one (self, "{'words': <['NEEDLE']>}");
  g_assert_true (g_variant_lookup (entry, "snippet", "&s", &line));
  g_assert_nonnull (strstr (line, "hay needle hay"));
  g_assert_true (g_str_has_prefix (line, "\342\200\246"));
  g_assert_true (g_str_has_suffix (line, "\342\200\246"));
  g_assert_cmpint (g_utf8_strlen (line, -1), <=, 202);
  g_assert_true (g_variant_lookup (entry, "match", "(tt)", &from, NULL));
  g_assert_cmpuint (from, ==, 8000);
}

/* --- images --- */

#define WIDTH 400
#define HEIGHT 300

static guint64
store_image (BusFixture *self)
{
  return bus_fixture_store_image (self, WIDTH, HEIGHT);
}

static guint64
store_broken_image (BusFixture *self)
{
  static const char bytes[] = "\x89PNG\r\n\x1A\nand nothing of the kind";
  clip_autofd int fd = bus_fixture_memfd (bytes, sizeof bytes);

  return bus_fixture_store (self, "image/png", fd, NULL, NULL, NULL);
}

static void
test_pixels (BusFixture *self, gconstpointer data)
{
  g_autoptr (GVariant) entry = NULL, text = NULL;
  guint32 width, height;

  store_image (self);
  entry = list_one (self, "{}");
  g_assert_true (g_variant_lookup (entry, "width", "u", &width));
  g_assert_true (g_variant_lookup (entry, "height", "u", &height));
  g_assert_cmpuint (width, ==, WIDTH);
  g_assert_cmpuint (height, ==, HEIGHT);
  bus_fixture_store_text (self, "[[ binary data 1 B png 5x5 ]]");
  text = list_one (self, "{'limit': <uint32 1>}");
  g_assert_false (g_variant_lookup (text, "width", "u", &width));
}

/* -1 with @error */
static int
get_thumbnail (BusFixture *self, guint64 id, const char *options, GError **error)
{
  g_autoptr (GVariant) words = g_variant_ref_sink (g_variant_new_parsed (options));
  g_autoptr (GVariant) handle = NULL;
  g_autoptr (GUnixFDList) fds = NULL;

  if (!clip_dbus_history_call_thumbnail_sync (self->proxy, id, words,
                                              G_DBUS_CALL_FLAGS_NONE, G_MAXINT, NULL,
                                              &handle, &fds, NULL, error))
    return -1;
  return g_unix_fd_list_get (fds, g_variant_get_handle (handle), error);
}

static void
assert_png (int fd, guint width, guint height)
{
  guint8 head[24];
  gboolean is_whole = clip_read_exactly (fd, (char *) head, sizeof head, 0, NULL);

  g_assert_true (is_whole);
  g_assert_cmpmem (head, 8, "\x89PNG\r\n\x1A\n", 8);
  g_assert_cmpuint ((guint) head[18] << 8 | head[19], ==, width);
  g_assert_cmpuint ((guint) head[22] << 8 | head[23], ==, height);
}

static void
assert_thumbnail (BusFixture *self, const char *options, guint width, guint height)
{
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = get_thumbnail (self, 1, options, &error);

  g_assert_no_error (error);
  g_assert_cmpint (lseek (fd, 0, SEEK_CUR), ==, 0);
  assert_png (fd, width, height);
  g_assert_cmpint (write (fd, "x", 1), <, 0);
  g_assert_true (clip_is_sealed (fd)); /* nor by opening it anew */
}

static void
test_thumbnail (BusFixture *self, gconstpointer data)
{
  store_image (self);
  assert_thumbnail (self, "@a{sv} {}", 256, 192);
  assert_thumbnail (self, "{'size': <uint32 16>}", 256, 192); /* the one that is kept */
  assert_thumbnail (self, "{'size': <uint32 320>}", 320, 240);
  assert_thumbnail (self, "{'size': <uint32 2048>}", WIDTH,
                    HEIGHT); /* none is made larger */
}

static void
assert_refused (BusFixture *self, guint64 id, const char *options, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *remote = NULL;

  g_assert_cmpint (get_thumbnail (self, id, options, &error), ==, -1);
  remote = g_dbus_error_get_remote_error (error);
  g_assert_cmpstr (remote, ==, name);
}

static void
test_no_thumbnail (BusFixture *self, gconstpointer data)
{
  store_broken_image (self);
  bus_fixture_store_text (self, "text");
  for (guint i = 0; i < 2; i++) /* the second time it is known */
    assert_refused (self, 1, "@a{sv} {}", OURS ("Corrupt"));
  assert_refused (self, 1, "{'size': <uint32 1000>}", OURS ("Corrupt"));
  assert_refused (self, 2, "@a{sv} {}", OURS ("NoSuchFormat"));
  assert_refused (self, 3, "@a{sv} {}", OURS ("NotFound"));
  assert_refused (self, 1, "{'size': <uint32 0>}", OURS ("InvalidArgument"));
  assert_refused (self, 1, "{'size': <uint32 2049>}", OURS ("InvalidArgument"));
  assert_refused (self, 1, "{'size': <'large'>}", OURS ("InvalidArgument"));
}

/* more than are made at once, by far; a decoder may be a program that starts for each */
#define MANY 10

static void
on_thumbnail (GObject *source, GAsyncResult *result, gpointer user_data)
{
  guint *n_left = user_data;
  g_autoptr (GVariant) handle = NULL;
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GError) error = NULL;

  clip_dbus_history_call_thumbnail_finish (CLIP_DBUS_HISTORY (source), &handle, &fds,
                                           result, &error);
  g_assert_no_error (error);
  (*n_left)--;
}

/* they wait for each other, and nothing else waits for them */
static void
test_many_thumbnails (BusFixture *self, gconstpointer data)
{
  const guint before = bus_fixture_count_ends (self);
  guint n_left = MANY;

  store_image (self);
  for (guint i = 0; i < MANY; i++)
    {
      g_autoptr (GVariant) options =
          g_variant_ref_sink (g_variant_new_parsed ("{'size': <%u>}", 300 + i));

      clip_dbus_history_call_thumbnail (self->proxy, 1, options, G_DBUS_CALL_FLAGS_NONE,
                                        G_MAXINT, NULL, NULL, on_thumbnail, &n_left);
    }
  wait_until (n_left == 0);
  wait_until (bus_fixture_count_ends (self) <= before);
}

#define add(path, function) bus_fixture_add ("/bus/list/" path, function)

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  add ("after", test_after);
  add ("tags", test_tags);
  add ("program", test_program);
  add ("match-near-the-beginning", test_near_match);
  add ("match-far-from-it", test_far_match);
  add ("pixels-of-an-image", test_pixels);
  add ("thumbnail", test_thumbnail);
  add ("no-thumbnail", test_no_thumbnail);
  add ("many-thumbnails", test_many_thumbnails);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a page of a search is made: on how many threads, and where it ends. */
#include "shelf.h"

/* more than one thread looks at much */
static void
test_two_threads (void)
{
  static const char *const searches[] = { "q", "5\xd0\xbf", "ti", NULL };
  g_autoptr (Shelf) shelf = shelf_new (70000, 0);
  const char *dir = shelf->hoard->dir;

  for (guint i = 0; searches[i]; i++)
    shelf_check_search (dir, shelf->texts, searches[i], NULL, NULL);
  shelf_check_search (dir, shelf->texts, NULL, NULL, "^[a-f]{3}[0-9]");
  shelf_check_search (dir, shelf->texts, NULL, NULL, "^the (first|last)");
}

typedef struct
{
  Hoard *hoard;
  guint n;
} Stop;

static gboolean
stop_at_third (const ClipRow *row G_GNUC_UNUSED, gpointer user_data)
{
  return ++((Stop *) user_data)->n < 3;
}

static void
test_stops (void)
{
  g_autoptr (Shelf) shelf = shelf_new (70000, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (shelf->hoard->dir, &error);
  ClipQuery query = { .regex = "^[a-f]{3}[0-9] 漢字" };
  Stop stop = { shelf->hoard, 0 };
  gboolean more = TRUE;

  while (more)
    g_assert_true (
        clip_reader_page (reader, &query, stop_at_third, &stop, &more, &error));
  g_assert_cmpuint (stop.n, ==, 3);
  g_assert_false (hoard_is_being_read (shelf->hoard));
}

/* an entry that a pattern costs too much for is left out; the rest is found */
static void
test_given_up (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *costly = g_strnfill (5000, 'a');
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (ClipReader) reader = NULL;
  ClipQuery query = { .regex = "^(([a-z])+.)+[A-Z]([a-z])+$" };
  gboolean more;

  hoard_add_text (hoard->store, "a.Aa");
  hoard_add_text (hoard->store, costly);
  hoard_add_text (hoard->store, "b.Bb");
  reader = clip_reader_open (hoard->dir, &error);
  g_assert_true (clip_reader_page (reader, &query, shelf_append_id, ids, &more, &error));
  g_assert_cmpstr (ids->str, ==, "3 1 ");
  g_assert_cmpuint (query.n_given_up, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/two-threads-find-the-same", test_two_threads);
  g_test_add_func ("/index/stops-when-told", test_stops);
  g_test_add_func ("/index/costly-entry-given-up", test_given_up);
  return g_test_run ();
}

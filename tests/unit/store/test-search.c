/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is found is what the texts say: the searches of a shelf are compared with looking
 * at all of its texts.
 */
#include "clip-error.h"
#include "shelf.h"

#include <stdlib.h>
#include <string.h>

static void
test_found_as_the_texts_say (void)
{
  g_autoptr (Shelf) shelf = shelf_new (20000, 0);

  shelf_delete (shelf, 17000);
  shelf_delete (shelf, 1);
  shelf_check (shelf);
}

static void
test_moved_found_once (void)
{
  g_autoptr (Shelf) shelf = shelf_new (5000, 0);
  const char *words[] = { "moved", NULL };
  g_autofree char *found = NULL;
  gint64 id;

  shelf_add (shelf, "it moved");
  hoard_add_text (shelf->hoard->store, "between");
  id = hoard_add_text (shelf->hoard->store, "it moved");
  found = shelf_search (shelf->hoard->dir, (ClipQuery){ .words = (char **) words });
  g_assert_cmpint (atoi (found), ==, id);
  g_assert_cmpstr (strchr (found, ' '), ==, " ");
}

static gboolean
stop_at_third (const ClipRow *row G_GNUC_UNUSED, gpointer user_data)
{
  return ++*(guint *) user_data < 3;
}

static void
test_stops (void)
{
  g_autoptr (Shelf) shelf = shelf_new (20000, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (shelf->hoard->dir, &error);
  ClipQuery query = { .regex = "^[a-f]{3}[0-9] 漢字" };
  gboolean more = TRUE;
  guint n = 0;

  while (more)
    {
      g_assert_true (clip_reader_page (reader, &query, stop_at_third, &n, &more, &error));
      g_assert_false (hoard_is_being_read (shelf->hoard));
    }
  g_assert_cmpuint (n, ==, 3);
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

/* a search fails when its time is over, not only when a page is; a list has no such
   time */
static void
test_deadline (void)
{
  g_autoptr (Shelf) shelf = shelf_new (20000, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (shelf->hoard->dir, &error);
  const char *words[] = { "zzqqzz", NULL };
  ClipQuery query = { .words = (char **) words, .deadline_us = 1 };
  ClipQuery list = { .deadline_us = 1, .limit = 5 };
  g_autoptr (GString) ids = g_string_new (NULL);
  gboolean more;

  g_assert_false (clip_reader_page (reader, &query, shelf_append_id, ids, &more, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_true (clip_reader_page (reader, &list, shelf_append_id, ids, &more, &error));
  g_assert_cmpuint (ids->len, >, 0);
}

static void
add_long (Hoard *hoard, gsize before, const char *word)
{
  g_autofree char *fill = g_strnfill (before, ' ');
  g_autofree char *text = g_strconcat ("x", fill, word, NULL);

  hoard_add_text (hoard->store, text);
}

/* in the row, in a file, and at the end of what is looked at */
static void
test_first_mebibyte (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  const char *words[] = { "needle", NULL };
  g_autofree char *found = NULL;

  add_long (hoard, 50000, "needle");
  add_long (hoard, 100000, "needle");
  add_long (hoard, 1024 * 1024 - strlen ("xneedle"), "needle");
  add_long (hoard, 1024 * 1024 - strlen ("xneedl"), "needle");
  found = shelf_search (hoard->dir, (ClipQuery){ .words = (char **) words });
  g_assert_cmpstr (found, ==, "3 2 1 ");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/found-as-the-texts-say", test_found_as_the_texts_say);
  g_test_add_func ("/search/moved-is-found-once", test_moved_found_once);
  g_test_add_func ("/search/stops-when-told", test_stops);
  g_test_add_func ("/search/costly-entry-given-up", test_given_up);
  g_test_add_func ("/search/fails-at-its-deadline", test_deadline);
  g_test_add_func ("/search/first-mebibyte-of-a-text", test_first_mebibyte);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hoard.h"

#include "clip-reader.h"

typedef struct
{
  Hoard *hoard;
  ClipReader *reader;
  GString *seen;
} Pages;

static void
set_up (Pages *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  self->hoard = hoard_new (0);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      hoard_add_text (self->hoard->store, text);
    }
  self->reader = clip_reader_open (self->hoard->dir, &error);
  g_assert_no_error (error);
  self->seen = g_string_new (NULL);
}

static void
tear_down (Pages *self, gconstpointer data G_GNUC_UNUSED)
{
  g_string_free (self->seen, TRUE);
  clip_reader_free (self->reader);
  hoard_free (self->hoard);
}

static gboolean
append (const ClipRow *row, gpointer user_data)
{
  g_string_append_printf (user_data, "%" G_GINT64_FORMAT " %s ", row->id,
                          clip_class_name (row->kind));
  return TRUE;
}

static gboolean
read_page (Pages *self, ClipQuery *query)
{
  g_autoptr (GError) error = NULL;
  gboolean more;

  clip_reader_page (self->reader, query, append, self->seen, &more, &error);
  g_assert_no_error (error);
  return more;
}

/* their lines are not cut, whatever the width */
static void
test_a_brief_list_knows_images (Pages *self, gconstpointer data G_GNUC_UNUSED)
{
  ClipQuery query = { .brief = TRUE, .limit = 2 };

  hoard_add (self->hoard->store,
             hoard_draft (self->hoard->store, "image/png", "\x89PNG\r\n\x1A\n", NULL),
             NULL);
  g_assert_false (read_page (self, &query));
  g_assert_cmpstr (self->seen->str, ==, "6 image 5 text ");
}

/* nothing is lost behind a short one */
static void
test_as_short_as_asked (Pages *self, gconstpointer data G_GNUC_UNUSED)
{
  ClipQuery query = { .brief = TRUE, .page_rows = 2, .limit = 4 };

  g_assert_true (read_page (self, &query));
  g_assert_cmpstr (self->seen->str, ==, "5 text 4 text ");
  query.page_rows = 0;
  g_assert_false (read_page (self, &query));
  g_assert_cmpstr (self->seen->str, ==, "5 text 4 text 3 text 2 text ");
}

/* of a text that ends with blanks the row has the preview, and them in another column */
static void
test_found_across_two_columns (Pages *self, gconstpointer data G_GNUC_UNUSED)
{
  hoard_add_text (self->hoard->store, "the end  \t  ");
  for (gsize blanks = 0; blanks <= 5; blanks++)
    {
      g_autofree char *part = g_strndup ("end  \t  ", 3 + blanks);
      char *words[] = { part, NULL };
      ClipQuery query = { .words = words };

      g_string_truncate (self->seen, 0);
      while (read_page (self, &query))
        ;
      g_assert_cmpstr (self->seen->str, ==, "6 text ");
    }
}

/* not by what else is known of where it comes from */
static void
test_by_program (Pages *self, gconstpointer data G_GNUC_UNUSED)
{
  ClipQuery part = { .program = "NI", .limit = 2 };
  ClipQuery selection = { .program = "clipboard" };
  char *words[] = { (char *) "text 1", NULL };
  ClipQuery with_words = { .program = "unit", .words = words };

  g_assert_false (read_page (self, &part));
  g_assert_cmpstr (self->seen->str, ==, "5 text 4 text ");
  g_assert_false (read_page (self, &selection));
  g_assert_cmpstr (self->seen->str, ==, "5 text 4 text ");
  g_assert_false (read_page (self, &with_words));
  g_assert_cmpstr (self->seen->str, ==, "5 text 4 text 2 text ");
}

static void
test_first_shown_before_the_last_is_found (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  ClipQuery query = { .regex = "^0+1$" };
  gboolean more = TRUE;

  hoard_fill (hoard, 20000);
  hoard_add_text (hoard->store, "01");
  reader = clip_reader_open (hoard->dir, &error);
  g_assert_no_error (error);
  while (seen->len == 0)
    g_assert_true (clip_reader_page (reader, &query, append, seen, &more, &error));
  g_assert_cmpstr (seen->str, ==, "20001 text ");
  g_assert_true (more);
  g_assert_cmpint (query.before, >, 19000); /* little more was looked at */
  while (more)
    g_assert_true (clip_reader_page (reader, &query, append, seen, &more, &error));
  g_assert_cmpstr (seen->str, ==, "20001 text 1 text ");
}

#define ADD(name, test) g_test_add (name, Pages, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/page/a-brief-list-knows-images", test_a_brief_list_knows_images);
  ADD ("/page/as-short-as-asked", test_as_short_as_asked);
  ADD ("/page/found-across-two-columns", test_found_across_two_columns);
  ADD ("/page/by-program", test_by_program);
  g_test_add_func ("/page/first-shown-before-the-last-is-found",
                   test_first_shown_before_the_last_is_found);
  return g_test_run ();
}

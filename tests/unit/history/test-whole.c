/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An entry is all of a copy that is worth keeping, and comes back as that. */
#include "history-fixture.h"

#include <signal.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"

static void
select_entry (HistoryFixture *self, gint64 id)
{
  g_autoptr (GAsyncResult) selected = NULL;
  g_autoptr (GError) error = NULL;

  clip_history_select_async (self->history, id, CLIP_SELECT_WHOLE, keep_result,
                             &selected);
  wait_until (selected);
  clip_history_select_finish (self->history, selected, &error);
  g_assert_no_error (error);
}

static void
assert_pasted (HistoryFixture *self, const char *mime, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = clip_backend_fake_paste (self->display, mime, &error);
  gsize length;
  const char *data;

  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &length);
  g_assert_cmpmem (data, length, expected, strlen (expected));
}

/* as file managers of GNOME, MATE and KDE do */
static void
test_cut_files_come_back_as_cut (HistoryFixture *self, gconstpointer data)
{
  static const char *const names[] = {
    "text/uri-list",
    "x-special/gnome-copied-files",
    "x-special/mate-copied-files",
    TEXT,
    "text/plain",
    "UTF8_STRING",
    "TEXT",
    "STRING",
    "application/x-kde-cutselection",
    NULL,
  };

  clip_backend_fake_copy (self->display, "x-special/gnome-copied-files",
                          "cut\nfile:///a%20b", "x-special/mate-copied-files",
                          "cut\nfile:///a%20b", "application/vnd.portal.filetransfer",
                          "key", "text/uri-list", "file:///a%20b\r\nfile:///c\r\n", TEXT,
                          "/a b", "application/x-kde-cutselection", "1",
                          "application/vnd.portal.files", "key", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  select_entry (self, 1);
  g_assert_cmpstrv (clip_source_mimes (clip_backend_fake_owned (self->display)), names);
  assert_pasted (self, "text/uri-list", "file:///a%20b\r\nfile:///c\r\n");
  assert_pasted (self, "x-special/gnome-copied-files", "cut\nfile:///a%20b");
  assert_pasted (self, "x-special/mate-copied-files", "cut\nfile:///a%20b");
  assert_pasted (self, "application/x-kde-cutselection", "1");
}

/* the primary type first, the others as they were offered; each under all of its names */
static void
test_all_types_in_their_order (HistoryFixture *self, gconstpointer data)
{
  static const char *const names[] = {
    TEXT,        "text/plain", "UTF8_STRING",     "TEXT",          "STRING",
    "text/html", "text/rtf",   "application/rtf", "text/richtext", NULL,
  };

  clip_backend_fake_copy (self->display, TEXT, "word", "text/_moz_htmlinfo", "private",
                          "text/html", "<b>word</b>", "chromium/x-source-url", "private",
                          "text/rtf", "{\\rtf1}", "image/png", "drawn", NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "text/_moz_htmlinfo"), ==, 0);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "chromium/x-source-url"), ==,
                    0);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "image/png"), ==, 0);
  select_entry (self, 1);
  g_assert_cmpstrv (clip_source_mimes (clip_backend_fake_owned (self->display)), names);
  assert_pasted (self, "application/rtf", "{\\rtf1}");
  assert_pasted (self, "STRING", "word");
}

/* it is offered again once its owner has gone, as one that is whole */
static void
test_type_with_nothing_in_it_is_not_missed (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  assert_pasted (self, TEXT, "word");
}

/* the same copy once more, of which one type breaks off */
static void
test_truncated_does_not_replace_whole (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (ClipEntry) entry = NULL;
  g_autofree char *html = NULL;

  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<b>word</b>", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "other", NULL);
  wait_until (self->n_added == 2);
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", NULL, NULL);
  wait_until (self->n_moved == 1);
  entry = history_fixture_lookup (self, 3, NULL);
  g_assert_cmpuint (entry->contents->len, ==, 2);
  html = history_fixture_text (self, 3, "text/html");
  g_assert_cmpstr (html, ==, "<b>word</b>");
  g_assert_cmpint (history_fixture_count (self), ==, 2);
}

/* what is there belongs to somebody: nothing is owned before that has gone */
static void
test_nothing_is_owned_before_its_owner_has_gone (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (clip_history_current (self->history) == 2);
  g_assert_null (clip_backend_fake_owned (self->display));
  clip_backend_fake_clear (self->display);
  g_assert_null (clip_backend_fake_owned (self->display));
  wait_until (clip_backend_fake_owned (self->display));
  assert_pasted (self, TEXT, "next");
}

#define add(path, function) \
  g_test_add ("/whole/" path, HistoryFixture, NULL, history_fixture_setup, function, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("cut-files-come-back-as-cut", test_cut_files_come_back_as_cut);
  add ("all-types-in-their-order", test_all_types_in_their_order);
  add ("type-with-nothing-in-it-is-not-missed",
       test_type_with_nothing_in_it_is_not_missed);
  add ("truncated-does-not-replace-whole", test_truncated_does_not_replace_whole);
  add ("nothing-is-owned-before-its-owner-has-gone",
       test_nothing_is_owned_before_its_owner_has_gone);
  return g_test_run ();
}

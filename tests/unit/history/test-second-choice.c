/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is kept of a copy whose best content is blank, empty or not handed over. */
#include "clip-error.h"
#include "history-fixture.h"
#include "later-clock.h"

#include <signal.h>

#define TEXT "text/plain;charset=utf-8"
#define HTML "text/html"
#define PNG "image/png"
#define HINT "x-kde-passwordManagerHint"

static void
assert_kept (HistoryFixture *self, const char *mime, const char *expected, guint n)
{
  g_autoptr (ClipEntry) entry = NULL;
  g_autofree char *text = NULL;

  wait_until (self->n_added == 1);
  entry = history_fixture_lookup (self, 1, NULL);
  text = history_fixture_text (self, 1, "");
  g_assert_cmpstr (((ClipContent *) entry->contents->pdata[0])->mime, ==, mime);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (entry->contents->len, ==, n);
  g_assert_cmpuint (self->n_drops, ==, 0);
}

static void
test_image (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "\n", PNG, "image", NULL);
  assert_kept (self, PNG, "image", 2);
}

static void
test_html (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, HTML, "<img>", TEXT, " ", PNG, "image", NULL);
  assert_kept (self, HTML, "<img>", 2);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, PNG), ==, 0);
}

static void
test_other (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, "application/x-app", "own", TEXT, " ", NULL);
  assert_kept (self, "application/x-app", "own", 2);
}

/* the next name of the same, and the next encoding */
static void
test_empty (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, "UTF8_STRING", "", "STRING", "word", NULL);
  assert_kept (self, TEXT, "word", 1);
}

static void
test_empty_image (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, PNG, "", "image/jpeg", "image", NULL);
  assert_kept (self, "image/jpeg", "image", 1);
}

static void
test_unanswered (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_set_silent (self->display, TEXT);
  clip_backend_fake_copy (self->display, TEXT, "", "STRING", "word", NULL);
  assert_kept (self, TEXT, "word", 1);
}

static void
test_unanswered_beside_html (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_set_silent (self->display, TEXT);
  clip_backend_fake_copy (self->display, TEXT, "", "STRING", "word", HTML, "<b>", NULL);
  assert_kept (self, HTML, "<b>", 1);
}

/* nor is what is called a list of files and is none */
static void
test_no_files (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, "text/uri-list", "make all", TEXT, "make none",
                          NULL);
  assert_kept (self, TEXT, "make none", 2);
}

static void
on_lost (guint *n_lost, const GError *error)
{
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_STALLED);
  ++*n_lost;
}

/* the image was what mattered */
static void
test_blank_beside_unanswered (HistoryFixture *self, gconstpointer data)
{
  guint n_lost = 0;

  g_signal_connect_swapped (self->history, "trouble", G_CALLBACK (on_lost), &n_lost);
  clip_backend_fake_set_silent (self->display, PNG);
  clip_backend_fake_copy (self->display, TEXT, " ", PNG, "", NULL);
  wait_until (n_lost == 1);
  g_assert_cmpuint (self->n_drops, ==, 0);
  g_signal_handlers_disconnect_by_data (self->history, &n_lost);
}

static void
test_too_large (HistoryFixture *self, gconstpointer data)
{
  clip_settings_set (self->settings, CLIP_SETTING_MAX_STORE_SIZE, "4", CLIP_FROM_FLAG,
                     NULL);
  clip_history_set_settings (self->history, self->settings);
  clip_backend_fake_copy (self->display, TEXT, " ", PNG, "image", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_TOO_LARGE);
}

/* nor is a blank text asked for by all of its names */
static void
test_blank (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, " ", "UTF8_STRING", " ", "STRING", " ",
                          HTML, "", "application/x-kde-cutselection", "1", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_BLANK);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "UTF8_STRING"), ==, 0);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

/* copied from a browser */
static void
test_blank_html (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, HTML, "<meta charset='utf-8'><span> </span>",
                          TEXT, " ", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_BLANK);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

/* what was marked has come and gone: another copy lies between, and the second in which
   no text is kept */
static void
wait_for_another (HistoryFixture *self)
{
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, PNG, "another", NULL);
  wait_until (clip_history_current (self->history) != 0);
  g_atomic_int_add (&later_s, 2);
}

static void
assert_blank (HistoryFixture *self)
{
  wait_until (self->n_drops == 2);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_BLANK);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* of a marked copy the types of the first choice alone are read, to be known again */
static void
test_secret_image (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "\n", PNG, "secret", HINT, "secret", NULL);
  wait_for_another (self);
  clip_backend_fake_copy (self->display, TEXT, "\n", PNG, "secret", NULL);
  assert_blank (self);
}

static void
test_secret_html (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "", HTML, "secret", HINT, "secret", NULL);
  wait_for_another (self);
  clip_backend_fake_copy (self->display, TEXT, "\n", HTML, "secret", NULL);
  assert_blank (self);
}

/* no bare text, which is not kept for a second whatever it is */
static void
test_secret_of_another_name (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "", "STRING", "secret", HTML, "", HINT,
                          "secret", NULL);
  wait_for_another (self);
  clip_backend_fake_copy (self->display, TEXT, "", "STRING", "secret", HTML, "", NULL);
  assert_blank (self);
}

static void
test_secret_unanswered (HistoryFixture *self, gconstpointer data)
{
  guint n_lost = 0;

  g_signal_connect_swapped (self->history, "trouble", G_CALLBACK (on_lost), &n_lost);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", PNG, "secret", HINT, "secret",
                          NULL);
  wait_for_another (self);
  clip_backend_fake_set_silent (self->display, TEXT);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", PNG, "secret", NULL);
  wait_until (n_lost == 1);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
  g_signal_handlers_disconnect_by_data (self->history, &n_lost);
}

/* each is held in memory until the end */
static void
test_many_blank (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, " ", "application/x-1", " ",
                          "application/x-2", " ", "application/x-3", " ",
                          "application/x-4", " ", "application/x-5", " ",
                          "application/x-6", " ", "application/x-7", " ",
                          "application/x-8", " ", "application/x-9", "own", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_BLANK);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "application/x-8"), ==, 1);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "application/x-9"), ==, 0);
}

static void
add (const char *fact, void (*test) (HistoryFixture *, gconstpointer))
{
  g_autofree char *path = g_strconcat ("/second-choice/", fact, NULL);

  g_test_add (path, HistoryFixture, NULL, history_fixture_setup, test,
              history_fixture_teardown);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  signal (SIGPIPE, SIG_IGN);
  add ("an-image-beside-a-blank-text", test_image);
  add ("the-looks-of-a-blank-text", test_html);
  add ("what-one-program-knows-beside-a-blank-text", test_other);
  add ("another-name-of-an-empty-text", test_empty);
  add ("another-encoding-of-an-empty-image", test_empty_image);
  add ("another-name-of-an-unanswered-text", test_unanswered);
  add ("html-beside-an-unanswered-text", test_unanswered_beside_html);
  add ("a-text-beside-what-is-no-list-of-files", test_no_files);
  add ("an-unanswered-image-beside-a-blank-text-is-told", test_blank_beside_unanswered);
  add ("an-image-beside-a-blank-text-may-be-too-large", test_too_large);
  add ("what-is-blank-in-all-is-dropped", test_blank);
  add ("what-is-blank-in-its-looks-is-dropped", test_blank_html);
  add ("what-is-blank-in-many-is-asked-for-no-more", test_many_blank);
  add ("an-image-of-a-secret-beside-a-blank-text", test_secret_image);
  add ("html-of-a-secret-beside-an-empty-text", test_secret_html);
  add ("another-name-of-the-empty-text-of-a-secret", test_secret_of_another_name);
  add ("an-image-of-a-secret-beside-an-unanswered-text", test_secret_unanswered);
  return g_test_run ();
}

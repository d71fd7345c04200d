/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which of its types an entry is offered with, and which are not even asked for. */
#include "clip-error.h"
#include "history-fixture.h"

#include <signal.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"

static void
test_plain_text_alone (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) selected = NULL;
  g_autoptr (GAsyncResult) refused = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) text = NULL;
  const char *const *mimes = NULL;

  clip_backend_fake_copy (self->display, "text/html", "<b>word</b>", TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_history_select_async (self->history, 1, CLIP_SELECT_PLAIN, keep_result, &selected);
  wait_until (selected);
  mimes = clip_source_mimes (clip_backend_fake_owned (self->display));
  g_assert_false (g_strv_contains (mimes, "text/html"));
  g_assert_true (g_strv_contains (mimes, "UTF8_STRING"));
  text = clip_backend_fake_paste (self->display, TEXT, NULL);
  g_assert_cmpmem (g_bytes_get_data (text, NULL), g_bytes_get_size (text), "word", 4);
  clip_backend_fake_copy (self->display, "image/x-fake", "no text", NULL);
  wait_until (self->n_added == 2);
  clip_history_select_async (self->history, 2, CLIP_SELECT_PLAIN, keep_result, &refused);
  wait_until (refused);
  g_assert_false (clip_history_select_finish (self->history, refused, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT);
}

/* what pastes from there pastes nothing else: what was selected before would come */
static void
test_without_text_not_on_primary (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) refused = NULL;
  g_autoptr (GError) error = NULL;

  clip_backend_fake_copy (self->display, "image/png", "no text", NULL);
  wait_until (self->n_added == 1);
  clip_history_select_async (self->history, 1, CLIP_SELECT_PRIMARY, keep_result,
                             &refused);
  wait_until (refused);
  g_assert_false (clip_history_select_finish (self->history, refused, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT);
}

/* Inkscape crashes over its own type when it comes back; the portal's keys are good for
 * one paste, which would be ours */
static void
test_harmful_types_not_read (HistoryFixture *self, gconstpointer data)
{
  const char *const *mimes;

  clip_backend_fake_copy (self->display, "image/x-inkscape-svg", "<svg/>",
                          "application/vnd.portal.filetransfer", "key",
                          "application/x-openoffice-link", "link", "image/svg+xml",
                          "<svg/>", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "image/x-inkscape-svg"), ==,
                    0);
  g_assert_cmpuint (
      clip_backend_fake_asked (self->display, "application/vnd.portal.filetransfer"), ==,
      0);
  mimes = clip_source_mimes (clip_backend_fake_owned (self->display));
  g_assert_true (g_strv_contains (mimes, "image/svg+xml"));
  for (guint i = 0; mimes[i]; i++)
    g_assert_false (strstr (mimes[i], "inkscape") || strstr (mimes[i], "portal") ||
                    strstr (mimes[i], "openoffice"));
}

/* an archive of another program may hold what no copy brings */
static void
test_harmful_types_not_offered (HistoryFixture *self, gconstpointer data)
{
  static const char *const kinds[] = {
    "image/x-inkscape-svg",
    "application/vnd.portal.files",
    "x-kde-passwordManagerHint",
    "SAVE_TARGETS",
    TEXT,
  };
  static const char *const names[] = {
    TEXT, "text/plain", "UTF8_STRING", "TEXT", "STRING", NULL,
  };
  ClipDraft *draft = clip_draft_new ("");
  g_autoptr (GBytes) bytes = g_bytes_new_static ("word", 4);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) selected = NULL;
  const ClipLimits limits = CLIP_NO_LIMITS;
  ClipOutcome added;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    clip_draft_add_bytes (draft, kinds[i], bytes);
  clip_store_change_async (self->store, clip_change_add (draft, &limits), keep_result,
                           &result);
  wait_until (result);
  g_assert_true (clip_store_change_finish (self->store, result, &added, &error));
  g_assert_no_error (error);
  clip_history_select_async (self->history, added.id, CLIP_SELECT_WHOLE, keep_result,
                             &selected);
  wait_until (selected);
  clip_history_select_finish (self->history, selected, &error);
  g_assert_no_error (error);
  g_assert_cmpstrv (clip_source_mimes (clip_backend_fake_owned (self->display)), names);
}

/* by each of the names that it is offered under */
static void
test_latin1 (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) selected = NULL;
  const char *const *mimes;

  clip_backend_fake_copy (self->display, "STRING", "gr\xFC\xDF", NULL);
  wait_until (self->n_added == 1);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &selected);
  wait_until (selected);
  mimes = clip_source_mimes (clip_backend_fake_owned (self->display));
  g_assert_true (g_strv_contains (mimes, "STRING"));
  for (guint i = 0; mimes[i]; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) text = clip_backend_fake_paste (self->display, mimes[i], &error);

      g_assert_no_error (error);
      g_assert_cmpmem (g_bytes_get_data (text, NULL), g_bytes_get_size (text),
                       "gr\xFC\xDF", 4);
    }
}

#define add(path, function) \
  g_test_add ("/history/" path, HistoryFixture, NULL, history_fixture_setup, function, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("harmful-types-not-read", test_harmful_types_not_read);
  add ("harmful-types-not-offered", test_harmful_types_not_offered);
  add ("latin1-by-all-its-names", test_latin1);
  add ("plain-text-alone", test_plain_text_alone);
  add ("without-text-not-on-primary", test_without_text_not_on_primary);
  return g_test_run ();
}

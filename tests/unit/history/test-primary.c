/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is kept of what is merely selected. */
#include "clip-call-store.h"
#include "clip-fd.h"
#include "history-fixture.h"
#include "later-clock.h"

#include <signal.h>

#define TEXT "text/plain;charset=utf-8"
/* when it has rested for long enough */
#define RESTED_MS 400

static void
set (HistoryFixture *self, ClipSetting setting, const char *value)
{
  clip_settings_set (self->settings, setting, value, CLIP_FROM_FLAG, NULL);
  clip_history_set_settings (self->history, self->settings);
}

static void
want_primary (HistoryFixture *self, gconstpointer data)
{
  history_fixture_setup (self, data);
  set (self, CLIP_SETTING_PRIMARY, "yes");
}

static void
assert_newest (HistoryFixture *self, gint64 id, const char *expected)
{
  g_autofree char *text = history_fixture_text (self, id, "");

  g_assert_cmpstr (text, ==, expected);
}

/* what is copied after it is an entry alone: it was never taken */
static void
assert_nothing_selected_kept (HistoryFixture *self)
{
  clip_backend_fake_copy (self->display, "image/png", "\x89PNG\r\n\x1a\n", NULL);
  wait_until (clip_history_current (self->history) != 0);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

static void
test_off_by_default (HistoryFixture *self, gconstpointer data)
{
  set (self, CLIP_SETTING_PRIMARY, "no");
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  set (self, CLIP_SETTING_PRIMARY, "yes");
  clip_backend_fake_select (self->display, TEXT, "other", NULL);
  wait_until (self->n_added == 1);
  assert_newest (self, 1, "other");
}

static void
test_text_alone_is_kept (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (ClipEntry) entry = NULL;

  clip_backend_fake_select (self->display, "text/html", "<b>word</b>", TEXT, "word",
                            NULL);
  wait_until (self->n_added == 1);
  entry = history_fixture_lookup (self, 1, NULL);
  g_assert_cmpuint (entry->contents->len, ==, 1);
  g_assert_cmpstr (entry->row.origin, ==, "fake primary");
  assert_newest (self, 1, "word");
}

static gboolean
set_true (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* a picture, a link or a file is selected with the mouse, too */
static void
test_without_a_text_it_is_nothing (HistoryFixture *self, gconstpointer data)
{
  static const char *const types[] = { "image/png", "text/html", "text/uri-list" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      gboolean rested = FALSE;

      clip_backend_fake_select (self->display, types[i], "no text", NULL);
      g_timeout_add (RESTED_MS, set_true, &rested);
      wait_until (rested);
      g_assert_cmpuint (clip_backend_fake_asked (self->display, types[i]), ==, 0);
    }
  assert_nothing_selected_kept (self);
}

/* with each move of the mouse there is another one */
static void
test_only_what_rests_is_read (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "w", NULL);
  clip_backend_fake_select (self->display, TEXT, "wo", NULL);
  clip_backend_fake_select (self->display, TEXT, "wor", NULL);
  wait_until (self->n_added == 1);
  assert_newest (self, 1, "wor");
}

static void
test_growing_selection_is_one_entry (HistoryFixture *self, gconstpointer data)
{
  static const char *const steps[] = { "word", "word and", "another word and", "and" };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      /* on a slow machine, too, they follow each other at once */
      g_atomic_int_add (&later_s, -10);
      clip_backend_fake_select (self->display, TEXT, steps[i], NULL);
      wait_until (self->n_added == i + 1);
      wait_until (history_fixture_count (self) == 1);
    }
  assert_newest (self, 4, "and");
  clip_backend_fake_select (self->display, TEXT, "something else", NULL);
  wait_until (self->n_added == 5);
  g_assert_cmpint (history_fixture_count (self), ==, 2);
}

/* what was selected first is there beside a longer selection, and beside another */
static void
assert_outlasts_the_next (HistoryFixture *self)
{
  clip_backend_fake_select (self->display, TEXT, "words", NULL);
  wait_until (self->n_added == 2);
  clip_backend_fake_select (self->display, TEXT, "no more", NULL);
  wait_until (self->n_added == 3);
  g_assert_cmpint (history_fixture_count (self), ==, 3);
}

/* nothing tells of a drag meanwhile */
static void
test_what_is_selected_later_is_another (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "ssh admin@db7 -p 2222", NULL);
  wait_until (self->n_added == 1);
  g_atomic_int_add (&later_s, 3);
  clip_backend_fake_select (self->display, TEXT, "ssh", NULL);
  wait_until (self->n_added == 2);
  clip_backend_fake_select (self->display, TEXT, "no more", NULL);
  wait_until (self->n_added == 3);
  g_assert_cmpint (history_fixture_count (self), ==, 3);
}

static void
test_what_came_before_another_stays (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "another", NULL);
  wait_until (self->n_added == 2);
  clip_backend_fake_select (self->display, TEXT, "words", NULL);
  wait_until (self->n_added == 3);
  clip_backend_fake_select (self->display, TEXT, "no more", NULL);
  wait_until (self->n_added == 4);
  g_assert_cmpint (history_fixture_count (self), ==, 4);
}

/* it is in the history for another reason, too */
static void
test_what_was_copied_stays (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_moved == 1);
  assert_outlasts_the_next (self);
}

/* as a script does that prints what is selected from its terminal */
static void
call_store (HistoryFixture *self, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GAsyncResult) result = NULL;
  GPtrArray *inputs = clip_inputs_new ();
  ClipStored stored = { 0 };

  clip_inputs_add (inputs, "", clip_memfd (bytes, NULL));
  clip_call_store_async (self->history, inputs, self->settings, FALSE, 0, NULL, NULL,
                         NULL, keep_result, &result);
  wait_until (result);
  g_assert_true (clip_call_store_finish (result, &stored, NULL));
  g_assert_cmpint (stored.added.id, ==, 1);
}

static void
test_what_a_caller_stored_stays (HistoryFixture *self, gconstpointer data)
{
  call_store (self, "word");
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
  g_atomic_int_add (&later_s, -10); /* the next one follows at once */
  assert_outlasts_the_next (self);
}

static void
test_what_a_caller_stores_next_stays (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  call_store (self, "word");
  g_assert_cmpint (history_fixture_count (self), ==, 1);
  g_atomic_int_add (&later_s, -10); /* the next one follows at once */
  assert_outlasts_the_next (self);
}

/* somebody wants it: it does not go because the selection grows */
static void
test_what_was_pinned_stays (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) pinned = NULL;

  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_store_change_async (self->store, clip_change_pin (1, TRUE), keep_result, &pinned);
  wait_until (pinned);
  assert_outlasts_the_next (self);
}

static void
change_added (ClipStore *store, const ClipEntry *entry, gpointer user_data)
{
  g_signal_handlers_disconnect_by_func (store, change_added, user_data);
  g_signal_emit_by_name (store, "entry-changed", entry);
}

/* the store tells of both before the capture is through */
static void
test_what_is_pinned_at_once_stays (HistoryFixture *self, gconstpointer data)
{
  g_signal_connect (self->store, "entry-added", G_CALLBACK (change_added), NULL);
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  assert_outlasts_the_next (self);
}

/* it would no longer be offered there */
static void
test_what_the_clipboard_holds_stays (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, NULL, NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_select (self->display, TEXT, "words", NULL);
  wait_until (self->n_added == 2);
  clip_backend_fake_select (self->display, TEXT, "no more", NULL);
  wait_until (self->n_added == 3);
  g_assert_cmpint (history_fixture_count (self), ==, 3);
  g_assert_nonnull (clip_backend_fake_owned (self->display));
}

static void
test_what_was_on_the_clipboard_stays (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, NULL, NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_history_empty_async (self->history, NULL, NULL);
  wait_until (clip_history_current (self->history) == 0);
  assert_outlasts_the_next (self);
}

static void
test_never_owned_never_current (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
  g_signal_emit_by_name (self->display, "cleared", CLIP_SELECTION_PRIMARY);
  clip_backend_fake_select (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 2);
  g_assert_null (clip_backend_fake_owned (self->display));
}

static void
test_secrets_and_pause_count_here_too (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                            "secret", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  clip_history_pause (self->history, -1);
  clip_backend_fake_select (self->display, TEXT, "paused", NULL);
  clip_history_pause (self->history, 0);
  /* selected again without its marker, and not as a manager would */
  clip_backend_fake_select (self->display, TEXT, "hunter2", "text/html", "<b>hunter2</b>",
                            NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  assert_nothing_selected_kept (self);
}

/* it may be pasted once, so it is not read; a script carries its text over to here */
static void
test_text_behind_a_secret_for_one_paste_is_one (HistoryFixture *self, gconstpointer data)
{
  gboolean rested = FALSE;

  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", "x-kde-passwordManagerHint", "secret",
                          NULL);
  wait_until (self->n_drops == 1);
  clip_backend_fake_select (self->display, TEXT, "hunter2", NULL);
  g_timeout_add (RESTED_MS, set_true, &rested);
  wait_until (rested);
  assert_nothing_selected_kept (self);
}

/* nor while one is read that was copied on another display */
static void
test_text_while_a_secret_is_read_below_is_one (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);
  gboolean rested = FALSE;

  clip_backend_fake_stall (below, TRUE);
  clip_backend_fake_copy (below, TEXT, "", "application/x-nspasteboard-concealed-type",
                          "", NULL);
  wait_until (clip_backend_fake_asked (below, TEXT) == 1);
  clip_backend_fake_select (self->display, TEXT, "hunter2", NULL);
  g_timeout_add (RESTED_MS, set_true, &rested);
  wait_until (rested);
  clip_backend_fake_trickle (below, "hunter2");
  clip_backend_fake_stall (below, FALSE);
  wait_until (self->n_drops == 1);
  assert_nothing_selected_kept (self);
  g_object_unref (below);
}

/* before the main loop runs, in which it would rest */
static void
test_marked_one_is_read_at_once (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "word", NULL);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  clip_backend_fake_select (self->display, TEXT, "hunter2",
                            "application/x-nspasteboard-concealed-type", "", NULL);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 1);
}

/* a manager selects it anew, before it has been read */
static void
test_text_behind_a_marked_one_is_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                            "secret", NULL);
  clip_backend_fake_select (self->display, TEXT, "hunter2", NULL);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  assert_nothing_selected_kept (self);
}

/* or carries it over to a clipboard, here another display's: it has been read by then */
static void
test_marked_one_that_is_copied_is_one (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *other = clip_backend_fake_new ();

  clip_history_add_backend (self->history, CLIP_BACKEND (other));
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_select (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                            "secret", NULL);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
  clip_backend_fake_set_busy (self->display, FALSE);
  clip_backend_fake_copy (other, TEXT, "hunter2", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
  clip_backend_fake_copy (other, TEXT, "copied", NULL);
  wait_until (self->n_added == 1);
  assert_newest (self, 1, "copied");
  g_object_unref (other);
}

/* the program that carries it over is not */
static void
test_marked_one_of_an_ignored_program_is_one (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *other = clip_backend_fake_new ();

  clip_history_add_backend (self->history, CLIP_BACKEND (other));
  set (self, CLIP_SETTING_IGNORE_APP, "vault");
  clip_backend_fake_set_app (self->display, "vault");
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_select (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                            "secret", NULL);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
  clip_backend_fake_set_busy (self->display, FALSE);
  clip_backend_fake_copy (other, TEXT, "hunter2", NULL);
  wait_until (self->n_drops == 1);
  clip_backend_fake_copy (other, TEXT, "copied", NULL);
  wait_until (self->n_added == 1);
  assert_newest (self, 1, "copied");
  g_object_unref (other);
}

/* a program without focus selects all the time */
static void
test_marked_one_keeps_no_copy_out (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_select (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                            "secret", NULL);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpuint (self->n_drops, ==, 0);
  assert_newest (self, 1, "word");
}

static void
select_marked (HistoryFixture *self, const char *text)
{
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_select (self->display, TEXT, text, "x-kde-passwordManagerHint",
                            "secret", NULL);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
  clip_backend_fake_set_busy (self->display, FALSE);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_marked_ones_push_out_no_copy (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *text = g_strdup_printf ("selected %u", i);

      select_marked (self, text);
    }
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "text/html", "<b>hunter2</b>",
                          NULL);
  wait_until (self->n_drops == 2);
  clip_backend_fake_copy (self->display, TEXT, "selected 99", "text/html",
                          "<b>selected 99</b>", NULL);
  wait_until (self->n_drops == 3);
  assert_nothing_selected_kept (self);
}

/* X11 tells of the mark, and then the compositor of the same text, without it */
static void
test_mark_outlives_the_bridge (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *other = clip_backend_fake_new_mirror ();

  clip_history_add_backend (self->history, CLIP_BACKEND (other));
  clip_backend_fake_select (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                            "secret", NULL);
  clip_backend_fake_select (other, TEXT, "hunter2", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  assert_nothing_selected_kept (self);
  g_object_unref (other);
}

#define add(path, function) \
  g_test_add ("/primary/" path, HistoryFixture, NULL, want_primary, function, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("off-by-default", test_off_by_default);
  add ("text-alone-is-kept", test_text_alone_is_kept);
  add ("without-a-text-it-is-nothing", test_without_a_text_it_is_nothing);
  add ("only-what-rests-is-read", test_only_what_rests_is_read);
  add ("mark-outlives-the-bridge", test_mark_outlives_the_bridge);
  add ("growing-selection-is-one-entry", test_growing_selection_is_one_entry);
  add ("what-is-selected-later-is-another", test_what_is_selected_later_is_another);
  add ("what-came-before-another-stays", test_what_came_before_another_stays);
  add ("what-was-copied-stays", test_what_was_copied_stays);
  add ("what-a-caller-stored-stays", test_what_a_caller_stored_stays);
  add ("what-a-caller-stores-next-stays", test_what_a_caller_stores_next_stays);
  add ("what-was-pinned-stays", test_what_was_pinned_stays);
  add ("what-is-pinned-at-once-stays", test_what_is_pinned_at_once_stays);
  add ("what-the-clipboard-holds-stays", test_what_the_clipboard_holds_stays);
  add ("what-was-on-the-clipboard-stays", test_what_was_on_the_clipboard_stays);
  add ("never-owned-never-current", test_never_owned_never_current);
  add ("secrets-and-pause-count-here-too", test_secrets_and_pause_count_here_too);
  add ("text-behind-a-secret-for-one-paste-is-one",
       test_text_behind_a_secret_for_one_paste_is_one);
  add ("text-while-a-secret-is-read-below-is-one",
       test_text_while_a_secret_is_read_below_is_one);
  add ("marked-one-is-read-at-once", test_marked_one_is_read_at_once);
  add ("text-behind-a-marked-one-is-one", test_text_behind_a_marked_one_is_one);
  add ("marked-one-that-is-copied-is-one", test_marked_one_that_is_copied_is_one);
  add ("marked-one-of-an-ignored-program-is-one",
       test_marked_one_of_an_ignored_program_is_one);
  add ("marked-one-keeps-no-copy-out", test_marked_one_keeps_no_copy_out);
  add ("marked-ones-push-out-no-copy", test_marked_ones_push_out_no_copy);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What history keeps of what is copied, with a real store and real pipes; the display is
 * played by the fake. */
#include "clip-error.h"
#include "clip-fd.h"
#include "history-fixture.h"
#include "hoard.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"

static void
test_copy_is_captured (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *html = NULL;
  g_autoptr (ClipEntry) entry = NULL;

  clip_backend_fake_copy (self->display, "text/html", "<b>word</b>", TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  entry = history_fixture_lookup (self, 1, NULL);
  g_assert_cmpuint (entry->contents->len, ==, 2);
  g_assert_cmpint (entry->row.kind, ==, CLIP_CLASS_TEXT);
  g_assert_cmpstr (entry->row.origin, ==, "fake clipboard");
  text = history_fixture_text (self, 1, "");
  html = history_fixture_text (self, 1, "text/html");
  g_assert_cmpstr (text, ==, "word");
  g_assert_cmpstr (html, ==, "<b>word</b>");
}

/* the origin comes back in replies over D-Bus, which hold valid text alone */
static void
test_program_names_itself_anyhow (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *name = g_strnfill (100000, '\xff');
  g_autoptr (ClipEntry) entry = NULL;

  clip_backend_fake_set_app (self->display, name);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  entry = history_fixture_lookup (self, 1, NULL);
  g_assert_true (g_utf8_validate (entry->row.origin, -1, NULL));
  g_assert_cmpuint (strlen (entry->row.origin), <=, CLIP_MAX_ORIGIN_BYTES);
}

static void
test_hinted_secret_dropped (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

static void
test_public_hint_kept (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", "x-kde-passwordManagerHint",
                          "public", NULL);
  wait_until (self->n_added == 1);
}

/* what refuses to say whether it is a secret is one */
static void
test_unanswered_hint_is_secret (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          NULL, NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

static void
test_blank_dropped (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, " \n\t", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_BLANK);
}

static void
test_too_large_dropped (HistoryFixture *self, gconstpointer data)
{
  clip_settings_set (self->settings, CLIP_SETTING_MAX_STORE_SIZE, "4", CLIP_FROM_FLAG,
                     NULL);
  clip_history_set_settings (self->history, self->settings);
  clip_backend_fake_copy (self->display, TEXT, "12345", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_TOO_LARGE);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

static void
set_total (HistoryFixture *self, const char *bytes)
{
  clip_settings_set (self->settings, CLIP_SETTING_MAX_TOTAL_SIZE, bytes, CLIP_FROM_FLAG,
                     NULL);
  clip_history_set_settings (self->history, self->settings);
}

static void
assert_contents (HistoryFixture *self, gint64 id, guint n)
{
  g_autoptr (ClipEntry) entry = history_fixture_lookup (self, id, NULL);

  g_assert_nonnull (entry);
  g_assert_cmpuint (entry->contents->len, ==, n);
}

/* each of its contents has room in the history, and all of them have none: what was there
 * would go for them */
static void
test_together_too_large_left_out (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "one", NULL);
  wait_until (self->n_added == 1);
  set_total (self, "10");
  clip_backend_fake_copy (self->display, TEXT, "12345", "text/html", "<b>123", NULL);
  wait_until (self->n_added == 2);
  assert_contents (self, 2, 1);
  g_assert_cmpint (history_fixture_count (self), ==, 2);
  clip_backend_fake_copy (self->display, TEXT, "1234567890", "text/html", "<", NULL);
  wait_until (self->n_added == 3);
  assert_contents (self, 3, 1);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "text/html"), ==, 0);
}

static void
test_paused_captures_nothing (HistoryFixture *self, gconstpointer data)
{
  clip_history_pause (self->history, -1);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_PAUSED);
  clip_history_pause (self->history, 0);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
}

static void
test_pause_survives_restart (HistoryFixture *self, gconstpointer data)
{
  clip_history_pause (self->history, -1);
  history_fixture_close (self);
  history_fixture_open (self);
  g_assert_cmpint (clip_history_paused_until (self->history), ==, -1);
}

/* a process of its own, as a command without a bus has one, writes beside us */
static void
write_note_beside (HistoryFixture *self, const char *key, const char *value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (ClipStore) other = clip_store_open (self->dir, 0, &error);

  g_assert_no_error (error);
  clip_store_change_async (other, clip_change_note (key, value), keep_result, &result);
  wait_until (result);
  clip_store_close (other);
}

static void
count_pause_change (guint *n)
{
  (*n)++;
}

static void
test_pause_of_another_process_is_heard (HistoryFixture *self, gconstpointer data)
{
  guint n = 0;

  g_signal_connect_swapped (self->history, "pause-changed",
                            G_CALLBACK (count_pause_change), &n);
  write_note_beside (self, CLIP_NOTE_PAUSED, "-1");
  wait_until (clip_history_paused_until (self->history) == -1);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_PAUSED);
  write_note_beside (self, CLIP_NOTE_PAUSED, "0");
  wait_until (clip_history_paused_until (self->history) == 0);
  g_assert_cmpuint (n, ==, 2);
}

/* a note that was written before ours, and that we hear of only then, is nothing to it */
static void
test_pause_of_ours_outlasts_what_was_noted_before (HistoryFixture *self,
                                                   gconstpointer data)
{
  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (GAsyncResult) before = NULL, kept = NULL;

      clip_store_change_async (self->store, clip_change_note (CLIP_NOTE_PAUSED, "0"),
                               keep_result, &before);
      g_usleep (i * 20); /* the note is, or is not, in a transaction of its own */
      clip_history_pause_async (self->history, -1, keep_result, &kept);
      while (!kept || g_main_context_pending (NULL))
        {
          g_main_context_iteration (NULL, TRUE);
          g_assert_cmpint (clip_history_paused_until (self->history), ==, -1);
        }
    }
}

static void
on_pause_kept (GObject *history, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  clip_history_pause_finish (CLIP_HISTORY (history), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
assert_others_see_pause (HistoryFixture *self, gint64 until_us)
{
  g_autofree char *expected = g_strdup_printf ("%" G_GINT64_FORMAT, until_us);
  g_autoptr (GHashTable) notes = NULL;
  g_autoptr (ClipReader) reader = NULL;
  gboolean is_kept = FALSE;

  clip_history_pause_async (self->history, until_us, on_pause_kept, &is_kept);
  g_assert_cmpint (clip_history_paused_until (self->history), ==, until_us);
  wait_until (is_kept);
  reader = clip_reader_open (clip_store_dir (self->store), NULL);
  notes = clip_reader_notes (reader, NULL);
  g_assert_cmpstr (g_hash_table_lookup (notes, CLIP_NOTE_PAUSED), ==, expected);
}

/* a command without a bus has the next daemon as soon as this one has answered */
static void
test_pause_answered_when_others_see_it (HistoryFixture *self, gconstpointer data)
{
  for (guint i = 0; i < 20; i++)
    {
      assert_others_see_pause (self, -1);
      assert_others_see_pause (self, 0);
    }
}

/* a source that hangs costs its own copy, and not the next one */
static void
test_stalled_source_left_behind (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;

  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "never answered", NULL);
  g_main_context_iteration (NULL, FALSE);
  clip_backend_fake_stall (self->display, FALSE);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 1);
  text = history_fixture_text (self, 1, "");
  g_assert_cmpstr (text, ==, "next");
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

static void
test_copies_in_a_row_all_kept (HistoryFixture *self, gconstpointer data)
{
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *text = g_strdup_printf ("copy number %u", i);

      clip_backend_fake_copy (self->display, TEXT, text, NULL);
      wait_until (clip_history_current (self->history) == (gint64) i + 1);
    }
  g_assert_cmpint (history_fixture_count (self), ==, 200);
}

/* a secret stays one while we are paused: what is stored after resuming may still be
   it */
static void
test_secret_while_paused_is_one_after (HistoryFixture *self, gconstpointer data)
{
  clip_history_pause (self->history, -1);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  clip_history_pause (self->history, 0);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
}

static void
select_and_wait (HistoryFixture *self, gint64 id)
{
  g_autoptr (GAsyncResult) result = NULL;

  clip_history_select_async (self->history, id, CLIP_SELECT_WHOLE, keep_result, &result);
  wait_until (result);
  g_assert_true (clip_history_select_finish (self->history, result, NULL));
}

static void
on_pasted (gboolean whole, gpointer user_data)
{
  g_assert_true (whole);
  *(gboolean *) user_data = TRUE;
}

/* somebody has asked for what was offered before, just when the other took its place */
static void
test_each_source_has_its_own_entry (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (ClipSource) first = NULL;
  g_autoptr (ClipRequest) request = NULL;
  g_autoptr (GBytes) bytes = NULL;
  clip_autofd int read_fd = -1;
  gboolean is_pasted = FALSE;
  int fds[2];

  clip_backend_fake_copy (self->display, "text/plain", "first", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, "text/plain", "second", NULL);
  wait_until (self->n_added == 2);
  select_and_wait (self, 1);
  first = g_object_ref (clip_backend_fake_owned (self->display));
  select_and_wait (self, 2);
  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  request = clip_request_new ("text/plain", fds[1], on_pasted, &is_pasted);
  clip_source_request (first, request);
  wait_until (is_pasted);
  bytes = clip_read_to_end (read_fd, 100, NULL);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "first", 5);
}

/* what is on the clipboard then is that entry under the id that it keeps, and no new
   copy */
static void
test_chosen_moves_and_is_served (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  clip_backend_fake_copy (self->display, "text/plain", "first", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, "text/plain", "second", NULL);
  wait_until (self->n_added == 2);
  clip_history_select_async (self->history, 1, CLIP_SELECT_MOVE, keep_result, &result);
  wait_until (result);
  g_assert_true (clip_history_select_finish (self->history, result, &error));
  g_assert_cmpint (clip_store_newest (clip_history_store (self->history)), ==, 3);
  wait_until (clip_history_current (self->history) == 3);
  g_assert_nonnull (clip_backend_fake_owned (self->display));
  g_clear_object (&result);
  clip_history_select_async (self->history, 9, CLIP_SELECT_MOVE, keep_result, &result);
  wait_until (result);
  g_assert_false (clip_history_select_finish (self->history, result, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

/* its file is missing */
static void
test_damaged_keeps_its_place (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *large = g_strnfill (100000, 'a');
  g_autofree char *blob = NULL;

  clip_backend_fake_copy (self->display, TEXT, large, NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "second", NULL);
  wait_until (self->n_added == 2);
  blob = hoard_find_blob (self->dir);
  g_assert_no_errno (g_unlink (blob));
  clip_history_select_async (self->history, 1, CLIP_SELECT_MOVE, keep_result, &result);
  wait_until (result);
  g_assert_false (clip_history_select_finish (self->history, result, &error));
  g_assert_cmpint (clip_store_newest (clip_history_store (self->history)), ==, 2);
}

/* a wipe means what is on its way, too, and a daemon that starts then knows that */
static void
test_wiped_while_it_comes (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, NULL, NULL);
  clip_backend_fake_trickle (self->display, "old");
  clip_store_change_async (self->store, clip_change_wipe (FALSE, 0), NULL, NULL);
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_DELETED);
  history_fixture_close (self);
  history_fixture_open (self);
  clip_backend_fake_hold (self->display, TEXT, "old", NULL);
  wait_until (self->n_drops == 2);
  clip_backend_fake_copy (self->display, TEXT, "new", NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

#define add(path, function) \
  g_test_add ("/history/" path, HistoryFixture, NULL, history_fixture_setup, function, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("copy-is-captured", test_copy_is_captured);
  add ("program-names-itself-anyhow", test_program_names_itself_anyhow);
  add ("hinted-secret-dropped", test_hinted_secret_dropped);
  add ("public-hint-kept", test_public_hint_kept);
  add ("unanswered-hint-is-secret", test_unanswered_hint_is_secret);
  add ("blank-dropped", test_blank_dropped);
  add ("too-large-dropped", test_too_large_dropped);
  add ("what-is-too-large-together-is-left-out", test_together_too_large_left_out);
  add ("paused-captures-nothing", test_paused_captures_nothing);
  add ("pause-survives-restart", test_pause_survives_restart);
  add ("pause-answered-when-others-see-it", test_pause_answered_when_others_see_it);
  add ("pause-of-another-process-is-heard", test_pause_of_another_process_is_heard);
  add ("pause-of-ours-outlasts-what-was-noted-before",
       test_pause_of_ours_outlasts_what_was_noted_before);
  add ("stalled-source-left-behind", test_stalled_source_left_behind);
  add ("copies-in-a-row-all-kept", test_copies_in_a_row_all_kept);
  add ("each-source-has-its-own-entry", test_each_source_has_its_own_entry);
  add ("wiped-while-it-comes-is-dropped", test_wiped_while_it_comes);
  add ("chosen-moves-and-is-served", test_chosen_moves_and_is_served);
  add ("chosen-and-damaged-keeps-its-place", test_damaged_keeps_its_place);
  add ("secret-while-paused-is-one-after", test_secret_while_paused_is_one_after);
  return g_test_run ();
}

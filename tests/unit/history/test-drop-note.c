/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What was not to be kept, and is still on the clipboard when the daemon starts anew. */
#include "history-fixture.h"

#include <signal.h>

#define TEXT "text/plain;charset=utf-8"
#define HINT "x-kde-passwordManagerHint"

static void
start_anew (HistoryFixture *self)
{
  history_fixture_close (self);
  self->n_drops = self->n_added = 0;
  history_fixture_open (self);
}

/* what is there is refused for that reason; what is copied next is not */
static void
assert_still_not_kept (HistoryFixture *self, ClipDrop why, const char *text)
{
  start_anew (self);
  clip_backend_fake_hold (self->display, TEXT, text, NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, why);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 1);
  start_anew (self);
  clip_backend_fake_hold (self->display, TEXT, "later", NULL);
  wait_until (self->n_added == 1);
}

static void
test_paused (HistoryFixture *self, gconstpointer data)
{
  clip_history_pause (self->history, -1);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_drops == 1);
  clip_history_pause (self->history, 0);
  assert_still_not_kept (self, CLIP_DROP_PAUSED, "word");
}

/* which program it was nobody can tell any more */
static void
test_ignored (HistoryFixture *self, gconstpointer data)
{
  clip_settings_set (self->settings, CLIP_SETTING_IGNORE_APP, "keepass", CLIP_FROM_FLAG,
                     NULL);
  clip_history_set_settings (self->history, self->settings);
  clip_backend_fake_set_app (self->display, "keepass");
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  wait_until (self->n_drops == 1);
  assert_still_not_kept (self, CLIP_DROP_IGNORED, "hunter2");
}

/* we may end before it is known to be one, and another manager offers its text then */
static void
test_secret_being_read (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", HINT, "secret", NULL);
  wait_until (clip_backend_fake_asked (self->display, HINT) == 1);
  assert_still_not_kept (self, CLIP_DROP_SECRET, "hunter2");
}

/* nor where we end while its text is still coming */
static void
test_public_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "word", HINT, "public", NULL);
  wait_until (clip_backend_fake_asked (self->display, HINT) == 1);
  clip_backend_fake_answer_newest (self->display, "public");
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  start_anew (self);
  clip_backend_fake_hold (self->display, TEXT, "later", NULL);
  wait_until (self->n_added == 1);
}

/* a desktop may keep the text of a secret, and not its mark */
static void
test_secret (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", HINT, "secret", NULL);
  wait_until (self->n_drops == 1);
  assert_still_not_kept (self, CLIP_DROP_SECRET, "hunter2");
}

/* one that still has its mark is read once more, to be known where it comes back */
static void
test_secret_is_known_again (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", HINT, "secret", NULL);
  wait_until (self->n_drops == 1);
  start_anew (self);
  clip_backend_fake_hold (self->display, TEXT, "hunter2", HINT, "secret", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  /* with another type it is none of those that come back within a second */
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "text/html", "<b>x</b>", NULL);
  wait_until (self->n_drops == 2 || self->n_added == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  g_assert_cmpuint (self->n_added, ==, 0);
}

static void delete (HistoryFixture *self, gint64 id)
{
  g_autoptr (GAsyncResult) deleted = NULL;

  clip_store_change_async (self->store, clip_change_delete (&id, 1), keep_result,
                           &deleted);
  wait_until (deleted);
}

static void
test_deleted (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  delete (self, 1);
  assert_still_not_kept (self, CLIP_DROP_DELETED, "word");
}

/* a program that takes over each copy offers all that it was offered: our token, too */
static void
test_deleted_when_taken_over (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  clip_backend_fake_copy (self->display, TEXT, "word", clip_source_token (), "", NULL);
  g_assert_null (clip_backend_fake_owned (self->display));
  wait_until (clip_history_current (self->history) == 2);
  delete (self, 2);
  assert_still_not_kept (self, CLIP_DROP_DELETED, "word");
}

/* its owner answers later than the call that starts the daemon waits for */
static void
test_deleted_before_it_came (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  start_anew (self);
  g_clear_object (&self->display);
  self->display = clip_backend_fake_new_mirror ();
  clip_history_add_backend (self->history, CLIP_BACKEND (self->display));
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_hold (self->display, TEXT, "word", NULL);
  wait_until (clip_backend_fake_syncing (self->display) > 0);
  delete (self, 1);
  clip_backend_fake_set_busy (self->display, FALSE);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_DELETED);
  assert_still_not_kept (self, CLIP_DROP_DELETED, "word");
}

/* over ssh or from cron, while the daemon of the session does not run */
static void
test_deleted_without_a_display (HistoryFixture *self, gconstpointer data)
{
  ClipHistory *history;

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  history_fixture_close (self);
  self->store = clip_store_open (self->dir, 0, NULL);
  history = clip_history_new (self->store, self->settings);
  clip_history_will_delete (history);
  delete (self, 1);
  clip_history_close (history);
  g_object_unref (history);
  clip_store_close (self->store);
  g_clear_object (&self->store);
  history_fixture_open (self);
  assert_still_not_kept (self, CLIP_DROP_DELETED, "word");
}

/* it finds out once more what it can find out */
static void
test_large (HistoryFixture *self, gconstpointer data)
{
  clip_settings_set (self->settings, CLIP_SETTING_MAX_STORE_SIZE, "4", CLIP_FROM_FLAG,
                     NULL);
  clip_history_set_settings (self->history, self->settings);
  clip_backend_fake_copy (self->display, TEXT, "large", NULL);
  wait_until (self->n_drops == 1);
  clip_settings_set (self->settings, CLIP_SETTING_MAX_STORE_SIZE, "8", CLIP_FROM_FLAG,
                     NULL);
  start_anew (self);
  clip_backend_fake_hold (self->display, TEXT, "large", NULL);
  wait_until (self->n_added == 1);
}

#define add(path, function) \
  g_test_add ("/drop-note/" path, HistoryFixture, NULL, history_fixture_setup, function, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("what-was-copied-while-paused-is-not-kept-later", test_paused);
  add ("what-an-ignored-program-copied-is-not-kept-later", test_ignored);
  add ("a-secret-without-its-mark-is-not-kept-later", test_secret);
  add ("a-secret-that-was-being-read-is-not-kept-later", test_secret_being_read);
  add ("a-public-one-keeps-out-nothing-later", test_public_one);
  add ("a-secret-with-its-mark-is-known-again", test_secret_is_known_again);
  add ("what-was-deleted-does-not-come-back", test_deleted);
  add ("what-was-deleted-when-taken-over-does-not-come-back",
       test_deleted_when_taken_over);
  add ("what-was-deleted-before-it-came-does-not-come-back", test_deleted_before_it_came);
  add ("what-is-deleted-without-a-display-does-not-come-back",
       test_deleted_without_a_display);
  add ("what-was-too-large-is-kept-when-it-may-be", test_large);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an owner leaves, where others are at work meanwhile: a desktop that has kept a
 * part of it, and somebody who copies. */
#include "clip-fd.h"
#include "clip-reclaim-wait.h"
#include "history-fixture.h"

#include <string.h>

#define TEXT "text/plain;charset=utf-8"

static void
copy_word (HistoryFixture *self)
{
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<i>word</i>", NULL);
  wait_until (clip_history_current (self->history) == 1);
}

static void
assert_whole (HistoryFixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) html = NULL;

  wait_until (clip_backend_fake_owned (self->display));
  html = clip_backend_fake_paste (self->display, "text/html", &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (html, NULL), g_bytes_get_size (html), "<i>word</i>",
                   11);
  g_assert_cmpuint (self->n_added, ==, 1);
}

/* GNOME tells what it has kept while we are about to own all of it */
static void
test_part_is_kept_while_we_claim (HistoryFixture *self, gconstpointer data)
{
  copy_word (self);
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
  clip_backend_fake_keep (self->display, TEXT, "word");
  clip_backend_fake_set_busy (self->display, FALSE);
  assert_whole (self);
}

/* and while we have not yet kept all of it */
static void
test_part_is_kept_while_the_rest_comes (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_trickle (self->display, "word");
  clip_backend_fake_clear (self->display);
  clip_backend_fake_keep (self->display, TEXT, "word");
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (clip_backend_fake_owned (self->display));
  g_assert_cmpint (clip_history_current (self->history), ==, 1);
  g_assert_cmpuint (self->n_added, ==, 1);
}

/* it is all there is where the rest does not come */
static void
test_part_of_what_broke_off_is_taken (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "half", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) +
                  clip_backend_fake_asked (self->display, "text/html") ==
              1);
  clip_backend_fake_trickle (self->display, "half");
  clip_backend_fake_clear (self->display);
  clip_backend_fake_keep (self->display, TEXT, "word");
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (clip_history_current (self->history) != 0);
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* where it could be pasted once, and the desktop was the first to do so */
static void
test_part_of_what_never_came_is_taken (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_keep (self->display, TEXT, "word");
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (clip_history_current (self->history) == 1);
}

/* the display has it already, and we have not heard of it yet */
static void
test_copy_meanwhile_is_let_be (HistoryFixture *self, gconstpointer data)
{
  copy_word (self);
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  clip_backend_fake_set_busy (self->display, FALSE);
  wait_until (clip_history_current (self->history) == 2);
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* its owner has gone, and we ask whether anybody has copied since */
static void
begin_claim (HistoryFixture *self)
{
  copy_word (self);
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
}

/* as a display does whose answer and whose news lie there together */
static gboolean
answer_and_tell (gpointer user_data)
{
  HistoryFixture *self = user_data;

  clip_backend_fake_set_busy (self->display, FALSE);
  g_assert_null (clip_backend_fake_owned (self->display));
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  return G_SOURCE_REMOVE;
}

static void
test_copy_behind_the_answer_is_let_be (HistoryFixture *self, gconstpointer data)
{
  begin_claim (self);
  g_idle_add (answer_and_tell, self);
  wait_until (clip_history_current (self->history) == 2);
  g_assert_null (clip_backend_fake_owned (self->display));
}

static void
add_content (HistoryFixture *self, ClipDraft *draft, const char *mime, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) stage = clip_store_stage (self->store, &error);

  g_assert_no_error (error);
  g_assert_true (clip_write_all (clip_stage_fd (stage), text, strlen (text), &error));
  clip_draft_add (draft, mime, stage, (gint64) strlen (text));
}

static void
test_entry_of_another_id_meanwhile_is_served (HistoryFixture *self, gconstpointer data)
{
  ClipDraft *draft = clip_draft_new ("fake clipboard");
  g_autoptr (GAsyncResult) result = NULL;

  begin_claim (self);
  add_content (self, draft, TEXT, "word");
  add_content (self, draft, "text/html", "<i>word</i>");
  clip_store_change_async (self->store, clip_change_add (draft, NULL), keep_result,
                           &result);
  wait_until (result && self->n_moved == 1);
  clip_backend_fake_set_busy (self->display, FALSE);
  assert_whole (self);
  g_assert_cmpint (clip_history_current (self->history), ==, 2);
}

static void
test_entry_deleted_meanwhile_is_not_offered (HistoryFixture *self, gconstpointer data)
{
  const gint64 id = 1;
  g_autoptr (GAsyncResult) result = NULL;

  begin_claim (self);
  clip_store_change_async (self->store, clip_change_delete (&id, 1), keep_result,
                           &result);
  wait_until (result && history_fixture_count (self) == 0);
  clip_backend_fake_set_busy (self->display, FALSE);
  wait_until (clip_backend_fake_syncing (self->display) == 0);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 2);
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* a program that copies again and again: from the third copy on it is given a second */
static void
test_copies_in_a_row_are_not_cut_off (void)
{
  ClipReclaimWait left = { 0 };
  gint64 now_us = 1000 * G_USEC_PER_SEC;
  static const guint wanted_ms[] = { 100, 100, 1000, 1000 };

  for (guint n = 0; n < G_N_ELEMENTS (wanted_ms); n++)
    {
      now_us += G_USEC_PER_SEC;
      clip_reclaim_wait_copied (&left, now_us);
      g_assert_cmpuint (clip_reclaim_wait_ms (&left), ==, wanted_ms[n]);
    }
  now_us += 3 * G_USEC_PER_SEC;
  clip_reclaim_wait_copied (&left, now_us);
  g_assert_cmpuint (clip_reclaim_wait_ms (&left), ==, 100);
}

#define ADD(path, function) \
  g_test_add ("/history/" path, HistoryFixture, NULL, history_fixture_setup, function, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("what-is-left-is-whole-though-a-part-is-kept-while-we-claim",
       test_part_is_kept_while_we_claim);
  ADD ("what-is-left-is-whole-though-a-part-is-kept-while-the-rest-comes",
       test_part_is_kept_while_the_rest_comes);
  ADD ("kept-part-of-what-broke-off-is-taken", test_part_of_what_broke_off_is_taken);
  ADD ("kept-part-of-what-never-came-is-taken", test_part_of_what_never_came_is_taken);
  ADD ("copy-of-which-we-have-not-heard-is-let-be", test_copy_meanwhile_is_let_be);
  ADD ("copy-behind-the-answer-is-let-be", test_copy_behind_the_answer_is_let_be);
  ADD ("entry-of-another-id-meanwhile-is-served",
       test_entry_of_another_id_meanwhile_is_served);
  ADD ("entry-deleted-meanwhile-is-not-offered",
       test_entry_deleted_meanwhile_is_not_offered);
  g_test_add_func ("/history/copies-in-a-row-are-not-cut-off",
                   test_copies_in_a_row_are_not_cut_off);
  return g_test_run ();
}

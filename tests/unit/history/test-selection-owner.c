/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What history puts onto the clipboard: after a copy whose owner has gone, or because it
 * was asked to. */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-selection-owner.h"
#include "history-fixture.h"
#include "hoard.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define TEXT "text/plain;charset=utf-8"

static void
copy_one_and_two (HistoryFixture *self)
{
  clip_backend_fake_copy (self->display, TEXT, "one", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "two", NULL);
  wait_until (self->n_added == 2);
}

static void
test_own_offer_not_read (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  copy_one_and_two (self);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &result);
  wait_until (result);
  g_assert_true (clip_history_select_finish (self->history, result, &error));
  g_assert_no_error (error);
  g_assert_cmpint (clip_history_current (self->history), ==, 1);
  g_assert_cmpint (history_fixture_count (self), ==, 2);
  g_assert_cmpuint (self->n_moved, ==, 0);
}

static char *
paste (HistoryFixture *self, const char *mime)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = clip_backend_fake_paste (self->display, mime, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* it is done before the main loop hears of anything */
static gint64
move (HistoryFixture *self, gint64 id)
{
  g_autoptr (GError) error = NULL;
  ClipOutcome outcome = { 0 };

  clip_store_change_wait (self->store, clip_change_move (id), &outcome, &error);
  g_assert_no_error (error);
  g_assert_cmpint (outcome.id, >, id);
  return outcome.id;
}

/* a store of the same text, in the same moment; whichever comes first */
static void
test_moved_while_it_is_looked_up (HistoryFixture *self, gconstpointer data)
{
  gint64 id = 1;

  clip_backend_fake_copy (self->display, TEXT, "one", NULL);
  wait_until (self->n_added == 1);
  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (GAsyncResult) selected = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      clip_backend_fake_copy (self->display, "text/html", "<i>two</i>", NULL);
      wait_until (self->n_added == 2 && self->n_moved == 2 * round);
      clip_history_select_async (self->history, id, CLIP_SELECT_WHOLE, keep_result,
                                 &selected);
      id = move (self, id);
      wait_until (selected);
      if (!clip_history_select_finish (self->history, selected, &error))
        {
          g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
          continue;
        }
      wait_until (clip_history_current (self->history) == id);
      text = paste (self, TEXT);
      g_assert_cmpstr (text, ==, "one");
    }
}

/* readers find it under its new id before the main loop hears of that */
static void
test_moved_while_it_is_pasted (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) selected = NULL;
  g_autofree char *text = NULL;

  copy_one_and_two (self);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &selected);
  wait_until (selected);
  g_assert_cmpint (move (self, 1), ==, 3);
  g_assert_cmpuint (self->n_moved, ==, 0);
  text = paste (self, TEXT);
  g_assert_cmpstr (text, ==, "one");
}

/* what is on the clipboard is worth more than what cannot be read */
static void
test_entry_without_its_file_takes_no_place (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *large = g_strnfill (300000, 'l');
  g_autofree char *blobs = g_build_filename (self->dir, "blobs", NULL);
  const char *const command[] = { "rm", "-r", blobs, NULL };
  g_autoptr (GAsyncResult) selected = NULL;
  g_autoptr (GError) error = NULL;

  clip_backend_fake_copy (self->display, TEXT, large, NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "small", NULL);
  wait_until (self->n_added == 2);
  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL,
                               NULL, NULL, NULL, NULL, NULL));
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &selected);
  wait_until (selected);
  g_assert_false (clip_history_select_finish (self->history, selected, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_assert_null (clip_backend_fake_owned (self->display));
}

static void
test_owner_gone_is_replaced (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *html = NULL;

  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<i>word</i>", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  text = paste (self, "UTF8_STRING");
  html = paste (self, "text/html");
  g_assert_cmpstr (text, ==, "word");
  g_assert_cmpstr (html, ==, "<i>word</i>");
  g_assert_cmpint (clip_history_current (self->history), ==, 1);
}

/* a compositor that is busy tells later that the program has gone: the bridge to it may
 * be shut by then */
static void
test_bridged_copy_is_put_back_above (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  clip_backend_fake_copy (below, TEXT, "word", NULL);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_clear (below);
  wait_until (clip_backend_fake_syncing (self->display) == 1 ||
              clip_backend_fake_owned (below));
  clip_backend_fake_clear (self->display);
  clip_backend_fake_set_busy (self->display, FALSE);
  wait_until (clip_history_current (self->history) == 1);
  g_assert_nonnull (clip_backend_fake_owned (self->display));
  g_assert_null (clip_backend_fake_owned (below));
  g_object_unref (below);
}

static void
assert_offers_text_alone (HistoryFixture *self)
{
  const char *const *mimes;

  wait_until (clip_backend_fake_owned (self->display));
  mimes = clip_source_mimes (clip_backend_fake_owned (self->display));
  g_assert_true (g_strv_contains (mimes, TEXT));
  g_assert_true (g_strv_contains (mimes, CLIP_SOURCE_FILLS));
  g_assert_false (g_strv_contains (mimes, "text/html"));
}

/* whose formatting was stripped by way of an editor that has ended since */
static void
leave_plain_copy (HistoryFixture *self)
{
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<i>word</i>", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 2);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
}

static void
test_plain_copy_is_not_formatted_again (HistoryFixture *self, gconstpointer data)
{
  const char *const *mimes;

  leave_plain_copy (self);
  assert_offers_text_alone (self);
  /* the entry has both */
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<i>word</i>", NULL);
  wait_until (clip_history_current (self->history) == 3);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  mimes = clip_source_mimes (clip_backend_fake_owned (self->display));
  g_assert_true (g_strv_contains (mimes, "text/html"));
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* the entry has what another program has put beside the same image, or formatting */
static void
test_nothing_is_added_to_a_copy (HistoryFixture *self, gconstpointer data)
{
  static const char *const firsts[] = { "image/png", TEXT };
  static const char *const seconds[] = { NULL, "text/html" };
  static const char *const evils[] = { "text/html", "text/rtf" };

  for (guint i = 0; i < G_N_ELEMENTS (firsts); i++)
    {
      const char *const *mimes;
      const gint64 known = clip_history_current (self->history);

      clip_backend_fake_copy (self->display, firsts[i], "word", evils[i], "evil",
                              seconds[i], "same", NULL);
      wait_until (clip_history_current (self->history) > known);
      clip_backend_fake_copy (self->display, firsts[i], "word", seconds[i], "same", NULL);
      wait_until (clip_history_current (self->history) > known + 1);
      clip_backend_fake_clear (self->display);
      wait_until (clip_backend_fake_owned (self->display));
      mimes = clip_source_mimes (clip_backend_fake_owned (self->display));
      g_assert_true (g_strv_contains (mimes, firsts[i]));
      g_assert_true (!seconds[i] || g_strv_contains (mimes, seconds[i]));
      g_assert_false (g_strv_contains (mimes, evils[i]));
      g_assert_cmpint (history_fixture_count (self), ==, i + 1);
    }
}

/* GNOME goes on with one of the types: what we have of the copy is more */
static void
test_kept_part_is_replaced_by_the_whole (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *html = NULL;

  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<i>word</i>", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_keep (self->display, TEXT, "word");
  wait_until (clip_backend_fake_owned (self->display));
  html = paste (self, "text/html");
  g_assert_cmpstr (html, ==, "<i>word</i>");
  g_assert_cmpuint (self->n_added, ==, 1);
}

static void let_fill_time_pass (void);

static void
select_first (HistoryFixture *self)
{
  g_autoptr (GAsyncResult) result = NULL;

  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &result);
  wait_until (result);
  g_assert_nonnull (clip_backend_fake_owned (self->display));
}

/* GNOME takes the clipboard from us when it locks the screen, and keeps a part */
static void
test_ours_again_after_a_lock (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *html = NULL;

  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<i>word</i>", NULL);
  wait_until (clip_history_current (self->history) == 1);
  select_first (self);
  clip_backend_fake_keep (self->display, TEXT, "word");
  g_assert_null (clip_backend_fake_owned (self->display));
  wait_until (clip_backend_fake_owned (self->display));
  html = paste (self, "text/html");
  g_assert_cmpstr (html, ==, "<i>word</i>");
  g_assert_cmpint (clip_history_current (self->history), ==, 1);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* with no more than it was offered with before */
static void
test_plain_again_after_a_lock (HistoryFixture *self, gconstpointer data)
{
  leave_plain_copy (self);
  clip_backend_fake_keep (self->display, TEXT, "word");
  g_assert_null (clip_backend_fake_owned (self->display));
  assert_offers_text_alone (self);
}

/* what somebody has copied while it was locked is not ours to replace */
static void
test_another_text_is_not_taken_back (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<i>word</i>", NULL);
  wait_until (clip_history_current (self->history) == 1);
  select_first (self);
  clip_backend_fake_keep (self->display, TEXT, "another");
  wait_until (self->n_added == 2);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* its mark is not among what is kept of it */
static void
test_kept_secret_is_no_copy (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_keep (self->display, TEXT, "hunter2");
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  let_fill_time_pass ();
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (clip_history_current (self->history) != 0);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* nothing was kept of it by us: then the part is better than nothing */
static void
test_kept_part_of_what_was_missed (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_keep (self->display, TEXT, "word");
  wait_until (self->n_added == 1);
}

/* cleared on purpose while it is ours: it stays empty */
static void
test_own_clip_cleared_stays_empty (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 2);
  g_assert_null (clip_backend_fake_owned (self->display));
}

static gboolean
on_time (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* longer than history waits before it fills an empty clipboard */
static void
let_fill_time_pass (void)
{
  gboolean passed = FALSE;

  g_timeout_add (400, on_time, &passed);
  wait_until (passed);
}

static void
test_secret_never_restored (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  clip_backend_fake_clear (self->display);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

static void
test_persist_never (HistoryFixture *self, gconstpointer data)
{
  clip_settings_set (self->settings, CLIP_SETTING_PERSIST, "never", CLIP_FROM_FLAG, NULL);
  clip_history_set_settings (self->history, self->settings);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* its owner goes while it is on its way, as does one that serves one paste, which is
   ours */
static void
go_half_way (HistoryFixture *self, const char *text)
{
  clip_backend_fake_trickle (self->display, text);
  clip_backend_fake_clear (self->display);
}

static void
test_owner_of_one_paste_leaves_it (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GBytes) pasted = NULL;

  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "once", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  go_half_way (self, "once");
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (clip_backend_fake_owned (self->display));
  pasted = clip_backend_fake_paste (self->display, TEXT, NULL);
  g_assert_cmpmem (g_bytes_get_data (pasted, NULL), g_bytes_get_size (pasted), "once", 4);
  g_assert_cmpint (self->n_added, ==, 1);
}

/* nor where somebody says so while it is on its way */
static void
test_persist_never_meanwhile (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (ClipSettings) settings = clip_settings_copy (self->settings);

  clip_settings_set (settings, CLIP_SETTING_PERSIST, "never", CLIP_FROM_FLAG, NULL);
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "once", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  go_half_way (self, "once");
  clip_history_set_settings (self->history, settings);
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (self->n_added == 1);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* what it had not given yet cannot be had, and the next copy is left by nobody */
static void
test_owner_that_goes_half_way_leaves_what_came (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "half", "text/html", "half", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) +
                  clip_backend_fake_asked (self->display, "text/html") ==
              1);
  go_half_way (self, "half");
  clip_backend_fake_stall (self->display, FALSE);
  assert_offers_text_alone (self);
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "once", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  go_half_way (self, "once");
  clip_backend_fake_stall (self->display, FALSE);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 3);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* one type of it was not answered, or came empty */
static void
test_what_came_of_a_copy_is_restored (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", NULL, NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  assert_offers_text_alone (self);
}

static void
test_deleted_entry_given_up (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) selected = NULL;
  gint64 id = 1;

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &selected);
  wait_until (selected);
  g_assert_nonnull (clip_backend_fake_owned (self->display));
  clip_store_change_async (self->store, clip_change_delete (&id, 1), NULL, NULL);
  wait_until (!clip_backend_fake_owned (self->display));
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
}

/* more were removed than a signal lists, and others are left: ours is looked for */
static void
test_looked_for_among_many (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) selected = NULL;
  g_autoptr (GAsyncResult) deleted = NULL;
  Hoard hoard = { self->dir, self->store };
  gint64 ids[1001];

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    ids[i] = G_N_ELEMENTS (ids) - i;
  hoard_fill (&hoard, G_N_ELEMENTS (ids) + 1);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &selected);
  wait_until (selected);
  g_assert_nonnull (clip_backend_fake_owned (self->display));
  clip_store_change_async (self->store, clip_change_delete (ids, G_N_ELEMENTS (ids)),
                           keep_result, &deleted);
  wait_until (deleted && !clip_backend_fake_owned (self->display));
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
}

/* somebody copies while we look up what we were about to own */
static void
test_cancelled_claim_owns_nothing (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (ClipLongTransfers) long_transfers = clip_long_transfers_new (1000, 1000);
  g_autoptr (ClipEntryIds) ids = clip_entry_ids_new (self->store);
  g_autoptr (ClipSelectionOwner) owner = clip_selection_owner_new (
      self->store, ids, transfers, long_transfers, CLIP_SELECTION_CLIPBOARD);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_selection_owner_own_async (owner, CLIP_BACKEND (self->display), 1, CLIP_OWN_FILL,
                                  NULL, cancellable, keep_result, &result);
  g_cancellable_cancel (cancellable);
  wait_until (result);
  g_assert_false (clip_selection_owner_own_finish (owner, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (clip_backend_fake_owned (self->display));
}

static void
fill_pipe (int fd)
{
  char block[4096] = { 0 };

  fcntl (fd, F_SETFL, O_NONBLOCK);
  while (write (fd, block, sizeof block) > 0)
    ;
  fcntl (fd, F_SETFL, 0);
}

/* whoever asks for the flag with a full pipe waits for itself, not we for it */
static void
test_full_pipe_keeps_nobody_waiting (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (ClipRequest) request = NULL;
  clip_autofd int read_fd = -1;
  int fds[2];

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  fill_pipe (fds[1]);
  request = clip_request_new ("application/x-kde-onlyReplaceEmpty", fds[1], NULL, NULL);
  clip_source_request (clip_backend_fake_owned (self->display), request);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 2);
}

/* an owner that does not say what it has: what was there before is not put back after
   it */
static void
test_silent_owner_ends_what_was (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (ClipOffer) silent = clip_offer_new (CLIP_SELECTION_CLIPBOARD, FALSE);

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  g_signal_emit_by_name (self->display, "offered", silent);
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
  clip_backend_fake_clear (self->display);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
  g_assert_cmpuint (self->n_drops, ==, 0);
}

/* from the answer on the owner may go */
static void
test_owner_that_ends_waits_until_all_is_kept (HistoryFixture *self, gconstpointer data)
{
  int kept;

  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<b>word</b>", NULL);
  clip_backend_fake_save (self->display, &kept);
  g_assert_cmpint (kept, ==, -1);
  wait_until (kept == 1);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
  clip_backend_fake_save (self->display, &kept);
  wait_until (kept == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
}

static void
test_owner_that_ends_is_told_what_is_not_kept (HistoryFixture *self, gconstpointer data)
{
  int kept;

  clip_backend_fake_save (self->display, &kept);
  wait_until (kept == 0);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  clip_backend_fake_save (self->display, &kept);
  wait_until (kept == 0);
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", NULL, NULL);
  clip_backend_fake_save (self->display, &kept);
  wait_until (kept == 0);
  clip_settings_set (self->settings, CLIP_SETTING_PERSIST, "never", CLIP_FROM_FLAG, NULL);
  clip_history_set_settings (self->history, self->settings);
  clip_backend_fake_copy (self->display, TEXT, "other word", NULL);
  clip_backend_fake_save (self->display, &kept);
  wait_until (kept == 0);
}

static void
copy_and_select (HistoryFixture *self)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  select_first (self);
}

static void
test_ours_again_after_a_restart (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GBytes) text = NULL;

  copy_and_select (self);
  history_fixture_close (self);
  history_fixture_open (self);
  wait_until (clip_backend_fake_owned (self->display));
  text = clip_backend_fake_paste (self->display, TEXT, NULL);
  g_assert_cmpmem (g_bytes_get_data (text, NULL), g_bytes_get_size (text), "word", 4);
}

static void
test_not_ours_after_a_restart_where_it_was_lost (HistoryFixture *self, gconstpointer data)
{
  copy_and_select (self);
  clip_backend_fake_clear (self->display);
  history_fixture_close (self);
  history_fixture_open (self);
  let_fill_time_pass ();
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

static void
test_not_ours_after_a_restart_where_somebody_owns_it (HistoryFixture *self,
                                                      gconstpointer data)
{
  copy_and_select (self);
  history_fixture_close (self);
  history_fixture_open (self);
  clip_backend_fake_copy (self->display, TEXT, "other", NULL);
  let_fill_time_pass ();
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* by a program that is still there; unless the owner has asked for it to be saved */
static void
test_emptied_stays_empty (HistoryFixture *self, gconstpointer data)
{
  int kept = -1;

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  g_signal_emit_by_name (self->display, "emptied", CLIP_SELECTION_CLIPBOARD);
  clip_backend_fake_clear (self->display);
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
  clip_backend_fake_copy (self->display, TEXT, "other", NULL);
  clip_backend_fake_save (self->display, &kept);
  wait_until (kept == 1);
  g_signal_emit_by_name (self->display, "emptied", CLIP_SELECTION_CLIPBOARD);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
}

#define MANY 70

/* more than pipes hold, twice */
#define LONG_BYTES ((gsize) 8 * 1024 * 1024)
#define BINARY "application/octet-stream"
#define PIPE_BYTES (1 << 20) /* a large one */

static void
on_pasted (gboolean whole G_GNUC_UNUSED, gpointer user_data)
{
  ++*(guint *) user_data;
}

static gboolean
is_at_end (int reader, gsize *n_read)
{
  char buffer[4096];
  gssize n;

  while ((n = read (reader, buffer, sizeof buffer)) > 0)
    *n_read += (gsize) n;
  return n == 0;
}

/* it may have to be opened still, which this context has its part in */
static gboolean
is_whole (int reader)
{
  gsize n_read = 0;

  fcntl (reader, F_SETFL, O_NONBLOCK);
  wait_until (is_at_end (reader, &n_read));
  return n_read > PIPE_BYTES;
}

static void
on_paste_ended (gboolean whole, gpointer user_data)
{
  *(int *) user_data = whole;
}

/* it may hold up the one that writes into it, and no flag helps */
static void
test_no_paste_goes_over_a_network (HistoryFixture *self, gconstpointer data)
{
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_addr = { htonl (INADDR_LOOPBACK) } };
  socklen_t size = sizeof address;
  clip_autofd int reader = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int writer = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  g_autoptr (ClipRequest) request = NULL;
  int ended = -1;
  char byte;

  g_assert_cmpint (bind (reader, (struct sockaddr *) &address, size), ==, 0);
  g_assert_cmpint (getsockname (reader, (struct sockaddr *) &address, &size), ==, 0);
  g_assert_cmpint (connect (writer, (struct sockaddr *) &address, size), ==, 0);
  clip_backend_fake_copy (self->display, TEXT, "one", NULL);
  wait_until (self->n_added == 1);
  select_first (self);
  request = clip_request_new (TEXT, writer, on_paste_ended, &ended);
  clip_source_request (clip_backend_fake_owned (self->display), request);
  wait_until (ended != -1);
  g_assert_false (ended);
  g_assert_cmpint (recv (reader, &byte, 1, MSG_DONTWAIT), <, 0);
}

/* nor into a terminal, for the same reason */
static void
test_no_paste_goes_into_a_terminal (HistoryFixture *self, gconstpointer data)
{
  clip_autofd int master = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  g_autoptr (ClipRequest) request = NULL;
  int ended = -1;
  int slave;
  char byte;

  g_assert_cmpint (grantpt (master), ==, 0);
  g_assert_cmpint (unlockpt (master), ==, 0);
  slave = open (ptsname (master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  g_assert_cmpint (slave, >=, 0);
  clip_backend_fake_copy (self->display, TEXT, "one", NULL);
  wait_until (self->n_added == 1);
  select_first (self);
  request = clip_request_new (TEXT, slave, on_paste_ended, &ended);
  clip_source_request (clip_backend_fake_owned (self->display), request);
  wait_until (ended != -1);
  g_assert_false (ended);
  g_assert_cmpint (read (master, &byte, 1), <, 0);
}

/* who asks and does not read holds no more of us than a few others leave it */
static void
test_pastes_are_few_at_a_time (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *text = g_strnfill (PIPE_BYTES, 'x');
  guint n_ended = 0;
  int readers[MANY];

  clip_backend_fake_copy (self->display, TEXT, text, NULL);
  wait_until (self->n_added == 1);
  select_first (self);
  for (guint i = 0; i < MANY; i++)
    {
      g_autoptr (ClipRequest) request = NULL;
      int fds[2];

      g_assert_true (clip_pipe (fds, NULL));
      readers[i] = fds[0];
      fill_pipe (fds[1]);
      request = clip_request_new (TEXT, fds[1], on_pasted, &n_ended);
      clip_source_request (clip_backend_fake_owned (self->display), request);
    }
  /* the oldest, and none of the others */
  wait_until (n_ended == MANY - 64);
  g_assert_true (is_whole (readers[MANY - 1]));
  g_assert_true (!is_whole (readers[0]) && !is_whole (readers[MANY - 64 - 1]));
  for (guint i = 0; i < MANY; i++)
    close (readers[i]);
  wait_until (n_ended == MANY);
}

static gboolean
is_read (int reader, gsize length, gsize *n_read)
{
  char buffer[4096];
  gssize n = 1;

  while (n > 0 && *n_read < length)
    {
      n = read (reader, buffer, sizeof buffer);
      *n_read += (gsize) MAX (n, 0);
    }
  return *n_read >= length;
}

/* the display has read nothing of the first yet */
static void
test_next_claim_waits_for_the_display (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) next = NULL;
  g_autoptr (ClipSource) first = NULL;

  clip_backend_fake_copy (self->display, TEXT, "one", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "two", NULL);
  wait_until (self->n_added == 2);
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &result);
  clip_history_select_async (self->history, 2, CLIP_SELECT_WHOLE, keep_result, &next);
  wait_until (clip_backend_fake_owned (self->display));
  first = g_object_ref (clip_backend_fake_owned (self->display));
  for (guint i = 0; i < 8; i++)
    g_free (history_fixture_text (self, 2, TEXT)); /* as often as the other was read */
  g_assert_true (clip_backend_fake_owned (self->display) == first);
  clip_backend_fake_set_busy (self->display, FALSE);
  wait_until (result && next);
  g_assert_true (clip_history_select_finish (self->history, result, NULL));
  g_assert_true (clip_history_select_finish (self->history, next, NULL));
  g_assert_true (clip_backend_fake_owned (self->display) != first);
}

/* @data: how often the entry is read meanwhile: the other claim may still read it, or
 * wait for the display */
static void
test_emptied_claims_nothing_later (HistoryFixture *self, gconstpointer data)
{
  const int n_reads = GPOINTER_TO_INT (data);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) next = NULL;
  g_autoptr (GAsyncResult) emptied = NULL;
  gboolean are_done;

  clip_backend_fake_copy (self->display, TEXT, "one", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &result);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &next);
  wait_until (clip_backend_fake_owned (self->display));
  for (int i = 0; i < n_reads; i++)
    g_free (history_fixture_text (self, 1, TEXT));
  clip_history_empty_async (self->history, keep_result, &emptied);
  g_assert_null (clip_backend_fake_owned (self->display));
  clip_backend_fake_set_busy (self->display, FALSE);
  wait_until (result && next);
  are_done = clip_history_select_finish (self->history, result, NULL);
  g_assert_true (are_done != clip_history_select_finish (self->history, next, NULL));
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* asks for the long entry. Returns: where it comes */
static int
ask_for_long (HistoryFixture *self, ClipRequestDone done, gpointer user_data)
{
  g_autoptr (ClipRequest) request = NULL;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  fcntl (fds[0], F_SETFL, O_NONBLOCK);
  request = clip_request_new (BINARY, fds[1], done, user_data);
  clip_source_request (clip_backend_fake_owned (self->display), request);
  return fds[0];
}

/* a long one that a person waits for, which is the oldest */
static void
test_paste_that_is_read_is_not_given_up (HistoryFixture *self, gconstpointer data)
{
  clip_autofd int reader = -1;
  guint n_ended = 0;
  gsize n_read = 0;
  int ended = -1;
  int readers[MANY];

  g_assert_cmpint (hoard_add_blob (self->store, LONG_BYTES, 1), ==, 1);
  select_first (self);
  reader = ask_for_long (self, on_paste_ended, &ended);
  wait_until (is_read (reader, LONG_BYTES / 2, &n_read));
  for (guint i = 0; i < MANY; i++)
    readers[i] = ask_for_long (self, on_pasted, &n_ended);
  wait_until (n_ended == MANY + 1 - 64);
  g_assert_cmpint (ended, ==, -1);
  wait_until (is_read (reader, LONG_BYTES, &n_read));
  wait_until (ended == TRUE);
  for (guint i = 0; i < MANY; i++)
    close (readers[i]);
  wait_until (n_ended == MANY);
}

/* who has read a part of each, and holds them */
static void
test_next_paste_takes_the_place_of_one (HistoryFixture *self, gconstpointer data)
{
  clip_autofd int reader = -1;
  guint n_ended = 0;
  gsize n_read = 0;
  int ended = -1;
  int readers[64];

  g_assert_cmpint (hoard_add_blob (self->store, LONG_BYTES, 1), ==, 1);
  select_first (self);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      gsize n = 0;

      readers[i] = ask_for_long (self, on_pasted, &n_ended);
      wait_until (is_read (readers[i], LONG_BYTES / 4, &n));
    }
  reader = ask_for_long (self, on_paste_ended, &ended);
  wait_until (is_read (reader, LONG_BYTES, &n_read));
  wait_until (ended == TRUE);
  g_assert_cmpuint (n_ended, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    close (readers[i]);
  wait_until (n_ended == G_N_ELEMENTS (readers));
}

/* what we put back was plain text; its entry has more */
static void
test_restart_adds_nothing (HistoryFixture *self, gconstpointer data)
{
  leave_plain_copy (self);
  wait_until (clip_history_current (self->history) == 2);
  for (guint i = 0; i < 2; i++)
    {
      history_fixture_close (self);
      history_fixture_open (self);
      assert_offers_text_alone (self);
      wait_until (clip_history_current (self->history) == 2);
    }
}

static void
test_text_under_another_name_is_restored (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_copy (self->display, "text/plain;format=flowed", "word", NULL);
  wait_until (clip_history_current (self->history) == 2);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
}

#define add(path, function) \
  g_test_add ("/history/" path, HistoryFixture, NULL, history_fixture_setup, function, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("text-under-another-name-is-restored", test_text_under_another_name_is_restored);
  add ("own-offer-not-read", test_own_offer_not_read);
  add ("moved-while-it-is-looked-up", test_moved_while_it_is_looked_up);
  add ("moved-while-it-is-pasted", test_moved_while_it_is_pasted);
  add ("entry-without-its-file-takes-no-place",
       test_entry_without_its_file_takes_no_place);
  add ("owner-gone-is-replaced", test_owner_gone_is_replaced);
  add ("bridged-copy-is-put-back-above", test_bridged_copy_is_put_back_above);
  add ("plain-copy-is-not-formatted-again", test_plain_copy_is_not_formatted_again);
  add ("emptied-on-purpose-stays-empty", test_emptied_stays_empty);
  add ("nothing-is-added-to-a-copy", test_nothing_is_added_to_a_copy);
  add ("plain-again-after-a-lock", test_plain_again_after_a_lock);
  add ("restart-adds-nothing", test_restart_adds_nothing);
  add ("kept-part-is-replaced-by-the-whole", test_kept_part_is_replaced_by_the_whole);
  add ("ours-again-after-a-lock", test_ours_again_after_a_lock);
  add ("another-text-is-not-taken-back", test_another_text_is_not_taken_back);
  add ("kept-secret-is-no-copy", test_kept_secret_is_no_copy);
  add ("kept-part-of-what-was-missed", test_kept_part_of_what_was_missed);
  add ("own-clip-cleared-stays-empty", test_own_clip_cleared_stays_empty);
  add ("secret-never-restored", test_secret_never_restored);
  add ("persist-never", test_persist_never);
  add ("owner-of-one-paste-leaves-it", test_owner_of_one_paste_leaves_it);
  add ("persist-never-said-meanwhile", test_persist_never_meanwhile);
  add ("owner-that-goes-half-way-leaves-what-came",
       test_owner_that_goes_half_way_leaves_what_came);
  add ("what-came-of-a-copy-is-restored", test_what_came_of_a_copy_is_restored);
  add ("deleted-entry-given-up", test_deleted_entry_given_up);
  add ("looked-for-among-many", test_looked_for_among_many);
  add ("cancelled-claim-owns-nothing", test_cancelled_claim_owns_nothing);
  add ("full-pipe-keeps-nobody-waiting", test_full_pipe_keeps_nobody_waiting);
  add ("no-paste-goes-over-a-network", test_no_paste_goes_over_a_network);
  add ("no-paste-goes-into-a-terminal", test_no_paste_goes_into_a_terminal);
  add ("pastes-are-few-at-a-time", test_pastes_are_few_at_a_time);
  add ("paste-that-is-read-is-not-given-up", test_paste_that_is_read_is_not_given_up);
  add ("next-claim-waits-for-the-display", test_next_claim_waits_for_the_display);
  g_test_add ("/history/emptied-claims-nothing-later", HistoryFixture,
              GINT_TO_POINTER (0), history_fixture_setup,
              test_emptied_claims_nothing_later, history_fixture_teardown);
  g_test_add ("/history/emptied-claims-nothing-that-waits", HistoryFixture,
              GINT_TO_POINTER (20), history_fixture_setup,
              test_emptied_claims_nothing_later, history_fixture_teardown);
  add ("next-paste-takes-the-place-of-one", test_next_paste_takes_the_place_of_one);
  add ("silent-owner-ends-what-was", test_silent_owner_ends_what_was);
  add ("owner-that-ends-waits-until-all-is-kept",
       test_owner_that_ends_waits_until_all_is_kept);
  add ("owner-that-ends-is-told-what-is-not-kept",
       test_owner_that_ends_is_told_what_is_not_kept);
  add ("ours-again-after-a-restart", test_ours_again_after_a_restart);
  add ("not-ours-after-a-restart-where-it-was-lost",
       test_not_ours_after_a_restart_where_it_was_lost);
  add ("not-ours-after-a-restart-where-somebody-owns-it",
       test_not_ours_after_a_restart_where_somebody_owns_it);
  return g_test_run ();
}

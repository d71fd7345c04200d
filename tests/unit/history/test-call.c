/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What callers store. */
#include "clip-call-store.h"
#include "clip-display-sync.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "history-fixture.h"
#include "later-clock.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TEXT "text/plain;charset=utf-8"

static void
begin_store_fd (HistoryFixture *self,
                int fd_take,
                gboolean select,
                GAsyncResult **out_result)
{
  GPtrArray *inputs = clip_inputs_new ();

  clip_inputs_add (inputs, "", fd_take);
  clip_call_store_async (self->history, inputs, self->settings, select, 0, NULL, NULL,
                         NULL, keep_result, out_result);
}

static void
begin_store (HistoryFixture *self,
             const char *text,
             gboolean select,
             GAsyncResult **out_result)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  begin_store_fd (self, clip_memfd (bytes, NULL), select, out_result);
}

static gboolean
store_text (HistoryFixture *self,
            const char *text,
            ClipStored *out_stored,
            GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  begin_store (self, text, FALSE, &result);
  wait_until (result);
  return clip_call_store_finish (result, out_stored, error);
}

static void
test_caller_stores (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  ClipStored stored = { 0 };

  g_assert_true (store_text (self, "first", &stored, &error));
  g_assert_no_error (error);
  g_assert_cmpint (stored.added.id, ==, 1);
  g_assert_true (store_text (self, "second", &stored, &error));
  g_assert_true (store_text (self, "first", &stored, &error));
  g_assert_cmpint (stored.added.id, ==, 3);
  g_assert_cmpint (stored.added.moved_from, ==, 1);
  g_assert_cmpint (history_fixture_count (self), ==, 2);
}

static void
run (HistoryFixture *self, ClipChange *change)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  clip_store_change_async (self->store, change, keep_result, &result);
  wait_until (result);
  clip_store_change_finish (self->store, result, NULL, &error);
  g_assert_no_error (error);
}

static void
begin_replace (HistoryFixture *self, gint64 id, int fd_take, GAsyncResult **out_result)
{
  GPtrArray *inputs = clip_inputs_new ();

  clip_inputs_add (inputs, TEXT, fd_take);
  clip_call_store_async (self->history, inputs, self->settings, FALSE, id, NULL, NULL,
                         NULL, keep_result, out_result);
}

static void
assert_replaced (HistoryFixture *self, GAsyncResult *result, gint64 id, gint64 count)
{
  static const char *const tags[] = { "sig", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  ClipStored stored;

  g_assert_true (clip_call_store_finish (result, &stored, &error));
  g_assert_cmpint (stored.added.id, ==, id);
  g_assert_cmpint (history_fixture_count (self), ==, count);
  entry = history_fixture_lookup (self, id, &error);
  g_assert_no_error (error);
  g_assert_true (entry->row.pinned);
  g_assert_cmpstrv (entry->tags, tags);
}

static void
copy_again (HistoryFixture *self, const char *text)
{
  const guint n_moved = self->n_moved + 1;

  clip_backend_fake_copy (self->display, TEXT, text, NULL);
  wait_until (self->n_moved == n_moved);
}

/* an editor has the id from before: ^A ^C in it is enough */
static void
test_replaced_was_copied_again (HistoryFixture *self, gconstpointer data)
{
  static const char *const tags[] = { "sig", NULL };
  const gint64 last = 9;
  g_autoptr (GBytes) edited = g_bytes_new_static ("edited", 6);
  g_autoptr (GAsyncResult) before = NULL;
  g_autoptr (GAsyncResult) meanwhile = NULL;
  g_autoptr (GAsyncResult) gone = NULL;
  ClipStored stored = { 0 };
  int fds[2];

  clip_backend_fake_copy (self->display, TEXT, "signature", NULL);
  wait_until (self->n_added == 1);
  run (self, clip_change_pin (1, TRUE));
  run (self, clip_change_tag (1, tags));
  clip_backend_fake_copy (self->display, TEXT, "other", NULL);
  wait_until (self->n_added == 2);
  copy_again (self, "signature");
  copy_again (self, "other");
  copy_again (self, "signature");
  begin_replace (self, 1, clip_memfd (edited, NULL), &before);
  wait_until (before);
  assert_replaced (self, before, 6, 2);
  /* while the new text is on its way, too */
  g_assert_true (clip_pipe (fds, NULL));
  begin_replace (self, 6, fds[0], &meanwhile);
  copy_again (self, "other");
  copy_again (self, "edited");
  g_assert_true (clip_write_all (fds[1], "once more", 9, NULL));
  clip_fd_clear (&fds[1]);
  wait_until (meanwhile);
  assert_replaced (self, meanwhile, 9, 2);
  run (self, clip_change_delete (&last, 1));
  begin_replace (self, 1, clip_memfd (edited, NULL), &gone);
  wait_until (gone);
  g_assert_true (clip_call_store_finish (gone, &stored, NULL));
  g_assert_cmpint (history_fixture_count (self), ==, 2);
}

/* an older watcher beside us says nothing about secrets: what it stores meanwhile is
 * dropped */
static void
test_store_beside_secret_dropped (HistoryFixture *self, gconstpointer data)
{
  ClipStored stored = { 0 };

  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  g_assert_true (store_text (self, "hunter2", &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_SECRET);
  wait_until (self->n_drops == 1);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  g_assert_true (store_text (self, "hunter2", &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_SECRET);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* so is what a watcher of the primary selection stores */
static void
test_store_beside_selected_secret_dropped (HistoryFixture *self, gconstpointer data)
{
  ClipStored stored = { 0 };

  clip_backend_fake_select (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                            "secret", NULL);
  g_assert_true (store_text (self, "hunter2", &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_SECRET);
}

/* who asks for it on the clipboard is no watcher */
static void
test_asked_for_beside_secret_kept (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("important", 9);
  GPtrArray *inputs = clip_inputs_new ();
  ClipStored stored = { 0 };

  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  clip_inputs_add (inputs, TEXT, clip_memfd (bytes, NULL));
  clip_call_store_async (self->history, inputs, self->settings, TRUE, 0, NULL, NULL, NULL,
                         keep_result, &result);
  wait_until (result);
  g_assert_true (clip_call_store_finish (result, &stored, NULL));
  g_assert_cmpint (stored.added.id, ==, 1);
}

static void
copy_secret (HistoryFixture *self)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
}

static void
assert_sensitive (GAsyncResult *result)
{
  ClipStored stored = { 0 };

  g_assert_true (clip_call_store_finish (result, &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_SECRET);
}

/* the watcher has had us started; who is not one waits for nobody, and is kept after it
 * would have been */
static void
test_store_before_any_display (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) watcher = NULL;
  g_autoptr (GAsyncResult) other = NULL;

  clip_history_expect_displays (self->history);
  begin_store (self, "hunter2", FALSE, &watcher);
  begin_store (self, "important", TRUE, &other);
  wait_until (other);
  g_assert_null (watcher);
  copy_secret (self);
  clip_history_found_displays (self->history);
  wait_until (watcher && self->n_drops == 1);
  assert_sensitive (watcher);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* it has heard of a copy, and its owner has not said yet what that is */
static void
test_store_before_the_news (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) watcher = NULL;

  clip_backend_fake_set_busy (self->display, TRUE);
  begin_store (self, "hunter2", FALSE, &watcher);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
  copy_secret (self);
  clip_backend_fake_set_busy (self->display, FALSE);
  wait_until (watcher && self->n_drops == 1);
  assert_sensitive (watcher);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

/* one that does not come has nothing to tell; one that stands still may hold a secret */
static void
test_nobody_waits_for_ever (HistoryFixture *self, gconstpointer data)
{
  ClipStored stored = { 0 };

  clip_history_expect_displays (self->history);
  g_assert_true (store_text (self, "first", &stored, NULL));
  clip_backend_fake_set_busy (self->display, TRUE);
  g_assert_true (store_text (self, "second", &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_UNANSWERED);
  clip_backend_fake_set_busy (self->display, FALSE);
  g_assert_true (store_text (self, "third", &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_NONE);
  g_assert_cmpint (history_fixture_count (self), ==, 2);
}

static void
ask_displays (ClipDisplaySync *display_sync, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  clip_display_sync_run_async (display_sync, keep_result, &result);
  wait_until (result);
  clip_display_sync_finish (result, error);
}

/* it may hold a secret, and be there again in a moment */
static void
test_lost_display_has_not_answered (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) backends = g_ptr_array_new ();
  ClipDisplaySync *display_sync = clip_display_sync_new (backends);
  g_autoptr (GError) error = NULL;

  g_assert_false (clip_display_sync_is_needed (display_sync));
  clip_display_sync_lost (display_sync);
  g_assert_true (clip_display_sync_is_needed (display_sync));
  ask_displays (display_sync, &error);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_clear_error (&error);
  g_ptr_array_add (backends, self->display);
  ask_displays (display_sync, &error);
  g_assert_no_error (error);
  clip_display_sync_free (display_sync);
}

static void
test_end_before_the_news (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) watcher = NULL;
  g_autoptr (GError) error = NULL;
  ClipStored stored;

  clip_backend_fake_set_busy (self->display, TRUE);
  begin_store (self, "hunter2", FALSE, &watcher);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
  clip_history_close (self->history);
  wait_until (watcher);
  g_assert_false (clip_call_store_finish (watcher, &stored, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_bad_descriptors_refused (HistoryFixture *self, gconstpointer data)
{
  static const int modes[] = { O_WRONLY, O_PATH };

  for (guint i = 0; i < G_N_ELEMENTS (modes) + 1; i++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;
      GPtrArray *inputs = clip_inputs_new ();
      ClipStored stored;

      clip_inputs_add (inputs, TEXT,
                       i < G_N_ELEMENTS (modes)
                           ? g_open ("/dev/null", modes[i] | O_CLOEXEC)
                           : g_open (self->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      clip_call_store_async (self->history, inputs, self->settings, FALSE, 0, NULL, NULL,
                             NULL, keep_result, &result);
      wait_until (result);
      g_assert_false (clip_call_store_finish (result, &stored, &error));
      g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_cancelled_store_leaves_nothing (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GPtrArray *inputs = clip_inputs_new ();
  clip_autofd int write_fd = -1;
  ClipStored stored;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  write_fd = fds[1];
  g_assert_true (clip_write_all (write_fd, "half a co", 9, NULL));
  clip_inputs_add (inputs, TEXT, fds[0]);
  clip_call_store_async (self->history, inputs, self->settings, FALSE, 0, NULL, NULL,
                         cancellable, keep_result, &result);
  g_main_context_iteration (NULL, FALSE);
  g_cancellable_cancel (cancellable);
  wait_until (result);
  g_assert_false (clip_call_store_finish (result, &stored, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

/* Returns: the end to write to */
static int
begin_store_pipe (HistoryFixture *self, GAsyncResult **out_result)
{
  GPtrArray *inputs = clip_inputs_new ();
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  clip_inputs_add (inputs, TEXT, fds[0]);
  clip_call_store_async (self->history, inputs, self->settings, FALSE, 0, NULL, NULL,
                         NULL, keep_result, out_result);
  return fds[1];
}

static int
count_unread (int fd)
{
  int n;

  g_assert_cmpint (ioctl (fd, FIONREAD, &n), ==, 0);
  return n;
}

static void
write_and_wait (int fd, const char *text)
{
  g_assert_true (clip_write_all (fd, text, strlen (text), NULL));
  wait_until (count_unread (fd) == 0);
}

/* `(echo report; sleep 36000; echo end) | cliphist store` */
static void
test_slow_pipe_is_kept_whole (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  clip_autofd int fd = begin_store_pipe (self, &result);
  ClipStored stored = { 0 };

  write_and_wait (fd, "report\n");
  /* once another one has come whole, the threads have looked at the clock */
  for (guint hour = 0; hour < 10; hour++)
    {
      g_autoptr (GAsyncResult) other = NULL;
      clip_autofd int other_fd = begin_store_pipe (self, &other);

      g_atomic_int_add (&later_s, 3600);
      write_and_wait (other_fd, "meanwhile");
      clip_fd_clear (&other_fd);
      wait_until (other);
      g_assert_true (clip_call_store_finish (other, &stored, &error));
    }
  write_and_wait (fd, "end\n");
  clip_fd_clear (&fd);
  wait_until (result);
  clip_call_store_finish (result, &stored, &error);
  g_assert_no_error (error);
  text = history_fixture_text (self, stored.added.id, TEXT);
  g_assert_cmpstr (text, ==, "report\nend\n");
}

static void
test_forgotten_pipe (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = begin_store_pipe (self, &result);
  ClipStored stored = { 0 };

  write_and_wait (fd, "report\n");
  g_atomic_int_add (&later_s, 25 * 3600);
  wait_until (result);
  g_assert_false (clip_call_store_finish (result, &stored, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

static ClipStored
store_two (HistoryFixture *self,
           const char *mime,
           const char *words,
           const char *other_mime,
           const char *other_words)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GBytes) text = g_bytes_new (words, strlen (words));
  g_autoptr (GBytes) other = g_bytes_new (other_words, strlen (other_words));
  GPtrArray *inputs = clip_inputs_new ();
  ClipStored stored = { 0 };

  clip_inputs_add (inputs, mime, clip_memfd (text, NULL));
  clip_inputs_add (inputs, other_mime, clip_memfd (other, NULL));
  clip_call_store_async (self->history, inputs, self->settings, FALSE, 0, NULL, NULL,
                         NULL, keep_result, &result);
  wait_until (result);
  g_assert_true (clip_call_store_finish (result, &stored, NULL));
  return stored;
}

static ClipDrop
store_beside (HistoryFixture *self,
              const char *words,
              const char *mime,
              const char *value)
{
  return store_two (self, TEXT, words, mime, value).drop;
}

/* a text of yours, under another of its names, in front of what a paste would give */
static void
test_other_text_is_another_entry (HistoryFixture *self, gconstpointer data)
{
  static const char *const names[] = { "text/plain;format=flowed", "text/markdown",
                                       "text/plain;charset=utf-16" };
  g_autofree char *text = NULL;
  ClipStored stored = { 0 };

  g_assert_true (store_text (self, "make all", &stored, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *other = g_strdup_printf ("make none %u", i);
      g_autoptr (ClipEntry) entry = NULL;

      stored = store_two (self, names[i], "make all", TEXT, other);
      g_assert_cmpint (stored.added.moved_from, ==, 0);
      entry = history_fixture_lookup (self, stored.added.id, NULL);
      g_assert_cmpstr (entry->row.preview, ==, other);
    }
  text = history_fixture_text (self, 1, TEXT);
  g_assert_cmpstr (text, ==, "make all");
}

/* of two that are named the same, the first is kept */
static void
test_second_text_is_left_out (HistoryFixture *self, gconstpointer data)
{
  ClipStored stored = { 0 };
  g_autofree char *text = NULL;

  g_assert_true (store_text (self, "make all", &stored, NULL));
  stored = store_two (self, "STRING", "make all", TEXT, "make none");
  g_assert_cmpint (stored.added.moved_from, ==, 1);
  text = history_fixture_text (self, stored.added.id, TEXT);
  g_assert_cmpstr (text, ==, "make all");
}

/* all of it, as what was there would go for it */
static void
test_together_too_large_dropped (HistoryFixture *self, gconstpointer data)
{
  static const char html[] = "text/html";

  clip_settings_set (self->settings, CLIP_SETTING_MAX_TOTAL_SIZE, "10", CLIP_FROM_FLAG,
                     NULL);
  g_assert_cmpint (store_beside (self, "12345", html, "<b>123"), ==, CLIP_DROP_TOO_LARGE);
  g_assert_cmpint (store_beside (self, "1234567890", html, "<"), ==, CLIP_DROP_TOO_LARGE);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
  g_assert_cmpint (store_beside (self, "12345", html, "<b>12"), ==, CLIP_DROP_NONE);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* as of a display: a caller may have all that was offered there */
static void
test_marked_secret_dropped (HistoryFixture *self, gconstpointer data)
{
  static const char hint[] = "x-kde-passwordManagerHint";

  g_assert_cmpint (store_beside (self, "hunter2", hint, "secret"), ==, CLIP_DROP_SECRET);
  g_assert_cmpint (store_beside (self, "hunter3", hint, ""), ==, CLIP_DROP_SECRET);
  g_assert_cmpint (
      store_beside (self, "hunter4", "application/x-nspasteboard-concealed-type", ""), ==,
      CLIP_DROP_SECRET);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
  g_assert_cmpint (store_beside (self, "hunter2", hint, "public"), ==,
                   CLIP_DROP_SECRET); /* it comes back */
  g_assert_cmpint (store_beside (self, "a word", hint, "public"), ==, CLIP_DROP_NONE);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
  /* the word that marked it is another */
  clip_backend_fake_copy (self->display, TEXT, "secret", NULL);
  wait_until (self->n_added == 2);
}

/* of what a caller marked the texts are known again, and an image is not */
static void
test_image_of_secret_dropped (HistoryFixture *self, gconstpointer data)
{
  static const char hint[] = "x-kde-passwordManagerHint";

  g_assert_cmpint (store_beside (self, " ", "image/png", "image"), ==, CLIP_DROP_NONE);
  g_assert_cmpint (store_beside (self, " ", hint, "secret"), ==, CLIP_DROP_SECRET);
  g_assert_cmpint (store_beside (self, " ", "image/png", "image"), ==, CLIP_DROP_BLANK);
  g_assert_cmpint (store_beside (self, "", "image/png", "other"), ==, CLIP_DROP_BLANK);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* --- callers who are about to end --- */

typedef struct
{
  GAsyncResult *result;
  gboolean leaves;
  guint n_asked;
} Caller;

static gboolean
is_leaving (gpointer user_data)
{
  Caller *self = user_data;

  self->n_asked++;
  return self->leaves;
}

static void
on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  keep_result (source, result, &((Caller *) user_data)->result);
}

/* an entry of two contents */
static gboolean
store_both (HistoryFixture *self,
            Caller *caller,
            int first_fd,
            int second_fd,
            GError **error)
{
  GPtrArray *inputs = clip_inputs_new ();
  g_autoptr (GAsyncResult) result = NULL;
  ClipStored stored;

  clip_inputs_add (inputs, TEXT, first_fd);
  clip_inputs_add (inputs, "text/html", second_fd);
  clip_call_store_async (self->history, inputs, self->settings, FALSE, 0, is_leaving,
                         NULL, NULL, on_stored, caller);
  wait_until (caller->result);
  result = g_steal_pointer (&caller->result);
  return clip_call_store_finish (result, &stored, error);
}

static int
make_file (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("a file", 6);

  return clip_memfd (bytes, NULL);
}

/* one whose writer has ended */
static int
make_pipe (void)
{
  clip_autofd int write_fd = -1;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  write_fd = fds[1];
  g_assert_true (clip_write_all (write_fd, "half a co", 9, NULL));
  return fds[0];
}

static void
assert_dropped (HistoryFixture *self, int first_fd, int second_fd)
{
  Caller caller = { .leaves = TRUE };
  g_autoptr (GError) error = NULL;

  g_assert_false (store_both (self, &caller, first_fd, second_fd, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (caller.n_asked, ==, 1);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

static void
assert_kept (HistoryFixture *self, Caller *caller, int first_fd, int second_fd)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (store_both (self, caller, first_fd, second_fd, &error));
  g_assert_no_error (error);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* who wipes means it, too; what begins once that was asked is as new as any */
static void
test_begun_before_a_wipe (HistoryFixture *self, gconstpointer is_of_late)
{
  gint64 since_us = is_of_late ? g_get_real_time () - G_TIME_SPAN_MINUTE : 0;
  g_autoptr (GAsyncResult) begun_before = NULL;
  g_autoptr (GAsyncResult) begun_behind = NULL;
  ClipStored stored = { 0 };
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  begin_store_fd (self, fds[0], FALSE, &begun_before);
  g_assert_true (clip_write_all (fds[1], "old", 3, NULL));
  clip_store_change_async (self->store, clip_change_wipe (FALSE, since_us), NULL, NULL);
  begin_store (self, "new", FALSE, &begun_behind);
  wait_until (begun_behind);
  clip_fd_clear (&fds[1]);
  wait_until (begun_before);
  g_assert_true (clip_call_store_finish (begun_before, &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_DELETED);
  g_assert_true (clip_call_store_finish (begun_behind, &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_NONE);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

static void
test_pipe_of_leaving (HistoryFixture *self, gconstpointer data)
{
  assert_dropped (self, make_pipe (), make_file ());
  assert_dropped (self, make_file (), make_pipe ());
}

static void
test_file_of_leaving (HistoryFixture *self, gconstpointer data)
{
  Caller caller = { .leaves = TRUE };

  assert_kept (self, &caller, make_file (), make_file ());
  g_assert_cmpuint (caller.n_asked, ==, 0);
}

static void
test_pipe_of_staying (HistoryFixture *self, gconstpointer data)
{
  Caller caller = { 0 };

  assert_kept (self, &caller, make_pipe (), make_file ());
  g_assert_cmpuint (caller.n_asked, ==, 1);
}

#define add(path, function) \
  g_test_add ("/history/" path, HistoryFixture, NULL, history_fixture_setup, function, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("caller-stores", test_caller_stores);
  add ("replaced-was-copied-again", test_replaced_was_copied_again);
  add ("store-beside-secret-dropped", test_store_beside_secret_dropped);
  add ("a-store-beside-a-selected-secret-is-dropped",
       test_store_beside_selected_secret_dropped);
  add ("another-text-under-a-name-of-yours-is-another-entry",
       test_other_text_is_another_entry);
  add ("a-second-text-is-left-out", test_second_text_is_left_out);
  add ("what-is-too-large-together-is-dropped", test_together_too_large_dropped);
  add ("secret-that-is-marked-is-dropped", test_marked_secret_dropped);
  add ("image-of-a-secret-beside-a-blank-text-is-dropped", test_image_of_secret_dropped);
  add ("asked-for-beside-secret-kept", test_asked_for_beside_secret_kept);
  add ("store-before-any-display-waits-for-one", test_store_before_any_display);
  add ("store-waits-for-what-the-display-is-about-to-tell", test_store_before_the_news);
  add ("nobody-waits-for-a-display-for-ever", test_nobody_waits_for_ever);
  add ("display-that-was-lost-has-not-answered", test_lost_display_has_not_answered);
  add ("what-waits-for-a-display-ends-with-us", test_end_before_the_news);
  add ("bad-descriptors-refused", test_bad_descriptors_refused);
  add ("cancelled-store-leaves-nothing", test_cancelled_store_leaves_nothing);
  add ("a-pipe-that-rests-for-hours-is-kept-whole", test_slow_pipe_is_kept_whole);
  add ("a-pipe-that-is-forgotten-ends-after-a-day", test_forgotten_pipe);
  add ("what-was-begun-before-a-wipe-is-dropped", test_begun_before_a_wipe);
  g_test_add ("/history/what-was-begun-before-a-wipe-of-late-is-dropped", HistoryFixture,
              "of late", history_fixture_setup, test_begun_before_a_wipe,
              history_fixture_teardown);
  add ("a-pipe-of-a-caller-who-is-ending-leaves-nothing", test_pipe_of_leaving);
  add ("a-file-of-a-caller-who-is-ending-is-whole", test_file_of_leaving);
  add ("a-pipe-of-a-caller-who-waits-is-kept", test_pipe_of_staying);
  return g_test_run ();
}

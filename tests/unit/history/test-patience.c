/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a program may take to hand over what was copied in it, by a clock that the
 * test moves on; the display is played by the fake. */
#include "clip-change.h"
#include "clip-fd.h"
#include "history-fixture.h"
#include "later-clock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define TEXT "text/plain;charset=utf-8"
#define HTML "text/html"
#define PIPE_BYTES (1 << 20) /* a large one */
#define HELD_BYTES 4096

/* all that is due is done */
static void
pass (guint seconds)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_atomic_int_add (&later_s, (int) seconds);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
copy_stalled (HistoryFixture *self, const char *mime)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, mime, "", NULL);
  wait_until (clip_backend_fake_asked (self->display, mime) == 1);
}

static void
assert_kept (HistoryFixture *self, const char *expected)
{
  g_autofree char *text = NULL;

  wait_until (self->n_added == 1);
  text = history_fixture_text (self, 1, "");
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (self->n_stalled, ==, 0);
}

/* as long as a program needs to make a PNG of what a camera takes */
static void
test_slow (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  copy_stalled (self, TEXT);
  pass (25);
  clip_backend_fake_trickle (self->display, "slow");
  clip_backend_fake_stall (self->display, FALSE);
  assert_kept (self, "slow");
}

static void
test_pause (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  copy_stalled (self, TEXT);
  clip_backend_fake_trickle (self->display, "half, ");
  pass (25);
  clip_backend_fake_trickle (self->display, "half");
  clip_backend_fake_stall (self->display, FALSE);
  assert_kept (self, "half, half");
}

/* what is on the clipboard is the newest entry, also where the copy before it is handed
 * over later */
static void
test_replaced (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ClipEntry) entry = NULL;
  g_autofree char *text = NULL;

  copy_stalled (self, TEXT);
  copy_stalled (self, TEXT);
  clip_backend_fake_answer_newest (self->display, "second");
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_answer_newest (self->display, "first");
  wait_until (clip_history_current (self->history) == 3);
  g_assert_cmpuint (self->n_added, ==, 2);
  g_assert_cmpuint (self->n_moved, ==, 1);
  text = history_fixture_text (self, 3, "");
  g_assert_cmpstr (text, ==, "second");
  entry = history_fixture_lookup (self, 3, NULL);
  g_assert_cmpint (entry->row.copies, ==, 1);
}

/* of a display that lets few be read at once, the oldest is given up for the next, which
   is none that its program did not hand over */
/* a copy of many types has a dozen, and there are two selections */
static void
test_few_descriptors (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  struct rlimit before, few;

  g_assert_no_errno (getrlimit (RLIMIT_NOFILE, &before));
  few = before;
  few.rlim_cur = 320;
  g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &few));
  for (guint i = 0; i < 10; i++)
    copy_stalled (self, TEXT);
  pass (0);
  g_assert_cmpuint (clip_backend_fake_given_up (self->display), ==, 0);
  copy_stalled (self, TEXT);
  wait_until (clip_backend_fake_given_up (self->display) == 1);
  g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &before));
}

static void
test_few_at_a_time (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const guint most = clip_backend_most_copies (CLIP_BACKEND (self->display));

  for (guint i = 0; i < most; i++)
    copy_stalled (self, TEXT);
  pass (0);
  g_assert_cmpuint (clip_backend_fake_given_up (self->display), ==, 0);
  copy_stalled (self, TEXT);
  wait_until (clip_backend_fake_given_up (self->display) == 1);
  clip_backend_fake_answer_newest (self->display, "next");
  assert_kept (self, "next");
}

static guint
count_contents (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);

      n += target && strstr (target, "memfd:content");
    }
  return n;
}

/* also where all has come, and its display does not tell what it knows of that */
static void
test_few_while_its_display_is_silent (HistoryFixture *self,
                                      gconstpointer data G_GNUC_UNUSED)
{
  const guint most = clip_backend_most_copies (CLIP_BACKEND (self->display));
  const guint before = count_contents ();
  ClipBackendFake *first = self->display;

  self->display = clip_backend_fake_new_mirror ();
  clip_history_add_backend (self->history, CLIP_BACKEND (self->display));
  clip_backend_fake_set_busy (self->display, TRUE);
  for (guint i = 1; i <= 2 * most; i++)
    {
      clip_backend_fake_copy (self->display, TEXT, "word", NULL);
      wait_until (clip_backend_fake_syncing (self->display) == i);
    }
  wait_until (count_contents () <= before + most);
  clip_backend_fake_set_busy (self->display, FALSE);
  wait_until (self->n_added == 1);
  g_object_unref (first);
}

static void
test_never (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  copy_stalled (self, TEXT);
  pass (31);
  wait_until (self->n_stalled == 1);
  copy_stalled (self, HTML);
  clip_backend_fake_trickle (self->display, "half");
  pass (31);
  wait_until (self->n_stalled == 2);
  g_assert_cmpuint (self->n_drops, ==, 0);
}

/* where the display is the one who waits */
static void
test_never_by_its_display (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_backend_fake_set_silent (self->display, TEXT);
  clip_backend_fake_copy (self->display, TEXT, "", NULL);
  wait_until (self->n_stalled == 1);
  g_assert_cmpuint (self->n_drops, ==, 0);
}

/* what is there already is not held up for long by what comes beside it */
static void
test_beside (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_backend_fake_copy (self->display, TEXT, "word", HTML, "", NULL);
  clip_backend_fake_stall (self->display, TRUE);
  wait_until (clip_backend_fake_asked (self->display, HTML) == 1);
  pass (11);
  assert_kept (self, "word");
}

/* that a mark is not answered is known no later than that: it is one */
static void
test_mark (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_backend_fake_keep_closed (self->display);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  pass (4);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
}

static void
copy_without_end (ClipBackendFake *display)
{
  clip_backend_fake_stall (display, TRUE);
  clip_backend_fake_copy (display, TEXT, "", "application/x-nspasteboard-concealed-type",
                          "", NULL);
  wait_until (clip_backend_fake_asked (display, TEXT) == 1);
}

/* so little at once that the thread may miss one change of the clock: what it reads in
 * one turn counts from when that began */
static void
drip (ClipBackendFake *display)
{
  clip_backend_fake_trickle (display, "h");
  wait_until (clip_backend_fake_was_heard (display));
  pass (2);
}

/* it goes on while that is looked at: what is given up is not heard */
static gboolean
has_dropped (HistoryFixture *self, ClipBackendFake *display, guint n_drops)
{
  clip_backend_fake_trickle (display, "h");
  return self->n_drops == n_drops;
}

static void
drip_until_given_up (HistoryFixture *self, ClipBackendFake *display, guint n_drops)
{
  g_test_expect_message ("clip-history", G_LOG_LEVEL_MESSAGE, "a text is not kept*");
  pass (2);
  wait_until (has_dropped (self, display, n_drops));
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  g_test_assert_expected_messages ();
}

/* a marked text that goes on coming is given up, and what waits to be compared with it */
static void
test_mark_without_end (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  copy_without_end (self->display);
  drip (self->display);
  clip_backend_fake_copy (self->display, TEXT, "", HTML, "", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_answer_newest (self->display, "rich");
  wait_until (clip_backend_fake_asked (self->display, HTML) == 1);
  clip_backend_fake_answer_newest (self->display, "<b>rich</b>");
  drip (self->display);
  drip_until_given_up (self, self->display, 2);
  pass (2);
  copy_stalled (self, TEXT);
  clip_backend_fake_answer_newest (self->display, "next");
  assert_kept (self, "next");
}

/* or for it to be known, as it may have come over the bridge */
static void
test_mark_without_end_below (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  copy_without_end (below);
  drip (below);
  clip_backend_fake_copy (self->display, HTML, "<b>meanwhile</b>", NULL);
  wait_until (clip_backend_fake_asked (self->display, HTML) == 1);
  drip (below);
  drip_until_given_up (self, below, 1);
  pass (4);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  assert_kept (self, "next");
  g_object_unref (below);
}

/* also where another one is still being read, which becomes known later */
static void
test_marks_without_end_below (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  copy_without_end (below);
  drip (below);
  drip (below);
  copy_without_end (below);
  clip_backend_fake_copy (self->display, HTML, "<b>hunter</b>", NULL);
  wait_until (clip_backend_fake_asked (self->display, HTML) == 1);
  drip_until_given_up (self, below, 1);
  g_object_unref (below);
}

static void
on_pasted (gboolean whole G_GNUC_UNUSED, gpointer user_data)
{
  ++*(guint *) user_data;
}

static int
count_bytes (int reader)
{
  int bytes = 0;

  g_assert_cmpint (ioctl (reader, FIONREAD, &bytes), ==, 0);
  return bytes;
}

/* the end to read from; the pipe holds something, and takes less than the content */
static int
paste (HistoryFixture *self, guint *n_ended)
{
  static const char block[HELD_BYTES];
  g_autoptr (ClipRequest) request = NULL;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  g_assert_true (clip_write_all (fds[1], block, sizeof block, NULL));
  request = clip_request_new (TEXT, fds[1], on_pasted, n_ended);
  clip_source_request (clip_backend_fake_owned (self->display), request);
  wait_until (count_bytes (fds[0]) > HELD_BYTES);
  return fds[0];
}

static gsize
read_all (int reader_take)
{
  clip_autofd int reader = reader_take;
  g_autoptr (GBytes) pasted = clip_read_to_end (reader, 2 * PIPE_BYTES, NULL);

  return pasted ? g_bytes_get_size (pasted) : 0;
}

/* more than a pipe takes that somebody has put something into */
static void
offer_a_long_text (HistoryFixture *self)
{
  g_autofree char *text = g_strnfill (PIPE_BYTES, 'x');
  g_autoptr (GAsyncResult) result = NULL;

  clip_backend_fake_copy (self->display, TEXT, text, NULL);
  wait_until (self->n_added == 1);
  clip_history_select_async (self->history, 1, CLIP_SELECT_WHOLE, keep_result, &result);
  wait_until (result);
}

/* what is being read may come whole, and what stands still is not handed out for long */
static void
test_reader_of_the_wiped (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GAsyncResult) wiped = NULL;
  guint n_ended = 0;
  int slow, quick;

  offer_a_long_text (self);
  slow = paste (self, &n_ended);
  quick = paste (self, &n_ended);
  clip_store_change_async (self->store, clip_change_wipe (FALSE, 0), keep_result, &wiped);
  wait_until (wiped);
  wait_until (clip_backend_fake_owned (self->display) == NULL);
  g_assert_cmpuint (read_all (quick), ==, HELD_BYTES + PIPE_BYTES);
  wait_until (n_ended == 1);
  pass (31);
  wait_until (n_ended == 2);
  g_assert_cmpuint (read_all (slow), <, HELD_BYTES + PIPE_BYTES);
}

/* `wl-paste | less`: once another one has come whole, the thread has looked at the
 * clock */
static void
test_reader (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  guint n_ended = 0;
  int slow;

  offer_a_long_text (self);
  slow = paste (self, &n_ended);
  wait_until (count_bytes (slow) == fcntl (slow, F_GETPIPE_SZ));
  g_atomic_int_add (&later_s, 3600);
  g_assert_cmpuint (read_all (paste (self, &n_ended)), ==, HELD_BYTES + PIPE_BYTES);
  wait_until (n_ended >= 1);
  g_assert_cmpuint (read_all (slow), ==, HELD_BYTES + PIPE_BYTES);
  wait_until (n_ended == 2);
}

static void
add (const char *fact, void (*test) (HistoryFixture *, gconstpointer))
{
  g_autofree char *path = g_strconcat ("/patience/", fact, NULL);

  g_test_add (path, HistoryFixture, NULL, history_fixture_setup, test,
              history_fixture_teardown);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL);
  signal (SIGPIPE, SIG_IGN);
  add ("a-program-may-take-its-time", test_slow);
  add ("a-program-may-pause", test_pause);
  add ("what-is-handed-over-late-is-not-the-newest", test_replaced);
  add ("a-marked-text-without-an-end-is-given-up", test_mark_without_end);
  add ("a-marked-text-without-an-end-is-given-up-below-a-bridge",
       test_mark_without_end_below);
  add ("marked-texts-without-an-end-are-given-up-one-by-one",
       test_marks_without_end_below);
  add ("of-few-at-a-time-the-oldest-is-given-up", test_few_at_a_time);
  add ("of-few-the-oldest-is-given-up-while-its-display-is-silent",
       test_few_while_its_display_is_silent);
  add ("where-there-are-few-descriptors-fewer-come-at-once", test_few_descriptors);
  add ("who-hands-nothing-over-is-told-of", test_never);
  add ("who-hands-nothing-over-is-told-of-by-its-display", test_never_by_its_display);
  add ("what-comes-beside-it-is-waited-for-less", test_beside);
  add ("a-mark-is-waited-for-less", test_mark);
  add ("a-reader-may-take-its-time", test_reader);
  add ("a-reader-of-what-was-wiped-may-not", test_reader_of_the_wiped);
  return g_test_run ();
}

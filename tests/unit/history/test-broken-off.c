/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a pipe may be that of the content, or that of its owner. */
#include "history-fixture.h"

#include <signal.h>

#define TEXT "text/plain;charset=utf-8"
#define JPEG "image/jpeg"
#define WHOLE "\xff\xd8\xff\xe0 a picture \xff\xd9"
#define HALF "\xff\xd8\xff\xe0 a pict"

/* its owner has begun to hand it over */
static void
copy_slowly (HistoryFixture *self, const char *mime, const char *begin)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, mime, "", NULL);
  wait_until (clip_backend_fake_asked (self->display, mime) == 1);
  clip_backend_fake_trickle (self->display, begin);
}

static void
assert_only (HistoryFixture *self, const char *mime, const char *expected)
{
  g_autofree char *content = NULL;

  wait_until (self->n_added == 1);
  content = history_fixture_text (self, 1, mime);
  g_assert_cmpstr (content, ==, expected);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* a motion photo is longer than its picture; a program may offer a WebP as a JPEG */
static void
test_held (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  copy_slowly (self, JPEG, HALF);
  clip_backend_fake_stall (self->display, FALSE);
  assert_only (self, JPEG, HALF);
  g_assert_cmpuint (self->n_stalled, ==, 0);
}

static void
test_owner_goes (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  copy_slowly (self, JPEG, HALF);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (self->n_stalled == 1);
  g_assert_cmpuint (self->n_drops, ==, 0);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

static void
test_whole_owner_goes (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  copy_slowly (self, JPEG, WHOLE);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_stall (self->display, FALSE);
  assert_only (self, JPEG, WHOLE);
  g_assert_cmpuint (self->n_stalled, ==, 0);
}

/* the end of the pipe is there sooner than the news of what has ended it */
static void
test_next_picture (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_backend_fake_cut_off (self->display, TEXT, "next");
  clip_backend_fake_copy (self->display, JPEG, HALF, NULL);
  assert_only (self, TEXT, "next");
  g_assert_cmpuint (self->n_stalled, ==, 1);
}

static void
test_next_large (HistoryFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *half = g_strnfill (100000, 'a');

  clip_backend_fake_cut_off (self->display, TEXT, "next");
  clip_backend_fake_copy (self->display, TEXT, half, NULL);
  assert_only (self, TEXT, "next");
  g_assert_cmpuint (self->n_stalled, ==, 1);
}

#define ADD(fact, test) \
  g_test_add ("/broken-off/" fact, HistoryFixture, NULL, history_fixture_setup, test, \
              history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL); /* a lost copy is a warning */
  signal (SIGPIPE, SIG_IGN);
  ADD ("picture-without-its-end-is-kept-while-its-owner-holds-it", test_held);
  ADD ("picture-whose-owner-goes-is-told-of", test_owner_goes);
  ADD ("picture-with-its-end-is-kept-though-its-owner-goes", test_whole_owner_goes);
  ADD ("picture-cut-off-by-the-next-copy-is-told-of", test_next_picture);
  ADD ("large-copy-cut-off-by-the-next-is-told-of", test_next_large);
  return g_test_run ();
}

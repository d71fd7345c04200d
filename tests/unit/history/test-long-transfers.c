/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What lasts long between a display and the history, and who hears of it. */
#include "clip-long-transfers.h"
#include "history-fixture.h"
#include "later-clock.h"

#define HOUR_MS 3600000

static void
count_call (gpointer user_data)
{
  ++*(guint *) user_data;
}

static GObject *
begin (ClipLongTransfers *self, ClipTransferDirection way, goffset done, goffset total)
{
  GObject *transfer = g_object_new (G_TYPE_OBJECT, NULL);
  ClipTransferProgress *progress = clip_long_transfers_add (self, way, transfer);

  clip_transfer_progress_advance (progress, done);
  clip_transfer_progress_expect (progress, total);
  return transfer;
}

static void
test_sum (void)
{
  g_autoptr (ClipLongTransfers) self = clip_long_transfers_new (0, 1);
  g_autoptr (GObject) first G_GNUC_UNUSED = begin (self, CLIP_TRANSFER_OUT, 10, 100);
  g_autoptr (GObject) second G_GNUC_UNUSED = begin (self, CLIP_TRANSFER_OUT, 20, 100);
  g_autoptr (GObject) other G_GNUC_UNUSED = begin (self, CLIP_TRANSFER_IN, 5, 0);
  ClipLongTransfersSum sum = clip_long_transfers_sum (self, CLIP_TRANSFER_OUT);

  g_assert_cmpuint (sum.n, ==, 2);
  g_assert_cmpint (sum.done, ==, 30);
  g_assert_cmpint (sum.total, ==, 200);
  g_clear_object (&first);
  sum = clip_long_transfers_sum (self, CLIP_TRANSFER_OUT);
  g_assert_cmpuint (sum.n, ==, 1);
  g_assert_cmpint (sum.done, ==, 20);
  sum = clip_long_transfers_sum (self, CLIP_TRANSFER_IN);
  g_assert_cmpint (sum.done, ==, 5);
  g_assert_cmpint (sum.total, ==, 0);
}

/* one of unknown size leaves no total that would mean something */
static void
test_unknown (void)
{
  g_autoptr (ClipLongTransfers) self = clip_long_transfers_new (0, 1);
  g_autoptr (GObject) first G_GNUC_UNUSED = begin (self, CLIP_TRANSFER_IN, 10, 100);
  g_autoptr (GObject) second G_GNUC_UNUSED = begin (self, CLIP_TRANSFER_IN, 20, 0);

  g_assert_cmpint (clip_long_transfers_sum (self, CLIP_TRANSFER_IN).total, ==, 0);
  g_assert_cmpint (clip_long_transfers_sum (self, CLIP_TRANSFER_IN).done, ==, 30);
}

static void
test_passed (void)
{
  g_autoptr (ClipLongTransfers) self = clip_long_transfers_new (0, 1);
  g_autoptr (GObject) transfer G_GNUC_UNUSED = begin (self, CLIP_TRANSFER_IN, 101, 100);

  g_assert_cmpint (clip_long_transfers_sum (self, CLIP_TRANSFER_IN).done, ==, 101);
  g_assert_cmpint (clip_long_transfers_sum (self, CLIP_TRANSFER_IN).total, ==, 0);
}

/* as a reader does whom a person holds up */
static void
test_still (void)
{
  g_autoptr (ClipLongTransfers) self = clip_long_transfers_new (0, 1);
  g_autoptr (GObject) transfer = g_object_new (G_TYPE_OBJECT, NULL);
  ClipTransferProgress *progress =
      clip_long_transfers_add (self, CLIP_TRANSFER_OUT, transfer);

  clip_transfer_progress_advance (progress, 10);
  g_assert_cmpuint (clip_long_transfers_sum (self, CLIP_TRANSFER_OUT).n, ==, 1);
  g_atomic_int_add (&later_s, 11);
  g_assert_cmpuint (clip_long_transfers_sum (self, CLIP_TRANSFER_OUT).n, ==, 0);
  clip_transfer_progress_advance (progress, 20);
  g_assert_cmpuint (clip_long_transfers_sum (self, CLIP_TRANSFER_OUT).n, ==, 1);
}

static void
test_told (void)
{
  g_autoptr (ClipLongTransfers) self = clip_long_transfers_new (0, 1);
  g_autoptr (GObject) transfer = NULL;
  guint n_calls = 0;
  guint n_before;

  clip_long_transfers_watch (self, count_call, &n_calls);
  transfer = begin (self, CLIP_TRANSFER_IN, 1, 0);
  wait_until (n_calls >= 2);
  n_before = n_calls;
  g_clear_object (&transfer);
  g_assert_cmpuint (n_calls, ==, n_before + 1);
  g_assert_cmpuint (clip_long_transfers_sum (self, CLIP_TRANSFER_IN).n, ==, 0);
  /* and its timer is gone: nothing is left that would fire */
  g_assert_false (g_main_context_pending (NULL));
}

static void
test_short (void)
{
  g_autoptr (ClipLongTransfers) self = clip_long_transfers_new (HOUR_MS, 1);
  g_autoptr (ClipLongTransfers) clock = clip_long_transfers_new (0, 1);
  g_autoptr (GObject) transfer = begin (self, CLIP_TRANSFER_IN, 1, 0);
  g_autoptr (GObject) tick G_GNUC_UNUSED = begin (clock, CLIP_TRANSFER_IN, 1, 0);
  guint n_calls = 0;
  guint n_ticks = 0;

  clip_long_transfers_watch (self, count_call, &n_calls);
  clip_long_transfers_watch (clock, count_call, &n_ticks);
  wait_until (n_ticks >= 5);
  g_clear_object (&transfer);
  g_assert_cmpuint (n_calls, ==, 0);
}

/* the thread that moves the bytes still writes when the history has closed */
static void
test_progress_stays (void)
{
  ClipLongTransfers *self = clip_long_transfers_new (0, 1);
  g_autoptr (GObject) transfer = g_object_new (G_TYPE_OBJECT, NULL);
  ClipTransferProgress *progress =
      clip_long_transfers_add (self, CLIP_TRANSFER_OUT, transfer);

  clip_long_transfers_free (self);
  clip_transfer_progress_advance (progress, 7);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/long_transfers/a-sum-is-of-one-way", test_sum);
  g_test_add_func ("/long_transfers/one-of-unknown-size-makes-the-total-unknown",
                   test_unknown);
  g_test_add_func ("/long_transfers/a-total-that-was-passed-is-unknown", test_passed);
  g_test_add_func ("/long_transfers/what-stands-still-is-not-told", test_still);
  g_test_add_func ("/long_transfers/what-lasts-is-told-and-its-end-once", test_told);
  g_test_add_func ("/long_transfers/what-is-short-is-never-told", test_short);
  g_test_add_func ("/long_transfers/a-progress-stays-as-long-as-its-transfer",
                   test_progress_stays);
  return g_test_run ();
}

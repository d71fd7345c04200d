/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What lasts long between a display and the history, and who hears of it. */
#include "clip-traffic.h"
#include "history-fixture.h"

#define HOUR_MS 3600000

static void
count_call (gpointer user_data)
{
  ++*(guint *) user_data;
}

static GObject *
begin (ClipTraffic *self, ClipTrafficWay way, goffset done, goffset total)
{
  GObject *transfer = g_object_new (G_TYPE_OBJECT, NULL);
  ClipGauge *gauge = clip_traffic_join (self, way, transfer);

  clip_gauge_advance (gauge, done);
  clip_gauge_expect (gauge, total);
  return transfer;
}

static void
test_sum (void)
{
  g_autoptr (ClipTraffic) self = clip_traffic_new (0, 1);
  g_autoptr (GObject) first G_GNUC_UNUSED = begin (self, CLIP_TRAFFIC_OUT, 10, 100);
  g_autoptr (GObject) second G_GNUC_UNUSED = begin (self, CLIP_TRAFFIC_OUT, 20, 100);
  g_autoptr (GObject) other G_GNUC_UNUSED = begin (self, CLIP_TRAFFIC_IN, 5, 0);
  ClipTrafficSum sum = clip_traffic_sum (self, CLIP_TRAFFIC_OUT);

  g_assert_cmpuint (sum.n, ==, 2);
  g_assert_cmpint (sum.done, ==, 30);
  g_assert_cmpint (sum.total, ==, 200);
  g_clear_object (&first);
  sum = clip_traffic_sum (self, CLIP_TRAFFIC_OUT);
  g_assert_cmpuint (sum.n, ==, 1);
  g_assert_cmpint (sum.done, ==, 20);
  sum = clip_traffic_sum (self, CLIP_TRAFFIC_IN);
  g_assert_cmpint (sum.done, ==, 5);
  g_assert_cmpint (sum.total, ==, 0);
}

/* one of unknown size leaves no total that would mean something */
static void
test_unknown (void)
{
  g_autoptr (ClipTraffic) self = clip_traffic_new (0, 1);
  g_autoptr (GObject) first G_GNUC_UNUSED = begin (self, CLIP_TRAFFIC_IN, 10, 100);
  g_autoptr (GObject) second G_GNUC_UNUSED = begin (self, CLIP_TRAFFIC_IN, 20, 0);

  g_assert_cmpint (clip_traffic_sum (self, CLIP_TRAFFIC_IN).total, ==, 0);
  g_assert_cmpint (clip_traffic_sum (self, CLIP_TRAFFIC_IN).done, ==, 30);
}

static void
test_passed (void)
{
  g_autoptr (ClipTraffic) self = clip_traffic_new (0, 1);
  g_autoptr (GObject) transfer G_GNUC_UNUSED = begin (self, CLIP_TRAFFIC_IN, 101, 100);

  g_assert_cmpint (clip_traffic_sum (self, CLIP_TRAFFIC_IN).done, ==, 101);
  g_assert_cmpint (clip_traffic_sum (self, CLIP_TRAFFIC_IN).total, ==, 0);
}

static void
test_told (void)
{
  g_autoptr (ClipTraffic) self = clip_traffic_new (0, 1);
  g_autoptr (GObject) transfer = NULL;
  guint n_calls = 0;
  guint n_before;

  clip_traffic_watch (self, count_call, &n_calls);
  transfer = begin (self, CLIP_TRAFFIC_IN, 1, 0);
  wait_until (n_calls >= 2);
  n_before = n_calls;
  g_clear_object (&transfer);
  g_assert_cmpuint (n_calls, ==, n_before + 1);
  g_assert_cmpuint (clip_traffic_sum (self, CLIP_TRAFFIC_IN).n, ==, 0);
  /* and its timer is gone: nothing is left that would fire */
  g_assert_false (g_main_context_pending (NULL));
}

static void
test_short (void)
{
  g_autoptr (ClipTraffic) self = clip_traffic_new (HOUR_MS, 1);
  g_autoptr (ClipTraffic) clock = clip_traffic_new (0, 1);
  g_autoptr (GObject) transfer = begin (self, CLIP_TRAFFIC_IN, 1, 0);
  g_autoptr (GObject) tick G_GNUC_UNUSED = begin (clock, CLIP_TRAFFIC_IN, 1, 0);
  guint n_calls = 0;
  guint n_ticks = 0;

  clip_traffic_watch (self, count_call, &n_calls);
  clip_traffic_watch (clock, count_call, &n_ticks);
  wait_until (n_ticks >= 5);
  g_clear_object (&transfer);
  g_assert_cmpuint (n_calls, ==, 0);
}

/* the thread that moves the bytes still writes when the history has closed */
static void
test_gauge_stays (void)
{
  ClipTraffic *self = clip_traffic_new (0, 1);
  g_autoptr (GObject) transfer = g_object_new (G_TYPE_OBJECT, NULL);
  ClipGauge *gauge = clip_traffic_join (self, CLIP_TRAFFIC_OUT, transfer);

  clip_traffic_free (self);
  clip_gauge_advance (gauge, 7);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traffic/a-sum-is-of-one-way", test_sum);
  g_test_add_func ("/traffic/one-of-unknown-size-makes-the-total-unknown", test_unknown);
  g_test_add_func ("/traffic/a-total-that-was-passed-is-unknown", test_passed);
  g_test_add_func ("/traffic/what-lasts-is-told-and-its-end-once", test_told);
  g_test_add_func ("/traffic/what-is-short-is-never-told", test_short);
  g_test_add_func ("/traffic/a-gauge-stays-as-long-as-its-transfer", test_gauge_stays);
  return g_test_run ();
}

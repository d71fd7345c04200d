/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads write the gauges; here a timer looks at them, while there is something to look
 * at and somebody who wants to know. Most transfers are over before it has fired once.
 */
#include "clip-traffic.h"

#include <glib-object.h>

typedef struct
{
  ClipTraffic *traffic;
  GObject *transfer; /* borrowed: it leaves us when it goes */
  ClipGauge *gauge;
  ClipTrafficWay way;
  gint64 since_us; /* monotonic */
} Lane;

struct ClipTraffic
{
  GPtrArray *lanes;
  guint long_ms;
  guint interval_ms;
  guint timer;
  gboolean was_long; /* somebody was told of one that lasts */
  ClipTrafficFunc changed;
  gpointer changed_data;
};

static void on_gone (gpointer data, GObject *transfer);

static void
lane_free (gpointer data)
{
  Lane *self = data;

  if (self->transfer)
    g_object_weak_unref (self->transfer, on_gone, self);
  clip_gauge_unref (self->gauge);
  g_free (self);
}

static gboolean
is_long (const ClipTraffic *self, const Lane *lane)
{
  return g_get_monotonic_time () - lane->since_us >=
         (gint64) self->long_ms * G_TIME_SPAN_MILLISECOND;
}

static gboolean
has_long (const ClipTraffic *self)
{
  for (guint i = 0; i < self->lanes->len; i++)
    if (is_long (self, g_ptr_array_index (self->lanes, i)))
      return TRUE;
  return FALSE;
}

/* also when the last of them has just ended */
static void
tell (ClipTraffic *self)
{
  gboolean was_long = self->was_long;

  self->was_long = has_long (self);
  if (self->changed && (was_long || self->was_long))
    self->changed (self->changed_data);
}

static gboolean
on_tick (gpointer user_data)
{
  tell (user_data);
  return G_SOURCE_CONTINUE;
}

static void
on_gone (gpointer data, GObject *transfer G_GNUC_UNUSED)
{
  Lane *lane = data;
  ClipTraffic *self = lane->traffic;

  lane->transfer = NULL;
  g_ptr_array_remove (self->lanes, lane);
  if (self->lanes->len > 0)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  tell (self);
}

/**
 * clip_traffic_new:
 * @long_ms: what is over by then is not long
 * @interval_ms: how often it is worth a word
 */
ClipTraffic *
clip_traffic_new (guint long_ms, guint interval_ms)
{
  ClipTraffic *self = g_new0 (ClipTraffic, 1);

  self->lanes = g_ptr_array_new_with_free_func (lane_free);
  self->long_ms = long_ms;
  self->interval_ms = interval_ms;
  return self;
}

void
clip_traffic_free (ClipTraffic *self)
{
  if (!self)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_ptr_array_unref (self->lanes);
  g_free (self);
}

/**
 * clip_traffic_join:
 * @transfer: a GObject; when it goes the transfer has ended, however it did
 *
 * Returns: (transfer none): where the transfer notes how far it is, for as long as
 * @transfer is there
 */
ClipGauge *
clip_traffic_join (ClipTraffic *self, ClipTrafficWay way, gpointer transfer)
{
  Lane *lane = g_new0 (Lane, 1);

  lane->traffic = self;
  lane->transfer = transfer;
  lane->gauge = clip_gauge_new ();
  lane->way = way;
  lane->since_us = g_get_monotonic_time ();
  g_object_set_data_full (transfer, "clip-gauge", clip_gauge_ref (lane->gauge),
                          (GDestroyNotify) clip_gauge_unref);
  g_object_weak_ref (transfer, on_gone, lane);
  g_ptr_array_add (self->lanes, lane);
  if (!self->timer)
    self->timer = g_timeout_add (self->interval_ms, on_tick, self);
  return lane->gauge;
}

/**
 * clip_traffic_watch:
 * @changed: (nullable): called now and then while something lasts long, and once when
 *   nothing does any more
 */
void
clip_traffic_watch (ClipTraffic *self, ClipTrafficFunc changed, gpointer user_data)
{
  self->changed = changed;
  self->changed_data = user_data;
}

/* How far those are that last long, all together. Some owners announce less than they
 * have: where more has come the total is known no longer. */
ClipTrafficSum
clip_traffic_sum (ClipTraffic *self, ClipTrafficWay way)
{
  ClipTrafficSum sum = { 0 };
  gboolean is_known = TRUE;

  for (guint i = 0; i < self->lanes->len; i++)
    {
      const Lane *lane = g_ptr_array_index (self->lanes, i);
      goffset done;
      goffset total;

      if (lane->way != way || !is_long (self, lane))
        continue;
      clip_gauge_read (lane->gauge, &done, &total);
      sum.n++;
      sum.done += done;
      sum.total += total;
      is_known = is_known && total > 0 && done <= total;
    }
  sum.total = is_known ? sum.total : 0;
  return sum;
}

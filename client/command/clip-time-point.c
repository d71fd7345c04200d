/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-time-point.h"

#include "clip-units.h"

#include <stdio.h>

static GDateTime *
parse_date (const char *text)
{
  static const char *const rests[] = { "", ":00", "T00:00:00" };
  g_autoptr (GTimeZone) local = g_time_zone_new_local ();
  GDateTime *time = NULL;

  for (guint i = 0; !time && i < G_N_ELEMENTS (rests); i++)
    {
      g_autofree char *whole = g_strconcat (text, rests[i], NULL);

      time = g_date_time_new_from_iso8601 (whole, local);
    }
  return time;
}

/* (transfer full) (nullable): as people say it: today and yesterday begin at midnight,
 * 09:00 is today's, or yesterday's where that is still to come */
static GDateTime *
parse_words (const char *text)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  gboolean is_yesterday = g_str_equal (text, "yesterday");
  g_autoptr (GDateTime) time = NULL;
  guint hour = 0, minute = 0;
  char rest;

  if (!is_yesterday && !g_str_equal (text, "today") &&
      (sscanf (text, "%2u:%2u%c", &hour, &minute, &rest) != 2 || hour > 23 ||
       minute > 59))
    return NULL;
  time = g_date_time_new_local (g_date_time_get_year (now), g_date_time_get_month (now),
                                g_date_time_get_day_of_month (now), (int) hour,
                                (int) minute, 0);
  if (time && (is_yesterday || g_date_time_compare (time, now) > 0))
    return g_date_time_add_days (time, -1);
  return g_steal_pointer (&time);
}

/* what JSON calls `time` names its entry, and none that was copied in the same second */
static gint64
to_us (GDateTime *time)
{
  return g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time);
}

/**
 * clip_time_point_parse:
 * @text: 2h, 3d: so long ago; today, yesterday, 09:00, 2025-12-31, 2025-12-31T23:59:
 * then, local time
 * @out_us: (out): microseconds since the epoch, 1 at least
 */
gboolean
clip_time_point_parse (const char *text, gint64 *out_us)
{
  g_autoptr (GDateTime) time = parse_words (text) ?: parse_date (text);
  gint64 ago_us = 0;

  if (!time && !clip_parse_duration (text, &ago_us))
    return FALSE;
  *out_us = time ? to_us (time) : g_get_real_time () - ago_us;
  *out_us = MAX (*out_us, 1);
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-bar.h"

#include "clip-words.h"

#include <string.h>

/* what the last look counts for; the rest is what was before */
#define NEWEST_WEIGHT 0.3

/* below this a bar says less than the number beside it */
#define MIN_BAR_COLUMNS 10

#define SECONDS_A_DAY 86400

void
clip_bar_begin (ClipBar *self, gint64 now_us)
{
  *self = (ClipBar){ .at_us = now_us };
}

/**
 * clip_bar_update:
 * @done: bytes since the beginning
 * @total: bytes in all; 0 = unknown
 * @now_us: later than the last time
 *
 * The speed follows what happens, with a delay of a few looks.
 */
void
clip_bar_update (ClipBar *self, guint64 done, guint64 total, gint64 now_us)
{
  gint64 elapsed_us = MAX (now_us - self->at_us, 1);
  double speed =
      (double) (done - MIN (done, self->done)) * G_USEC_PER_SEC / (double) elapsed_us;
  gboolean is_first = self->done == 0;

  self->speed = is_first ? speed : self->speed + NEWEST_WEIGHT * (speed - self->speed);
  self->done = done;
  self->total = total;
  self->at_us = now_us;
}

static char *
format_bytes (double bytes)
{
  static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
  guint i = 0;

  if (bytes < 1024)
    return g_strdup_printf ("%.0f B", bytes);
  /* what would be rounded to 1024.0 is one of the next unit */
  for (bytes /= 1024; bytes >= 1023.95 && i + 1 < G_N_ELEMENTS (units); i++)
    bytes /= 1024;
  return g_strdup_printf ("%.1f %s", bytes, units[i]);
}

static char *
format_amount (const ClipBar *self)
{
  g_autofree char *done = format_bytes ((double) self->done);
  g_autofree char *total = format_bytes ((double) self->total);

  return self->total > 0 ? g_strdup_printf (_ ("%s of %s"), done, total)
                         : g_steal_pointer (&done);
}

static guint
percent (const ClipBar *self)
{
  return (guint) ((double) self->done * 100.0 / (double) self->total);
}

/* (nullable): minutes and seconds, and hours where there are any */
static char *
format_time_left (const ClipBar *self)
{
  double left = (double) (self->total - self->done) / MAX (self->speed, 1.0) + 0.5;
  guint seconds = left < SECONDS_A_DAY ? (guint) left : 0;

  if (self->total == 0 || left >= SECONDS_A_DAY)
    return NULL;
  if (seconds >= 3600)
    return g_strdup_printf (_ ("%u:%02u:%02u left"), seconds / 3600, seconds / 60 % 60,
                            seconds % 60);
  return g_strdup_printf (_ ("%u:%02u left"), seconds / 60, seconds % 60);
}

/* @text: (nullable) */
static void
append_if_fits (GString *line, const char *text, guint columns)
{
  if (text && line->len + 2 + strlen (text) <= columns)
    g_string_append_printf (line, "  %s", text);
}

static void
append_bar (GString *line, const ClipBar *self, guint columns)
{
  guint width = columns - 4;
  guint filled = (guint) ((double) self->done * width / (double) self->total);

  g_string_append (line, "  [");
  for (guint i = 0; i < width; i++)
    g_string_append_c (line, i < filled ? '#' : '-');
  g_string_append_c (line, ']');
}

/**
 * clip_bar_line:
 * @columns: of the terminal
 *
 * What does not fit is left out, the least important first; the last column stays free,
 * where terminals go to the next line.
 *
 * Returns: (transfer full): one line of ASCII, empty where nothing fits
 */
char *
clip_bar_line (const ClipBar *self, guint columns)
{
  g_autofree char *amount = format_amount (self);
  g_autofree char *bytes = format_bytes (self->speed);
  g_autofree char *speed = g_strdup_printf ("%s/s", bytes);
  g_autofree char *left = NULL;
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GString) rest = g_string_new (NULL);
  ClipBar shown = *self;
  guint room = columns > 0 ? columns - 1 : 0;

  /* a source that grew meanwhile */
  if (shown.total > 0)
    shown.total = MAX (shown.total, shown.done);
  if (strlen (amount) > room)
    return g_strdup ("");
  g_string_append (line, amount);
  room -= (guint) line->len;
  if (shown.total > 0)
    {
      g_autofree char *part = g_strdup_printf ("%3u%%", percent (&shown));

      append_if_fits (rest, part, room);
    }
  append_if_fits (rest, speed, room);
  left = format_time_left (&shown);
  append_if_fits (rest, left, room);
  room -= (guint) rest->len;
  if (shown.total > 0 && room >= MIN_BAR_COLUMNS + 4)
    append_bar (line, &shown, room);
  g_string_append (line, rest->str);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

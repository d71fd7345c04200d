/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-pace.h"

/**
 * clip_pace_begin:
 * @now_us: of a monotonic clock, in microseconds
 * @first_us: what is over by then is never mentioned
 * @interval_us: between two words, at least
 */
void
clip_pace_begin (ClipPace *self, gint64 now_us, gint64 first_us, gint64 interval_us)
{
  *self = (ClipPace){ .due_us = now_us + first_us, .interval_us = interval_us };
}

/**
 * clip_pace_is_due:
 *
 * Returns: whether it is time for a word, which is said then
 */
gboolean
clip_pace_is_due (ClipPace *self, gint64 now_us)
{
  if (now_us < self->due_us)
    return FALSE;
  self->due_us = now_us + self->interval_us;
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-rate-limit.h"

/**
 * clip_rate_limit_begin:
 * @now_us: of a monotonic clock, in microseconds
 * @first_us: what is over by then is never mentioned
 * @interval_us: between two words, at least
 */
void
clip_rate_limit_begin (ClipRateLimit *self,
                       gint64 now_us,
                       gint64 first_us,
                       gint64 interval_us)
{
  *self = (ClipRateLimit){ .due_us = now_us + first_us, .interval_us = interval_us };
}

/**
 * clip_rate_limit_is_due:
 *
 * Returns: whether it is time for a word, which is said then
 */
gboolean
clip_rate_limit_is_due (ClipRateLimit *self, gint64 now_us)
{
  if (now_us < self->due_us)
    return FALSE;
  self->due_us = now_us + self->interval_us;
  return TRUE;
}

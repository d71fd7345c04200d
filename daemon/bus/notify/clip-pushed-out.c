/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-pushed-out.h"

#define SHARE 10

/**
 * clip_pushed_out_add:
 * @n: entries that went for new ones just now
 * @n_left: entries of the history from then on
 * @now_us: the time, on any clock that never goes back
 *
 * Returns: whether that makes a tenth of the history within a minute; once in a minute
 */
gboolean
clip_pushed_out_add (ClipPushedOut *self, gint64 n, gint64 n_left, gint64 now_us)
{
  if (self->limit == 0 || now_us - self->began_us >= 60 * G_USEC_PER_SEC)
    *self = (ClipPushedOut){ .began_us = now_us,
                             .limit = MAX ((n_left + n) / SHARE, CLIP_PUSHED_OUT_LEAST) };
  self->n += n;
  return self->n >= self->limit && self->n - n < self->limit;
}

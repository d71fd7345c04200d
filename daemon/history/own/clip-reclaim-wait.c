/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-reclaim-wait.h"

/* an owner that goes is followed at once by the next one, often: wait before that */
#define DUE_AFTER_MS 100
/* and longer where it was too early: another copy came so soon after */
#define MAX_DUE_AFTER_MS 1000
#define EARLY_US G_USEC_PER_SEC
/* so long after a copy the next one has nothing to do with it */
#define ROW_US (2 * G_USEC_PER_SEC)

/**
 * clip_reclaim_wait_copied:
 * @now_us: monotonic time
 *
 * A program copies. One that does so again and again, and is gone after each of its
 * copies, is left alone from the second or third one on: a compositor cannot keep us from
 * taking the place of a copy that is made in the same moment.
 */
void
clip_reclaim_wait_copied (ClipReclaimWait *self, gint64 now_us)
{
  if (now_us - self->copied_us > ROW_US)
    self->wait_ms = 0;
  else if (self->owned_us > self->copied_us && now_us - self->owned_us < EARLY_US)
    self->wait_ms = MIN (4 * MAX (self->wait_ms, DUE_AFTER_MS), MAX_DUE_AFTER_MS);
  self->copied_us = now_us;
}

/* milliseconds */
guint
clip_reclaim_wait_ms (const ClipReclaimWait *self)
{
  return MAX (self->wait_ms, DUE_AFTER_MS);
}

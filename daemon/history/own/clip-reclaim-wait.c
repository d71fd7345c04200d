/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-reclaim-wait.h"

/* an owner that goes is followed at once by the next one, often: wait before that */
#define DUE_AFTER_MS 100
/* and longer for a program that copies again and again */
#define DUE_AFTER_ROW_MS 1000
/* so long after a copy the next one has nothing to do with it */
#define ROW_US (2 * G_USEC_PER_SEC)
/* a person does not copy so often in a row, nor end the program at once */
#define ROW_LENGTH 3

/**
 * clip_reclaim_wait_copied:
 * @now_us: monotonic time
 *
 * A program copies. One that does so again and again, and is gone after each of its
 * copies, is left alone from the third one on: a compositor cannot keep us from taking
 * the place of a copy that is made in the same moment.
 */
void
clip_reclaim_wait_copied (ClipReclaimWait *self, gint64 now_us)
{
  self->n_in_a_row = now_us - self->copied_us > ROW_US ? 1 : self->n_in_a_row + 1;
  self->copied_us = now_us;
}

/* milliseconds */
guint
clip_reclaim_wait_ms (const ClipReclaimWait *self)
{
  return self->n_in_a_row < ROW_LENGTH ? DUE_AFTER_MS : DUE_AFTER_ROW_MS;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* How long after its owner has gone we own a copy. Pure: its clock is the caller's,
 * monotonic time in microseconds. */
typedef struct
{
  guint n_in_a_row; /* copies, the last one included */
  gint64 copied_us; /* when a program copied last */
} ClipReclaimWait;

void clip_reclaim_wait_copied (ClipReclaimWait *self, gint64 now_us);
guint clip_reclaim_wait_ms (const ClipReclaimWait *self);

G_END_DECLS

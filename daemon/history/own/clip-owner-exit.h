/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* How long after its owner has gone we own a copy. Pure: its clock is the caller's,
 * monotonic time in microseconds. */
typedef struct
{
  guint wait_ms;    /* 0 = as ever */
  gint64 copied_us; /* when a program copied last */
  gint64 owned_us;  /* when we owned last what was left */
} ClipOwnerExit;

void clip_owner_exit_copied (ClipOwnerExit *self, gint64 now_us);
guint clip_owner_exit_wait_ms (const ClipOwnerExit *self);

G_END_DECLS

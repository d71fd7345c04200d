/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* How often something is said of what goes on: not at all before a while has passed, and
 * then at most once in an interval. The clock is the caller's. */
typedef struct
{
  gint64 due_us;
  gint64 interval_us;
} ClipRateLimit;

void clip_rate_limit_begin (ClipRateLimit *self,
                            gint64 now_us,
                            gint64 first_us,
                            gint64 interval_us);
gboolean clip_rate_limit_is_due (ClipRateLimit *self, gint64 now_us);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Goes off at a time of day, even if the clock is set meanwhile. */
typedef struct ClipWallTimer ClipWallTimer;

typedef void (*ClipWallTimerFunc) (gpointer user_data);

ClipWallTimer *clip_wall_timer_new (ClipWallTimerFunc on_time, gpointer user_data);
void clip_wall_timer_free (ClipWallTimer *self);
void clip_wall_timer_set (ClipWallTimer *self, gint64 at_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWallTimer, clip_wall_timer_free)

G_END_DECLS

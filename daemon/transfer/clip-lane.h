/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A thread that runs a main context of its own. */
typedef struct ClipLane ClipLane;

ClipLane *clip_lane_new (const char *name, gboolean stands_back);
void clip_lane_attach (ClipLane *self, GSource *source);
void clip_lane_stop (ClipLane *self);
void clip_lane_free (ClipLane *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipLane, clip_lane_free)

G_END_DECLS

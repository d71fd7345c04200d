/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-plan.h"
#include "clip-reader.h"
G_BEGIN_DECLS

/* Where a search looks next, from the newest entry down, over all of its pages. */
typedef struct ClipTrail ClipTrail;

ClipTrail *clip_trail_new (ClipReader *reader, const ClipQuery *query);
void clip_trail_free (ClipTrail *self);
gboolean clip_trail_is_for (const ClipTrail *self, const ClipQuery *query);
gboolean clip_trail_next (ClipTrail *self,
                          ClipDatabase *database,
                          ClipQuery *query,
                          ClipStretch *out_stretch,
                          GError **error);
void clip_trail_leave (ClipTrail *self, const ClipQuery *query, guint n_scanned);
guint clip_trail_n_loaded (const ClipTrail *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipTrail, clip_trail_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-database.h"
G_BEGIN_DECLS

/* A segment of the search index that is being made, in memory. */
typedef struct ClipSegment ClipSegment;

ClipSegment *clip_segment_new (gint64 first);
void clip_segment_free (ClipSegment *self);
void clip_segment_add (ClipSegment *self, gint64 id, const void *text, gsize length);
gboolean clip_segment_is_full (const ClipSegment *self);
guint clip_segment_n_entries (const ClipSegment *self);
gsize clip_segment_bytes (const ClipSegment *self);
gint64 clip_segment_first (const ClipSegment *self);
gboolean clip_segment_write (ClipSegment *self,
                             ClipDatabase *database,
                             gint64 last,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipSegment, clip_segment_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* How far a verb is, on the terminal of standard error, while it takes longer than a
 * second; nothing of it is left at the end. There is one at a time. Every call takes
 * %NULL, where nothing is shown. */
typedef struct ClipProgress ClipProgress;

ClipProgress *clip_progress_new (void);
void clip_progress_free (ClipProgress *self);

void clip_progress_ring (ClipProgress *self);
void clip_progress_expect (ClipProgress *self, guint64 total);
void clip_progress_note (ClipProgress *self, guint64 done);
void clip_progress_end_part (ClipProgress *self);
void clip_progress_draw (ClipProgress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipProgress, clip_progress_free)

G_END_DECLS

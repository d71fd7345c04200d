/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* How far a transfer is. The thread that moves the bytes writes it and keeps no clock;
 * whoever wants to know looks, from any thread. */
typedef struct ClipGauge ClipGauge;

ClipGauge *clip_gauge_new (void);
ClipGauge *clip_gauge_ref (ClipGauge *self);
void clip_gauge_unref (ClipGauge *self);

void clip_gauge_expect (ClipGauge *self, goffset total);
void clip_gauge_advance (ClipGauge *self, goffset done);
void clip_gauge_end (ClipGauge *self);
gboolean clip_gauge_read (ClipGauge *self, goffset *out_done, goffset *out_total);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipGauge, clip_gauge_unref)

G_END_DECLS

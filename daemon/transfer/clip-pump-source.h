/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-pump.h"
#include "clip-transfer-pool.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* Told once, on the source's thread. @error is NULL when it has arrived. */
typedef void (*ClipPumpSourceDone) (goffset moved,
                                    gboolean reader_left,
                                    const GError *error,
                                    gpointer user_data);

GSource *clip_pump_source_new (ClipPump *pump_take,
                               const ClipTransferJob *job,
                               ClipTransferPool *pool,
                               GCancellable *cancellable,
                               ClipPumpSourceDone done,
                               gpointer user_data);
gboolean clip_pump_source_hurry (GSource *source);
gboolean clip_pump_source_may_block (GSource *source);
void clip_pump_source_abandon (GSource *source);
void clip_pump_source_work (gpointer data, gpointer user_data);

G_END_DECLS

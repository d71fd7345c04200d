/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-crew.h"
#include "clip-pump.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* Told once, on the courier's thread. @error is NULL when it has arrived. */
typedef void (*ClipCourierDone) (goffset moved,
                                 gboolean reader_left,
                                 const GError *error,
                                 gpointer user_data);

GSource *clip_courier_new (ClipPump *pump_take,
                           const ClipTransferJob *job,
                           ClipCrew *crew,
                           GCancellable *cancellable,
                           ClipCourierDone done,
                           gpointer user_data);
gboolean clip_courier_hurry (GSource *source);
gboolean clip_courier_may_block (GSource *source);
void clip_courier_abandon (GSource *source);
void clip_courier_work (gpointer data, gpointer user_data);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-pump.h"
#include "ends.h"
G_BEGIN_DECLS

/* A pump, its source and sink, and the content that is to get from one to the other. */
typedef struct
{
  GBytes *content;
  TestEnd source;
  TestEnd sink;
  ClipPump *pump;
  GError *error;
} PumpRig;

void pump_rig_init (PumpRig *self, TestEndKind source, TestEndKind sink, gsize size);
void pump_rig_clear (PumpRig *self);
void pump_rig_start (PumpRig *self, goffset size, goffset limit);
ClipStep pump_rig_step (PumpRig *self);
ClipStep pump_rig_step_on (PumpRig *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PumpRig, pump_rig_clear)

G_END_DECLS

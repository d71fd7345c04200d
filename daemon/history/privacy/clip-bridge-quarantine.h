/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-capture.h"
G_BEGIN_DECLS

/* Keeps a copy that came over a bridge back until it is known that it is no secret. */
#define CLIP_TYPE_BRIDGE_QUARANTINE (clip_bridge_quarantine_get_type ())
G_DECLARE_FINAL_TYPE (ClipBridgeQuarantine,
                      clip_bridge_quarantine,
                      CLIP,
                      BRIDGE_QUARANTINE,
                      GObject)

ClipBridgeQuarantine *clip_bridge_quarantine_new (void);
void clip_bridge_quarantine_begin (ClipBridgeQuarantine *self, ClipCapture *capture);
void clip_bridge_quarantine_end (ClipBridgeQuarantine *self,
                                 ClipCapture *capture,
                                 const ClipCaptured *captured);
void clip_bridge_quarantine_ignore (ClipBridgeQuarantine *self, ClipOffer *offer);
void clip_bridge_quarantine_carried (ClipBridgeQuarantine *self);
void clip_bridge_quarantine_hold (ClipBridgeQuarantine *self,
                                  ClipCapture *capture,
                                  ClipBackend *origin);

G_END_DECLS

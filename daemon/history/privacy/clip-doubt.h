/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-capture.h"
G_BEGIN_DECLS

/* Keeps a copy that came over a bridge back until it is known that it is no secret. */
#define CLIP_TYPE_DOUBT (clip_doubt_get_type ())
G_DECLARE_FINAL_TYPE (ClipDoubt, clip_doubt, CLIP, DOUBT, GObject)

ClipDoubt *clip_doubt_new (void);
void clip_doubt_begin (ClipDoubt *self, ClipCapture *capture);
void clip_doubt_end (ClipDoubt *self, ClipCapture *capture, const ClipCaptured *captured);
void clip_doubt_ignore (ClipDoubt *self, ClipOffer *offer);
void clip_doubt_carried (ClipDoubt *self);
void clip_doubt_hold (ClipDoubt *self, ClipCapture *capture, ClipBackend *origin);

G_END_DECLS

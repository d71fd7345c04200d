/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-intake.h"
G_BEGIN_DECLS

/* One copy that is being taken from a display: asks for the types that policy wants, one
 * after the other, and commits them as one entry. */
#define CLIP_TYPE_CAPTURE (clip_capture_get_type ())
G_DECLARE_FINAL_TYPE (ClipCapture, clip_capture, CLIP, CAPTURE, GObject)

typedef struct
{
  ClipAdded added; /* id 0: nothing became an entry */
  ClipDrop drop;
  gboolean is_unknown; /* it was dropped as a secret, and could not be read */
  gboolean whole;      /* every type that was wanted is there: it may be offered again */
} ClipCaptured;

ClipCapture *clip_capture_new (ClipBackend *backend,
                               ClipOffer *offer,
                               ClipIntake *intake,
                               ClipTransfers *transfers);
void clip_capture_set_guards (ClipCapture *self,
                              ClipIgnore *ignore,
                              ClipSecrets *secrets);
void clip_capture_set_text_only (ClipCapture *self);
void clip_capture_run_async (ClipCapture *self,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean clip_capture_run_finish (ClipCapture *self,
                                  GAsyncResult *result,
                                  ClipCaptured *out_captured,
                                  GError **error);
void clip_capture_hold (ClipCapture *self);
void clip_capture_let_go (ClipCapture *self);
void clip_capture_abandon (ClipCapture *self);
void clip_capture_set_replaced (ClipCapture *self, ClipCapture *later);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry-builder.h"
#include "clip-long-transfers.h"
G_BEGIN_DECLS

/* One copy that is being taken from a display: asks for the types that policy wants, one
 * after the other, and commits them as one entry. */
#define CLIP_TYPE_CAPTURE (clip_capture_get_type ())
G_DECLARE_FINAL_TYPE (ClipCapture, clip_capture, CLIP, CAPTURE, GObject)

/* What it needs beside the offer, whichever the selection. */
typedef struct
{
  ClipStore *store;
  ClipTransfers *transfers; /* outlives the capture */
  const ClipSettings *settings;
  ClipIgnore *ignore; /* asks for no type, and keeps no text, that is named there */
  ClipSecretFingerprints *fingerprints; /* learns what turns out to be one */
  ClipLongTransfers *long_transfers;    /* (nullable): told how far it is */
} ClipCaptureTerms;

typedef struct
{
  ClipOutcome added; /* id 0: nothing became an entry */
  ClipDrop drop;
  gboolean is_unknown;      /* it was dropped as a secret, and could not be read */
  gboolean is_doubtful;     /* or what was read may be of another copy */
  gboolean whole;           /* every type that was wanted has come */
  const char *const *types; /* that came; borrowed; the entry may have had more */
} ClipCaptured;

/* @error: (nullable): the caller's; @captured is empty then */
typedef void (*ClipCaptureFunc) (ClipCapture *capture,
                                 const ClipCaptured *captured,
                                 const GError *error,
                                 gpointer user_data);

ClipCapture *clip_capture_new (ClipBackend *backend,
                               ClipOffer *offer,
                               const ClipCaptureTerms *terms);
void clip_capture_set_text_only (ClipCapture *self);
void clip_capture_run (ClipCapture *self,
                       GCancellable *cancellable,
                       ClipCaptureFunc done,
                       gpointer user_data);
ClipBackend *clip_capture_backend (ClipCapture *self);
void clip_capture_set_origin (ClipCapture *self, ClipBackend *origin);
void clip_capture_hold (ClipCapture *self);
void clip_capture_let_go (ClipCapture *self);
void clip_capture_join (ClipCapture *self, GPtrArray *coming);
void clip_capture_abandon (ClipCapture *self, ClipDrop why);
void clip_capture_set_replaced (ClipCapture *self);

G_END_DECLS

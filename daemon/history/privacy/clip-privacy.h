/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-capture.h"
G_BEGIN_DECLS

/* The door of the room: all that is known about secrets on the clipboard, and one
   question. */
typedef struct ClipPrivacy ClipPrivacy;

typedef enum
{
  CLIP_PRIVACY_NO_SECRET,
  CLIP_PRIVACY_NOT_KNOWN,  /* its owner is being asked, or one was there a moment ago */
  CLIP_PRIVACY_UNANSWERED, /* nor is it told: its owner does not say what it has */
  CLIP_PRIVACY_SECRET,
} ClipPrivacyAnswer;

ClipPrivacy *clip_privacy_new (ClipStore *store);
void clip_privacy_free (ClipPrivacy *self);

ClipPrivacyAnswer clip_privacy_ask (const ClipPrivacy *self);
gboolean clip_privacy_holds_one (const ClipPrivacy *self);
ClipSecretFingerprints *clip_privacy_fingerprints (ClipPrivacy *self);

/* what happens, as the clipboard tells it */
void clip_privacy_copied (ClipPrivacy *self, ClipOffer *offer);
gboolean clip_privacy_suspects (ClipPrivacy *self,
                                ClipOffer *offer,
                                ClipBackend *backend);
void clip_privacy_selected (ClipPrivacy *self, ClipOffer *offer);
gboolean clip_privacy_suspects_selected (const ClipPrivacy *self, ClipOffer *offer);
ClipDrop clip_privacy_noted (const ClipPrivacy *self);
void clip_privacy_refused (ClipPrivacy *self, ClipOffer *offer, ClipDrop why);
void clip_privacy_ignored (ClipPrivacy *self, ClipBackend *backend, ClipOffer *offer);
void clip_privacy_carried (ClipPrivacy *self);
void clip_privacy_watch (ClipPrivacy *self,
                         ClipCapture *capture,
                         ClipOffer *offer,
                         ClipBackend *backend,
                         ClipBackend *other);
void clip_privacy_denied (ClipPrivacy *self, ClipCapture *capture);
void clip_privacy_captured (ClipPrivacy *self,
                            ClipCapture *capture,
                            const ClipCaptured *captured,
                            gboolean is_current,
                            gboolean has_failed);
void clip_privacy_ours (ClipPrivacy *self);
void clip_privacy_deleted (ClipPrivacy *self);
void clip_privacy_cleared (ClipPrivacy *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPrivacy, clip_privacy_free)

G_END_DECLS

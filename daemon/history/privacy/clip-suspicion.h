/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-offer.h"
#include "clip-policy.h"
G_BEGIN_DECLS

/* Whether the clipboard holds a secret, or what may be one. */
typedef struct
{
  gboolean held;
  gint64 until_us;        /* monotonic: so long it may still be around */
  gboolean is_unread;     /* what is held would not be recognized */
  gint64 unread_until_us; /* monotonic: so long somebody may bring such a one back */
} ClipSuspicion;

void clip_suspicion_set (ClipSuspicion *self, gboolean held);
void clip_suspicion_judge (ClipSuspicion *self, ClipDrop drop, gboolean is_unread);
void clip_suspicion_recall (ClipSuspicion *self, ClipDrop drop, gboolean is_unread);
void clip_suspicion_clear (ClipSuspicion *self);
gboolean clip_suspicion_lasts (const ClipSuspicion *self);
gboolean clip_suspicion_meets (ClipSuspicion *self, ClipOffer *offer);

G_END_DECLS

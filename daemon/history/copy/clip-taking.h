/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-capture.h"
#include "clip-traffic.h"
G_BEGIN_DECLS

/* What a capture needs beside the offer, whichever the selection. */
typedef struct
{
  ClipStore *store;
  ClipTransfers *transfers; /* outlives the capture */
  const ClipSettings *settings;
  ClipIgnore *ignore;
  ClipSecrets *secrets;
  ClipTraffic *traffic; /* (nullable): told how far it is */
} ClipTaking;

ClipCapture *clip_taking_prepare (const ClipTaking *self,
                                  ClipBackend *backend,
                                  ClipOffer *offer);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* Asks whoever copied whether it is a secret, where what is offered does not say it by itself. */
typedef enum
{
  CLIP_HINT_PUBLIC,
  CLIP_HINT_SECRET,     /* or nothing that could be understood */
  CLIP_HINT_UNANSWERED, /* there was nothing to read: the owner may have gone */
} ClipHintAnswer;

typedef void (*ClipHintDone) (ClipHintAnswer answer, gpointer user_data);

void clip_hint_ask (ClipBackend *backend,
                    ClipOffer *offer,
                    const char *hint,
                    ClipTransfers *transfers,
                    GCancellable *cancellable,
                    ClipHintDone done,
                    gpointer user_data);

G_END_DECLS

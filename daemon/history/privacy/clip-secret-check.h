/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-secret-fingerprints.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* What a copy turns out to be, before anything of it is kept. */
typedef enum
{
  CLIP_SECRET_NONE,
  CLIP_SECRET_KNOWN,    /* it is one, and is recognized when it comes back */
  CLIP_SECRET_DOUBTFUL, /* it is one, and was read, unless that is what has replaced it */
  CLIP_SECRET_UNREAD,   /* it is one, or may be, and its bytes are unknown */
} ClipSecretKind;

/* so long its owner may take for all that it is asked for: other copies wait meanwhile */
#define CLIP_SECRET_CHECK_MS 5000

typedef void (*ClipSecretCheckFunc) (ClipSecretKind kind, gpointer user_data);

void clip_secret_check (ClipBackend *backend,
                        ClipOffer *offer,
                        GPtrArray *mimes,
                        ClipTransfers *transfers,
                        ClipSecretFingerprints *fingerprints,
                        GCancellable *cancellable,
                        ClipSecretCheckFunc done,
                        gpointer user_data);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Recognizes a secret that comes back without its marker, as when another manager offers
 * what a password manager has cleared. */
typedef struct ClipSecretFingerprints ClipSecretFingerprints;

/* whose it is: each has room of its own, so that a caller with many, or a program that
 * selects all the time, pushes out none that was copied */
typedef enum
{
  CLIP_SECRET_OF_DISPLAY,
  CLIP_SECRET_OF_PRIMARY,
  CLIP_SECRET_OF_CALLER,
  CLIP_N_SECRET_ORIGINS,
} ClipSecretOrigin;

/* a longer one is known by its first bytes; how long one is remembered (microseconds) */
#define CLIP_SECRET_FINGERPRINTS_MAX_BYTES 65536
#define CLIP_SECRET_FINGERPRINTS_KEPT_US (10 * 60 * (gint64) G_USEC_PER_SEC)
#define CLIP_SECRET_FINGERPRINTS_DOUBTFUL_US (10 * (gint64) G_USEC_PER_SEC)

ClipSecretFingerprints *clip_secret_fingerprints_new (void);
ClipSecretFingerprints *clip_secret_fingerprints_ref (ClipSecretFingerprints *self);
void clip_secret_fingerprints_unref (ClipSecretFingerprints *self);

void clip_secret_fingerprints_met (ClipSecretFingerprints *self, gint64 now_us);
gboolean clip_secret_fingerprints_met_lately (ClipSecretFingerprints *self,
                                              gint64 now_us);

void clip_secret_fingerprints_suspect (ClipSecretFingerprints *self,
                                       ClipSecretOrigin origin,
                                       const void *data,
                                       gsize length,
                                       gint64 now_us);
void clip_secret_fingerprints_learn (ClipSecretFingerprints *self,
                                     ClipSecretOrigin origin,
                                     const void *data,
                                     gsize length,
                                     gint64 now_us);
gboolean clip_secret_fingerprints_knows (ClipSecretFingerprints *self,
                                         const void *data,
                                         gsize length,
                                         gint64 now_us);
gboolean clip_secret_fingerprints_is_empty (ClipSecretFingerprints *self, gint64 now_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipSecretFingerprints, clip_secret_fingerprints_unref)

G_END_DECLS

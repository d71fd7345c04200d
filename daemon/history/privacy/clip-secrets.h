/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Recognizes a secret that comes back without its marker, as when another manager offers
 * what a password manager has cleared. */
typedef struct ClipSecrets ClipSecrets;

/* a longer one is known by its first bytes; how long one is remembered (microseconds) */
#define CLIP_SECRETS_MAX_BYTES 65536
#define CLIP_SECRETS_KEPT_US (10 * 60 * (gint64) G_USEC_PER_SEC)

ClipSecrets *clip_secrets_new (void);
ClipSecrets *clip_secrets_ref (ClipSecrets *self);
void clip_secrets_unref (ClipSecrets *self);

void clip_secrets_learn (ClipSecrets *self,
                         const void *data,
                         gsize length,
                         gint64 now_us);
gboolean clip_secrets_knows (ClipSecrets *self,
                             const void *data,
                             gsize length,
                             gint64 now_us);
gboolean clip_secrets_is_empty (ClipSecrets *self, gint64 now_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipSecrets, clip_secrets_unref)

G_END_DECLS

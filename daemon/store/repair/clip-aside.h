/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Where a repair puts what it takes out of the history: a folder of its own, made when
 * the first of it comes. */
typedef struct ClipAside ClipAside;

ClipAside *clip_aside_new (const char *dir);
void clip_aside_free (ClipAside *self);
const char *clip_aside_path (const ClipAside *self);
gboolean clip_aside_move (ClipAside *self, const char *object, GError **error);
gboolean clip_aside_sync (ClipAside *self, GError **error);
gboolean clip_aside_link (ClipAside *self,
                          const char *object,
                          const char *name,
                          GError **error);
gboolean clip_aside_clear (const char *dir, GError **error);
gboolean clip_aside_write (ClipAside *self,
                           const char *name,
                           const void *data,
                           gsize length,
                           GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipAside, clip_aside_free)

G_END_DECLS

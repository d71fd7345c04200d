/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-settings.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* What the user does not want to have kept: programs, types and texts. */
typedef struct ClipIgnore ClipIgnore;

/* so much of a text is looked at */
#define CLIP_IGNORE_TEXT_BYTES 65536

ClipIgnore *clip_ignore_new (const ClipSettings *settings);
ClipIgnore *clip_ignore_new_for_call (const ClipSettings *settings,
                                      const ClipSettings *own);
ClipIgnore *clip_ignore_ref (ClipIgnore *self);
void clip_ignore_unref (ClipIgnore *self);

gboolean clip_ignore_has_apps (const ClipIgnore *self);
gboolean clip_ignore_app (const ClipIgnore *self, const char *app);
gboolean clip_ignore_mime (const ClipIgnore *self, const char *mime);
gboolean clip_ignore_has_patterns (const ClipIgnore *self);
void clip_ignore_look_async (ClipIgnore *self,
                             GPtrArray *texts_take,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean clip_ignore_look_on_thread (ClipIgnore *self,
                                     GPtrArray *texts,
                                     gboolean *out_found,
                                     GError **error);
gboolean clip_ignore_look_finish (GAsyncResult *result,
                                  gboolean *out_found,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipIgnore, clip_ignore_unref)

G_END_DECLS

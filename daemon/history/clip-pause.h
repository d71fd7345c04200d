/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store.h"
G_BEGIN_DECLS

/* Whether the history is paused, and until when; kept in the store, so that a restart
 * does not end it. */
typedef struct ClipPause ClipPause;

typedef void (*ClipPauseFunc) (gpointer user_data);

ClipPause *clip_pause_new (ClipStore *store, ClipPauseFunc changed, gpointer user_data);
void clip_pause_free (ClipPause *self);
void clip_pause_set (ClipPause *self,
                     gint64 until_us,
                     GAsyncReadyCallback callback,
                     gpointer user_data);
gint64 clip_pause_until (const ClipPause *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPause, clip_pause_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-history.h"
#include "clip-screen-lock.h"
G_BEGIN_DECLS

/* Hears that the user locks the session or leaves it, and has the history emptied where
 * the settings want that. */
typedef struct ClipSessionWatch ClipSessionWatch;

ClipSessionWatch *clip_session_watch_new (ClipHistory *history,
                                          ClipScreenLock *lock,
                                          void (*on_no_logind) (gpointer user_data),
                                          gpointer user_data);
gboolean clip_session_watch_has_logind (ClipSessionWatch *self);
void clip_session_watch_free (ClipSessionWatch *self);
gboolean clip_session_watch_is_over (ClipSessionWatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipSessionWatch, clip_session_watch_free)

G_END_DECLS

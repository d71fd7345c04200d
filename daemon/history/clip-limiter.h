/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store.h"
G_BEGIN_DECLS

/* Applies the limits while no copy comes: when they change, and when the time of
 * an entry comes. */
typedef struct ClipLimiter ClipLimiter;

/* @spared: ClipLimit: those that are not obeyed from now on */
typedef void (*ClipLimiterFunc) (guint spared, gpointer user_data);

ClipLimiter *clip_limiter_new (ClipStore *store,
                               const ClipLimits *limits,
                               ClipLimiterFunc on_spared,
                               gpointer user_data);
void clip_limiter_free (ClipLimiter *self);
void clip_limiter_set (ClipLimiter *self, const ClipLimits *limits);
guint clip_limiter_spared (const ClipLimiter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipLimiter, clip_limiter_free)

G_END_DECLS

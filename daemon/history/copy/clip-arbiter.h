/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Decides whether two displays tell of the same copy. Pure: no clock, no objects. */
typedef struct ClipArbiter ClipArbiter;

/* one copy that crosses from one display to another arrives there within this time
 * (microseconds) */
#define CLIP_ARBITER_WINDOW_US (G_USEC_PER_SEC / 2)

ClipArbiter *clip_arbiter_new (void);
void clip_arbiter_free (ClipArbiter *self);
void clip_arbiter_forget (ClipArbiter *self, gconstpointer backend);
gboolean clip_arbiter_is_echo (ClipArbiter *self,
                               gconstpointer backend,
                               const char *const *mimes,
                               gint64 now_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipArbiter, clip_arbiter_free)

G_END_DECLS

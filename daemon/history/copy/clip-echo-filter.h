/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Decides whether two displays tell of the same copy. Pure: no clock, no objects. */
typedef struct ClipEchoFilter ClipEchoFilter;

/* one copy that crosses from one display to another arrives there within this time
 * (microseconds) */
#define CLIP_ECHO_FILTER_WINDOW_US (G_USEC_PER_SEC / 2)

ClipEchoFilter *clip_echo_filter_new (void);
void clip_echo_filter_free (ClipEchoFilter *self);
void clip_echo_filter_forget (ClipEchoFilter *self, gconstpointer backend);
gboolean clip_echo_filter_is_echo (ClipEchoFilter *self,
                                   gconstpointer backend,
                                   const char *const *mimes,
                                   gint64 now_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipEchoFilter, clip_echo_filter_free)

G_END_DECLS

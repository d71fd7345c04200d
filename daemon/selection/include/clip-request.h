/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* One program wants one of our types: write it into the descriptor, then say whether it
 * was whole. */
#define CLIP_TYPE_REQUEST (clip_request_get_type ())
G_DECLARE_FINAL_TYPE (ClipRequest, clip_request, CLIP, REQUEST, GObject)

typedef void (*ClipRequestDone) (gboolean whole, gpointer user_data);

ClipRequest *clip_request_new (const char *mime,
                               int sink_fd_take,
                               ClipRequestDone done,
                               gpointer user_data);
const char *clip_request_mime (ClipRequest *self);
gboolean clip_request_may_be_served (ClipRequest *self);
int clip_request_steal_fd (ClipRequest *self);
void clip_request_finish (ClipRequest *self, gboolean whole);

G_END_DECLS

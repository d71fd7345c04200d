/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

typedef struct ClipXwaylandWatch ClipXwaylandWatch;

/* an Xwayland is starting, of any compositor; or its file is read */
typedef void (*ClipXwaylandFunc) (gpointer user_data);

ClipXwaylandWatch *clip_xwayland_watch_new (ClipXwaylandFunc started, gpointer user_data);
void clip_xwayland_watch_free (ClipXwaylandWatch *self);

GArray *clip_xwayland_parents (void);

G_END_DECLS

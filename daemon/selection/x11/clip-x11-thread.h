/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-limits.h"
#include "clip-x11-mailbox.h"
G_BEGIN_DECLS

/* The thread of one X11 connection, with a GMainContext of its own. */
typedef struct ClipX11Thread ClipX11Thread;

ClipX11Thread *clip_x11_thread_start (const char *display_name,
                                      gboolean primary,
                                      const ClipX11Limits *limits,
                                      ClipX11Mailbox *news,
                                      GError **error);
void clip_x11_thread_stop (ClipX11Thread *self);
ClipX11Mailbox *clip_x11_thread_orders (ClipX11Thread *self);

G_END_DECLS

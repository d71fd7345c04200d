/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-display.h"
#include "clip-x11-limits.h"
#include "clip-x11-mailbox.h"
G_BEGIN_DECLS

/* All that happens on the X11 thread: orders in, events in, news out. */
typedef struct ClipX11Worker ClipX11Worker;

ClipX11Worker *clip_x11_worker_new (ClipX11Display *display,
                                    gboolean primary,
                                    const ClipX11Limits *limits,
                                    ClipX11Mailbox *news);
void clip_x11_worker_free (ClipX11Worker *self);
void clip_x11_worker_handle (ClipX11Worker *self, ClipX11Message *order);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Worker, clip_x11_worker_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-limits.h"
#include "clip-x11-owner.h"
G_BEGIN_DECLS

/* Answers the programs that paste what we own. */
typedef struct ClipX11Serve ClipX11Serve;

ClipX11Serve *clip_x11_serve_new (ClipX11Display *display,
                                  ClipX11Owner *owner,
                                  const ClipX11Limits *limits,
                                  ClipX11Mailbox *news);
void clip_x11_serve_free (ClipX11Serve *self);
void clip_x11_serve_request (ClipX11Serve *self,
                             const xcb_selection_request_event_t *event);
void clip_x11_serve_answered (ClipX11Serve *self, guint64 id, gboolean whole);
void clip_x11_serve_notify (ClipX11Serve *self, const xcb_generic_event_t *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Serve, clip_x11_serve_free)

G_END_DECLS

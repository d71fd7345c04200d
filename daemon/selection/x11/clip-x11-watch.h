/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <xcb/xfixes.h>

#include "clip-x11-convert.h"
#include "clip-x11-limits.h"
#include "clip-x11-mailbox.h"
G_BEGIN_DECLS

/* Follows who owns one selection, and what is offered there. */
typedef struct ClipX11Watch ClipX11Watch;

ClipX11Watch *clip_x11_watch_new (ClipX11Display *display,
                                  ClipSelection selection,
                                  const ClipX11Limits *limits,
                                  ClipX11Mailbox *news);
void clip_x11_watch_free (ClipX11Watch *self);
void clip_x11_watch_owner_changed (ClipX11Watch *self,
                                   const xcb_xfixes_selection_notify_event_t *event,
                                   const char *const *own_names);
void clip_x11_watch_ask_owner (ClipX11Watch *self);
ClipX11Convert *clip_x11_watch_ask (ClipX11Watch *self,
                                    guint64 offer,
                                    xcb_atom_t target,
                                    xcb_window_t *out_owner);

void clip_x11_watch_sync (ClipX11Watch *self, guint64 id);

xcb_atom_t clip_x11_watch_selection (ClipX11Watch *self);
guint64 clip_x11_watch_offer (ClipX11Watch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Watch, clip_x11_watch_free)

G_END_DECLS

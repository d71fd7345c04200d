/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <xcb/xfixes.h>

#include "clip-x11-display.h"
#include "clip-x11-mailbox.h"
G_BEGIN_DECLS

/* The selection CLIPBOARD_MANAGER: a program that ends asks its owner to take over what
 * it has copied, and waits for the answer. */
typedef struct ClipX11Manager ClipX11Manager;

ClipX11Manager *clip_x11_manager_new (ClipX11Display *display, ClipX11Mailbox *news);
void clip_x11_manager_free (ClipX11Manager *self);
gboolean clip_x11_manager_owner_changed (
    ClipX11Manager *self,
    const xcb_xfixes_selection_notify_event_t *event);
gboolean clip_x11_manager_request (ClipX11Manager *self,
                                   const xcb_selection_request_event_t *request);
void clip_x11_manager_lose (ClipX11Manager *self, xcb_window_t window);
void clip_x11_manager_saved (ClipX11Manager *self, guint64 id, gboolean saved);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Manager, clip_x11_manager_free)

G_END_DECLS

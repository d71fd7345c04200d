/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <xcb/xfixes.h>

#include "clip-x11-display.h"
#include "clip-x11-mailbox.h"
G_BEGIN_DECLS

/* The selection CLIPBOARD_MANAGER: a program that ends asks its owner to take over what
 * it has copied, and waits for the answer. */
typedef struct ClipX11ClipboardManager ClipX11ClipboardManager;

ClipX11ClipboardManager *clip_x11_clipboard_manager_new (ClipX11Display *display,
                                                         ClipX11Mailbox *news);
void clip_x11_clipboard_manager_free (ClipX11ClipboardManager *self);
gboolean clip_x11_clipboard_manager_owner_changed (
    ClipX11ClipboardManager *self,
    const xcb_xfixes_selection_notify_event_t *event);
gboolean clip_x11_clipboard_manager_request (
    ClipX11ClipboardManager *self,
    const xcb_selection_request_event_t *request);
void clip_x11_clipboard_manager_lose (ClipX11ClipboardManager *self, xcb_window_t window);
void clip_x11_clipboard_manager_saved (ClipX11ClipboardManager *self,
                                       guint64 id,
                                       gboolean saved);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11ClipboardManager, clip_x11_clipboard_manager_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-display.h"
G_BEGIN_DECLS

/* Where a program that pastes wants to have a content. */
typedef struct
{
  xcb_window_t requestor;
  xcb_atom_t property;
} ClipX11Property;

gboolean clip_x11_property_listen (ClipX11Display *display, const ClipX11Property *place);
void clip_x11_property_unlisten (ClipX11Display *display, const ClipX11Property *place);
gboolean clip_x11_property_put (ClipX11Display *display,
                                const ClipX11Property *place,
                                xcb_prop_mode_t mode,
                                xcb_atom_t type,
                                guint8 format,
                                gconstpointer items,
                                gsize n_items,
                                guint32 *out_sequence);
xcb_void_cookie_t clip_x11_property_start_put (ClipX11Display *display,
                                               const ClipX11Property *place,
                                               xcb_atom_t type,
                                               gconstpointer numbers,
                                               gsize n_numbers);
gboolean clip_x11_property_check (ClipX11Display *display, xcb_void_cookie_t cookie);
void clip_x11_property_notify (ClipX11Display *display,
                               const xcb_selection_request_event_t *request,
                               xcb_atom_t property);

G_END_DECLS

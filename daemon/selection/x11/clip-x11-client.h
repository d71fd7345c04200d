/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-display.h"
G_BEGIN_DECLS

/* Which program a window belongs to. A question and its answer are apart, so that several
 * go out together. */
xcb_get_property_cookie_t clip_x11_client_ask_class (ClipX11Display *display,
                                                     xcb_window_t window);
char *clip_x11_client_read_class (ClipX11Display *display,
                                  xcb_get_property_cookie_t cookie);
char *clip_x11_client_find_class (ClipX11Display *display, xcb_window_t window);

xcb_get_property_cookie_t clip_x11_client_ask_manager (ClipX11Display *display);
xcb_window_t clip_x11_client_read_window (ClipX11Display *display,
                                          xcb_get_property_cookie_t cookie);
gboolean clip_x11_client_is_same (ClipX11Display *display,
                                  xcb_window_t a,
                                  xcb_window_t b);

G_END_DECLS

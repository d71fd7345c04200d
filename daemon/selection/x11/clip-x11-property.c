/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The window belongs to another program: it may be gone, and the server's memory may be
 * full. So the server is to say whether it was done, and is waited for. */
#define G_LOG_DOMAIN "clip-selection"

#include "clip-x11-property.h"

#include <string.h>

/**
 * clip_x11_property_check:
 * @cookie: of clip_x11_property_start_put()
 *
 * Waits for the server. Of several that were started only the first to be checked waits.
 *
 * Returns: %FALSE where the window, or the memory for it, is missing
 */
gboolean
clip_x11_property_check (ClipX11Display *display, xcb_void_cookie_t cookie)
{
  xcb_connection_t *connection = clip_x11_display_connection (display);
  g_autofree xcb_generic_error_t *error = xcb_request_check (connection, cookie);

  if (error)
    g_debug ("x11: a requestor cannot be written to: error %u", error->error_code);
  return !error && !xcb_connection_has_error (connection);
}

/* hears from now on what happens to the properties of the window, and its end */
gboolean
clip_x11_property_listen (ClipX11Display *display, const ClipX11Property *place)
{
  const guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY;

  return clip_x11_property_check (
      display,
      xcb_change_window_attributes_checked (clip_x11_display_connection (display),
                                            place->requestor, XCB_CW_EVENT_MASK, &mask));
}

void
clip_x11_property_unlisten (ClipX11Display *display, const ClipX11Property *place)
{
  const guint32 mask = XCB_EVENT_MASK_NO_EVENT;

  xcb_change_window_attributes (clip_x11_display_connection (display), place->requestor,
                                XCB_CW_EVENT_MASK, &mask);
}

/**
 * clip_x11_property_put:
 * @mode: whether the items replace the property or are appended to it
 * @format: the size of an item in bits
 * @out_sequence: (nullable): the number of the request: events from there on have seen it
 *
 * Returns: %FALSE where the window, or the memory for it, is missing
 */
gboolean
clip_x11_property_put (ClipX11Display *display,
                       const ClipX11Property *place,
                       xcb_prop_mode_t mode,
                       xcb_atom_t type,
                       guint8 format,
                       gconstpointer items,
                       gsize n_items,
                       guint32 *out_sequence)
{
  xcb_void_cookie_t cookie = xcb_change_property_checked (
      clip_x11_display_connection (display), (guint8) mode, place->requestor,
      place->property, type, format, (guint32) n_items, items);

  if (out_sequence)
    *out_sequence = cookie.sequence;
  return clip_x11_property_check (display, cookie);
}

/**
 * clip_x11_property_start_put:
 * @numbers: of 32 bits, which replace the property
 *
 * Returns: for clip_x11_property_check()
 */
xcb_void_cookie_t
clip_x11_property_start_put (ClipX11Display *display,
                             const ClipX11Property *place,
                             xcb_atom_t type,
                             gconstpointer numbers,
                             gsize n_numbers)
{
  return xcb_change_property_checked (
      clip_x11_display_connection (display), XCB_PROP_MODE_REPLACE, place->requestor,
      place->property, type, 32, (guint32) n_numbers, numbers);
}

/**
 * clip_x11_property_notify:
 * @property: where the answer is; none is a refusal
 *
 * Tells the requestor how it went.
 */
void
clip_x11_property_notify (ClipX11Display *display,
                          const xcb_selection_request_event_t *request,
                          xcb_atom_t property)
{
  const xcb_selection_notify_event_t notify = {
    .response_type = XCB_SELECTION_NOTIFY,
    .time = request->time,
    .requestor = request->requestor,
    .selection = request->selection,
    .target = request->target,
    .property = property,
  };
  char event[32] = { 0 }; /* what goes over the wire is longer than the struct */

  memcpy (event, &notify, sizeof notify);
  xcb_send_event (clip_x11_display_connection (display), FALSE, request->requestor,
                  XCB_EVENT_MASK_NO_EVENT, event);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "x11-peer-private.h"

#include "clip-x11-event-source.h"

xcb_atom_t
x11_peer_atom (X11Peer *self, const char *name)
{
  g_autofree xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply (
      self->connection,
      xcb_intern_atom (self->connection, 0, (uint16_t) strlen (name), name), NULL);

  g_assert_nonnull (reply);
  return reply->atom;
}

char *
x11_peer_atom_name (X11Peer *self, xcb_atom_t atom)
{
  g_autofree xcb_get_atom_name_reply_t *reply =
      atom ? xcb_get_atom_name_reply (self->connection,
                                      xcb_get_atom_name (self->connection, atom), NULL)
           : NULL;

  return reply ? g_strndup (xcb_get_atom_name_name (reply),
                            (gsize) xcb_get_atom_name_name_length (reply))
               : NULL;
}

static void
on_event (xcb_generic_event_t *event, gpointer user_data)
{
  X11Peer *self = user_data;

  if (self->dead)
    return;
  switch (event->response_type & 0x7f)
    {
    case XCB_SELECTION_REQUEST:
      x11_peer_owner_on_request (self, (xcb_selection_request_event_t *) event);
      break;
    case XCB_SELECTION_NOTIFY:
      x11_peer_ask_on_answer (self, (xcb_selection_notify_event_t *) event);
      break;
    case XCB_PROPERTY_NOTIFY:
      x11_peer_ask_on_property (self, (xcb_property_notify_event_t *) event);
      x11_peer_owner_on_property (self, (xcb_property_notify_event_t *) event);
      break;
    default:
      break;
    }
}

static void
on_lost (const char *why G_GNUC_UNUSED, gpointer user_data G_GNUC_UNUSED)
{
}

X11Peer *
x11_peer_new (const char *display)
{
  X11Peer *self = g_new0 (X11Peer, 1);
  const guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_screen_t *screen = NULL;

  self->connection = xcb_connect (display, NULL);
  g_assert_cmpint (xcb_connection_has_error (self->connection), ==, 0);
  x11_peer_owner_init (self);
  x11_peer_ask_init (self);
  screen = xcb_setup_roots_iterator (xcb_get_setup (self->connection)).data;
  self->window = xcb_generate_id (self->connection);
  xcb_create_window (self->connection, 0, self->window, screen->root, 0, 0, 1, 1, 0,
                     XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                     &mask);
  self->source =
      clip_x11_event_source_new (self->connection, NULL, on_event, NULL, on_lost, self);
  return self;
}

/* it is gone as if it had been killed */
void
x11_peer_free (X11Peer *self)
{
  clip_x11_event_source_clear (&self->source);
  xcb_disconnect (self->connection);
  x11_peer_owner_clear (self);
  x11_peer_ask_clear (self);
  g_free (self);
}

/* waits for the server's answer; events in between are handled later */
xcb_timestamp_t
x11_peer_now (X11Peer *self)
{
  const xcb_atom_t atom = x11_peer_atom (self, "X11_PEER_TIME");
  xcb_timestamp_t now = 0;

  xcb_change_property (self->connection, XCB_PROP_MODE_APPEND, self->window, atom,
                       XCB_ATOM_INTEGER, 32, 0, NULL);
  xcb_flush (self->connection);
  while (now == 0)
    {
      g_autofree xcb_generic_event_t *event = xcb_wait_for_event (self->connection);
      const xcb_property_notify_event_t *change = (xcb_property_notify_event_t *) event;

      g_assert_nonnull (event);
      if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY && change->atom == atom)
        now = change->time;
      else
        on_event (event, self);
    }
  return now;
}

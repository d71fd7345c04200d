/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tests' X program as a requestor: what it asks others for, and what came of that. */
#include "x11-peer-private.h"

void
x11_peer_ask_init (X11Peer *self)
{
  self->changes = g_hash_table_new (NULL, NULL);
}

void
x11_peer_ask_clear (X11Peer *self)
{
  g_hash_table_unref (self->changes);
  g_free (self->answer);
}

void
x11_peer_ask_on_answer (X11Peer *self, const xcb_selection_notify_event_t *answer)
{
  self->n_answers++;
  g_free (self->answer);
  self->answer = x11_peer_atom_name (self, answer->property);
}

void
x11_peer_ask_on_property (X11Peer *self, const xcb_property_notify_event_t *change)
{
  gpointer key = GUINT_TO_POINTER (change->atom);

  if (change->window == self->window && change->state == XCB_PROPERTY_NEW_VALUE)
    g_hash_table_insert (
        self->changes, key,
        GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (self->changes, key)) +
                          1));
}

xcb_window_t
x11_peer_owner_of (X11Peer *self, const char *selection)
{
  g_autofree xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply (
      self->connection,
      xcb_get_selection_owner (self->connection, x11_peer_atom (self, selection)), NULL);

  g_assert_nonnull (reply);
  return reply->owner;
}

gboolean
x11_peer_has_owner (X11Peer *self, const char *selection)
{
  return x11_peer_owner_of (self, selection) != XCB_WINDOW_NONE;
}

gboolean
x11_peer_is_owner (X11Peer *self, const char *selection)
{
  return x11_peer_owner_of (self, selection) == self->window;
}

void
x11_peer_ask_of (X11Peer *self,
                 const char *selection,
                 const char *target,
                 const char *property)
{
  xcb_convert_selection (self->connection, self->window, x11_peer_atom (self, selection),
                         x11_peer_atom (self, target), x11_peer_atom (self, property),
                         x11_peer_now (self));
  xcb_flush (self->connection);
}

/* past the server, which would ask whoever owns the clipboard by then */
void
x11_peer_ask_window (X11Peer *self,
                     xcb_window_t owner,
                     const char *target,
                     const char *property)
{
  union
  {
    xcb_selection_request_event_t request;
    char bytes[32];
  } event = { .request = { .response_type = XCB_SELECTION_REQUEST,
                           .owner = owner,
                           .requestor = self->window,
                           .selection = x11_peer_atom (self, "CLIPBOARD"),
                           .target = x11_peer_atom (self, target),
                           .property = x11_peer_atom (self, property) } };

  xcb_send_event (self->connection, 0, owner, XCB_EVENT_MASK_NO_EVENT, event.bytes);
  xcb_flush (self->connection);
}

/* @property: NULL as requestors older than ICCCM do it */
void
x11_peer_ask (X11Peer *self,
              const char *target,
              const char *property,
              xcb_timestamp_t when)
{
  xcb_convert_selection (self->connection, self->window,
                         x11_peer_atom (self, "CLIPBOARD"), x11_peer_atom (self, target),
                         property ? x11_peer_atom (self, property) : XCB_ATOM_NONE, when);
  xcb_flush (self->connection);
}

/* @pairs: target, property, target, property... */
void
x11_peer_ask_pairs (X11Peer *self, const char *property, const char *const *pairs)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (xcb_atom_t));

  for (const char *const *name = pairs; *name; name++)
    {
      xcb_atom_t atom = x11_peer_atom (self, *name);

      g_array_append_val (atoms, atom);
    }
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, self->window,
                       x11_peer_atom (self, property), x11_peer_atom (self, "ATOM_PAIR"),
                       32, atoms->len, atoms->data);
  x11_peer_ask (self, "MULTIPLE", property, XCB_CURRENT_TIME);
}

guint
x11_peer_answers (X11Peer *self)
{
  return self->n_answers;
}

/* the property of the last answer; NULL is a refusal */
const char *
x11_peer_answer (X11Peer *self)
{
  return self->answer;
}

/* how often somebody has set a property of our window */
guint
x11_peer_changes (X11Peer *self, const char *property)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (
      self->changes, GUINT_TO_POINTER (x11_peer_atom (self, property))));
}

/* reads and deletes; NULL where there is none. @out_type: (optional) */
GBytes *
x11_peer_read (X11Peer *self, const char *property, char **out_type)
{
  g_autofree xcb_get_property_reply_t *reply =
      xcb_get_property_reply (self->connection,
                              xcb_get_property (self->connection, TRUE, self->window,
                                                x11_peer_atom (self, property),
                                                XCB_GET_PROPERTY_TYPE_ANY, 0, 1 << 24),
                              NULL);

  g_assert_nonnull (reply);
  if (reply->type == XCB_ATOM_NONE)
    return NULL;
  if (out_type)
    *out_type = x11_peer_atom_name (self, reply->type);
  return g_bytes_new (xcb_get_property_value (reply),
                      (gsize) xcb_get_property_value_length (reply));
}

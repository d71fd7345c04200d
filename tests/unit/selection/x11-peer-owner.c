/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tests' X program as an owner: what it offers, and how well it behaves when asked
   for it. */
#include <string.h>
#include <sys/socket.h>

#include "x11-peer-private.h"

typedef struct
{
  xcb_atom_t target;
  X11Manner manner;
  char *text;
  guint n_asked;
} Offered;

/* an INCR on its way */
typedef struct
{
  xcb_window_t requestor;
  xcb_atom_t property;
  const Offered *offered;
  gsize sent;
} Sending;

static void
offered_free (gpointer data)
{
  Offered *offered = data;

  g_free (offered->text);
  g_free (offered);
}

static Offered *
find_offered (X11Peer *self, xcb_atom_t target)
{
  for (guint i = 0; i < self->offered->len; i++)
    {
      Offered *offered = self->offered->pdata[i];

      if (offered->target == target)
        return offered;
    }
  return NULL;
}

static void
notify (X11Peer *self, const xcb_selection_request_event_t *request, xcb_atom_t property)
{
  union
  {
    xcb_selection_notify_event_t notify;
    char bytes[32];
  } event = { .notify = { .response_type = XCB_SELECTION_NOTIFY,
                          .time = request->time,
                          .requestor = request->requestor,
                          .selection = request->selection,
                          .target = request->target,
                          .property = property } };

  xcb_send_event (self->connection, 0, request->requestor, 0, event.bytes);
}

static void
put_targets (X11Peer *self, const xcb_selection_request_event_t *request)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (xcb_atom_t));

  if (self->owns_when_asked)
    {
      xcb_set_selection_owner (self->connection, self->window, request->selection,
                               XCB_CURRENT_TIME);
      self->n_owned++;
    }
  if (self->targets_manner == PEER_SILENT)
    return;
  for (guint i = 0; i < self->offered->len; i++)
    g_array_append_val (atoms, ((Offered *) self->offered->pdata[i])->target);
  if (self->targets_manner == PEER_TELLS)
    xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, request->requestor,
                         request->property, XCB_ATOM_ATOM, 32, atoms->len, atoms->data);
  notify (self, request,
          self->targets_manner == PEER_TELLS ? request->property : XCB_ATOM_NONE);
}

static void
begin_sending (X11Peer *self,
               const xcb_selection_request_event_t *request,
               const Offered *offered)
{
  const guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  const guint32 length = (guint32) strlen (offered->text);
  Sending sending = { request->requestor, request->property, offered, 0 };

  g_array_append_val (self->sendings, sending);
  xcb_change_window_attributes (self->connection, request->requestor, XCB_CW_EVENT_MASK,
                                &mask);
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, request->requestor,
                       request->property, x11_peer_atom (self, "INCR"), 32, 1, &length);
  notify (self, request, request->property);
}

static void
put_offered (X11Peer *self,
             const xcb_selection_request_event_t *request,
             Offered *offered)
{
  offered->n_asked++;
  switch (offered->manner)
    {
    case PEER_TELLS:
      xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, request->requestor,
                           request->property, offered->target, 8,
                           (guint32) strlen (offered->text), offered->text);
      notify (self, request, request->property);
      break;
    case PEER_SILENT:
      break;
    case PEER_REFUSES:
      notify (self, request, XCB_ATOM_NONE);
      break;
    default:
      begin_sending (self, request, offered);
    }
}

void
x11_peer_owner_on_request (X11Peer *self, const xcb_selection_request_event_t *request)
{
  Offered *offered = find_offered (self, request->target);

  self->asked_when = request->time;
  if (self->hold)
    g_array_append_vals (self->held, request, 1);
  else if (request->target == x11_peer_atom (self, "TARGETS"))
    put_targets (self, request);
  else if (offered)
    put_offered (self, request, offered);
  else
    notify (self, request, XCB_ATOM_NONE);
}

static void
put_byte (X11Peer *self, Sending *sending, xcb_atom_t type)
{
  const char *byte = sending->offered->text + sending->sent;

  xcb_change_property (self->connection, XCB_PROP_MODE_APPEND, sending->requestor,
                       sending->property, type, 8, *byte ? 1 : 0, byte);
  sending->sent++;
}

static void
send_on (X11Peer *self, Sending *sending)
{
  const X11Manner manner = sending->offered->manner;
  const gsize left = strlen (sending->offered->text) + 1 - sending->sent;
  const gboolean retype = manner == PEER_RETYPES && sending->sent > 0;

  if (left == 0 || (manner == PEER_STALLS && sending->sent > 0))
    return;
  if (manner == PEER_DIES && sending->sent > 0)
    {
      /* as a program that was killed; the connection itself is still being used */
      shutdown (xcb_get_file_descriptor (self->connection), SHUT_RDWR);
      self->dead = TRUE;
      return;
    }
  put_byte (self, sending, retype ? XCB_ATOM_STRING : sending->offered->target);
  if (manner == PEER_DOUBLES && left > 2)
    put_byte (self, sending, sending->offered->target);
}

void
x11_peer_owner_on_property (X11Peer *self, const xcb_property_notify_event_t *change)
{
  for (guint i = 0; i < self->sendings->len; i++)
    {
      Sending *sending = &g_array_index (self->sendings, Sending, i);

      if (sending->requestor == change->window && sending->property == change->atom &&
          change->state == XCB_PROPERTY_DELETE)
        send_on (self, sending);
    }
}

void
x11_peer_owner_init (X11Peer *self)
{
  self->offered = g_ptr_array_new_with_free_func (offered_free);
  self->held = g_array_new (FALSE, FALSE, sizeof (xcb_selection_request_event_t));
  self->sendings = g_array_new (FALSE, FALSE, sizeof (Sending));
}

void
x11_peer_owner_clear (X11Peer *self)
{
  g_ptr_array_unref (self->offered);
  g_array_unref (self->held);
  g_array_unref (self->sendings);
}

void
x11_peer_offer (X11Peer *self, const char *target, X11Manner manner, const char *text)
{
  Offered *offered = g_new0 (Offered, 1);

  offered->target = x11_peer_atom (self, target);
  offered->manner = manner;
  offered->text = g_strdup (text);
  g_ptr_array_add (self->offered, offered);
}

/* offers what it then refuses */
void
x11_peer_list (X11Peer *self, const char *target)
{
  x11_peer_offer (self, target, PEER_REFUSES, "");
}

/* how it answers TARGETS: silent or refusing */
void
x11_peer_hide_targets (X11Peer *self, X11Manner manner)
{
  self->targets_manner = manner;
}

/* from now on it owns the selection anew whenever somebody asks for its targets */
void
x11_peer_own_when_asked (X11Peer *self)
{
  self->owns_when_asked = TRUE;
}

guint
x11_peer_own_count (X11Peer *self)
{
  return self->n_owned;
}

void
x11_peer_own_as_of (X11Peer *self, const char *selection, xcb_timestamp_t when)
{
  xcb_set_selection_owner (self->connection, self->window,
                           x11_peer_atom (self, selection), when);
  xcb_flush (self->connection);
}

void
x11_peer_own (X11Peer *self, const char *selection)
{
  x11_peer_own_as_of (self, selection, x11_peer_now (self));
}

/* so many times, all of which the server has before it tells of the first one */
void
x11_peer_own_at_once (X11Peer *self, const char *selection, guint times)
{
  const xcb_atom_t atom = x11_peer_atom (self, selection);

  for (guint i = 0; i < times; i++)
    xcb_set_selection_owner (self->connection, self->window, atom, XCB_CURRENT_TIME);
  xcb_flush (self->connection);
}

void
x11_peer_disown (X11Peer *self, const char *selection)
{
  xcb_set_selection_owner (self->connection, XCB_WINDOW_NONE,
                           x11_peer_atom (self, selection), x11_peer_now (self));
  xcb_flush (self->connection);
}

/* tells the owner that it owns the selection no more, as the server would */
void
x11_peer_forge_loss (X11Peer *self, const char *selection)
{
  const xcb_window_t owner = x11_peer_owner_of (self, selection);
  const xcb_selection_clear_event_t loss = {
    .response_type = XCB_SELECTION_CLEAR,
    .time = x11_peer_now (self),
    .owner = owner,
    .selection = x11_peer_atom (self, selection),
  };
  char event[32] = { 0 };

  memcpy (event, &loss, sizeof loss);
  xcb_send_event (self->connection, FALSE, owner, XCB_EVENT_MASK_NO_EVENT, event);
  xcb_flush (self->connection);
}

/* how often somebody wanted @target */
guint
x11_peer_asked (X11Peer *self, const char *target)
{
  const Offered *offered = find_offered (self, x11_peer_atom (self, target));

  return offered ? offered->n_asked : 0;
}

/* as of which time somebody wanted something last */
xcb_timestamp_t
x11_peer_asked_when (X11Peer *self)
{
  return self->asked_when;
}

/* while it is held up, it answers nobody; then all at once */
void
x11_peer_hold (X11Peer *self, gboolean hold)
{
  self->hold = hold;
  for (guint i = 0; !hold && i < self->held->len; i++)
    x11_peer_owner_on_request (
        self, &g_array_index (self->held, xcb_selection_request_event_t, i));
  if (!hold)
    g_array_set_size (self->held, 0);
  xcb_flush (self->connection);
}

guint
x11_peer_held (X11Peer *self)
{
  return self->held->len;
}

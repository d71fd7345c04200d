/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "x11-peer.h"

#include <string.h>
#include <sys/socket.h>
#include <xcb/xcbext.h>

#include "clip-x11-source.h"

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

struct X11Peer
{
  xcb_connection_t *connection;
  GSource *source;
  xcb_window_t window;
  GPtrArray *offered;
  GArray *sendings;
  gboolean owns_when_asked;
  guint n_owned;
  X11Manner targets_manner;
  gboolean dead;
  gboolean hold;
  GArray *held;               /* requests to be answered later */
  xcb_timestamp_t asked_when; /* what the last request says */
  guint n_answers;
  char *answer;
  GHashTable *changes; /* atom -> times that it was set on our window */
};

static void
offered_free (gpointer data)
{
  Offered *offered = data;

  g_free (offered->text);
  g_free (offered);
}

xcb_atom_t
x11_peer_atom (X11Peer *self, const char *name)
{
  g_autofree xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply (
      self->connection,
      xcb_intern_atom (self->connection, 0, (uint16_t) strlen (name), name), NULL);

  g_assert_nonnull (reply);
  return reply->atom;
}

static char *
atom_name (X11Peer *self, xcb_atom_t atom)
{
  g_autofree xcb_get_atom_name_reply_t *reply =
      atom ? xcb_get_atom_name_reply (self->connection,
                                      xcb_get_atom_name (self->connection, atom), NULL)
           : NULL;

  return reply ? g_strndup (xcb_get_atom_name_name (reply),
                            (gsize) xcb_get_atom_name_name_length (reply))
               : NULL;
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

static void
on_request (X11Peer *self, const xcb_selection_request_event_t *request)
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

static void
on_property (X11Peer *self, const xcb_property_notify_event_t *change)
{
  gpointer key = GUINT_TO_POINTER (change->atom);

  if (change->window == self->window && change->state == XCB_PROPERTY_NEW_VALUE)
    g_hash_table_insert (
        self->changes, key,
        GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (self->changes, key)) +
                          1));
  for (guint i = 0; i < self->sendings->len; i++)
    {
      Sending *sending = &g_array_index (self->sendings, Sending, i);

      if (sending->requestor == change->window && sending->property == change->atom &&
          change->state == XCB_PROPERTY_DELETE)
        send_on (self, sending);
    }
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
      on_request (self, (xcb_selection_request_event_t *) event);
      break;
    case XCB_SELECTION_NOTIFY:
      self->n_answers++;
      g_free (self->answer);
      self->answer = atom_name (self, ((xcb_selection_notify_event_t *) event)->property);
      break;
    case XCB_PROPERTY_NOTIFY:
      on_property (self, (xcb_property_notify_event_t *) event);
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
  self->offered = g_ptr_array_new_with_free_func (offered_free);
  self->held = g_array_new (FALSE, FALSE, sizeof (xcb_selection_request_event_t));
  self->sendings = g_array_new (FALSE, FALSE, sizeof (Sending));
  self->changes = g_hash_table_new (NULL, NULL);
  screen = xcb_setup_roots_iterator (xcb_get_setup (self->connection)).data;
  self->window = xcb_generate_id (self->connection);
  xcb_create_window (self->connection, 0, self->window, screen->root, 0, 0, 1, 1, 0,
                     XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                     &mask);
  self->source = clip_x11_source_new (self->connection, NULL, on_event, on_lost, self);
  return self;
}

/* it is gone as if it had been killed */
void
x11_peer_free (X11Peer *self)
{
  clip_x11_source_clear (&self->source);
  xcb_disconnect (self->connection);
  g_ptr_array_unref (self->offered);
  g_array_unref (self->held);
  g_array_unref (self->sendings);
  g_hash_table_unref (self->changes);
  g_free (self->answer);
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
x11_peer_own (X11Peer *self, const char *selection)
{
  xcb_set_selection_owner (self->connection, self->window,
                           x11_peer_atom (self, selection), x11_peer_now (self));
  xcb_flush (self->connection);
}

void
x11_peer_disown (X11Peer *self, const char *selection)
{
  xcb_set_selection_owner (self->connection, XCB_WINDOW_NONE,
                           x11_peer_atom (self, selection), x11_peer_now (self));
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
    on_request (self, &g_array_index (self->held, xcb_selection_request_event_t, i));
  if (!hold)
    g_array_set_size (self->held, 0);
  xcb_flush (self->connection);
}

guint
x11_peer_held (X11Peer *self)
{
  return self->held->len;
}

/* while it holds the server, nobody else's requests are carried out */
void
x11_peer_grab (X11Peer *self, gboolean grab)
{
  if (grab)
    xcb_grab_server (self->connection);
  else
    xcb_ungrab_server (self->connection);
  x11_peer_now (self);
}

static xcb_window_t
root_of (X11Peer *self)
{
  return xcb_setup_roots_iterator (xcb_get_setup (self->connection)).data->root;
}

/* one more window, which says what its program is called */
void
x11_peer_show_window (X11Peer *self, const char *program)
{
  const xcb_window_t window = xcb_generate_id (self->connection);
  g_autofree char *names = g_strconcat ("instance ", program, NULL);

  names[strlen ("instance")] = '\0';
  xcb_create_window (self->connection, XCB_COPY_FROM_PARENT, window, root_of (self), 0, 0,
                     1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL);
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_CLASS,
                       XCB_ATOM_STRING, 8,
                       (guint32) (strlen ("instance") + strlen (program) + 2), names);
  x11_peer_now (self);
}

/* it is the window manager from now on */
void
x11_peer_manage (X11Peer *self)
{
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, root_of (self),
                       x11_peer_atom (self, "_NET_SUPPORTING_WM_CHECK"), XCB_ATOM_WINDOW,
                       32, 1, &self->window);
  x11_peer_now (self);
}

/* the one request of XTEST that is needed here */
typedef struct
{
  guint8 major, minor;
  guint16 length;
  guint8 type, detail;
  guint8 unused_a[2];
  guint32 time, root;
  guint8 unused_b[8];
  gint16 x, y;
  guint8 unused_c[7];
  guint8 device;
} FakeInput;

/* the first button of the mouse */
void
x11_peer_press_button (X11Peer *self, gboolean down)
{
  static xcb_extension_t xtest = { .name = "XTEST" };
  static const xcb_protocol_request_t request = {
    .count = 1,
    .ext = &xtest,
    .opcode = 2,
    .isvoid = 1,
  };
  FakeInput input = { .type = down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, .detail = 1 };
  /* xcb writes before the first part */
  struct iovec parts[3] = { { 0 }, { 0 }, { &input, sizeof input } };

  xcb_send_request (self->connection, 0, parts + 2, &request);
  x11_peer_now (self);
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
    *out_type = atom_name (self, reply->type);
  return g_bytes_new (xcb_get_property_value (reply),
                      (gsize) xcb_get_property_value_length (reply));
}

void
x11_peer_shut_window (X11Peer *self)
{
  xcb_destroy_window (self->connection, self->window);
  xcb_flush (self->connection);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The connection knows no selections. It hands each event to the maker of the window that
 * the event is about, and all others to the one listener. */
#define G_LOG_DOMAIN "clip-selection"

#include "clip-x11-display.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xcb/xfixes.h>

#include "clip-error.h"
#include "clip-ownership.h"

/* one property, one chunk of INCR */
#define CHUNK_BYTES ((gsize) 256 * 1024)
/* windows that a late owner may still write to */
#define N_RETIRED 16
/* what libxcb has of its own, for what comes and for what goes */
#define BUFFER_BYTES 16384
#define CLEAR_US 20000
#define MAX_KEYS_BYTES ((goffset) 1024 * 1024)
#define LOOK_AGAIN_US 500
/* windows that are not needed any more, which may wait for company */
#define N_IDLE 8

typedef struct
{
  ClipX11EventFunc on_event;
  gpointer user_data;
} Route;

typedef struct
{
  ClipX11TimeFunc on_time;
  gpointer user_data;
} TimeQuestion;

struct ClipX11Display
{
  xcb_connection_t *connection;
  GMainContext *context;
  ClipX11Atoms *atoms;
  GSource *source;
  const xcb_setup_t *setup;
  xcb_window_t root;
  xcb_window_t window; /* for what concerns no transfer */
  guint8 xfixes_event;
  gsize chunk_bytes;
  GHashTable *routes; /* window -> Route */
  GQueue questions;   /* of TimeQuestion */
  xcb_window_t retired[N_RETIRED];
  guint n_retired;
  xcb_window_t idle[N_IDLE];
  guint n_idle;
  Route listener;
  ClipX11SettledFunc on_settled;
  ClipX11LostFunc on_lost;
};

static xcb_window_t
event_window (const xcb_generic_event_t *event)
{
  switch (event->response_type & 0x7f)
    {
    case XCB_PROPERTY_NOTIFY:
      return ((const xcb_property_notify_event_t *) event)->window;
    case XCB_SELECTION_NOTIFY:
      return ((const xcb_selection_notify_event_t *) event)->requestor;
    default:
      return XCB_WINDOW_NONE;
    }
}

/* any program may do that (XDestroyWindow), and nothing is heard of selections then */
static gboolean
has_lost_window (ClipX11Display *self, const xcb_generic_event_t *event)
{
  return (event->response_type & 0x7f) == XCB_DESTROY_NOTIFY &&
         ((const xcb_destroy_notify_event_t *) event)->window == self->window;
}

/* Any program may send any event (SendEvent): what a server alone tells is to come from
 * it. ICCCM 2.2 and 2.4 have requests and answers sent. */
static gboolean
is_forged (const xcb_generic_event_t *event)
{
  const guint8 type = event->response_type & 0x7f;

  return (event->response_type & 0x80) && type != XCB_SELECTION_REQUEST &&
         type != XCB_SELECTION_NOTIFY && type != XCB_CLIENT_MESSAGE;
}

static void
on_any_event (xcb_generic_event_t *event, gpointer user_data)
{
  ClipX11Display *self = user_data;
  const xcb_generic_error_t *failed = (const xcb_generic_error_t *) event;
  Route *route =
      g_hash_table_lookup (self->routes, GUINT_TO_POINTER (event_window (event)));

  /* a window whose program has left: what waits for it has a deadline */
  if (event->response_type == 0)
    g_debug ("x11: error %u of request %u.%u", failed->error_code, failed->major_code,
             failed->minor_code);
  else if (is_forged (event))
    return;
  else if (has_lost_window (self, event))
    shutdown (clip_x11_display_fd (self), SHUT_RDWR); /* it is lost, and found again */
  else if (route)
    route->on_event (event, route->user_data);
  else if (self->listener.on_event)
    self->listener.on_event (event, self->listener.user_data);
}

static void
on_source_settled (gpointer user_data)
{
  ClipX11Display *self = user_data;

  if (self->on_settled)
    self->on_settled (self->listener.user_data);
}

static void
on_source_lost (const char *why, gpointer user_data)
{
  ClipX11Display *self = user_data;

  if (self->on_lost)
    self->on_lost (why, self->listener.user_data);
}

static gboolean
refuse (GError **error, const char *name, const char *why)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND, "open X11 display '%s': %s",
               name                   ? name
               : g_getenv ("DISPLAY") ? g_getenv ("DISPLAY")
                                      : "",
               why);
  return FALSE;
}

static gboolean
find_xfixes (ClipX11Display *self, const char *name, GError **error)
{
  const xcb_query_extension_reply_t *extension =
      xcb_get_extension_data (self->connection, &xcb_xfixes_id);
  g_autofree xcb_xfixes_query_version_reply_t *version = NULL;

  if (!extension || !extension->present)
    return refuse (error, name, "it lacks the XFIXES extension, which tells of copies");
  self->xfixes_event = extension->first_event;
  /* version 1 has the selection events; the server serves only clients that ask */
  version = xcb_xfixes_query_version_reply (
      self->connection, xcb_xfixes_query_version (self->connection, 1, 0), NULL);
  if (!version)
    return refuse (
        error, name,
        clip_x11_event_source_why_lost (xcb_connection_has_error (self->connection)));
  return TRUE;
}

static void
destroy_idle (ClipX11Display *self)
{
  while (self->n_idle > 0)
    xcb_destroy_window (self->connection, self->idle[--self->n_idle]);
}

static xcb_window_t
make_window (ClipX11Display *self)
{
  xcb_window_t window = xcb_generate_id (self->connection);

  destroy_idle (self);
  xcb_create_window (self->connection, XCB_COPY_FROM_PARENT, window, self->root, -1, -1,
                     1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL);
  return window;
}

static void
on_time_event (xcb_generic_event_t *event, gpointer user_data)
{
  ClipX11Display *self = user_data;
  const xcb_property_notify_event_t *change = (const xcb_property_notify_event_t *) event;
  g_autofree TimeQuestion *question = NULL;

  if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY &&
      change->atom == clip_x11_display_atom (self, CLIP_X11_ATOM_TIME))
    question = g_queue_pop_head (&self->questions);
  if (question)
    question->on_time (change->time, question->user_data);
}

static void
set_up (ClipX11Display *self, int screen)
{
  xcb_screen_iterator_t iterator;
  const guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  gsize longest = (gsize) xcb_get_maximum_request_length (self->connection) * 4;

  self->setup = xcb_get_setup (self->connection);
  iterator = xcb_setup_roots_iterator (self->setup);
  for (; screen > 0 && iterator.rem > 1; screen--)
    xcb_screen_next (&iterator);
  self->root = iterator.data->root;
  self->chunk_bytes = MIN (CHUNK_BYTES, longest / 2);
  self->atoms = clip_x11_atoms_new (self->connection);
  self->window = clip_x11_display_add_window (self, on_time_event, self);
  xcb_change_window_attributes (self->connection, self->window, XCB_CW_EVENT_MASK, &mask);
  self->source = clip_x11_event_source_new (self->connection, self->context, on_any_event,
                                            on_source_settled, on_source_lost, self);
}

/* Where our server has ended, another user may listen at its name: the folder of the
 * sockets is everybody's, and where none is there libxcb tries TCP. He would be told what
 * we offer. */
static gboolean
is_trusted (ClipX11Display *self)
{
  return clip_ownership_is_trusted_server (clip_x11_display_fd (self));
}

/* libXau reads the file to its end, also where it has none */
static gboolean
has_plain_keys (void)
{
  const char *path = g_getenv ("XAUTHORITY");
  struct stat status;

  return !path || stat (path, &status) < 0 ||
         (S_ISREG (status.st_mode) && status.st_size <= MAX_KEYS_BYTES);
}

/**
 * clip_x11_display_open:
 * @name: (nullable): a display name; %NULL for the one in the environment
 * @context: where events are handled, by the thread that calls this
 *
 * Connects, which blocks for as long as the server does.
 *
 * Errors: %CLIP_ERROR_NO_BACKEND (no server answers there, another user runs it, or it
 * lacks XFixes).
 */
ClipX11Display *
clip_x11_display_open (const char *name, GMainContext *context, GError **error)
{
  g_autoptr (ClipX11Display) self = g_new0 (ClipX11Display, 1);
  int screen = 0;
  int code;

  self->context = g_main_context_ref (context);
  self->routes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_queue_init (&self->questions);
  if (!has_plain_keys ())
    {
      refuse (error, name, "XAUTHORITY is no plain file of keys");
      return NULL;
    }
  self->connection = xcb_connect (name, &screen);
  code = xcb_connection_has_error (self->connection);
  if (code != 0)
    refuse (error, name,
            code == XCB_CONN_ERROR ? "cannot connect"
                                   : clip_x11_event_source_why_lost (code));
  else if (!is_trusted (self))
    {
      refuse (error, name, "neither you nor root runs it");
      g_message ("%s", (*error)->message);
    }
  else if (find_xfixes (self, name, error))
    {
      set_up (self, screen);
      return g_steal_pointer (&self);
    }
  return NULL;
}

/* everything that uses it must be gone already */
void
clip_x11_display_free (ClipX11Display *self)
{
  clip_x11_event_source_clear (&self->source);
  g_queue_clear_full (&self->questions, g_free);
  g_hash_table_unref (self->routes);
  g_clear_pointer (&self->atoms, clip_x11_atoms_free);
  xcb_disconnect (self->connection);
  g_main_context_unref (self->context);
  g_free (self);
}

/**
 * clip_x11_display_listen:
 * @on_event: gets what concerns no window of clip_x11_display_add_window()
 * @on_settled: called when all that was read of the connection has been handled
 * @on_lost: called once, when the server has gone
 */
void
clip_x11_display_listen (ClipX11Display *self,
                         ClipX11EventFunc on_event,
                         ClipX11SettledFunc on_settled,
                         ClipX11LostFunc on_lost,
                         gpointer user_data)
{
  self->listener = (Route){ on_event, user_data };
  self->on_settled = on_settled;
  self->on_lost = on_lost;
}

/* the only thing that another thread may touch: to shut it down */
int
clip_x11_display_fd (ClipX11Display *self)
{
  return xcb_get_file_descriptor (self->connection);
}

xcb_connection_t *
clip_x11_display_connection (ClipX11Display *self)
{
  return self->connection;
}

GMainContext *
clip_x11_display_context (ClipX11Display *self)
{
  return self->context;
}

ClipX11Atoms *
clip_x11_display_atoms (ClipX11Display *self)
{
  return self->atoms;
}

xcb_atom_t
clip_x11_display_atom (ClipX11Display *self, ClipX11Atom which)
{
  return clip_x11_atoms_get (self->atoms, which);
}

xcb_window_t
clip_x11_display_root (ClipX11Display *self)
{
  return self->root;
}

/* the most that one property is given: half of a request where those are short */
gsize
clip_x11_display_chunk_bytes (ClipX11Display *self)
{
  return self->chunk_bytes;
}

gboolean
clip_x11_display_is_ours (ClipX11Display *self, xcb_window_t window)
{
  return (window & ~self->setup->resource_id_mask) == self->setup->resource_id_base;
}

/* the buttons and modifiers that are held down: XCB_KEY_BUT_MASK_* */
guint16
clip_x11_display_held (ClipX11Display *self)
{
  g_autofree xcb_query_pointer_reply_t *reply = xcb_query_pointer_reply (
      self->connection, xcb_query_pointer (self->connection, self->root), NULL);

  return reply ? reply->mask : 0;
}

void
clip_x11_display_watch_selection (ClipX11Display *self, xcb_atom_t selection)
{
  const guint32 mask = XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER |
                       XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY |
                       XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE;

  xcb_xfixes_select_selection_input (self->connection, self->window, selection, mask);
}

/* whether it is an xcb_xfixes_selection_notify_event_t */
gboolean
clip_x11_display_is_owner_change (ClipX11Display *self, const xcb_generic_event_t *event)
{
  return (event->response_type & 0x7f) ==
         self->xfixes_event + XCB_XFIXES_SELECTION_NOTIFY;
}

/**
 * clip_x11_display_add_window:
 * @on_event: (nullable): %NULL for a window that only owns a selection
 *
 * Returns: an invisible window of ours; the answers sent to it go to @on_event
 */
xcb_window_t
clip_x11_display_add_window (ClipX11Display *self,
                             ClipX11EventFunc on_event,
                             gpointer user_data)
{
  xcb_window_t window = make_window (self);

  if (on_event)
    clip_x11_display_route (self, window, on_event, user_data);
  return window;
}

/* From now on its handler hears of each property that changes. An INCR alone needs that,
 * and not before its announcement is taken. */
void
clip_x11_display_heed_properties (ClipX11Display *self, xcb_window_t window)
{
  const guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE;

  xcb_change_window_attributes (self->connection, window, XCB_CW_EVENT_MASK, &mask);
}

/* hands a window over to another handler */
void
clip_x11_display_route (ClipX11Display *self,
                        xcb_window_t window,
                        ClipX11EventFunc on_event,
                        gpointer user_data)
{
  Route *route = g_new (Route, 1);

  *route = (Route){ on_event, user_data };
  g_hash_table_replace (self->routes, GUINT_TO_POINTER (window), route);
}

void
clip_x11_display_remove_window (ClipX11Display *self, xcb_window_t window)
{
  g_hash_table_remove (self->routes, GUINT_TO_POINTER (window));
  xcb_destroy_window (self->connection, window);
}

/**
 * clip_x11_display_drop_window:
 *
 * As clip_x11_display_remove_window(), of one with nothing in it that is worth a call to
 * the server: it is destroyed together with the next request for a window.
 */
void
clip_x11_display_drop_window (ClipX11Display *self, xcb_window_t window)
{
  g_hash_table_remove (self->routes, GUINT_TO_POINTER (window));
  if (self->n_idle == N_IDLE)
    destroy_idle (self);
  self->idle[self->n_idle++] = window;
}

static void
delete_content (ClipX11Display *self, xcb_window_t window)
{
  xcb_delete_property (self->connection, window,
                       clip_x11_display_atom (self, CLIP_X11_ATOM_CONTENT));
}

static void
on_retired_event (xcb_generic_event_t *event, gpointer user_data)
{
  const xcb_property_notify_event_t *change = (const xcb_property_notify_event_t *) event;

  if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY &&
      change->state == XCB_PROPERTY_NEW_VALUE)
    delete_content (user_data, change->window);
}

/**
 * clip_x11_display_retire_window:
 *
 * Gives up a window to which its peer may still write. What comes is deleted unread,
 * so that an owner gets rid of its INCR: some serve no other before its end, and many
 * programs end on the error that a vanished window gives them. It is destroyed when some
 * others were retired after it.
 */
void
clip_x11_display_retire_window (ClipX11Display *self, xcb_window_t window)
{
  xcb_window_t *slot = &self->retired[self->n_retired++ % N_RETIRED];

  if (*slot)
    clip_x11_display_remove_window (self, *slot);
  *slot = window;
  clip_x11_display_route (self, window, on_retired_event, self);
  clip_x11_display_heed_properties (self, window);
  delete_content (self, window);
}

/**
 * clip_x11_display_ask_time:
 *
 * Asks the server for its present time: the one that a claim of a selection needs.
 * Questions are answered in order.
 */
void
clip_x11_display_ask_time (ClipX11Display *self,
                           ClipX11TimeFunc on_time,
                           gpointer user_data)
{
  TimeQuestion *question = g_new (TimeQuestion, 1);

  *question = (TimeQuestion){ on_time, user_data };
  g_queue_push_tail (&self->questions, question);
  xcb_change_property (self->connection, XCB_PROP_MODE_APPEND, self->window,
                       clip_x11_display_atom (self, CLIP_X11_ATOM_TIME), XCB_ATOM_INTEGER,
                       32, 0, NULL);
}

/* a server that is slow just now is not waited for */
static void
wait_for_bytes (int fd, int n_bytes, gint64 most_us)
{
  const gint64 until_us = g_get_monotonic_time () + most_us;
  struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
  int n_here = 0;

  while (n_here < n_bytes && g_get_monotonic_time () < until_us &&
         poll (&poll_fd, 1, (int) (most_us / 1000)) > 0 && poll_fd.revents == POLLIN)
    {
      if (ioctl (fd, FIONREAD, &n_here) < 0)
        return;
      if (n_here < n_bytes)
        g_usleep (LOOK_AGAIN_US); /* poll() returns at once for a part of it */
    }
}

/**
 * clip_x11_display_clear_buffers:
 *
 * What libxcb has read last, and sent last, stays in its buffers: something that says
 * nothing goes over it, there and back. It is all here before libxcb reads it, or it
 * would come piecewise to where each piece ends.
 */
void
clip_x11_display_clear_buffers (ClipX11Display *self)
{
  static const guint8 nothing[BUFFER_BYTES - sizeof (xcb_change_property_request_t)];
  const xcb_atom_t property = clip_x11_display_atom (self, CLIP_X11_ATOM_CONTENT);
  xcb_get_property_cookie_t cookie;

  xcb_flush (self->connection);
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, self->window, property,
                       XCB_ATOM_INTEGER, 8, sizeof nothing, nothing);
  cookie = xcb_get_property (self->connection, TRUE, self->window, property,
                             XCB_GET_PROPERTY_TYPE_ANY, 0, sizeof nothing / 4);
  xcb_discard_reply (self->connection, cookie.sequence);
  xcb_flush (self->connection);
  wait_for_bytes (clip_x11_display_fd (self), BUFFER_BYTES, CLEAR_US);
}

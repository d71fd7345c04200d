/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events carry the sequence number of the last request that the server had processed when
 * it made them. That tells, exactly, whether something happened before or after a request
 * of ours: clip_x11_event_sequence() and clip_x11_is_before(). */
#include "clip-x11-event-source.h"

#include <glib-unix.h>
#include <stdlib.h>

/* events handled before other sources get their turn */
#define EVENTS_A_TURN 32

typedef struct
{
  GSource base;
  xcb_connection_t *connection;
  ClipX11EventFunc on_event;
  ClipX11SettledFunc on_settled; /* (nullable) */
  ClipX11LostFunc on_lost;
  gpointer user_data;
  gpointer fd_tag;
  xcb_generic_event_t *read_ahead; /* came in while we waited for a reply */
} EventSource;

/* the server's count of our requests at the time of an event */
guint32
clip_x11_event_sequence (const xcb_generic_event_t *event)
{
  return event->full_sequence;
}

/* for sequence numbers and for server times, both of which wrap around */
gboolean
clip_x11_is_before (guint32 a, guint32 b)
{
  return (gint32) (a - b) < 0;
}

/* @code: of xcb_connection_has_error() */
const char *
clip_x11_event_source_why_lost (int code)
{
  switch (code)
    {
    case XCB_CONN_CLOSED_PARSE_ERR:
      return "there is no such display name";
    case XCB_CONN_CLOSED_EXT_NOTSUPPORTED:
      return "it lacks an extension";
    case XCB_CONN_CLOSED_MEM_INSUFFICIENT:
      return "out of memory";
    case XCB_CONN_CLOSED_REQ_LEN_EXCEED:
      return "a request was too long";
    default:
      return "the connection is closed";
    }
}

static gboolean
prepare_events (GSource *source, int *timeout)
{
  EventSource *self = (EventSource *) source;

  *timeout = -1;
  xcb_flush (self->connection);
  if (!self->read_ahead)
    self->read_ahead = xcb_poll_for_queued_event (self->connection);
  return self->read_ahead || xcb_connection_has_error (self->connection);
}

static gboolean
check_events (GSource *source)
{
  return g_source_query_unix_fd (source, ((EventSource *) source)->fd_tag) != 0;
}

/* reads the connection at most once: what comes later is seen by the next wait */
static xcb_generic_event_t *
next_event (EventSource *self, gboolean *may_read)
{
  xcb_generic_event_t *event = self->read_ahead
                                   ? g_steal_pointer (&self->read_ahead)
                                   : xcb_poll_for_queued_event (self->connection);

  if (event || !*may_read)
    return event;
  *may_read = FALSE;
  return xcb_poll_for_event (self->connection);
}

static gboolean
dispatch_events (GSource *source,
                 GSourceFunc callback G_GNUC_UNUSED,
                 gpointer user_data G_GNUC_UNUSED)
{
  EventSource *self = (EventSource *) source;
  gboolean may_read = check_events (source);
  int code;

  for (int i = 0; i < EVENTS_A_TURN; i++)
    {
      g_autofree xcb_generic_event_t *event = next_event (self, &may_read);

      if (!event)
        break;
      self->on_event (event, self->user_data);
    }
  if (!self->read_ahead)
    self->read_ahead = xcb_poll_for_queued_event (self->connection);
  if (!self->read_ahead && self->on_settled)
    self->on_settled (self->user_data);
  code = xcb_connection_has_error (self->connection);
  if (code == 0)
    return G_SOURCE_CONTINUE;
  self->on_lost (clip_x11_event_source_why_lost (code), self->user_data);
  return G_SOURCE_REMOVE;
}

static void
finalize_events (GSource *source)
{
  g_clear_pointer (&((EventSource *) source)->read_ahead, free);
}

static GSourceFuncs event_funcs = {
  .prepare = prepare_events,
  .check = check_events,
  .dispatch = dispatch_events,
  .finalize = finalize_events,
};

/**
 * clip_x11_event_source_new:
 * @on_event: gets every event, and the errors of unchecked requests
 * @on_settled: (nullable): called when it has got all that was read of the connection
 * @on_lost: called once, last, when the server has gone
 *
 * Flushes before each wait, so that no other code needs to.
 */
GSource *
clip_x11_event_source_new (xcb_connection_t *connection,
                           GMainContext *context,
                           ClipX11EventFunc on_event,
                           ClipX11SettledFunc on_settled,
                           ClipX11LostFunc on_lost,
                           gpointer user_data)
{
  GSource *source = g_source_new (&event_funcs, sizeof (EventSource));
  EventSource *self = (EventSource *) source;

  self->connection = connection;
  self->on_event = on_event;
  self->on_settled = on_settled;
  self->on_lost = on_lost;
  self->user_data = user_data;
  /* otherwise GLib takes the descriptor out of the poll around each dispatch, and wakes
   * itself up twice for it */
  g_source_set_can_recurse (source, TRUE);
  self->fd_tag = g_source_add_unix_fd (source, xcb_get_file_descriptor (connection),
                                       G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_attach (source, context);
  return source;
}

void
clip_x11_event_source_clear (GSource **source)
{
  if (*source)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

typedef struct
{
  GSource base;
  gint64 due_us; /* 0 = the clock stands still */
} Deadline;

static gboolean
is_late (GSource *source)
{
  const Deadline *self = (const Deadline *) source;

  return self->due_us != 0 && g_source_get_time (source) >= self->due_us;
}

static gboolean
prepare_deadline (GSource *source, int *timeout)
{
  const Deadline *self = (const Deadline *) source;
  const gint64 left_us = self->due_us - g_source_get_time (source);

  *timeout = self->due_us ? (int) CLAMP ((left_us + 999) / 1000, 0, G_MAXINT) : -1;
  return is_late (source);
}

static gboolean
dispatch_deadline (GSource *source, GSourceFunc callback, gpointer user_data)
{
  ((Deadline *) source)->due_us = 0;
  return callback (user_data);
}

static GSourceFuncs deadline_funcs = {
  .prepare = prepare_deadline,
  .check = is_late,
  .dispatch = dispatch_deadline,
};

/* A deadline that is not set yet. It is looked at before each wait: the ready time of a
 * source wakes the thread up whenever it is set, also where that is the thread that sets
 * it. */
GSource *
clip_x11_deadline_new (GMainContext *context, GSourceFunc on_late, gpointer data)
{
  GSource *deadline = g_source_new (&deadline_funcs, sizeof (Deadline));

  g_source_set_callback (deadline, on_late, data, NULL);
  g_source_attach (deadline, context);
  return deadline;
}

/* @ms: from now; 0 stops the clock. Only on the thread of the context. */
void
clip_x11_deadline_set (GSource *deadline, guint ms)
{
  ((Deadline *) deadline)->due_us = ms ? g_get_monotonic_time () + (gint64) ms * 1000 : 0;
}

GSource *
clip_x11_watch_fd (GMainContext *context,
                   int fd,
                   GIOCondition condition,
                   ClipX11FdFunc on_ready,
                   gpointer user_data)
{
  GSource *source = g_unix_fd_source_new (fd, condition);

  g_source_set_callback (source, G_SOURCE_FUNC (on_ready), user_data, NULL);
  g_source_attach (source, context);
  return source;
}

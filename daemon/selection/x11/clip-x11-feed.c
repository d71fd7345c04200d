/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A pipe does not say how much will come. One chunk is collected: what ends within it is
 * handed over at once, what does not becomes an INCR, whose requestor asks for each
 * further chunk while the next one is collected. More than a chunk is never held.
 *
 * The end of the pipe is not enough: only history knows whether that was all. What was
 * not whole is refused, or, once an INCR runs, left without its end. */
#define G_LOG_DOMAIN "clip-selection"

#include "clip-x11-feed.h"

#include <errno.h>
#include <fcntl.h>

#include "clip-fd.h"
#include "clip-incr-writer.h"

typedef enum
{
  UNKNOWN,
  WHOLE,
  BROKEN,
} Completeness;

struct ClipX11Feed
{
  ClipX11Display *display;
  ClipX11FeedJob job;
  ClipX11Limits limits;
  ClipX11FeedFunc on_state;
  gpointer user_data;
  int pipe_fd; /* -1 once it has ended */
  Completeness completeness;
  guint8 *chunk;
  gsize length;
  gsize limit;
  ClipIncrWriter *writer; /* once it is an INCR */
  GSource *deadline;
  GSource *input; /* while there is room in the chunk */
};

static void
end (ClipX11Feed *self)
{
  self->on_state (self, CLIP_X11_ENDED, self->user_data);
}

/* to be called from outside: ends it as the requestor will not have it */
void
clip_x11_feed_abort (ClipX11Feed *self)
{
  end (self);
}

static gboolean
on_late (gpointer user_data)
{
  ClipX11Feed *self = user_data;

  g_debug ("x11: a paste stands still");
  end (self);
  return G_SOURCE_REMOVE;
}

static void
fill_chunk (ClipX11Feed *self)
{
  while (self->pipe_fd >= 0 && self->length < self->limit)
    {
      gssize n =
          read (self->pipe_fd, self->chunk + self->length, self->limit - self->length);

      if (n > 0)
        self->length += (gsize) n;
      else if (n == 0)
        clip_fd_clear (&self->pipe_fd);
      else if (errno == EAGAIN)
        return;
      else if (errno != EINTR)
        self->completeness = BROKEN;
      if (self->completeness == BROKEN)
        return;
    }
}

static gboolean
is_complete (const ClipX11Feed *self)
{
  return self->pipe_fd < 0 && self->completeness == WHOLE;
}

/* FALSE: it has ended and @self is gone */
static gboolean
land (ClipX11Feed *self)
{
  const gboolean is_long = self->length == self->limit;

  if (!is_long && !is_complete (self))
    return TRUE;
  if (is_long)
    self->writer = clip_incr_writer_begin (self->display, &self->job.place,
                                           self->job.type, (guint32) self->length);
  if (is_long
          ? self->writer != NULL
          : clip_x11_property_put (self->display, &self->job.place, XCB_PROP_MODE_REPLACE,
                                   self->job.type, 8, self->chunk, self->length, NULL))
    self->on_state (self, CLIP_X11_LANDED, self->user_data);
  if (self->writer)
    return TRUE;
  end (self);
  return FALSE;
}

/* FALSE: it has ended and @self is gone */
static gboolean
send_chunk (ClipX11Feed *self)
{
  const gboolean has_ended = self->length == 0 && is_complete (self);
  const gboolean is_due =
      has_ended || self->length == self->limit || (self->length > 0 && self->pipe_fd < 0);

  if (!is_due || !clip_incr_writer_is_ready (self->writer))
    return TRUE;
  if (!clip_incr_writer_put (self->writer, self->chunk, self->length) || has_ended)
    {
      end (self);
      return FALSE;
    }
  self->length = 0;
  fill_chunk (self);
  return TRUE;
}

static void step (ClipX11Feed *self);

static gboolean
on_input (int fd G_GNUC_UNUSED, GIOCondition condition G_GNUC_UNUSED, gpointer user_data)
{
  step (user_data);
  return G_SOURCE_CONTINUE;
}

static void
wait_for_more (ClipX11Feed *self)
{
  const gboolean has_room = self->pipe_fd >= 0 && self->length < self->limit;
  const gboolean is_asked = !self->writer || clip_incr_writer_is_ready (self->writer);

  if (!has_room)
    clip_x11_event_source_clear (&self->input);
  else if (!self->input)
    self->input = clip_x11_watch_fd (clip_x11_display_context (self->display),
                                     self->pipe_fd, G_IO_IN, on_input, self);
  clip_x11_deadline_set (self->deadline,
                         is_asked ? self->limits.pipe_ms : self->limits.stall_ms);
}

static void
step (ClipX11Feed *self)
{
  fill_chunk (self);
  if (self->completeness == BROKEN)
    end (self);
  else if (self->writer ? send_chunk (self) : land (self))
    wait_for_more (self);
}

/**
 * clip_x11_feed_new:
 * @job: @name is not kept
 * @on_state: never called from here; frees @self on %CLIP_X11_ENDED
 *
 * Asks history for the content, by a %CLIP_X11_REQUESTED that carries the write end of a
 * pipe.
 *
 * Returns: (nullable): %NULL where there is no descriptor left
 */
ClipX11Feed *
clip_x11_feed_new (ClipX11Display *display,
                   const ClipX11FeedJob *job,
                   const ClipX11Limits *limits,
                   ClipX11Mailbox *news,
                   ClipX11FeedFunc on_state,
                   gpointer user_data)
{
  ClipX11Message *request = NULL;
  ClipX11Feed *self = NULL;
  int fds[2];

  if (!clip_pipe (fds, NULL))
    return NULL;
  self = g_new0 (ClipX11Feed, 1);
  self->display = display;
  self->job = *job;
  self->job.name = NULL;
  self->limits = *limits;
  self->on_state = on_state;
  self->user_data = user_data;
  self->pipe_fd = fds[0];
  fcntl (self->pipe_fd, F_SETFL, O_NONBLOCK);
  self->limit = clip_x11_display_chunk_bytes (display);
  self->chunk = g_malloc (self->limit);
  self->deadline =
      clip_x11_deadline_new (clip_x11_display_context (display), on_late, self);
  wait_for_more (self);
  request = clip_x11_message_new (CLIP_X11_REQUESTED, job->id);
  request->source = job->source;
  request->name = g_strdup (job->name);
  request->fd = fds[1];
  clip_x11_mailbox_post (news, request);
  return self;
}

void
clip_x11_feed_free (ClipX11Feed *self)
{
  clip_x11_event_source_clear (&self->input);
  clip_x11_event_source_clear (&self->deadline);
  clip_fd_clear (&self->pipe_fd);
  g_clear_pointer (&self->writer, clip_incr_writer_free);
  g_free (self->chunk);
  g_free (self);
}

guint64
clip_x11_feed_id (const ClipX11Feed *self)
{
  return self->job.id;
}

const ClipX11Property *
clip_x11_feed_place (const ClipX11Feed *self)
{
  return &self->job.place;
}

gboolean
clip_x11_feed_is_incr (const ClipX11Feed *self)
{
  return self->writer != NULL;
}

/* history has written everything, or given up; may end @self */
void
clip_x11_feed_answered (ClipX11Feed *self, gboolean whole)
{
  self->completeness = whole ? WHOLE : BROKEN;
  step (self);
}

/**
 * clip_x11_feed_notify:
 * @event: any event about a stranger's window
 *
 * May end @self.
 */
void
clip_x11_feed_notify (ClipX11Feed *self, const xcb_generic_event_t *event)
{
  const xcb_destroy_notify_event_t *destroyed =
      (const xcb_destroy_notify_event_t *) event;

  if ((event->response_type & 0x7f) == XCB_DESTROY_NOTIFY)
    {
      if (destroyed->window == self->job.place.requestor)
        end (self);
    }
  else if (self->writer && clip_incr_writer_notify (self->writer, event))
    step (self);
}

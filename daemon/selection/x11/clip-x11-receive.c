/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Either side may be slow. While the pipe is full nothing more is read from the server,
 * and so the owner is asked for nothing more: a content of any size passes through one
 * slice of memory. What has come with the first look at it needs no pipe. */
#include "clip-x11-receive.h"

#include <errno.h>
#include <fcntl.h>

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-incr-reader.h"
#include "clip-x11-client.h"
#include "clip-x11-convert.h"

struct ClipX11Receive
{
  ClipX11Display *display;
  ClipX11ReceiveJob job;
  ClipX11Limits limits;
  ClipX11AnnouncedFunc on_announced; /* NULL once it was called */
  ClipX11OpenedFunc on_opened;
  ClipX11ReceivedFunc on_received;
  gpointer user_data;
  ClipX11Convert *convert; /* until it is answered */
  xcb_window_t window;     /* from then on */
  ClipIncrReader *reader;
  const guint8 *data; /* what the pipe has still to take of the present chunk */
  gsize length;
  int pipe_fd;    /* the end to write into; -1 until there is one */
  int content_fd; /* all of it, where it was little */
  gboolean owner_gone;
  GSource *deadline;
  GSource *room; /* while the pipe is full */
};

static void
finish (ClipX11Receive *self, GError *error_take)
{
  clip_x11_event_source_clear (&self->deadline);
  clip_x11_event_source_clear (&self->room);
  clip_fd_clear (&self->pipe_fd);
  self->on_received (self, error_take, self->user_data);
}

/* ends it early: @error_take goes to on_received(), which frees @self */
void
clip_x11_receive_fail (ClipX11Receive *self, GError *error_take)
{
  finish (self, error_take);
}

static void
fail (ClipX11Receive *self, ClipError code, const char *why)
{
  finish (self, g_error_new_literal (CLIP_ERROR, (int) code, why));
}

static gboolean
on_late (gpointer user_data)
{
  fail (user_data, CLIP_ERROR_STALLED, "the transfer stands still");
  return G_SOURCE_REMOVE;
}

static void pump (ClipX11Receive *self);

static gboolean
on_room (int fd G_GNUC_UNUSED, GIOCondition condition G_GNUC_UNUSED, gpointer user_data)
{
  ClipX11Receive *self = user_data;

  clip_x11_event_source_clear (&self->room);
  pump (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_room (ClipX11Receive *self)
{
  self->room = clip_x11_watch_fd (clip_x11_display_context (self->display), self->pipe_fd,
                                  G_IO_OUT, on_room, self);
  clip_x11_deadline_set (self->deadline, self->limits.pipe_ms);
}

/* FALSE: it has ended, and @self is gone */
static gboolean
open_pipe (ClipX11Receive *self)
{
  GError *error = NULL;
  int fds[2];

  if (!clip_pipe (fds, &error))
    {
      finish (self, error);
      return FALSE;
    }
  self->pipe_fd = fds[1];
  fcntl (self->pipe_fd, F_SETFL, fcntl (self->pipe_fd, F_GETFL) | O_NONBLOCK);
  self->on_opened (self, fds[0], self->user_data);
  return TRUE;
}

/* As open_pipe(), where there is more than little to write. To hand over a pipe, and to
 * follow it to its end, costs more than all the rest of a word. */
static gboolean
open_sink (ClipX11Receive *self)
{
  if (clip_incr_reader_has_ended (self->reader) && self->length <= CLIP_SEALED_BYTES)
    self->content_fd = clip_sealed_memory (self->data, self->length, NULL);
  if (self->content_fd < 0)
    return open_pipe (self);
  self->length = 0;
  return TRUE;
}

/* FALSE: it waits for room, or has ended and @self is gone */
static gboolean
write_chunk (ClipX11Receive *self)
{
  if (self->length > 0 && self->pipe_fd < 0 && !open_sink (self))
    return FALSE;
  while (self->length > 0)
    {
      gssize n = write (self->pipe_fd, self->data, self->length);

      if (n >= 0)
        {
          self->data += n;
          self->length -= (gsize) n;
        }
      else if (errno == EAGAIN)
        {
          wait_for_room (self);
          return FALSE;
        }
      else if (errno != EINTR)
        {
          fail (self, CLIP_ERROR_FAILED, "the reader left");
          return FALSE;
        }
    }
  return TRUE;
}

static void
tell_announced (ClipX11Receive *self)
{
  guint32 bytes = clip_incr_reader_at_least (self->reader);
  ClipX11AnnouncedFunc on_announced = bytes > 0 ? self->on_announced : NULL;

  if (!on_announced)
    return;
  self->on_announced = NULL;
  on_announced (self, bytes, self->user_data);
}

static void
pump (ClipX11Receive *self)
{
  g_autoptr (GError) error = NULL;

  while (write_chunk (self))
    switch (clip_incr_reader_step (self->reader, &self->data, &self->length, &error))
      {
      case CLIP_INCR_CHUNK:
        break;
      case CLIP_INCR_WAIT:
        if (self->pipe_fd < 0 && !open_pipe (self))
          return;
        tell_announced (self);
        if (self->owner_gone)
          fail (self, CLIP_ERROR_FAILED, "the owner went away in the middle");
        else
          clip_x11_deadline_set (self->deadline, self->limits.owner_ms);
        return;
      case CLIP_INCR_END:
        finish (self, NULL);
        return;
      case CLIP_INCR_FAILED:
        finish (self, g_steal_pointer (&error));
        return;
      }
}

static void
on_window_event (xcb_generic_event_t *event, gpointer user_data)
{
  ClipX11Receive *self = user_data;

  if (clip_incr_reader_notify (self->reader, event) && !self->room)
    pump (self);
}

static void
on_answer (ClipX11Answer answer, gpointer user_data)
{
  ClipX11Receive *self = user_data;

  switch (answer)
    {
    case CLIP_X11_PENDING:
      break;
    case CLIP_X11_REFUSED:
      fail (self, CLIP_ERROR_NO_SUCH_FORMAT, "the owner has no such type");
      break;
    case CLIP_X11_SILENT:
      fail (self, CLIP_ERROR_STALLED, "the owner does not answer");
      break;
    case CLIP_X11_GIVEN:
      self->window = clip_x11_convert_steal_window (self->convert);
      g_clear_pointer (&self->convert, clip_x11_convert_free);
      clip_x11_display_route (self->display, self->window, on_window_event, self);
      self->reader = clip_incr_reader_new (self->display, self->window);
      pump (self);
      break;
    }
}

/**
 * clip_x11_receive_new:
 * @on_announced: called at most once, where the owner says how much will come at least
 * @on_opened: called at most once: what comes can be read from there
 * @on_received: called once, and not from here: no error says that the content is whole,
 * and all in the pipe, which is closed by then. It frees @self.
 */
ClipX11Receive *
clip_x11_receive_new (ClipX11Display *display,
                      const ClipX11ReceiveJob *job,
                      const ClipX11Limits *limits,
                      ClipX11AnnouncedFunc on_announced,
                      ClipX11OpenedFunc on_opened,
                      ClipX11ReceivedFunc on_received,
                      gpointer user_data)
{
  ClipX11Receive *self = g_new0 (ClipX11Receive, 1);

  self->display = display;
  self->job = *job;
  self->limits = *limits;
  self->on_announced = on_announced;
  self->on_opened = on_opened;
  self->on_received = on_received;
  self->user_data = user_data;
  self->pipe_fd = self->content_fd = -1;
  self->deadline =
      clip_x11_deadline_new (clip_x11_display_context (display), on_late, self);
  return self;
}

/* a window to which the owner may still write is only retired */
void
clip_x11_receive_free (ClipX11Receive *self)
{
  clip_x11_event_source_clear (&self->deadline);
  clip_x11_event_source_clear (&self->room);
  clip_fd_clear (&self->pipe_fd);
  clip_fd_clear (&self->content_fd);
  if (self->window && clip_incr_reader_is_incr (self->reader))
    clip_x11_display_retire_window (self->display, self->window);
  else if (self->window && clip_incr_reader_has_ended (self->reader))
    clip_x11_display_drop_window (self->display, self->window);
  else if (self->window)
    clip_x11_display_remove_window (self->display, self->window);
  if (self->reader)
    clip_x11_display_clear_buffers (self->display);
  g_clear_pointer (&self->convert, clip_x11_convert_free);
  g_clear_pointer (&self->reader, clip_incr_reader_free);
  g_free (self);
}

/**
 * clip_x11_receive_start:
 * @convert_take: the question to the owner, which may have been answered already
 *
 * It may end @self at once.
 */
void
clip_x11_receive_start (ClipX11Receive *self, ClipX11Convert *convert_take)
{
  self->convert = convert_take;
  clip_x11_convert_listen (convert_take, on_answer, self);
}

guint64
clip_x11_receive_id (ClipX11Receive *self)
{
  return self->job.id;
}

/* for the caller, a memory file with all of the content; -1 where it went through a pipe,
 * or nothing has come */
int
clip_x11_receive_steal_content (ClipX11Receive *self)
{
  return g_steal_fd (&self->content_fd);
}

/**
 * clip_x11_receive_owner_changed:
 *
 * Ends the receive if the new owner answers its question: it reached that one alone, or
 * the same program has copied again. The answer would be the new content under the old
 * one's name, and may be a secret. It may end @self.
 */
void
clip_x11_receive_owner_changed (ClipX11Receive *self,
                                const xcb_xfixes_selection_notify_event_t *event)
{
  const guint32 sequence = clip_x11_event_sequence ((const xcb_generic_event_t *) event);

  if (self->job.selection == event->selection && self->convert &&
      (clip_x11_client_is_same (self->display, self->job.owner, event->owner) ||
       clip_x11_convert_is_after (self->convert, sequence)))
    fail (self, CLIP_ERROR_NO_BACKEND, "the offer was replaced");
}

/**
 * clip_x11_receive_owner_gone:
 * @offer: the offer whose owner has closed its connection
 *
 * Everything it did has been heard of by now: what is missing never comes. It may end
 * @self.
 */
void
clip_x11_receive_owner_gone (ClipX11Receive *self, guint64 offer)
{
  if (self->job.offer != offer)
    return;
  self->owner_gone = TRUE;
  if (self->convert)
    fail (self, CLIP_ERROR_FAILED, "the owner went away");
  else if (!self->room)
    pump (self);
}

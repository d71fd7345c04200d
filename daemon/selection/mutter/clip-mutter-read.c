/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One content on its way out of Mutter. It hands out one at a time, and knows a moment
 * later than the pipe does that the last one has ended: then it is asked again. What it
 * reads is what is selected when the call arrives, even if we mean another offer; a
 * change that was heard before the answer tells. And where nothing has come for 15
 * seconds it closes the pipe, as if that were the end of the content: only the clock
 * shows it. What has begun takes its time (transfer_request_new() in Mutter's
 * src/core/meta-selection.c: its clock stops the request, not the splice).
 */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-mutter-read.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>

/* GLib rounds Mutter's 15 s to a tick of the second that they all share */
#define CUT_OFF_MS 14700

/* between tries: 2, 4, 8... ms */
#define FIRST_RETRY_MS 2
#define MAX_TRIES 8

typedef struct
{
  ClipMutterSession *session;
  ClipMutterReading reading; /* its offer and type are ours */
  GDestroyNotify ended;
  gpointer ended_data;
  guint n_tries;
  gint64 asked_us;
  gboolean has_begun; /* bytes have come */
  int fd;             /* kept to see when the pipe's other end is closed */
} Read;

static void
read_free (gpointer data)
{
  Read *self = data;

  clip_fd_clear (&self->fd);
  clip_mutter_session_unref (self->session);
  g_object_unref (self->reading.offer);
  g_free ((char *) self->reading.mime);
  g_free (self);
}

static void ask (GTask *task_take);

/* the session is free for the next one, which the result may bring at once */
static void
end (GTask *task, ClipVerdict verdict, GError *error_take)
{
  Read *self = g_task_get_task_data (task);
  g_autoptr (GError) error = error_take;

  clip_fd_clear (&self->fd);
  self->ended (self->ended_data);
  if (error)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_int (task, verdict); /* or the error that it is cancelled */
}

static void G_GNUC_PRINTF (3, 4)
    fail (GTask *task, ClipError code, const char *format, ...)
{
  Read *self = g_task_get_task_data (task);
  g_autofree char *why = NULL;
  va_list args;

  va_start (args, format);
  why = g_strdup_vprintf (format, args);
  va_end (args);
  end (task, CLIP_VERDICT_BROKEN,
       g_error_new (CLIP_ERROR, code, "receive '%s': %s", self->reading.mime, why));
}

static gboolean
on_retry (gpointer user_data)
{
  ask (g_object_ref (user_data));
  return G_SOURCE_REMOVE;
}

static void
attach (GTask *task, GSource *source, GSourceFunc function)
{
  g_source_set_callback (source, function, g_object_ref (task), g_object_unref);
  g_source_attach (source, g_task_get_context (task));
}

/* busy with the content before, or so it believes (of whichever version) */
static gboolean
is_busy (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED);
}

/* A session that is closed, as a screen is locked, ends its pipe as a whole content does.
 * A shell that is too busy to answer has closed nothing. */
static void
on_checked (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_mutter_session_finish (result, NULL, &error) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    end (task, CLIP_VERDICT_EOF, NULL);
  else
    fail (task, CLIP_ERROR_NO_BACKEND, "%s", error->message);
}

static void watch (GTask *task, GIOCondition condition);

/* The first bytes of a copy are moved on this loop, too, so that we see them; they are
 * not ours to read. @condition: none where we are cancelled */
static gboolean
on_changed (int fd G_GNUC_UNUSED, GIOCondition condition, gpointer data)
{
  GTask *task = data;
  Read *self = g_task_get_task_data (task);
  const gint64 took_us = g_get_monotonic_time () - self->asked_us;

  self->has_begun |= (condition & G_IO_IN) != 0;
  if (condition == G_IO_IN)
    watch (task, G_IO_HUP);
  else if (condition == 0)
    end (task, CLIP_VERDICT_BROKEN, NULL);
  else if (self->has_begun || took_us < CUT_OFF_MS * G_TIME_SPAN_MILLISECOND)
    clip_mutter_session_check_async (self->session, g_task_get_cancellable (task),
                                     on_checked, g_object_ref (task));
  else
    fail (task, CLIP_ERROR_STALLED, "GNOME Shell ended it after 15 s");
  return G_SOURCE_REMOVE;
}

static void
watch (GTask *task, GIOCondition condition)
{
  Read *self = g_task_get_task_data (task);
  g_autoptr (GSource) end = g_unix_fd_source_new (self->fd, condition);
  GCancellable *cancellable = g_task_get_cancellable (task);

  if (cancellable)
    {
      g_autoptr (GSource) cancelled = g_cancellable_source_new (cancellable);

      g_source_set_dummy_callback (cancelled);
      g_source_add_child_source (end, cancelled);
    }
  attach (task, end, G_SOURCE_FUNC (on_changed));
}

static void
hand_over (GTask *task, int fd_take)
{
  Read *self = g_task_get_task_data (task);
  clip_autofd int fd = fd_take;
  struct pollfd pipe = { .events = POLLIN };

  self->fd = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  if (self->fd < 0)
    {
      fail (task, CLIP_ERROR_FAILED, "%s", g_strerror (errno));
      return;
    }
  pipe.fd = fd;
  self->has_begun = poll (&pipe, 1, 0) > 0 && pipe.revents & POLLIN;
  self->reading.opened (g_steal_fd (&fd), self->reading.user_data);
  watch (task, G_IO_IN | G_IO_HUP);
}

static void
retry_later (GTask *task)
{
  Read *self = g_task_get_task_data (task);
  g_autoptr (GSource) timer = g_timeout_source_new (FIRST_RETRY_MS << self->n_tries++);

  attach (task, timer, on_retry);
}

static void
on_asked (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Read *self = g_task_get_task_data (task);
  const gboolean replaced = clip_offer_is_replaced (self->reading.offer);
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;

  if (!clip_mutter_session_finish (result, &fd, &error) && is_busy (error) &&
      self->n_tries < MAX_TRIES && !replaced)
    retry_later (task);
  else if (error)
    fail (task, CLIP_ERROR_NO_BACKEND, "%s", error->message);
  else if (replaced)
    fail (task, CLIP_ERROR_NO_BACKEND, "the offer was replaced");
  else
    hand_over (task, g_steal_fd (&fd));
}

static void
ask (GTask *task_take)
{
  Read *self = g_task_get_task_data (task_take);

  self->asked_us = g_get_monotonic_time ();
  clip_mutter_session_read_async (self->session, self->reading.mime,
                                  g_task_get_cancellable (task_take), on_asked,
                                  task_take);
}

/**
 * clip_mutter_read:
 * @reading: copied
 * @ended: called with @ended_data just before the task returns: the session is free
 * @task_take: returns the verdict
 *
 * Reads one type of an offer through @session. Errors: as clip_backend_receive_async().
 */
void
clip_mutter_read (ClipMutterSession *session,
                  const ClipMutterReading *reading,
                  GDestroyNotify ended,
                  gpointer ended_data,
                  GTask *task_take)
{
  Read *self = g_new0 (Read, 1);

  self->session = clip_mutter_session_ref (session);
  self->reading = *reading;
  self->reading.mime = g_strdup (reading->mime);
  g_object_ref (reading->offer);
  self->ended = ended;
  self->ended_data = ended_data;
  self->fd = -1;
  g_task_set_task_data (task_take, self, read_free);
  ask (task_take);
}

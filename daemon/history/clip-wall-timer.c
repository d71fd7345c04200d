/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A timeout of the main loop counts the time that the machine is awake, and knows nothing
 * of a clock that is set. This one is the kernel's: it goes off when the clock shows the
 * time, after sleep too, and also when the clock is set, since it is unknown then what is
 * due. While it is not set nothing wakes up.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-wall-timer.h"

#include "clip-fd.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct ClipWallTimer
{
  int fd;
  guint watch;
  ClipWallTimerFunc on_time;
  gpointer user_data;
};

/* reading fails with ECANCELED where the clock was set, which is as good */
static gboolean
on_readable (int fd, GIOCondition condition G_GNUC_UNUSED, gpointer user_data)
{
  ClipWallTimer *self = user_data;
  guint64 times;

  if (read (fd, &times, sizeof times) >= 0 || errno == ECANCELED)
    {
      clip_wall_timer_set (self, 0);
      self->on_time (self->user_data);
    }
  return G_SOURCE_CONTINUE;
}

/* @on_time: called on this main context, also where the clock was set past the moment */
ClipWallTimer *
clip_wall_timer_new (ClipWallTimerFunc on_time, gpointer user_data)
{
  ClipWallTimer *self = g_new0 (ClipWallTimer, 1);

  self->on_time = on_time;
  self->user_data = user_data;
  self->fd = timerfd_create (CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (self->fd >= 0)
    self->watch = g_unix_fd_add (self->fd, G_IO_IN, on_readable, self);
  else
    g_warning ("nothing expires by itself: no timer: %s", g_strerror (errno));
  return self;
}

void
clip_wall_timer_free (ClipWallTimer *self)
{
  if (!self)
    return;
  g_clear_handle_id (&self->watch, g_source_remove);
  clip_fd_clear (&self->fd);
  g_free (self);
}

/**
 * clip_wall_timer_set:
 * @at_us: microseconds since the epoch; 0 = not at all. One that has passed goes off at
 * once.
 */
void
clip_wall_timer_set (ClipWallTimer *self, gint64 at_us)
{
  struct itimerspec when = { 0 };

  /* a value of nothing but zeros would stop it: at the epoch all of them are due */
  if (at_us > 0)
    {
      when.it_value.tv_sec = (time_t) (at_us / G_USEC_PER_SEC);
      when.it_value.tv_nsec = (long) (at_us % G_USEC_PER_SEC) * 1000 + 1;
    }
  if (self->fd >= 0 &&
      timerfd_settime (self->fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when,
                       NULL) < 0 &&
      errno != ECANCELED)
    g_warning ("set timer: %s", g_strerror (errno));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mover of the bytes notes how many, after every chunk, which must cost nothing: so
 * it is a timer that says when to look at the clock and to draw. In cliphist that is a
 * signal, which also wakes the pump where it waits for a slow peer; in cliphist-session
 * the main loop.
 */
#include "clip-progress.h"

#include "clip-bar.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

#define FIRST_US G_USEC_PER_SEC
#define INTERVAL_US (G_USEC_PER_SEC / 5)

#define DEFAULT_COLUMNS 80

/* back to the first column, and away with what is there */
#define ERASE "\r\033[K"

struct ClipProgress
{
  ClipBar bar;
  gint64 first_us; /* monotonic: nothing is shown before */
  guint64 before;  /* bytes of the parts that are over */
  guint64 done;    /* those, and of the present one */
  guint64 total;
  gboolean is_shown;
};

/* the signal's */
static volatile sig_atomic_t is_due;

/* not while we are in the background, nor on the screen of a pager or an editor, who turn
 * off that the terminal edits lines; and never waiting for a terminal that is held */
static gboolean
is_terminal_ours (void)
{
  struct pollfd poller = { .fd = STDERR_FILENO, .events = POLLOUT };
  pid_t group = tcgetpgrp (STDERR_FILENO);
  struct termios modes;

  return (group < 0 || group == getpgrp ()) && tcgetattr (STDERR_FILENO, &modes) == 0 &&
         (modes.c_lflag & ICANON) && poll (&poller, 1, 0) > 0 &&
         (poller.revents & POLLOUT);
}

/* what a pager has drawn over meanwhile is not ours */
static void
erase (void)
{
  ssize_t n G_GNUC_UNUSED;

  if (is_terminal_ours ())
    n = write (STDERR_FILENO, ERASE, strlen (ERASE));
}

static void
on_alarm (int number G_GNUC_UNUSED)
{
  is_due = 1;
}

/**
 * clip_progress_new:
 *
 * Returns: (transfer full) (nullable): %NULL where standard error is no terminal that can
 * erase a line
 */
ClipProgress *
clip_progress_new (void)
{
  ClipProgress *self;
  gint64 now_us;

  if (!isatty (STDERR_FILENO) || g_strcmp0 (g_getenv ("TERM"), "dumb") == 0)
    return NULL;
  self = g_new0 (ClipProgress, 1);
  now_us = g_get_monotonic_time ();
  clip_bar_begin (&self->bar, now_us);
  self->first_us = now_us + FIRST_US;
  return self;
}

static void
set_timer (gint64 first_us, gint64 interval_us)
{
  const struct itimerval timer = {
    .it_value = { first_us / G_USEC_PER_SEC, first_us % G_USEC_PER_SEC },
    .it_interval = { interval_us / G_USEC_PER_SEC, interval_us % G_USEC_PER_SEC },
  };

  setitimer (ITIMER_REAL, &timer, NULL);
}

/**
 * clip_progress_ring:
 *
 * From here on clip_progress_note() draws when it is time. For a program without a main
 * loop: SIGALRM is taken.
 */
void
clip_progress_ring (ClipProgress *self)
{
  const struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };

  if (!self)
    return;
  sigaction (SIGALRM, &action, NULL);
  set_timer (FIRST_US, INTERVAL_US);
}

/* erases what is shown; before anything else is said */
void
clip_progress_free (ClipProgress *self)
{
  if (!self)
    return;
  set_timer (0, 0);
  if (self->is_shown)
    erase ();
  g_free (self);
}

/* @total: bytes in all; 0 = unknown */
void
clip_progress_expect (ClipProgress *self, guint64 total)
{
  if (self)
    self->total = total;
}

/* @done: bytes since the beginning, or since the last clip_progress_end_part() */
void
clip_progress_note (ClipProgress *self, guint64 done)
{
  if (!self)
    return;
  self->done = self->before + done;
  if (!is_due)
    return;
  is_due = 0;
  clip_progress_draw (self);
}

/* of many things one after the other, each of which counts from 0 */
void
clip_progress_end_part (ClipProgress *self)
{
  if (self)
    self->before = self->done;
}

/* asked each time: it may change at any time */
static guint
columns (void)
{
  struct winsize size = { 0 };

  if (ioctl (STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
    return DEFAULT_COLUMNS;
  return size.ws_col;
}

/**
 * clip_progress_draw:
 *
 * Draws, but not before a second has passed, and not before there is anything to tell.
 */
void
clip_progress_draw (ClipProgress *self)
{
  gint64 now_us = g_get_monotonic_time ();
  g_autofree char *line = NULL;
  g_autofree char *text = NULL;
  ssize_t n G_GNUC_UNUSED;

  if (!self || self->done == 0 || now_us < self->first_us || !is_terminal_ours ())
    return;
  clip_bar_update (&self->bar, self->done, self->total, now_us);
  line = clip_bar_line (&self->bar, columns ());
  text = g_strconcat ("\r", line, "\033[K", NULL);
  self->is_shown = TRUE;
  n = write (STDERR_FILENO, text, strlen (text));
}

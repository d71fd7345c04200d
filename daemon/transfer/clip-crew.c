/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-crew.h"

#include "clip-pump.h"

/* disks answer more than one question at a time; four that hang stop the fifth */
#define N_HANDS 4

/* a user has 64 MiB of pipes (pipe-user-pages-soft) before every new one shrinks to a
 * page or two, in every program; we take less than a fifth */
#define PIPE_BYTES (1024 * 1024)
#define N_LARGE_PIPES 12

struct ClipCrew
{
  GThreadPool *hands;
  GCancellable *dismissed;
  int n_large_pipes; /* atomic */
};

/**
 * clip_crew_new:
 * @work: what is done, in a thread of its own, with each pointer pushed
 */
ClipCrew *
clip_crew_new (GFunc work)
{
  ClipCrew *self = g_new0 (ClipCrew, 1);

  self->hands = g_thread_pool_new (work, NULL, N_HANDS, FALSE, NULL);
  self->dismissed = g_cancellable_new ();
  return self;
}

/* waits until all that was pushed is done */
void
clip_crew_free (ClipCrew *self)
{
  if (!self)
    return;
  g_thread_pool_free (self->hands, FALSE, TRUE);
  g_object_unref (self->dismissed);
  g_free (self);
}

void
clip_crew_push (ClipCrew *self, gpointer data)
{
  g_thread_pool_push (self->hands, data, NULL);
}

/* tells every transfer to stop; it is up to them to hear */
void
clip_crew_dismiss (ClipCrew *self)
{
  g_cancellable_cancel (self->dismissed);
}

GCancellable *
clip_crew_dismissed (ClipCrew *self)
{
  return self->dismissed;
}

/**
 * clip_crew_enlarge_pipe:
 * @fd: either end of a pipe, or anything else
 *
 * Makes a pipe hold 1 MiB, where our share of the user's pipes and the system allow it.
 *
 * Returns: whether it does, and clip_crew_release_pipe() is due
 */
gboolean
clip_crew_enlarge_pipe (ClipCrew *self, int fd)
{
  if (g_atomic_int_add (&self->n_large_pipes, 1) < N_LARGE_PIPES &&
      clip_pump_enlarge_pipe (fd, PIPE_BYTES))
    return TRUE;
  clip_crew_release_pipe (self);
  return FALSE;
}

void
clip_crew_release_pipe (ClipCrew *self)
{
  g_atomic_int_add (&self->n_large_pipes, -1);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A user has 64 MiB of pipes (pipe-user-pages-soft) before every new one shrinks to a
 * page or two, in every program. So the pipes that we enlarge are counted, and made small
 * again behind the last byte.
 *
 * The kernel refuses that while a pipe holds more than a small one would: its reader is
 * slow, or stalls, and our end has to be closed all the same, or it would never see the
 * end. Such a pipe still counts. What we keep of it is a descriptor that is no end of it
 * (O_PATH); when the share is used up, that is where to look whether it can be made small
 * by now, or has gone.
 */
#include "clip-pipes.h"

#include "clip-fd.h"
#include "clip-pump.h"

#include <fcntl.h>

#define LARGE_BYTES (1024 * 1024)

/* less than a fifth of what there is */
#define N_LARGE_PIPES 12

typedef struct
{
  int path_fd;
  int former_bytes;
} Leftover;

struct ClipPipes
{
  GMutex mutex;
  guint n_large;     /* guarded by mutex, as is what follows; those that are left, too */
  GArray *leftovers; /* Leftover */
};

static void
leftover_clear (gpointer data)
{
  Leftover *leftover = data;

  clip_fd_clear (&leftover->path_fd);
}

ClipPipes *
clip_pipes_new (void)
{
  ClipPipes *self = g_new0 (ClipPipes, 1);

  g_mutex_init (&self->mutex);
  self->leftovers = g_array_new (FALSE, FALSE, sizeof (Leftover));
  g_array_set_clear_func (self->leftovers, leftover_clear);
  return self;
}

void
clip_pipes_free (ClipPipes *self)
{
  if (!self)
    return;
  g_array_unref (self->leftovers);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* the same pipe through another descriptor, or -1 */
static int
reopen (int fd, int flags)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

  return open (path, flags | O_CLOEXEC);
}

static gboolean
make_small (int fd, int bytes)
{
  return fcntl (fd, F_GETPIPE_SZ) <= bytes || fcntl (fd, F_SETPIPE_SZ, bytes) >= 0;
}

/* a pipe that has gone opens as a new one, which is small. One that cannot be opened is
 * not ours to wait for. */
static gboolean
is_small_by_now (const Leftover *leftover)
{
  clip_autofd int fd = reopen (leftover->path_fd, O_RDONLY | O_NONBLOCK);

  return fd < 0 || make_small (fd, leftover->former_bytes);
}

static void
look_after_leftovers (ClipPipes *self)
{
  for (guint i = self->leftovers->len; i-- > 0;)
    if (is_small_by_now (&g_array_index (self->leftovers, Leftover, i)))
      {
        g_array_remove_index_fast (self->leftovers, i);
        self->n_large--;
      }
}

/**
 * clip_pipes_enlarge:
 * @fd: either end of a pipe, or anything else
 * @out_loan: (out): what to release, before @fd is closed
 *
 * Makes a pipe hold 1 MiB, where our share of the user's pipes and the system allow it. A
 * pipe that is as large already is its maker's.
 *
 * Returns: whether it was enlarged
 */
gboolean
clip_pipes_enlarge (ClipPipes *self, int fd, ClipPipeLoan *out_loan)
{
  int present = fcntl (fd, F_GETPIPE_SZ);
  gboolean is_enlarged = FALSE;

  *out_loan = (ClipPipeLoan){ 0 };
  if (present < 0 || present >= LARGE_BYTES)
    return FALSE;
  g_mutex_lock (&self->mutex);
  if (self->n_large >= N_LARGE_PIPES)
    look_after_leftovers (self);
  if (self->n_large < N_LARGE_PIPES)
    is_enlarged = clip_pump_enlarge_pipe (fd, LARGE_BYTES);
  self->n_large += is_enlarged;
  g_mutex_unlock (&self->mutex);
  if (is_enlarged)
    *out_loan = (ClipPipeLoan){ .fd = fd, .former_bytes = present };
  return is_enlarged;
}

/* @loan: (inout): of a pipe that is open; none is none */
void
clip_pipes_release (ClipPipes *self, ClipPipeLoan *loan)
{
  Leftover leftover = { .path_fd = -1, .former_bytes = loan->former_bytes };

  if (loan->former_bytes == 0)
    return;
  if (!make_small (loan->fd, loan->former_bytes))
    leftover.path_fd = reopen (loan->fd, O_PATH);
  *loan = (ClipPipeLoan){ 0 };
  g_mutex_lock (&self->mutex);
  if (leftover.path_fd >= 0)
    g_array_append_val (self->leftovers, leftover);
  else
    self->n_large--;
  g_mutex_unlock (&self->mutex);
}

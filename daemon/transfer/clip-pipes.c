/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A user has 64 MiB of pipes (pipe-user-pages-soft) before every new one shrinks to a
 * page or two, in every program. So the pipes that we enlarge are counted, made small
 * again behind the last byte, and take less than half of that. The first to come get 1
 * MiB; when those are gone there is room for chunks, which costs a crowd a quarter of the
 * wake-ups that a pipe as it comes does. The rest is for contents that are soon through,
 * however many long ones there are.
 *
 * The kernel refuses that while a pipe holds more than a small one would: its reader is
 * slow, or stalls, and our end has to be closed all the same, or it would never see the
 * end. Such a pipe still counts. What we keep of it is a descriptor that is no end of it
 * (O_PATH); when the share is used up, that is where to look whether it can be made small
 * by now, or has gone. A pipe that has a name is not enlarged: it can only be looked at
 * by being its reader for a moment, which is what another program's open(2) may wait for.
 */
#include "clip-pipes.h"

#include "clip-fd.h"
#include "clip-pump.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define KIB 1024
#define MIB (1024 * 1024)

typedef struct
{
  int bytes;
  int until; /* no more than so much of our share may be taken afterwards */
  gboolean only_short;
} PipeSize;

static const PipeSize pipe_sizes[] = {
  { MIB, 31 * MIB, TRUE },
  { MIB, 4 * MIB, FALSE },
  { 256 * KIB, 28 * MIB, FALSE },
};

typedef struct
{
  int path_fd;
  int former_bytes;
  int bytes;
} Leftover;

struct ClipPipes
{
  GMutex mutex;
  int taken;         /* guarded by mutex, as is what follows: in bytes, with leftovers */
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
    {
      const Leftover *leftover = &g_array_index (self->leftovers, Leftover, i);

      if (!is_small_by_now (leftover))
        continue;
      self->taken -= leftover->bytes;
      g_array_remove_index_fast (self->leftovers, i);
    }
}

/* asked of the kernel alone: a file system may take for ever to say what kind it is */
static gboolean
is_nameless (int fd)
{
  static const char prefix[] = { 'p', 'i', 'p', 'e', ':', '[' };
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  char target[sizeof prefix];

  return readlink (path, target, sizeof target) == sizeof target &&
         memcmp (target, prefix, sizeof prefix) == 0;
}

static gboolean
has_room (ClipPipes *self, const PipeSize *size, int more)
{
  if (self->taken + more > size->until)
    look_after_leftovers (self);
  return self->taken + more <= size->until;
}

static gboolean
try_size (ClipPipes *self, int fd, const PipeSize *size, ClipPipeLoan *loan)
{
  int present = fcntl (fd, F_GETPIPE_SZ);
  int more = size->bytes - loan->bytes;

  if (present < 0 || present >= size->bytes || !has_room (self, size, more) ||
      !clip_pump_enlarge_pipe (fd, size->bytes))
    return FALSE;
  self->taken += more;
  loan->fd = fd;
  loan->bytes = size->bytes;
  loan->former_bytes = loan->former_bytes ?: present;
  return TRUE;
}

/**
 * clip_pipes_enlarge:
 * @fd: either end of a pipe, or anything else
 * @is_short: whether no more than %CLIP_SHORT_BYTES will go through it
 * @loan: (inout): what to release, before @fd is closed; of no pipe, or of this one
 *
 * Makes a pipe hold 1 MiB, or at least 256 KiB, where our share of the user's pipes and
 * the system allow it. A pipe that is as large already is its maker's, one that has a
 * name everybody's. Others give theirs back as they end: ask again now and then.
 *
 * Returns: whether it was enlarged
 */
gboolean
clip_pipes_enlarge (ClipPipes *self, int fd, gboolean is_short, ClipPipeLoan *loan)
{
  gboolean is_enlarged = FALSE;

  if ((loan->bytes > 0 && loan->fd != fd) || !is_nameless (fd))
    return FALSE;
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < G_N_ELEMENTS (pipe_sizes) && !is_enlarged; i++)
    if (is_short || !pipe_sizes[i].only_short)
      is_enlarged = try_size (self, fd, &pipe_sizes[i], loan);
  g_mutex_unlock (&self->mutex);
  return is_enlarged;
}

/* @loan: (inout): of a pipe that is open; none is none */
void
clip_pipes_release (ClipPipes *self, ClipPipeLoan *loan)
{
  Leftover leftover = { -1, loan->former_bytes, loan->bytes };

  if (loan->bytes == 0)
    return;
  if (!make_small (loan->fd, loan->former_bytes))
    leftover.path_fd = reopen (loan->fd, O_PATH);
  *loan = (ClipPipeLoan){ 0 };
  g_mutex_lock (&self->mutex);
  if (leftover.path_fd >= 0)
    g_array_append_val (self->leftovers, leftover);
  else
    self->taken -= leftover.bytes;
  g_mutex_unlock (&self->mutex);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes from one descriptor to another, a chunk at a time.
 *
 * A pump is asked to step; it moves what can be moved right now and says what it needs
 * next: another step, input, room, or nothing more. It never waits for a peer, keeps no
 * clock and starts no thread, so its driver decides about all three: a GSource on
 * a transfer thread (clip-pump-source), clip_pump_run() in the command, a test.
 *
 * The bytes stay in the kernel wherever the two ends allow it (clip-move-method), and a
 * source that is a file is read by offset, so that one open blob serves any number of
 * readers.
 */
#include "clip-pump.h"

#include "clip-error.h"
#include "clip-move-method.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>

struct ClipPump
{
  ClipFlow flow;
  const ClipMoveMethod *method;
  goffset size;
  goffset limit;
  gboolean reader_left;
  ClipPumpProgress progress;
  gpointer progress_data;
  gboolean sink_in_memory;
};

/**
 * clip_pump_new:
 * @source_fd: where the bytes come from, borrowed
 * @sink_fd: where they go, borrowed
 * @size: how many there are, in bytes, or %CLIP_TO_END
 * @limit: the most that is accepted, in bytes; 0 = anything
 *
 * Makes a pump between any two descriptors; what they are is found out here, whether they
 * are any good shows at the first step. Both must stay open for as long as the pump
 * lives.
 *
 * A file is read from its present offset, which stays as it is; a file is written at its
 * present offset, which moves along. No flag of either descriptor is changed.
 *
 * A source that goes on after @size bytes is left there. One that goes on after @limit
 * bytes fails, and the sink has then got one byte more than @limit.
 *
 * Returns: (transfer full): the pump, free with clip_pump_free()
 */
ClipPump *
clip_pump_new (int source_fd, int sink_fd, goffset size, goffset limit)
{
  ClipPump *self = g_new0 (ClipPump, 1);

  clip_end_init_source (&self->flow.source, source_fd);
  clip_end_init_sink (&self->flow.sink, sink_fd);
  /* a file into a file is the file system's own business: it may have nothing to read */
  if (self->flow.sink.kind != CLIP_END_FILE)
    clip_end_expect_all (&self->flow.source);
  self->method = clip_move_method_first (&self->flow);
  self->size = size;
  self->limit = limit;
  return self;
}

/**
 * clip_pump_new_bytes:
 * @bytes: a content in memory; the pump takes a reference
 * @sink_fd: where it goes, borrowed
 *
 * Returns: (transfer full): a pump as of clip_pump_new(), without a source to wait for
 */
ClipPump *
clip_pump_new_bytes (GBytes *bytes, int sink_fd)
{
  ClipPump *self = g_new0 (ClipPump, 1);

  self->flow.bytes = g_bytes_ref (bytes);
  self->flow.source = (ClipEnd){ .fd = -1, .kind = CLIP_END_BYTES, .bounce_fd = -1 };
  clip_end_init_sink (&self->flow.sink, sink_fd);
  self->method = clip_move_method_first (&self->flow);
  self->size = (goffset) g_bytes_get_size (bytes);
  return self;
}

/**
 * clip_pump_free:
 * @self: (nullable): a pump, whether it has ended or not
 *
 * The descriptors stay open: they are the caller's.
 */
void
clip_pump_free (ClipPump *self)
{
  if (!self)
    return;
  clip_end_clear (&self->flow.source);
  clip_end_clear (&self->flow.sink);
  g_clear_pointer (&self->flow.bytes, g_bytes_unref);
  g_free (self->flow.buffer);
  g_free (self);
}

static gboolean
is_complete (const ClipPump *self)
{
  return self->flow.moved == self->size;
}

static gboolean
is_too_large (const ClipPump *self)
{
  return self->limit > 0 && MAX (self->size, self->flow.moved) > self->limit;
}

static ClipStep
fail_too_large (const ClipPump *self, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE,
               "move content: larger than %" G_GOFFSET_FORMAT " bytes", self->limit);
  return CLIP_STEP_FAILED;
}

/* one byte beyond the limit is asked for: there is no other way of knowing that nothing
 * follows */
static gsize
wanted (const ClipPump *self)
{
  goffset most = (goffset) CLIP_CHUNK;

  if (self->size != CLIP_TO_END)
    most = MIN (most, self->size - self->flow.moved);
  if (self->limit > 0)
    most = MIN (most, self->limit - self->flow.moved + 1);
  return (gsize) most;
}

static ClipStep
advance (ClipPump *self, gssize n, GError **error)
{
  self->flow.moved += n;
  if (is_too_large (self))
    return fail_too_large (self, error);
  return is_complete (self) ? CLIP_STEP_DONE : CLIP_STEP_MORE;
}

static ClipStep
end_of_source (ClipPump *self, GError **error)
{
  if (self->size == CLIP_TO_END)
    return CLIP_STEP_DONE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "move content: it ends after %" G_GOFFSET_FORMAT " of %" G_GOFFSET_FORMAT
               " bytes",
               self->flow.moved, self->size);
  return CLIP_STEP_FAILED;
}

/* EAGAIN does not say which end has to wait: the source, unless it has something. No
 * step waits for a file: to poll one may take as long as the program that serves it
 * likes. */
static ClipStep
find_waiting_end (const ClipPump *self, GError **error)
{
  const ClipEnd *source = &self->flow.source;
  gboolean out = self->flow.n_carried > 0 || source->kind == CLIP_END_BYTES ||
                 source->kind == CLIP_END_FILE || clip_end_is_ready (source, POLLIN);

  if (!out)
    return CLIP_STEP_WAIT_IN;
  if (self->flow.sink.kind != CLIP_END_FILE)
    return CLIP_STEP_WAIT_OUT;
  if (source->kind != CLIP_END_FILE && source->kind != CLIP_END_BYTES)
    return CLIP_STEP_WAIT_IN;
  clip_set_errno (error, EAGAIN, "move content by %s", self->method->name);
  return CLIP_STEP_FAILED;
}

/* the reasons for which a method cannot be used between two ends that another may
 * connect */
static gboolean
is_refusal (int reason)
{
  return reason == EINVAL || reason == ENOSYS || reason == EXDEV ||
         reason == EOPNOTSUPP || reason == EBADF;
}

static ClipStep
step_down (ClipPump *self, int reason, GError **error)
{
  const ClipMoveMethod *next =
      is_refusal (reason) ? clip_move_method_next (self->method, &self->flow) : NULL;

  if (next)
    {
      self->method = next;
      return CLIP_STEP_MORE;
    }
  clip_set_errno (error, reason, "move content by %s", self->method->name);
  return CLIP_STEP_FAILED;
}

static ClipStep
interpret (ClipPump *self, int reason, GError **error)
{
  switch (reason)
    {
    case EINTR:
      return CLIP_STEP_MORE;
    case EAGAIN:
      return find_waiting_end (self, error);
    case EPIPE:
      self->reader_left = TRUE;
      return CLIP_STEP_DONE;
    default:
      return step_down (self, reason, error);
    }
}

/**
 * clip_pump_step:
 *
 * Moves at most one chunk (256 KiB), as much as goes without waiting for a peer. Where a
 * way between the two ends turns out not to exist, the step moves nothing and the next
 * one tries another method, at the same byte.
 *
 * A reader that leaves has taken what it needed: that is %CLIP_STEP_DONE, and
 * clip_pump_reader_left() tells. (A pipe's reader leaving also raises SIGPIPE, which a
 * daemon ignores.) Otherwise %CLIP_STEP_DONE means that every byte is in the sink. After
 * %CLIP_STEP_DONE and %CLIP_STEP_FAILED there is no further step; but where a sink had no
 * space, nothing is lost, and one goes on at that byte.
 *
 * Errors: %CLIP_ERROR_CORRUPT when the source ends before its announced size,
 * %CLIP_ERROR_TOO_LARGE beyond the limit, at the first step where the announced size is
 * beyond it; %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR for anything the system says about
 * either end.
 *
 * Returns: what the pump needs next; with %CLIP_STEP_FAILED, @error is set
 */
ClipStep
clip_pump_step (ClipPump *self, GError **error)
{
  gssize n;

  if (is_too_large (self))
    return fail_too_large (self, error);
  if (is_complete (self))
    return CLIP_STEP_DONE;
  n = self->method->move (&self->flow, wanted (self));
  if (n > 0)
    return advance (self, n, error);
  if (n == 0)
    return end_of_source (self, error);
  return interpret (self, errno, error);
}

/**
 * clip_pump_moved:
 *
 * Returns: the bytes that have reached the sink so far
 */
goffset
clip_pump_moved (const ClipPump *self)
{
  return self->flow.moved;
}

/**
 * clip_pump_reader_left:
 *
 * Returns: whether the pump ended because the sink has no reader any more
 */
gboolean
clip_pump_reader_left (const ClipPump *self)
{
  return self->reader_left;
}

/**
 * clip_pump_method:
 *
 * Returns: (transfer none): the method in use: `splice`, `copy_file_range`, `sendfile`,
 * `read/write`, or `write` for bytes
 */
const char *
clip_pump_method (const ClipPump *self)
{
  return self->method->name;
}

/* the sink is a file that lies on no disk */
void
clip_pump_set_sink_in_memory (ClipPump *self)
{
  self->sink_in_memory = TRUE;
}

/**
 * clip_pump_may_block:
 *
 * A step waits for no peer, but it may wait for a disk: where the page cache lacks the
 * next bytes of a file, and where the sink is one; a device that cannot be asked counts
 * too. A thread that steps many pumps in turn lets another do those steps. What comes
 * from a pipe or a socket does not count: taking it in is what a capture thread is for.
 *
 * Returns: whether the next step may hold up its thread
 */
gboolean
clip_pump_may_block (ClipPump *self)
{
  ClipEnd *source = &self->flow.source;
  goffset left = self->size == CLIP_TO_END ? G_MAXOFFSET : self->size - self->flow.moved;

  if (source->kind & (CLIP_END_PIPE | CLIP_END_SOCKET))
    return FALSE;
  if (source->kind == CLIP_END_FILE &&
      !clip_end_is_cached (source, self->flow.moved, left))
    return TRUE;
  if (source->kind == CLIP_END_DEVICE)
    return TRUE;
  return !self->sink_in_memory && clip_end_may_block (&self->flow.sink);
}

/**
 * clip_pump_set_progress:
 * @progress: (nullable): told by clip_pump_run_until(), on its thread. It keeps its own
 * clock, and as seldom as it can: this is called for every chunk.
 *
 * A signal that is caught while the pump waits for a peer is a step without bytes.
 */
void
clip_pump_set_progress (ClipPump *self, ClipPumpProgress progress, gpointer user_data)
{
  self->progress = progress;
  self->progress_data = user_data;
}

/* what a driver that sleeps remembers between two steps */
typedef struct
{
  goffset moved; /* so far, when it had to wait */
  gint64 deadline_us;
  int idle_ms;
  int stop_fd;
} Wait;

static gboolean
is_stopped (const Wait *wait, GError **error)
{
  struct pollfd poller = { .fd = wait->stop_fd, .events = POLLIN };

  if (wait->stop_fd < 0 || poll (&poller, 1, 0) <= 0)
    return FALSE;
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CANCELLED, "move content: stopped");
  return TRUE;
}

static gboolean
fail_stalled (const Wait *wait, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_STALLED,
               "move content: no byte moved for %d ms", wait->idle_ms);
  return FALSE;
}

/* in milliseconds, as poll(2) wants it; never early */
static int
time_left (const Wait *wait)
{
  gint64 left_us = wait->deadline_us - g_get_monotonic_time ();

  return wait->idle_ms > 0 ? (int) ((MAX (left_us, 0) + 999) / 1000) : -1;
}

/* a peer that is running is quicker than a sleep: the first time, others get the
 * processor and the pump another try */
static gboolean
wait_for (const ClipPump *self, Wait *wait, int fd, short events, GError **error)
{
  struct pollfd pollers[] = { { .fd = fd, .events = events },
                              { .fd = wait->stop_fd, .events = POLLIN } };

  if (wait->moved != self->flow.moved)
    {
      wait->moved = self->flow.moved;
      wait->deadline_us = g_get_monotonic_time () + (gint64) wait->idle_ms * 1000;
      sched_yield ();
      return TRUE;
    }
  return poll (pollers, 2, time_left (wait)) != 0 || fail_stalled (wait, error);
}

static ClipStep
step_and_tell (ClipPump *self, GError **error)
{
  ClipStep step = clip_pump_step (self, error);

  if (self->progress)
    self->progress (self->flow.moved, self->progress_data);
  return step;
}

/**
 * clip_pump_run_until:
 * @idle_ms: how long no byte may move, in milliseconds; 0 = for ever
 * @stop_fd: ends it as soon as there is something to read; -1 = none
 *
 * Steps until the end, and sleeps where there is nothing to move. Blocks: for threads
 * that have nothing else to do.
 *
 * Errors: those of clip_pump_step(); %CLIP_ERROR_STALLED, %CLIP_ERROR_CANCELLED.
 */
gboolean
clip_pump_run_until (ClipPump *self, int idle_ms, int stop_fd, GError **error)
{
  Wait wait = { .moved = -1, .idle_ms = idle_ms, .stop_fd = stop_fd };

  while (!is_stopped (&wait, error))
    switch (step_and_tell (self, error))
      {
      case CLIP_STEP_MORE:
        break;
      case CLIP_STEP_WAIT_IN:
        if (!wait_for (self, &wait, self->flow.source.fd, POLLIN, error))
          return FALSE;
        break;
      case CLIP_STEP_WAIT_OUT:
        if (!wait_for (self, &wait, self->flow.sink.fd, POLLOUT, error))
          return FALSE;
        break;
      case CLIP_STEP_DONE:
        return TRUE;
      case CLIP_STEP_FAILED:
      default:
        return FALSE;
      }
  return FALSE;
}

/**
 * clip_pump_run:
 *
 * As clip_pump_run_until(), for the command: nothing but a signal stops it.
 */
gboolean
clip_pump_run (ClipPump *self, int idle_ms, GError **error)
{
  return clip_pump_run_until (self, idle_ms, -1, error);
}

/**
 * clip_pump_enlarge_pipe:
 * @fd: either end of a pipe, or anything else
 * @bytes: how much it should hold
 *
 * Asks for a larger pipe; an unprivileged user gets at most /proc/sys/fs/pipe-max-size
 * each, and only so many pages in all. A pipe that already holds as much stays as it is,
 * and so does one that the system will not enlarge; what is in it is kept.
 *
 * Returns: whether @fd is a pipe that holds @bytes now
 */
gboolean
clip_pump_enlarge_pipe (int fd, int bytes)
{
  int present = fcntl (fd, F_GETPIPE_SZ);

  if (present < 0 || present >= bytes)
    return present >= bytes;
  return fcntl (fd, F_SETPIPE_SZ, bytes) >= bytes;
}

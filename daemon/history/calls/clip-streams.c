/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stream reads a part, waits until its reader has it, and reads the next one: from the
 * disk and for a peer in turn, as often as there are entries. On the main loop each turn
 * would cost three wake-ups, and the threads that transfers share must not wait for a
 * disk; so each stream has a thread of its own, which does one thing after the other.
 *
 * A reader may be slow to take the next byte. Meanwhile its stream holds a part, and a
 * connection that remembers nothing of what it has read.
 *
 * It touches nothing that belongs to the main loop. What stops it is a cancellable: its
 * caller's, which is cancelled for all when the history closes.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-streams.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-pump.h"

#define DEFAULT_IDLE_MS 30000

/* how long the end waits for a thread that a file system may hold for ever */
#define PATIENCE_US (2 * G_USEC_PER_SEC)

struct ClipStreams
{
  char *dir;
  ClipTransfers *transfers; /* borrowed: outlives us */
  GMutex mutex;
  GCond has_ended;    /* a thread */
  GPtrArray *running; /* GCancellable; guarded by mutex */
  guint n_threads;    /* guarded by mutex */
  gboolean is_left;   /* guarded by mutex: what comes back finds nothing any more */
};

/* the thread's, until the task returns */
typedef struct
{
  ClipStreams *streams;
  ClipStreamJob job;
  GCancellable *cancellable;
  ClipReader *reader; /* (nullable): once something is read */
  int stop_fd;
  goffset moved;
  gboolean reader_left;
  ClipPart part; /* what of it has not been begun */
  ClipPipeLoan large_pipe;
} Stream;

static void
stream_free (Stream *self)
{
  clip_fd_clear_foreign (&self->job.sink_fd);
  clip_part_clear (&self->part);
  g_object_unref (self->cancellable);
  g_free (self);
}

static void
on_moved (goffset moved, gpointer user_data)
{
  Stream *self = user_data;

  clip_transfer_progress_advance (self->job.progress, self->moved + moved);
}

static gboolean
run_pump (Stream *self, ClipPump *pump, GError **error)
{
  gboolean fine;

  if (self->job.progress)
    clip_pump_set_progress (pump, on_moved, self);
  fine = clip_pump_run_until (pump, (int) self->job.idle_ms, self->stop_fd, error);
  self->reader_left = clip_pump_reader_left (pump);
  self->moved += clip_pump_moved (pump);
  return fine;
}

static gboolean
write_bytes (Stream *self, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (self->part.data, self->part.length);
  g_autoptr (ClipPump) pump = clip_pump_new_bytes (bytes, self->job.sink_fd);

  self->part.length = 0;
  return run_pump (self, pump, error);
}

static gboolean
write_file (Stream *self, GError **error)
{
  clip_autofd int fd = g_steal_fd (&self->part.fd);
  g_autoptr (ClipPump) pump =
      clip_pump_new (fd, self->job.sink_fd, self->part.size, self->part.size);

  return run_pump (self, pump, error);
}

/* more than a pipe holds by itself, at least */
static void
try_large_pipe (Stream *self)
{
  if (self->moved == 0 && (self->part.fd >= 0 || self->part.length >= CLIP_JOIN_BYTES))
    clip_pipes_enlarge (clip_transfers_pipes (self->streams->transfers),
                        self->job.sink_fd, FALSE, &self->large_pipe);
}

/* FALSE: there is none, or the error is set */
static gboolean
read_part (Stream *self, GError **error)
{
  gboolean more;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (!self->reader)
    self->reader = clip_reader_open (self->streams->dir, error);
  if (!self->reader ||
      !self->job.next (self->job.source, self->reader, &self->part, &more, error))
    return FALSE;
  clip_reader_forget (self->reader);
  if (!more)
    {
      clip_transfer_progress_end (self->job.progress);
      return FALSE;
    }
  try_large_pipe (self);
  return TRUE;
}

/* whether there is another one; FALSE also where the error is set */
static gboolean
take_step (Stream *self, GError **error)
{
  if (self->reader_left)
    return FALSE;
  if (self->part.length > 0)
    return write_bytes (self, error);
  if (self->part.fd >= 0)
    return write_file (self, error);
  return read_part (self, error);
}

/* to its end, or until the error is set */
static void
run_job (Stream *self, GError **error)
{
  if (self->job.run)
    self->job.run (self->job.source, self->stop_fd, error);
  else
    while (take_step (self, error))
      ;
}

/* the sink is closed before the caller hears that it is complete */
static void
end (Stream *self)
{
  if (self->stop_fd >= 0)
    g_cancellable_release_fd (self->cancellable);
  clip_pipes_release (clip_transfers_pipes (self->streams->transfers), &self->large_pipe);
  clip_fd_clear_foreign (&self->job.sink_fd);
  g_clear_pointer (&self->reader, clip_reader_free);
  g_mutex_lock (&self->streams->mutex);
  g_ptr_array_remove_fast (self->streams->running, self->cancellable);
  g_mutex_unlock (&self->streams->mutex);
}

static gboolean
is_left (ClipStreams *self)
{
  gboolean left;

  g_mutex_lock (&self->mutex);
  left = self->is_left;
  g_mutex_unlock (&self->mutex);
  return left;
}

static void
end_thread (ClipStreams *self)
{
  g_mutex_lock (&self->mutex);
  self->n_threads--;
  g_cond_signal (&self->has_ended);
  g_mutex_unlock (&self->mutex);
}

static gpointer
run_on_thread (gpointer data)
{
  GTask *task = data;
  Stream *self = g_task_get_task_data (task);
  ClipStreams *streams = self->streams;
  GError *error = NULL;

  run_job (self, &error);
  if (is_left (streams))
    return NULL;
  end (self);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, self->moved);
  g_object_unref (task);
  end_thread (streams);
  return NULL;
}

/**
 * clip_streams_new:
 * @dir: of the history
 * @transfers: borrowed; must live as long
 */
ClipStreams *
clip_streams_new (const char *dir, ClipTransfers *transfers)
{
  ClipStreams *self = g_new0 (ClipStreams, 1);

  self->dir = g_strdup (dir);
  self->transfers = transfers;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->has_ended);
  self->running = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

static void
cancel_all (ClipStreams *self)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->running->len; i++)
    g_cancellable_cancel (g_ptr_array_index (self->running, i));
  g_mutex_unlock (&self->mutex);
}

static gboolean
await_threads (ClipStreams *self)
{
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

  g_mutex_lock (&self->mutex);
  while (self->n_threads > 0 &&
         g_cond_wait_until (&self->has_ended, &self->mutex, until_us))
    ;
  self->is_left = self->n_threads > 0;
  g_mutex_unlock (&self->mutex);
  return !self->is_left;
}

/**
 * clip_streams_free:
 * @self: (nullable): no thread may be calling it any more
 *
 * Stops the threads and waits for them, but not for ever: what hangs for two seconds is
 * left behind, with what it needs, as the process ends. What still ran ends with
 * %G_IO_ERROR_CANCELLED; those callbacks come later.
 */
void
clip_streams_free (ClipStreams *self)
{
  if (!self)
    return;
  cancel_all (self);
  if (!await_threads (self))
    {
      g_info ("a stream hangs: left behind");
      return;
    }
  g_cond_clear (&self->has_ended);
  g_ptr_array_unref (self->running);
  g_mutex_clear (&self->mutex);
  g_free (self->dir);
  g_free (self);
}

/* @cancellable: (transfer none). Errors: %CLIP_ERROR_LIMITS. */
static gboolean
begin (ClipStreams *self, GCancellable *cancellable, GError **error)
{
  gboolean fits;

  g_mutex_lock (&self->mutex);
  fits = self->running->len < CLIP_STREAMS_MAX;
  if (fits)
    g_ptr_array_add (self->running, g_object_ref (cancellable));
  g_mutex_unlock (&self->mutex);
  if (!fits)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS,
                 "%d streams are under way: try again when one has ended",
                 CLIP_STREAMS_MAX);
  return fits;
}

static void
start (ClipStreams *self, GTask *task_take)
{
  Stream *stream = g_task_get_task_data (task_take);
  g_autoptr (GTask) task = task_take;
  g_autoptr (GThread) thread = NULL;
  GError *error = NULL;

  stream->stop_fd = g_cancellable_get_fd (stream->cancellable);
  g_mutex_lock (&self->mutex);
  self->n_threads++;
  g_mutex_unlock (&self->mutex);
  thread = g_thread_try_new ("clip-stream", run_on_thread, task, &error);
  if (thread)
    {
      g_steal_pointer (&task);
      return;
    }
  end_thread (self);
  end (stream);
  g_task_return_error (task, error);
}

/**
 * clip_streams_run_async:
 * @job: copied; its descriptor is the stream's from here on, also on failure
 * @cancellable: ends the stream with %G_IO_ERROR_CANCELLED
 * @callback: called on the caller's thread-default context, the descriptor closed
 *
 * Writes what the source of @job says, until its end. A reader that leaves has taken what
 * it needed.
 *
 * Errors: %CLIP_ERROR_LIMITS, %CLIP_ERROR_STALLED, %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR,
 * and those of the source.
 */
void
clip_streams_run_async (ClipStreams *self,
                        const ClipStreamJob *job,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Stream *stream = g_new0 (Stream, 1);
  GError *error = NULL;

  g_task_set_source_tag (task, clip_streams_run_async);
  *stream = (Stream){ .streams = self, .job = *job, .part = { .fd = -1 }, .stop_fd = -1 };
  stream->job.idle_ms = job->idle_ms ?: DEFAULT_IDLE_MS;
  stream->cancellable = cancellable ? g_object_ref (cancellable) : g_cancellable_new ();
  g_task_set_task_data (task, stream, (GDestroyNotify) stream_free);
  if (begin (self, stream->cancellable, &error))
    start (self, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

/* Returns: the bytes written, or -1 */
goffset
clip_streams_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

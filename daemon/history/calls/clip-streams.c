/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stream reads a part, waits until its reader has it, and reads the next one: from the
 * disk and for a peer in turn, as often as there are entries. On the main loop each turn
 * would cost three wake-ups, and the threads that transfers share must not wait for a
 * disk; so each stream has a thread of its own, which does one thing after the other.
 *
 * A reader may stop for as long as it likes to take the next byte. What its stream holds
 * goes then: the connection, whose cache is the most of it, and what was read ahead,
 * which waits in a file without a name. So does the thread, as the allocator keeps small
 * pieces for each until it ends; one that has never held anything waits in its place.
 *
 * It touches nothing that belongs to the main loop. What stops it is a cancellable: its
 * caller's, which is cancelled for all when the history closes.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-streams.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-heap.h"
#include "clip-pump.h"

#include <fcntl.h>
#include <sys/stat.h>

#define DEFAULT_IDLE_MS 30000

/* how long the end waits for a thread that a file system may hold for ever */
#define PATIENCE_US (2 * G_USEC_PER_SEC)

/* a reader that is at work takes something sooner; to connect again costs about a
 * millisecond */
#define DEFAULT_PATIENCE_MS 100

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
  ClipReader *reader; /* (nullable): while there is something to be read */
  int stop_fd;
  goffset moved;
  gboolean reader_left;
  gboolean is_lean; /* holds nothing that can be had again */
  ClipPart part;    /* what of it has not been begun */
  ClipPump *rest;   /* (nullable): what a slow reader still has to take, out of rest_fd */
  int rest_fd;
  GThread *former; /* (nullable): hands over, and ends */
  ClipPipeLoan large_pipe;
} Stream;

typedef enum
{
  STEP_MORE,
  STEP_SLOW, /* the rest is for another thread */
  STEP_DONE,
  STEP_FAILED,
} Step;

static void
stream_free (Stream *self)
{
  clip_fd_clear_foreign (&self->job.sink_fd);
  clip_part_clear (&self->part);
  g_clear_pointer (&self->rest, clip_pump_free);
  clip_fd_clear (&self->rest_fd);
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
run_pump (Stream *self, ClipPump *pump, guint idle_ms, GError **error)
{
  gboolean fine;

  if (self->job.progress)
    clip_pump_set_progress (pump, on_moved, self);
  fine = clip_pump_run_until (pump, (int) idle_ms, self->stop_fd, error);
  self->reader_left = clip_pump_reader_left (pump);
  return fine;
}

/* the first time that the reader lets us wait; it says how much has gone by then */
static gboolean
run_patiently (Stream *self, ClipPump *pump, gboolean *out_slow, GError **error)
{
  guint idle_ms = MIN (self->job.patience_ms, self->job.idle_ms);
  g_autoptr (GError) local = NULL;

  *out_slow = FALSE;
  if (self->is_lean)
    return run_pump (self, pump, self->job.idle_ms, error);
  if (run_pump (self, pump, idle_ms, &local))
    return TRUE;
  *out_slow = g_error_matches (local, CLIP_ERROR, CLIP_ERROR_STALLED);
  if (!*out_slow)
    g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static void
become_lean (Stream *self)
{
  g_clear_pointer (&self->reader, clip_reader_free);
  if (self->job.release)
    self->job.release (self->job.source);
  self->is_lean = TRUE;
  clip_heap_trim ();
}

/* Returns: a file without a name that holds this, or -1: there is no room for it, or its
 * file system has no such files */
static int
set_aside (const Stream *self, const void *data, gsize length)
{
  clip_autofd int fd =
      open (self->streams->dir, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);

  if (fd < 0 || !clip_write_all (fd, data, length, NULL) || lseek (fd, 0, SEEK_SET) < 0)
    return -1;
  return g_steal_fd (&fd);
}

static Step
write_bytes (Stream *self, GError **error)
{
  gsize length = self->part.length;
  g_autoptr (GBytes) bytes = g_bytes_new_static (self->part.data, length);
  g_autoptr (ClipPump) pump = clip_pump_new_bytes (bytes, self->job.sink_fd);
  gboolean is_slow;
  gboolean fine = run_patiently (self, pump, &is_slow, error);
  gsize moved = (gsize) clip_pump_moved (pump);

  if (is_slow)
    self->rest_fd =
        set_aside (self, (const char *) self->part.data + moved, length - moved);
  if (is_slow && self->rest_fd < 0)
    fine = run_pump (self, pump, self->job.idle_ms, error);
  self->moved += clip_pump_moved (pump);
  self->part.length = 0;
  if (self->rest_fd < 0)
    return fine ? STEP_MORE : STEP_FAILED;
  self->rest = clip_pump_new (self->rest_fd, self->job.sink_fd,
                              (goffset) (length - moved), (goffset) (length - moved));
  return STEP_SLOW;
}

static Step
write_rest (Stream *self, GError **error)
{
  gboolean fine = run_pump (self, self->rest, self->job.idle_ms, error);

  self->moved += clip_pump_moved (self->rest);
  g_clear_pointer (&self->rest, clip_pump_free);
  clip_fd_clear (&self->rest_fd);
  return fine ? STEP_MORE : STEP_FAILED;
}

static Step
write_file (Stream *self, GError **error)
{
  gboolean is_slow, fine;

  self->rest_fd = g_steal_fd (&self->part.fd);
  self->rest =
      clip_pump_new (self->rest_fd, self->job.sink_fd, self->part.size, self->part.size);
  fine = run_patiently (self, self->rest, &is_slow, error);
  if (is_slow)
    return STEP_SLOW;
  self->moved += clip_pump_moved (self->rest);
  g_clear_pointer (&self->rest, clip_pump_free);
  clip_fd_clear (&self->rest_fd);
  return fine ? STEP_MORE : STEP_FAILED;
}

/* more than a pipe holds by itself, at least */
static void
try_large_pipe (Stream *self)
{
  if (self->moved == 0 && (self->part.fd >= 0 || self->part.length >= CLIP_JOIN_BYTES))
    clip_pipes_enlarge (clip_transfers_pipes (self->streams->transfers),
                        self->job.sink_fd, FALSE, &self->large_pipe);
}

static Step
read_part (Stream *self, GError **error)
{
  gboolean more;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return STEP_FAILED;
  if (!self->reader)
    self->reader = clip_reader_open (self->streams->dir, error);
  self->is_lean = FALSE;
  if (!self->reader ||
      !self->job.next (self->job.source, self->reader, &self->part, &more, error))
    return STEP_FAILED;
  if (!more)
    {
      clip_transfer_progress_end (self->job.progress);
      return STEP_DONE;
    }
  try_large_pipe (self);
  return STEP_MORE;
}

static Step
take_step (Stream *self, GError **error)
{
  if (self->reader_left)
    return STEP_DONE;
  if (self->rest)
    return write_rest (self, error);
  if (self->part.length > 0)
    return write_bytes (self, error);
  if (self->part.fd >= 0)
    return write_file (self, error);
  return read_part (self, error);
}

static Step
run_job (Stream *self, GError **error)
{
  Step step;

  if (self->job.run)
    return self->job.run (self->job.source, self->stop_fd, error) ? STEP_DONE
                                                                  : STEP_FAILED;
  do
    step = take_step (self, error);
  while (step == STEP_MORE);
  return step;
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

static gpointer run_on_thread (gpointer data);

/* @task: the thread's, unless this fails. Errors: %G_THREAD_ERROR. */
static gboolean
start_thread (ClipStreams *self, GTask *task, GError **error)
{
  g_autoptr (GThread) thread = NULL;

  g_mutex_lock (&self->mutex);
  self->n_threads++;
  g_mutex_unlock (&self->mutex);
  thread = g_thread_try_new ("clip-stream", run_on_thread, task, error);
  if (!thread)
    end_thread (self);
  return thread != NULL;
}

/* Returns: whether another thread goes on with it, to which the stream is from then on */
static gboolean
hand_over (Stream *self, GTask *task)
{
  become_lean (self);
  self->former = g_thread_ref (g_thread_self ());
  if (start_thread (self->streams, task, NULL))
    return TRUE;
  g_clear_pointer (&self->former, g_thread_unref);
  return FALSE;
}

/* the former thread ends first: what the allocator kept for it can be given back then */
static void
take_over (Stream *self)
{
  if (!self->former)
    return;
  g_thread_join (g_steal_pointer (&self->former));
  clip_heap_trim ();
}

static gpointer
run_on_thread (gpointer data)
{
  GTask *task = data;
  Stream *self = g_task_get_task_data (task);
  ClipStreams *streams = self->streams;
  GError *error = NULL;
  Step step;

  take_over (self);
  do
    step = run_job (self, &error);
  while (step == STEP_SLOW && !is_left (streams) && !hand_over (self, task));
  if (is_left (streams))
    return NULL;
  if (step != STEP_SLOW)
    {
      end (self);
      if (error)
        g_task_return_error (task, error);
      else
        g_task_return_int (task, self->moved);
      g_object_unref (task);
    }
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
  GError *error = NULL;

  stream->stop_fd = g_cancellable_get_fd (stream->cancellable);
  if (start_thread (self, task, &error))
    {
      g_steal_pointer (&task);
      return;
    }
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
  *stream = (Stream){
    .streams = self, .job = *job, .part = { .fd = -1 }, .rest_fd = -1, .stop_fd = -1
  };
  stream->job.idle_ms = job->idle_ms ?: DEFAULT_IDLE_MS;
  stream->job.patience_ms = job->patience_ms ?: DEFAULT_PATIENCE_MS;
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

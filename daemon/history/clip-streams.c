/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stream reads a part, waits until its reader has it, and reads the next one: from the
 * disk and for a peer in turn, as often as there are entries. On the main loop each turn
 * would cost three wake-ups, and the threads that transfers share must not wait for a
 * disk; so each stream has a thread of its own, which does one thing after the other.
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

struct ClipStreams
{
  char *dir;
  ClipTransfers *transfers; /* borrowed: outlives us */
  GThreadPool *threads;
  GMutex mutex;
  GPtrArray *running; /* GCancellable; guarded by mutex */
};

/* the thread's, until the task returns */
typedef struct
{
  ClipStreams *streams;
  ClipStreamJob job;
  GCancellable *cancellable;
  int stop_fd;
  goffset moved;
  gboolean reader_left;
  ClipPipeLoan large_pipe;
} Stream;

static void
stream_free (Stream *self)
{
  clip_fd_clear (&self->job.sink_fd);
  g_object_unref (self->cancellable);
  g_free (self);
}

static void
on_moved (goffset moved, gpointer user_data)
{
  Stream *self = user_data;

  clip_gauge_advance (self->job.gauge, self->moved + moved);
}

static gboolean
run_pump (Stream *self, ClipPump *pump, GError **error)
{
  gboolean fine;

  if (self->job.gauge)
    clip_pump_set_progress (pump, on_moved, self);
  fine = clip_pump_run_until (pump, (int) self->job.idle_ms, self->stop_fd, error);
  self->moved += clip_pump_moved (pump);
  self->reader_left = clip_pump_reader_left (pump);
  return fine;
}

static gboolean
write_bytes (Stream *self, const ClipPart *part, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (part->data, part->length);
  g_autoptr (ClipPump) pump = clip_pump_new_bytes (bytes, self->job.sink_fd);

  return run_pump (self, pump, error);
}

static gboolean
write_file (Stream *self, const ClipPart *part, GError **error)
{
  g_autoptr (ClipPump) pump =
      clip_pump_new (part->fd, self->job.sink_fd, part->size, part->size);

  return run_pump (self, pump, error);
}

/* more than a pipe holds by itself, at least */
static void
try_large_pipe (Stream *self, const ClipPart *part)
{
  if (self->moved == 0 && (part->fd >= 0 || part->length >= CLIP_JOIN_BYTES))
    clip_pipes_enlarge (clip_transfers_pipes (self->streams->transfers),
                        self->job.sink_fd, FALSE, &self->large_pipe);
}

static gboolean
write_part (Stream *self, const ClipPart *part, GError **error)
{
  try_large_pipe (self, part);
  if (part->length > 0 && !write_bytes (self, part, error))
    return FALSE;
  return part->fd < 0 || self->reader_left || write_file (self, part, error);
}

static gboolean
write_all (Stream *self, ClipReader *reader, GError **error)
{
  while (!self->reader_left)
    {
      g_auto (ClipPart) part = { .fd = -1 };
      gboolean more;

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
          !self->job.next (self->job.source, reader, &part, &more, error))
        return FALSE;
      if (!more)
        {
          clip_gauge_end (self->job.gauge);
          return TRUE;
        }
      if (!write_part (self, &part, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
open_and_write (Stream *self, GError **error)
{
  g_autoptr (ClipReader) reader = clip_reader_open (self->streams->dir, error);

  return reader && write_all (self, reader, error);
}

static gboolean
run_job (Stream *self, GError **error)
{
  gboolean fine;

  self->stop_fd = g_cancellable_get_fd (self->cancellable);
  fine = self->job.run ? self->job.run (self->job.source, self->stop_fd, error)
                       : open_and_write (self, error);
  if (self->stop_fd >= 0)
    g_cancellable_release_fd (self->cancellable);
  return fine;
}

/* the sink is closed before anybody hears that it is complete */
static void
end (Stream *self)
{
  clip_pipes_release (clip_transfers_pipes (self->streams->transfers), &self->large_pipe);
  clip_fd_clear (&self->job.sink_fd);
  g_mutex_lock (&self->streams->mutex);
  g_ptr_array_remove_fast (self->streams->running, self->cancellable);
  g_mutex_unlock (&self->streams->mutex);
}

static void
run_stream (gpointer data, gpointer user_data G_GNUC_UNUSED)
{
  g_autoptr (GTask) task = data;
  Stream *self = g_task_get_task_data (task);
  GError *error = NULL;
  gboolean fine = run_job (self, &error);

  end (self);
  if (fine)
    g_task_return_int (task, self->moved);
  else
    g_task_return_error (task, error);
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
  self->threads = g_thread_pool_new (run_stream, NULL, CLIP_STREAMS_MAX, FALSE, NULL);
  g_mutex_init (&self->mutex);
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

/**
 * clip_streams_free:
 * @self: (nullable): nobody may be calling it any more
 *
 * Stops the threads and waits for them. What still ran ends with %G_IO_ERROR_CANCELLED;
 * those callbacks come later.
 */
void
clip_streams_free (ClipStreams *self)
{
  if (!self)
    return;
  cancel_all (self);
  g_thread_pool_free (self->threads, FALSE, TRUE);
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
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS, "%d streams are under way",
                 CLIP_STREAMS_MAX);
  return fits;
}

/**
 * clip_streams_run_async:
 * @job: copied; its descriptor is the stream's from here on, whatever happens
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
  *stream = (Stream){ .streams = self, .job = *job };
  stream->job.idle_ms = job->idle_ms ?: DEFAULT_IDLE_MS;
  stream->cancellable = cancellable ? g_object_ref (cancellable) : g_cancellable_new ();
  g_task_set_task_data (task, stream, (GDestroyNotify) stream_free);
  if (begin (self, stream->cancellable, &error))
    g_thread_pool_push (self->threads, g_steal_pointer (&task), NULL);
  else
    g_task_return_error (task, error);
}

/* Returns: the bytes written, or -1 */
goffset
clip_streams_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

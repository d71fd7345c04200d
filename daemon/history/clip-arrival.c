/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One content from whoever has it into a stage. What fits a row is received in memory,
 * and the disk hears of it when the entry is committed: ten copies in a row do not wait
 * for a journal ten times. What turns out to be larger goes on where that ended, in a
 * file beside the blobs. A file is known to be large beforehand, and is received in one
 * go, because the kernel can share its blocks. Little in a memory file that nobody can change is the
 * content as it stands.
 *
 * Where the disk is full, the reception stands still while the store makes room, and goes on
 * from the byte where it stopped.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-arrival.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-pump.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* how often room is made before the next byte comes */
#define MAX_STOPS 4

typedef struct
{
  ClipArrival *arrival;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipArrivalTerms terms;
  GCancellable *cancellable;
  int source_fd;      /* ours, for what comes after the part in memory */
  goffset before;     /* bytes that were there when the present transfer began */
  gboolean may_spill; /* the limit of the present transfer is none of the content's */
  goffset size;       /* as the source says; 0 = it does not */
  goffset stopped_at; /* by a full disk; -1 = not yet */
  GError *reason;     /* why it could not move to the disk */
  guint n_stops;      /* at that byte */
} Reception;

/* frees one that is nobody's; NULL is none */
void
clip_arrival_free (ClipArrival *self)
{
  if (!self)
    return;
  g_free (self->mime);
  clip_stage_unref (self->stage);
  g_free (self);
}

static void
reception_free (Reception *self)
{
  clip_arrival_free (self->arrival);
  g_clear_object (&self->store);
  g_clear_object (&self->cancellable);
  clip_gauge_unref (self->terms.gauge);
  clip_fd_clear (&self->source_fd);
  g_clear_error (&self->reason);
  g_free (self);
}

static void spill (GTask *task_take);

static void
on_progress (goffset moved, gpointer user_data)
{
  Reception *self = user_data;

  clip_stage_advance (self->arrival->stage, self->before + moved);
  clip_gauge_advance (self->terms.gauge, self->terms.gauged + self->before + moved);
}

static void
on_received (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reception *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  goffset bytes = clip_transfers_finish (result, NULL, &error);

  if (self->may_spill && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE))
    {
      self->may_spill = FALSE;
      spill (g_steal_pointer (&task));
      return;
    }
  clip_fd_clear (&self->source_fd); /* before anybody hears of it */
  if (bytes < 0)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  self->arrival->size = self->before + bytes;
  g_task_return_pointer (task, g_steal_pointer (&self->arrival),
                         (GDestroyNotify) clip_arrival_free);
}

/* what is to come, at least; -1 = nobody knows */
static goffset
rest_after (const Reception *self, goffset there)
{
  goffset size = self->size;
  goffset done;
  goffset total = 0;

  if (self->terms.gauge)
    clip_gauge_read (self->terms.gauge, &done, &total);
  size = MAX (size, total - self->terms.gauged);
  return size > there ? size - there : -1;
}

static gboolean
may_make_room (const Reception *self)
{
  return self->terms.limits.min_free_bytes > 0 || self->terms.limits.min_free_percent > 0;
}

/* @callback is not called where that is in vain */
static gboolean
make_room (Reception *self,
           goffset there,
           GAsyncReadyCallback callback,
           gpointer user_data)
{
  ClipShortage shortage = { .there = there,
                            .rest = rest_after (self, there),
                            .is_again = there == self->stopped_at };
  const gboolean is_too_large =
      self->terms.limit > 0 && shortage.rest > self->terms.limit - there;

  self->n_stops = shortage.is_again ? self->n_stops + 1 : 0;
  self->stopped_at = there;
  if (self->n_stops >= MAX_STOPS || is_too_large ||
      g_cancellable_is_cancelled (self->cancellable))
    return FALSE;
  clip_store_make_room_async (self->store, self->arrival->stage, &shortage,
                              &self->terms.limits, callback, user_data);
  return TRUE;
}

/* a transfer that stands still; it may have been cancelled meanwhile */
typedef struct
{
  GTask *task;
  ClipTransferPause *pause;
  goffset there;
  GError *reason;
} Stop;

static void
resume (Stop *stop, GError *error_take)
{
  clip_transfer_resume (stop->pause, error_take);
  g_object_unref (stop->task);
  g_error_free (stop->reason);
  g_free (stop);
}

/* where none can be made, what the disk has said counts */
static GError *
find_reason (GError *failure_take, const GError *reason)
{
  if (!g_error_matches (failure_take, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    return failure_take;
  g_debug ("no room is made: %s", failure_take->message);
  g_error_free (failure_take);
  return g_error_copy (reason);
}

static void
on_room_for_rest (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Stop *stop = user_data;
  GError *error = NULL;

  clip_store_make_room_finish (CLIP_STORE (source), result, &error);
  resume (stop, error ? find_reason (error, stop->reason) : NULL);
}

static gboolean
make_room_for_rest (gpointer user_data)
{
  Stop *stop = user_data;
  Reception *self = g_task_get_task_data (stop->task);

  if (!make_room (self, stop->there, on_room_for_rest, stop))
    resume (stop, g_error_copy (stop->reason));
  return G_SOURCE_REMOVE;
}

/* on the transfer's thread */
static void
on_full (ClipTransferPause *pause_take,
         goffset moved,
         const GError *reason,
         gpointer user_data)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  GTask *task = user_data;
  const Reception *self = g_task_get_task_data (task);
  Stop *stop = g_new (Stop, 1);

  *stop = (Stop){ g_object_ref (task), pause_take, self->before + moved,
                  g_error_copy (reason) };
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, make_room_for_rest, stop, NULL);
  g_source_attach (source, g_task_get_context (task));
}

/* what the source has behind that which is in the stage */
static void
receive (GTask *task_take, goffset limit)
{
  Reception *self = g_task_get_task_data (task_take);
  ClipTransferJob job = {
    .source_fd = fcntl (self->source_fd, F_DUPFD_CLOEXEC, 0),
    .sink_fd = fcntl (clip_stage_fd (self->arrival->stage), F_DUPFD_CLOEXEC, 0),
    .size = CLIP_TO_END,
    .limit = limit,
    .first_ms = self->before > 0 ? self->terms.idle_ms : self->terms.first_ms,
    .idle_ms = self->terms.idle_ms,
    .sink_in_memory = clip_stage_is_in_memory (self->arrival->stage),
    .progress = on_progress,
    .progress_data = self,
    .full = may_make_room (self) ? on_full : NULL,
    .full_data = task_take,
  };

  clip_transfers_capture_async (self->transfers, &job, self->cancellable, on_received,
                                task_take);
}

static void
fail (GTask *task_take, GError *error_take)
{
  g_autoptr (GTask) task = task_take;
  Reception *self = g_task_get_task_data (task);

  clip_fd_clear (&self->source_fd);
  g_task_return_error (task, error_take);
}

static void
on_room_to_spill (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Reception *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (clip_store_make_room_finish (CLIP_STORE (source), result, &error))
    spill (task);
  else
    fail (task, find_reason (error, self->reason));
}

static void
on_spilled (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reception *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  self->before = g_task_propagate_int (G_TASK (result), &error);
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE) && may_make_room (self) &&
      make_room (self, 0, on_room_to_spill, task))
    {
      g_clear_error (&self->reason);
      self->reason = g_steal_pointer (&error);
      (void) g_steal_pointer (&task);
      return;
    }
  if (error)
    {
      fail (g_steal_pointer (&task), g_steal_pointer (&error));
      return;
    }
  receive (g_steal_pointer (&task),
           self->terms.limit > 0 ? self->terms.limit - self->before : 0);
}

static void
spill_in_thread (GTask *spilling,
                 gpointer source G_GNUC_UNUSED,
                 gpointer stage,
                 GCancellable *cancellable G_GNUC_UNUSED)
{
  GError *error = NULL;
  goffset bytes = clip_stage_spill (stage, &error);

  if (bytes < 0)
    g_task_return_error (spilling, error);
  else
    g_task_return_int (spilling, bytes);
}

static void
spill (GTask *task_take)
{
  Reception *self = g_task_get_task_data (task_take);
  g_autoptr (GTask) spilling = g_task_new (NULL, NULL, on_spilled, task_take);

  g_task_set_source_tag (spilling, spill);
  g_task_set_task_data (spilling, clip_stage_ref (self->arrival->stage),
                        (GDestroyNotify) clip_stage_unref);
  g_task_run_in_thread (spilling, spill_in_thread);
}

/* whether it is read by offset, and how much there is from there on as far as it says */
static gboolean
is_file (int fd, goffset *out_size)
{
  struct stat status;
  off_t at = lseek (fd, 0, SEEK_CUR);

  if (fstat (fd, &status) < 0 || !(S_ISREG (status.st_mode) || S_ISBLK (status.st_mode)))
    return FALSE;
  *out_size = MAX (status.st_size - MAX (at, 0), 0);
  return TRUE;
}

static void
fail_too_large (GTask *task_take, goffset limit)
{
  fail (task_take,
        g_error_new (CLIP_ERROR, CLIP_ERROR_TOO_LARGE,
                     "receive content: larger than %" G_GOFFSET_FORMAT " bytes", limit));
}

/* One byte beyond that limit is in the stage when it shows, and a transfer knows no limit
 * of no byte: where the content's own is next to it, that is the limit from the start. A
 * file never goes on elsewhere, because it would begin anew. */
static void
receive_in_memory (GTask *task_take, goffset limit)
{
  Reception *self = g_task_get_task_data (task_take);

  self->may_spill = limit > CLIP_INLINE_BYTES + 1;
  receive (task_take, self->may_spill ? CLIP_INLINE_BYTES : limit);
}

/* whether there is nothing to receive: it is all there, and stays as it is */
static gboolean
is_full (int fd, goffset size, goffset limit)
{
  return size > 0 && size <= MIN (limit, (goffset) CLIP_SEALED_BYTES) &&
         lseek (fd, 0, SEEK_CUR) == 0 && clip_is_sealed (fd);
}

static void
take_full (GTask *task_take, ClipStore *store, goffset size)
{
  g_autoptr (GTask) task = task_take;
  Reception *self = g_task_get_task_data (task);

  self->arrival->stage = clip_store_stage_full (store, g_steal_fd (&self->source_fd));
  self->arrival->size = size;
  on_progress (size, self);
  g_task_return_pointer (task, g_steal_pointer (&self->arrival),
                         (GDestroyNotify) clip_arrival_free);
}

static void
begin (GTask *task_take, ClipStore *store)
{
  Reception *self = g_task_get_task_data (task_take);
  goffset limit = self->terms.limit > 0 ? self->terms.limit : G_MAXINT64;
  goffset size = 0;
  const gboolean is_of_file = is_file (self->source_fd, &size);
  GError *error = NULL;

  if (is_of_file && is_full (self->source_fd, size, limit))
    {
      take_full (task_take, store, size);
      return;
    }
  self->size = size;
  self->arrival->stage = clip_store_stage (store, &error);
  if (error)
    {
      fail (task_take, error);
      return;
    }
  clip_stage_set_unwritten (self->arrival->stage, self->terms.unwritten);
  if (!is_of_file)
    receive_in_memory (task_take, limit);
  else if (size > limit)
    fail_too_large (task_take, limit);
  else if (size > 0 && size <= CLIP_INLINE_BYTES)
    receive (task_take, self->terms.limit);
  else
    spill (task_take); /* nor does a file of /proc say how much there is */
}

/**
 * clip_arrival_async:
 * @transfers: outlives the reception
 * @mime: type of what comes; "" where unknown
 * @source_fd_take: what it comes from: a pipe, a file, a socket, a terminal; closed before
 * @callback is called
 * @terms: copied; its gauge is referenced
 *
 * Receives one content. What breaks off leaves nothing.
 *
 * Errors: %CLIP_ERROR_TOO_LARGE, %CLIP_ERROR_STALLED, %CLIP_ERROR_NO_SPACE,
 * %G_IO_ERROR_CANCELLED, %G_FILE_ERROR.
 */
void
clip_arrival_async (ClipStore *store,
                    ClipTransfers *transfers,
                    const char *mime,
                    int source_fd_take,
                    const ClipArrivalTerms *terms,
                    GCancellable *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Reception *self = g_new0 (Reception, 1);

  self->arrival = g_new0 (ClipArrival, 1);
  self->arrival->mime = g_strdup (mime);
  self->store = g_object_ref (store);
  self->transfers = transfers;
  self->terms = *terms;
  self->terms.gauge = clip_gauge_ref (terms->gauge);
  self->source_fd = source_fd_take;
  self->stopped_at = -1;
  g_set_object (&self->cancellable, cancellable);
  g_task_set_source_tag (task, clip_arrival_async);
  g_task_set_task_data (task, self, (GDestroyNotify) reception_free);
  begin (g_steal_pointer (&task), store);
}

/**
 * clip_arrival_finish:
 *
 * Returns: (transfer full): what arrived, which may be empty; or %NULL
 */
ClipArrival *
clip_arrival_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

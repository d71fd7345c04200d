/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One content from whoever has it into a stage. What fits a row is received in memory,
 * and the disk hears of it when the entry is committed: ten copies in a row do not wait
 * for a journal ten times. What turns out to be larger goes on where that ended, in a
 * file beside the blobs. A file is known to be large beforehand, and is received in one
 * go, because the kernel can share its blocks. Little in a memory file that nobody can
 * change is the content as it stands.
 *
 * What goes to the disk stops where that comes to its floor of free space: nothing is
 * deleted for bytes of which nobody knows whether their end ever comes. A file says how
 * long it is, and may go below the floor by as much: it is made up for when it has come
 * whole.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-arrival.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-pump.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef struct
{
  ClipArrival *arrival;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipArrivalTerms terms;
  GCancellable *cancellable;
  int source_fd;      /* ours, for what comes after the part in memory */
  goffset before;     /* bytes that were there when the present transfer began */
  gboolean is_file;   /* read by offset, each time from its start */
  gboolean may_spill; /* the limit of the present transfer is none of the content's */
  goffset size;       /* as the source says; 0 = it does not */
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
  clip_fd_clear_foreign (&self->source_fd);
  g_free (self);
}

static void spill (GTask *task_take);
static void go_on_in_file (GTask *task_take);

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
      go_on_in_file (g_steal_pointer (&task));
      return;
    }
  clip_fd_clear_foreign (&self->source_fd); /* before anybody hears of it */
  if (bytes < 0)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  self->arrival->size = self->before + bytes;
  g_task_return_pointer (task, g_steal_pointer (&self->arrival),
                         (GDestroyNotify) clip_arrival_free);
}

/* how much of the disk is to stay free meanwhile; 0 = nothing of it goes there */
static goffset
find_floor (const Reception *self)
{
  int fd = clip_stage_fd (self->arrival->stage);
  struct statvfs disk;

  if (clip_stage_is_in_memory (self->arrival->stage) || fstatvfs (fd, &disk) < 0)
    return 0;
  return clip_limits_floor (&self->terms.limits,
                            (goffset) (disk.f_blocks * disk.f_frsize)) -
         (self->size > 0 ? self->size + CLIP_LIMITS_WORKING_BYTES : 0);
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
    .keep_free = find_floor (self),
  };

  clip_transfers_capture_async (self->transfers, &job, self->cancellable, on_received,
                                task_take);
}

static void
fail (GTask *task_take, GError *error_take)
{
  g_autoptr (GTask) task = task_take;
  Reception *self = g_task_get_task_data (task);

  clip_fd_clear_foreign (&self->source_fd);
  g_task_return_error (task, error_take);
}

static void
on_spilled (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reception *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  self->before = g_task_propagate_int (G_TASK (result), &error);
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

static void
fail_too_large (GTask *task_take, goffset limit)
{
  fail (task_take,
        g_error_new (CLIP_ERROR, CLIP_ERROR_TOO_LARGE,
                     "receive content: larger than %" G_GOFFSET_FORMAT " bytes", limit));
}

/* what is larger than its file said begins anew: a file is read from its start */
static void
go_on_in_file (GTask *task_take)
{
  Reception *self = g_task_get_task_data (task_take);
  GError *error = NULL;

  if (self->is_file)
    {
      clip_stage_unref (self->arrival->stage);
      self->arrival->stage = clip_store_stage (self->store, &error);
    }
  if (error)
    fail (task_take, error);
  else
    spill (task_take);
}

/* One byte beyond that limit is in the stage when it shows, and a transfer knows no limit
 * of no byte: where the content's own is next to it, that is the limit from the start. */
static void
receive_in_memory (GTask *task_take, goffset limit)
{
  Reception *self = g_task_get_task_data (task_take);

  self->may_spill = limit > CLIP_INLINE_BYTES + 1;
  receive (task_take, self->may_spill ? CLIP_INLINE_BYTES : limit);
}

/* whether there is nothing to receive: it is all there, and stays as it is */
static gboolean
is_full (int fd, const ClipFdLook *look, goffset limit)
{
  return look->size > 0 && look->size <= MIN (limit, (goffset) CLIP_SEALED_BYTES) &&
         look->at == 0 && clip_is_sealed (fd);
}

static void
take_full (GTask *task_take, goffset size)
{
  g_autoptr (GTask) task = task_take;
  Reception *self = g_task_get_task_data (task);

  self->arrival->stage = clip_store_stage_full (self->store, g_steal_fd (&self->source_fd));
  self->arrival->size = size;
  on_progress (size, self);
  g_task_return_pointer (task, g_steal_pointer (&self->arrival),
                         (GDestroyNotify) clip_arrival_free);
}

static void
begin (GTask *task_take)
{
  Reception *self = g_task_get_task_data (task_take);
  goffset limit = self->terms.limit > 0 ? self->terms.limit : G_MAXINT64;
  ClipFdLook look;
  gboolean is_of_file;
  goffset size;
  GError *error = NULL;

  clip_fd_look (self->source_fd, &look);
  self->is_file = is_of_file = clip_fd_is_file (&look);
  size = is_of_file ? MAX (look.size - look.at, 0) : 0;
  if (is_of_file && is_full (self->source_fd, &look, limit))
    {
      take_full (task_take, size);
      return;
    }
  self->size = size;
  self->arrival->stage = clip_store_stage (self->store, &error);
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
    receive_in_memory (task_take, limit);
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
  g_set_object (&self->cancellable, cancellable);
  g_task_set_source_tag (task, clip_arrival_async);
  g_task_set_task_data (task, self, (GDestroyNotify) reception_free);
  begin (g_steal_pointer (&task));
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

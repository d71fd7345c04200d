/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-call-send.h"

#include "clip-call-descriptor.h"
#include "clip-fd.h"
#include "clip-history-private.h"

typedef struct
{
  ClipHistory *history;
  int sink_fd;
  ClipCallOpened opened;
  gpointer opened_data;
  ClipTransferProgress *progress; /* (nullable) */
} SendCall;

static void
send_call_free (SendCall *self)
{
  g_clear_object (&self->history);
  clip_fd_clear_foreign (&self->sink_fd);
  clip_transfer_progress_unref (self->progress);
  g_free (self);
}

static void
on_served (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SendCall *call = g_task_get_task_data (task);
  GError *error = NULL;
  gboolean reader_left;
  goffset bytes = clip_transfers_finish (result, &reader_left, &error);

  if (bytes >= 0 && !reader_left)
    clip_transfer_progress_end (call->progress);
  if (bytes < 0)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, bytes);
}

static void
on_sending (goffset moved, gpointer user_data)
{
  clip_transfer_progress_advance (user_data, moved);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SendCall *call = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;
  g_autoptr (ClipPayload) payload =
      clip_store_open_content_finish (CLIP_STORE (source), result, &error);
  ClipTransferJob job = { 0 };

  if (!payload)
    {
      g_task_return_error (task, error);
      return;
    }
  if (call->opened && !call->opened (payload, call->opened_data, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_debug ("a caller reads %" G_GOFFSET_FORMAT " bytes", payload->size);
  job.source_fd = g_steal_fd (&payload->fd);
  job.bytes = payload->bytes;
  job.size = payload->size;
  job.sink_fd = g_steal_fd (&call->sink_fd);
  if (call->progress)
    {
      clip_transfer_progress_expect (call->progress, payload->size);
      job.on_moved = on_sending;
      job.moved_data = call->progress;
    }
  clip_transfers_serve_async (call->history->transfers, &job, cancellable, on_served,
                              g_steal_pointer (&task));
}

/**
 * clip_call_send_async:
 * @id: of the entry
 * @mime: which of its types; "" = the primary one
 * @sink_fd_take: where it goes; its flags stay as they are
 * @opened: (nullable): told what will come, before the first byte; FALSE ends it there
 *
 * Ends with the bytes written: fewer than the size when the reader left.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SUCH_FORMAT, %CLIP_ERROR_CORRUPT,
 * %CLIP_ERROR_STALLED, %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_INVALID_ARGUMENT,
 * %G_IO_ERROR_CANCELLED.
 */
void
clip_call_send_async (ClipHistory *history,
                      gint64 id,
                      const char *mime,
                      int sink_fd_take,
                      ClipCallOpened opened,
                      ClipTransferProgress *progress,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (history, cancellable, callback, user_data);
  SendCall *call = g_new0 (SendCall, 1);
  GError *error = NULL;

  g_task_set_source_tag (task, clip_call_send_async);
  *call = (SendCall){ .history = g_object_ref (history),
                      .sink_fd = sink_fd_take,
                      .opened = opened,
                      .opened_data = user_data,
                      .progress = clip_transfer_progress_ref (progress) };
  g_task_set_task_data (task, call, (GDestroyNotify) send_call_free);
  if (!clip_call_check_sink (sink_fd_take, &error))
    g_task_return_error (task, error);
  else
    clip_store_open_content_async (clip_history_store (history), id, mime, on_opened,
                                   g_steal_pointer (&task));
}

/* the bytes that were written; fewer than all where the reader left; -1 with the error
   set */
goffset
clip_call_send_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Many contents, or the list, as one stream into the descriptor of a caller. */
#define G_LOG_DOMAIN "clip-history"
#include "clip-call-stream.h"

#include "clip-call-descriptor.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-history-private.h"

/* what the search of a list may take, the waiting for its reader not counted */
#define SEARCH_US (5 * CLIP_QUERY_BUDGET_US)

/* about what the reader puts on a page */
#define PAGE_BYTES (256 * 1024)

/* the source of @job is the task's data: it lives until the stream has ended */
static void
start (GTask *task_take,
       ClipStreamNext next,
       int sink_fd_take,
       ClipTransferProgress *progress,
       GAsyncReadyCallback on_ended)
{
  g_autoptr (GTask) task = task_take;
  ClipHistory *history = g_task_get_source_object (task);
  ClipStreams *streams = history->streams;
  ClipStreamJob job = { .next = next,
                        .source = g_task_get_task_data (task),
                        .progress = progress };
  clip_autofd_foreign int sink_fd = sink_fd_take;
  GError *error = NULL;

  if (!clip_call_check_sink (sink_fd, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (!streams)
    {
      g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_CANCELLED,
                               "the history is closed");
      return;
    }
  job.sink_fd = g_steal_fd (&sink_fd);
  clip_streams_run_async (streams, &job, g_task_get_cancellable (task), on_ended,
                          g_object_ref (task));
}

/* --- many contents --- */

/* the stream's thread has it, until the stream has ended */
typedef struct
{
  ClipJoin *join;
  ClipTransferProgress *progress; /* (nullable) */
} Joining;

static void
joining_free (Joining *self)
{
  clip_join_free (self->join);
  clip_transfer_progress_unref (self->progress);
  g_free (self);
}

static void
on_joined (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  goffset bytes = clip_streams_run_finish (result, &error);

  if (bytes < 0)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, bytes);
}

static gboolean
join_next_on_thread (gpointer source,
                     ClipReader *reader,
                     ClipPart *out_part,
                     gboolean *out_more,
                     GError **error)
{
  Joining *self = source;
  gboolean fine = clip_join_next (self->join, reader, out_part, out_more, error);

  clip_transfer_progress_expect (self->progress, clip_join_total (self->join));
  return fine;
}

/**
 * clip_call_join_async:
 * @join_take: the contents, at the first one
 * @sink_fd_take: where they go; its flags stay as they are
 *
 * Ends with the bytes written: fewer than all when the reader left.
 *
 * Errors: those of clip_join_next() and clip_streams_run_async();
 * %CLIP_ERROR_INVALID_ARGUMENT for the sink.
 */
void
clip_call_join_async (ClipHistory *history,
                      ClipJoin *join_take,
                      int sink_fd_take,
                      ClipTransferProgress *progress,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task = g_task_new (history, cancellable, callback, user_data);
  Joining *joining = g_new (Joining, 1);

  *joining =
      (Joining){ .join = join_take, .progress = clip_transfer_progress_ref (progress) };
  g_task_set_source_tag (task, clip_call_join_async);
  g_task_set_task_data (task, joining, (GDestroyNotify) joining_free);
  start (task, join_next_on_thread, sink_fd_take, progress, on_joined);
}

/* the bytes that were written, separators included; fewer than all where the reader left;
 * -1 with the error set */
goffset
clip_call_join_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* --- the list --- */

/* the stream's thread has it, until the stream has ended */
typedef struct
{
  ClipQuery query;
  ClipRowFormat format;
  gint64 width;
  GCancellable *cancellable;      /* (nullable) */
  ClipTransferProgress *progress; /* (nullable) */
  GString *text;
  gboolean more;
  gint64 left_us; /* of what its search may take */
  gint64 n_rows;  /* in text */
  gint64 written; /* rows before those */
} Listing;

static void
listing_free (Listing *self)
{
  clip_query_clear (&self->query);
  g_clear_object (&self->cancellable);
  clip_transfer_progress_unref (self->progress);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static gboolean
append_row (const ClipRow *row, gpointer user_data)
{
  Listing *self = user_data;

  clip_row_append (self->text, row, self->format, self->width);
  self->n_rows++;
  return TRUE;
}

static gboolean
read_page_on_thread (Listing *self, ClipReader *reader, GError **error)
{
  gint64 begun_us = g_get_monotonic_time ();
  gboolean fine;

  clip_query_set_budget (&self->query, self->left_us);
  fine = clip_reader_page (reader, &self->query, append_row, self, &self->more, error);
  self->left_us -= g_get_monotonic_time () - begun_us;
  return fine;
}

/* a search may read many pages before it finds anything: it stops between two of them */
static gboolean
list_next_on_thread (gpointer source,
                     ClipReader *reader,
                     ClipPart *out_part,
                     gboolean *out_more,
                     GError **error)
{
  Listing *self = source;

  self->written += self->n_rows;
  self->n_rows = 0;
  g_string_truncate (self->text, 0);
  while (self->more && self->n_rows == 0)
    if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
        !read_page_on_thread (self, reader, error))
      return FALSE;
  *out_part = (ClipPart){ .data = self->text->str, .length = self->text->len, .fd = -1 };
  *out_more = self->n_rows > 0;
  return TRUE;
}

static void
on_printed (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Listing *listing = g_task_get_task_data (task);
  GError *error = NULL;

  if (clip_streams_run_finish (result, &error) < 0)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, listing->written);
}

/**
 * clip_call_print_async:
 * @query: which entries; copied
 * @width: of the preview, in characters
 * @sink_fd_take: where the lines go; its flags stay as they are
 *
 * Ends with the number of rows that were written as whole pages: fewer than all when the
 * reader left.
 *
 * Errors: those of clip_reader_page() and clip_streams_run_async();
 * %CLIP_ERROR_INVALID_ARGUMENT for the sink.
 */
void
clip_call_print_async (ClipHistory *history,
                       const ClipQuery *query,
                       ClipRowFormat format,
                       gint64 width,
                       int sink_fd_take,
                       ClipTransferProgress *progress,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  GTask *task = g_task_new (history, cancellable, callback, user_data);
  Listing *listing = g_new0 (Listing, 1);

  g_task_set_source_tag (task, clip_call_print_async);
  clip_query_init_copy (&listing->query, query);
  listing->query.with_tags = format == CLIP_FORMAT_JSON;
  listing->format = format;
  listing->width = width;
  listing->text = g_string_sized_new (PAGE_BYTES + PAGE_BYTES / 8);
  listing->more = TRUE;
  listing->left_us = SEARCH_US;
  g_set_object (&listing->cancellable, cancellable);
  listing->progress = clip_transfer_progress_ref (progress);
  g_task_set_task_data (task, listing, (GDestroyNotify) listing_free);
  start (task, list_next_on_thread, sink_fd_take, progress, on_printed);
}

/* the rows that were written; -1 with the error set */
gint64
clip_call_print_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

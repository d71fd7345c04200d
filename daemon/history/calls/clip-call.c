/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-call.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-history-private.h"

#include <fcntl.h>
#include <sys/stat.h>

/* a handler's first step is to send its signal on: so long is waited for that */
#define DOUBTFUL_LOOKS 16
#define DOUBTFUL_MS 1

static void
input_free (ClipInput *self)
{
  clip_fd_clear_foreign (&self->fd);
  g_free (self->mime);
  g_free (self);
}

/* (element-type ClipInput): closes what nobody took */
GPtrArray *
clip_inputs_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) input_free);
}

/* @mime: "" = it is found out from the bytes. @fd_take: is read to its end */
void
clip_inputs_add (GPtrArray *inputs, const char *mime, int fd_take)
{
  ClipInput *input = g_new (ClipInput, 1);

  *input = (ClipInput){ .mime = g_strdup (mime), .fd = fd_take };
  clip_fd_look (fd_take, &input->look);
  g_ptr_array_add (inputs, input);
}

/* a pipe, a file, a socket, a terminal; and /dev/null and its like. Of other things a
 * read may wait for ever, whatever poll(2) says. */
static gboolean
is_known_kind (int fd, const ClipFdLook *look)
{
  return clip_fd_is_file (look) || S_ISFIFO (look->mode) || S_ISSOCK (look->mode) ||
         (S_ISCHR (look->mode) && (look->major == CLIP_FD_MEM_MAJOR || isatty (fd)));
}

/* what no byte can be read from, or written to, is the caller's mistake: say so before
 * anything moves */
static gboolean
check_descriptor (int fd, int unwanted_mode, const char *what, GError **error)
{
  ClipFdLook look;
  int flags = fcntl (fd, F_GETFL);

  if (flags < 0 || (flags & O_PATH) || (flags & O_ACCMODE) == unwanted_mode ||
      !clip_fd_look (fd, &look) || !is_known_kind (fd, &look))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "the descriptor cannot be %s", what);
      return FALSE;
    }
  return TRUE;
}

/* whether bytes can be read from it. Errors: %CLIP_ERROR_INVALID_ARGUMENT. */
gboolean
clip_call_check_source (int fd, GError **error)
{
  return check_descriptor (fd, O_WRONLY, "read", error);
}

/* whether bytes can be written to it. Errors: %CLIP_ERROR_INVALID_ARGUMENT. */
gboolean
clip_call_check_sink (int fd, GError **error)
{
  return check_descriptor (fd, O_RDONLY, "written", error);
}

typedef struct
{
  ClipHistory *history;
  ClipEntryBuilder *builder;
  GPtrArray *inputs;
  guint next;
  gboolean select;
  gboolean is_empty;
  ClipCallOutlook outlook; /* (nullable) */
  gpointer outlook_data;
  guint n_looks;
  gboolean heard;   /* what the displays know, as far as they tell */
  ClipGauge *gauge; /* (nullable) */
} StoreCall;

static void
store_call_free (StoreCall *self)
{
  g_clear_object (&self->history);
  clip_entry_builder_free (self->builder);
  g_ptr_array_unref (self->inputs);
  clip_gauge_unref (self->gauge);
  g_free (self);
}

static void
return_failure (GTask *task, GError *error_take)
{
  clip_policy_explain_full (error_take);
  g_task_return_error (task, error_take);
}

static void
return_stored (GTask *task, ClipStored stored)
{
  ClipStored *result = g_new (ClipStored, 1);

  *result = stored;
  g_task_return_pointer (task, result, g_free);
}

/* a blank is no entry, but it has been stored as far as the existing tool is concerned:
 * from then on there is a history, if an empty one */
static void
on_touched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StoreCall *call = g_task_get_task_data (task);
  GError *error = NULL;

  if (clip_store_change_finish (CLIP_STORE (source), result, NULL, &error))
    return_stored (task,
                   (ClipStored){ .drop = CLIP_DROP_BLANK, .is_empty = call->is_empty });
  else
    g_task_return_error (task, error);
}

static void
on_added (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StoreCall *call = g_task_get_task_data (task);
  ClipStored stored = { 0 };
  GError *error = NULL;

  if (clip_store_change_finish (CLIP_STORE (source), result, &stored.added, &error))
    {
      clip_gauge_end (call->gauge);
      return_stored (task, stored);
    }
  else
    return_failure (task, error);
}

/* what is no entry has been stored all the same, as far as the caller is concerned */
static void
return_drop (GTask *task_take, ClipDrop drop)
{
  g_autoptr (GTask) task = task_take;
  StoreCall *call = g_task_get_task_data (task);

  clip_gauge_end (call->gauge);
  call->is_empty = clip_entry_builder_n_contents (call->builder) == 0;
  if (drop == CLIP_DROP_BLANK)
    clip_store_change_async (clip_history_store (call->history), clip_change_touch (),
                             on_touched, g_steal_pointer (&task));
  else
    return_stored (task, (ClipStored){ .drop = drop });
}

static void
add (GTask *task_take)
{
  g_autoptr (GTask) task = task_take;
  StoreCall *call = g_task_get_task_data (task);
  ClipLimits limits = clip_entry_builder_limits (call->builder);
  GError *error = NULL;
  ClipDrop drop;
  ClipDraft *draft = clip_entry_builder_finish (call->builder, &drop, &error);

  if (error)
    return_failure (task, error);
  else if (draft)
    clip_store_change_async (clip_history_store (call->history),
                             clip_change_add (draft, &limits), on_added,
                             g_steal_pointer (&task));
  else
    return_drop (g_steal_pointer (&task), drop);
}

static void receive_next (GTask *task_take);

/* too large is a limit of the user's, not a failure */
static void
on_received (ClipReceived *received_take, const GError *error, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StoreCall *call = g_task_get_task_data (task);

  if (received_take)
    {
      clip_entry_builder_add (call->builder, received_take);
      receive_next (g_steal_pointer (&task));
    }
  else if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE))
    return_stored (task, (ClipStored){ .drop = CLIP_DROP_TOO_LARGE });
  else
    return_failure (task, g_error_copy (error));
}

/* what goes onto the clipboard as well comes from somebody who asked for it, and not from
 * a watcher that stores what it found there */
static ClipDrop
refusal_of (const StoreCall *call)
{
  ClipDrop refusal = clip_history_refusal (call->history);

  return call->select && refusal == CLIP_DROP_SENSITIVE ? CLIP_DROP_NONE : refusal;
}

/* A file is whole, whoever asks. What came through a pipe ended when its writer did, and
 * a signal that ended it was meant for its reader as well: ^C goes to the whole
 * pipeline. */
static ClipOutlook
outlook_of (const StoreCall *call)
{
  gboolean all_files = TRUE;

  for (guint i = 0; i < call->inputs->len; i++)
    all_files &= clip_fd_is_file (&((ClipInput *) call->inputs->pdata[i])->look);
  return all_files || !call->outlook ? CLIP_OUTLOOK_STAYS
                                     : call->outlook (call->outlook_data);
}

static void commit (GTask *task_take);

static gboolean
on_doubtful_time (gpointer user_data)
{
  GTask *task = user_data;

  if (!g_task_return_error_if_cancelled (task))
    commit (g_object_ref (task));
  return G_SOURCE_REMOVE;
}

static void
on_heard (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StoreCall *call = g_task_get_task_data (task);
  GError *error = NULL;

  call->heard = TRUE;
  if (!clip_display_sync_finish (result, &error))
    g_task_return_error (task, error);
  else if (!g_task_return_error_if_cancelled (task))
    commit (g_steal_pointer (&task));
}

/* (nullable): whom to ask first: what is selected is asked of a watcher's call alone */
static ClipDisplaySync *
display_sync_for (const StoreCall *call)
{
  return call->select || call->heard ? NULL : clip_history_display_sync (call->history);
}

/* a secret may have been copied while we were reading, or before any display could tell
 * us: look again before anything is kept */
static void
commit (GTask *task_take)
{
  g_autoptr (GTask) task = task_take;
  StoreCall *call = g_task_get_task_data (task);
  ClipDrop refusal = refusal_of (call);
  ClipDisplaySync *display_sync = display_sync_for (call);
  ClipOutlook outlook = display_sync ? CLIP_OUTLOOK_STAYS : outlook_of (call);

  if (refusal != CLIP_DROP_NONE)
    return_stored (task, (ClipStored){ .drop = refusal });
  else if (display_sync)
    clip_display_sync_run_async (display_sync, on_heard, g_steal_pointer (&task));
  else if (outlook == CLIP_OUTLOOK_LEAVES)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                             "the caller is ending");
  else if (outlook == CLIP_OUTLOOK_DOUBTFUL && call->n_looks++ < DOUBTFUL_LOOKS)
    g_timeout_add_full (G_PRIORITY_DEFAULT, DOUBTFUL_MS, on_doubtful_time,
                        g_steal_pointer (&task), g_object_unref);
  else
    add (g_steal_pointer (&task));
}

static void
on_looked (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StoreCall *call = g_task_get_task_data (task);
  GError *error = NULL;

  if (!clip_entry_builder_look_finish (call->builder, result, &error))
    g_task_return_error (task, error);
  else if (!g_task_return_error_if_cancelled (task))
    commit (g_steal_pointer (&task));
}

static void
receive_next (GTask *task_take)
{
  StoreCall *call = g_task_get_task_data (task_take);
  ClipReceiveTerms terms = clip_entry_builder_terms (call->builder, call->gauge);
  ClipInput *input;

  if (call->next == call->inputs->len && clip_entry_builder_has_patterns (call->builder))
    {
      clip_entry_builder_look_async (call->builder, on_looked, task_take);
      return;
    }
  if (call->next == call->inputs->len)
    {
      commit (task_take);
      return;
    }
  input = g_ptr_array_index (call->inputs, call->next++);
  clip_receive_fd (clip_history_store (call->history),
                   clip_history_transfers (call->history), input->mime,
                   g_steal_fd (&input->fd), &terms, g_task_get_cancellable (task_take),
                   on_received, task_take);
}

/* bytes of all; 0 where one of them is no file, which ends nobody knows where */
goffset
clip_inputs_expected (GPtrArray *inputs)
{
  goffset bytes = 0;

  for (guint i = 0; i < inputs->len; i++)
    {
      const ClipFdLook *look = &((ClipInput *) inputs->pdata[i])->look;

      if (!S_ISREG (look->mode))
        return 0;
      bytes += MAX (look->size - look->at, 0);
    }
  return bytes;
}

static gboolean
check_inputs (GPtrArray *inputs, GError **error)
{
  for (guint i = 0; i < inputs->len; i++)
    {
      ClipInput *input = g_ptr_array_index (inputs, i);

      if (!clip_call_check_source (input->fd, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * clip_call_store_async:
 * @inputs_take: (element-type ClipInput): the primary content first; each is read to its
 * end
 * @settings: in force for this call
 * @select: whether the caller is going to put it on the clipboard
 * @replaces: the id of an entry whose place it takes, pin and tags included; 0 = none
 * @outlook: (nullable): of the caller; asked before what came from a pipe is kept, with
 * @user_data, and where it is doubtful for some milliseconds more
 * @cancellable: ends it, and leaves nothing, when the caller goes away
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT, %CLIP_ERROR_STALLED, %CLIP_ERROR_NO_SPACE,
 * %G_IO_ERROR_CANCELLED, %G_FILE_ERROR.
 */
void
clip_call_store_async (ClipHistory *history,
                       GPtrArray *inputs_take,
                       const ClipSettings *settings,
                       gboolean select,
                       gint64 replaces,
                       ClipCallOutlook outlook,
                       ClipGauge *gauge,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (history, cancellable, callback, user_data);
  StoreCall *call = g_new0 (StoreCall, 1);
  ClipDrop refusal;
  GError *error = NULL;

  g_task_set_source_tag (task, clip_call_store_async);
  call->history = g_object_ref (history);
  call->inputs = inputs_take;
  call->select = select;
  call->outlook = outlook;
  call->outlook_data = user_data;
  call->gauge = clip_gauge_ref (gauge);
  refusal = refusal_of (call);
  call->builder = clip_entry_builder_new (settings, "");
  clip_entry_builder_set_replaces (call->builder, replaces);
  clip_history_guard (history, call->builder, settings);
  g_task_set_task_data (task, call, (GDestroyNotify) store_call_free);
  if (!check_inputs (inputs_take, &error))
    g_task_return_error (task, error);
  else if (refusal != CLIP_DROP_NONE)
    return_stored (task, (ClipStored){ .drop = refusal });
  else
    {
      clip_gauge_expect (gauge, clip_inputs_expected (inputs_take));
      receive_next (g_steal_pointer (&task));
    }
}

/* FALSE with the error set; what is dropped on purpose is no error, and @out_stored says
   why */
gboolean
clip_call_store_finish (GAsyncResult *result, ClipStored *out_stored, GError **error)
{
  g_autofree ClipStored *stored = g_task_propagate_pointer (G_TASK (result), error);

  if (!stored)
    return FALSE;
  *out_stored = *stored;
  return TRUE;
}

typedef struct
{
  ClipHistory *history;
  int sink_fd;
  ClipCallOpened opened;
  gpointer opened_data;
  ClipGauge *gauge; /* (nullable) */
} SendCall;

static void
send_call_free (SendCall *self)
{
  g_clear_object (&self->history);
  clip_fd_clear_foreign (&self->sink_fd);
  clip_gauge_unref (self->gauge);
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
    clip_gauge_end (call->gauge);
  if (bytes < 0)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, bytes);
}

static void
on_sending (goffset moved, gpointer user_data)
{
  clip_gauge_advance (user_data, moved);
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
  job.source_fd = g_steal_fd (&payload->fd);
  job.bytes = payload->bytes;
  job.size = payload->size;
  job.sink_fd = g_steal_fd (&call->sink_fd);
  if (call->gauge)
    {
      clip_gauge_expect (call->gauge, payload->size);
      job.progress = on_sending;
      job.progress_data = call->gauge;
    }
  clip_transfers_serve_async (clip_history_transfers (call->history), &job, cancellable,
                              on_served, g_steal_pointer (&task));
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
                      ClipGauge *gauge,
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
                      .gauge = clip_gauge_ref (gauge) };
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

/* --- streams: many contents, or the list --- */

/* what the search of a list may take, the waiting for its reader not counted */
#define SEARCH_US (5 * CLIP_QUERY_BUDGET_US)

/* about what the reader puts on a page */
#define PAGE_BYTES (256 * 1024)

/* the source of @job is the task's data: it lives until the stream has ended */
static void
start (GTask *task_take,
       ClipStreamNext next,
       ClipStreamRelease release,
       int sink_fd_take,
       ClipGauge *gauge,
       GAsyncReadyCallback on_ended)
{
  g_autoptr (GTask) task = task_take;
  ClipHistory *history = g_task_get_source_object (task);
  ClipStreams *streams = clip_history_streams (history);
  ClipStreamJob job = { .next = next,
                        .release = release,
                        .source = g_task_get_task_data (task),
                        .gauge = gauge };
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
  ClipGauge *gauge; /* (nullable) */
} Joining;

static void
joining_free (Joining *self)
{
  clip_join_free (self->join);
  clip_gauge_unref (self->gauge);
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

  clip_gauge_expect (self->gauge, clip_join_total (self->join));
  return fine;
}

static void
release_join_on_thread (gpointer source)
{
  Joining *self = source;

  clip_join_release (self->join);
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
                      ClipGauge *gauge,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task = g_task_new (history, cancellable, callback, user_data);
  Joining *joining = g_new (Joining, 1);

  *joining = (Joining){ .join = join_take, .gauge = clip_gauge_ref (gauge) };
  g_task_set_source_tag (task, clip_call_join_async);
  g_task_set_task_data (task, joining, (GDestroyNotify) joining_free);
  start (task, join_next_on_thread, release_join_on_thread, sink_fd_take, gauge,
         on_joined);
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
  GCancellable *cancellable; /* (nullable) */
  ClipGauge *gauge;          /* (nullable) */
  GString *text;             /* (nullable) */
  gboolean more;
  gint64 left_us; /* of what its search may take */
  gint64 n_rows;  /* in text */
  gint64 written; /* rows before those */
} Listing;

static void
release_list_on_thread (gpointer source)
{
  Listing *self = source;

  if (self->text)
    g_string_free (g_steal_pointer (&self->text), TRUE);
}

static void
listing_free (Listing *self)
{
  clip_query_clear (&self->query);
  g_clear_object (&self->cancellable);
  clip_gauge_unref (self->gauge);
  release_list_on_thread (self);
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
  if (!self->text)
    self->text = g_string_sized_new (PAGE_BYTES + PAGE_BYTES / 8);
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
                       ClipGauge *gauge,
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
  listing->more = TRUE;
  listing->left_us = SEARCH_US;
  g_set_object (&listing->cancellable, cancellable);
  listing->gauge = clip_gauge_ref (gauge);
  g_task_set_task_data (task, listing, (GDestroyNotify) listing_free);
  start (task, list_next_on_thread, release_list_on_thread, sink_fd_take, gauge,
         on_printed);
}

/* the rows that were written; -1 with the error set */
gint64
clip_call_print_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* --- the limits, obeyed now --- */

static void
on_trimmed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  ClipOutcome trimmed = { 0 };

  if (!clip_store_change_finish (CLIP_STORE (source), result, &trimmed, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  clip_history_renew_limits (g_task_get_source_object (task));
  if ((trimmed.spared & CLIP_LIMIT_SPACE) != 0)
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_SPACE,
                             "make room: all that is not pinned is less than what is "
                             "missing of min-free-space; nothing goes for that");
  else
    g_task_return_int (task, trimmed.n);
}

/**
 * clip_call_trim_async:
 * @settings: whose limits are obeyed, whatever they take
 * @pretends: whether only to count
 *
 * Errors: as clip_store_change_finish().
 */
void
clip_call_trim_async (ClipHistory *history,
                      const ClipSettings *settings,
                      gboolean pretends,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task = g_task_new (history, NULL, callback, user_data);
  ClipLimits limits = clip_policy_limits (settings);

  g_task_set_source_tag (task, clip_call_trim_async);
  limits.cautious = 0;
  limits.thorough = TRUE;
  clip_store_change_async (clip_history_store (history),
                           clip_change_trim (&limits, pretends), on_trimmed, task);
}

/* Returns: how many entries went, or would go; -1 with @error set */
gint64
clip_call_trim_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

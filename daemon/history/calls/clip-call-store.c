/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-call-store.h"

#include "clip-call-descriptor.h"
#include "clip-error.h"
#include "clip-history-private.h"

#include <sys/stat.h>

static void
input_free (ClipInput *self)
{
  clip_fd_clear_foreign (&self->fd);
  g_free (self->mime);
  g_free (self);
}

/* (element-type ClipInput): closes what was not taken */
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

typedef struct
{
  ClipHistory *history;
  ClipEntryBuilder *builder;
  ClipEntryId *replaces; /* (nullable) */
  GPtrArray *inputs;
  guint next;
  gboolean select;
  gboolean is_empty;
  gboolean is_plain;            /* known once all has come */
  ClipCallIsLeaving is_leaving; /* (nullable) */
  gpointer caller;
  gboolean heard;                 /* what the displays know, as far as they tell */
  ClipTransferProgress *progress; /* (nullable) */
} StoreCall;

static void
store_call_free (StoreCall *self)
{
  g_clear_object (&self->history);
  clip_entry_builder_free (self->builder);
  clip_entry_id_unref (self->replaces);
  g_ptr_array_unref (self->inputs);
  clip_transfer_progress_unref (self->progress);
  g_free (self);
}

static void
return_failure (GTask *task, GError *error_take)
{
  clip_policy_name_full_disk (error_take);
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
      clip_transfer_progress_end (call->progress);
      if (stored.added.is_echo)
        clip_primary_spare (call->history->primary, stored.added.id);
      stored.drop = stored.added.is_late ? CLIP_DROP_DELETED : CLIP_DROP_NONE;
      stored.is_plain = call->is_plain;
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

  clip_transfer_progress_end (call->progress);
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
  ClipDraft *draft;

  call->is_plain = clip_entry_builder_is_plain (call->builder);
  clip_entry_builder_set_replaces (call->builder, clip_entry_id_get (call->replaces));
  draft = clip_entry_builder_finish (call->builder, &drop, &error);
  if (error)
    return_failure (task, error);
  else if (draft)
    clip_store_change_async (clip_history_store (call->history),
                             clip_change_add (draft, &limits), on_added,
                             g_steal_pointer (&task));
  else
    return_drop (g_steal_pointer (&task), drop);
}

/* a limit of the user's, not a failure */
static void
return_too_large (GTask *task_take)
{
  g_autoptr (GTask) task = task_take;

  return_stored (task, (ClipStored){ .drop = CLIP_DROP_TOO_LARGE });
}

static void receive_next (GTask *task_take);

static void
on_received (ClipReceived *received, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StoreCall *call = g_task_get_task_data (task);

  if (received->content)
    {
      clip_entry_builder_add (call->builder, g_steal_pointer (&received->content));
      receive_next (g_steal_pointer (&task));
    }
  else if (g_error_matches (received->error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE))
    return_too_large (g_steal_pointer (&task));
  else
    return_failure (task, g_error_copy (received->error));
}

/* what goes onto the clipboard as well comes from a user who asked for it, and not from
 * a watcher that stores what it found there */
static ClipDrop
refusal_of (const StoreCall *call)
{
  ClipDrop refusal = clip_history_refusal (call->history);

  return call->select && refusal != CLIP_DROP_PAUSED ? CLIP_DROP_NONE : refusal;
}

/* A file is whole for any caller. What came through a pipe ended when its writer did, and
 * a signal that ended it was meant for its reader as well: ^C goes to the whole
 * pipeline. */
static gboolean
is_broken_off (const StoreCall *call)
{
  gboolean all_files = TRUE;

  for (guint i = 0; i < call->inputs->len; i++)
    all_files &= clip_fd_is_file (&((ClipInput *) call->inputs->pdata[i])->look);
  return !all_files && call->is_leaving && call->is_leaving (call->caller);
}

static void commit (GTask *task_take);

static void
on_heard (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StoreCall *call = g_task_get_task_data (task);
  GError *error = NULL;

  call->heard = TRUE;
  clip_display_sync_finish (result, &error);
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_STALLED))
    {
      g_clear_error (&error);
      return_stored (task, (ClipStored){ .drop = CLIP_DROP_UNANSWERED });
    }
  else if (error)
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

  if (refusal != CLIP_DROP_NONE)
    return_stored (task, (ClipStored){ .drop = refusal });
  else if (display_sync)
    clip_display_sync_run_async (display_sync, on_heard, g_steal_pointer (&task));
  else if (is_broken_off (call))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                             "the caller is ending");
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
  ClipReceiveTerms terms = clip_entry_builder_terms (call->builder, call->progress);
  ClipInput *input;

  terms.idle_ms = CLIP_POLICY_CALLER_IDLE_MS;
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
  if (terms.limit < 0)
    {
      return_too_large (task_take);
      return;
    }
  input = g_ptr_array_index (call->inputs, call->next++);
  clip_receive_fd (clip_history_store (call->history), call->history->transfers,
                   input->mime, g_steal_fd (&input->fd), &terms,
                   g_task_get_cancellable (task_take), on_received, task_take);
}

/* bytes of all; 0 where one of them is no file, whose end is unknown */
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
 * @replaces: the id of an entry whose place it takes, pin, tags and expiry included, also
 * where that has been copied again since; 0 = none
 * @is_leaving: (nullable): of the caller; asked before what came from a pipe is kept,
 * with @user_data
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
                       ClipCallIsLeaving is_leaving,
                       ClipTransferProgress *progress,
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
  call->is_leaving = is_leaving;
  call->caller = user_data;
  call->progress = clip_transfer_progress_ref (progress);
  refusal = refusal_of (call);
  call->builder = clip_entry_builder_new (settings, "");
  call->replaces =
      clip_entry_ids_hold_moved (clip_clipboard_ids (history->clipboard), replaces);
  clip_history_guard (history, call->builder, settings);
  g_task_set_task_data (task, call, (GDestroyNotify) store_call_free);
  if (!check_inputs (inputs_take, &error))
    g_task_return_error (task, error);
  else if (refusal != CLIP_DROP_NONE)
    return_stored (task, (ClipStored){ .drop = refusal });
  else
    {
      clip_transfer_progress_expect (progress, clip_inputs_expected (inputs_take));
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

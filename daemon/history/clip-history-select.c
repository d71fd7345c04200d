/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A caller wants an entry on the clipboard: PRIMARY comes first where that is wanted, too, because the
 * call ends with the clipboard, once the display knows of it.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-history-private.h"

#include "clip-error.h"

/* the display has heard of it: who pastes from now on gets that entry */
static void
on_select_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  g_task_return_boolean (task, TRUE);
}

static void
fail_without_backend (GTask *task)
{
  g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                           "own the clipboard: no display is connected");
}

/**
 * clip_history_empty_async:
 *
 * Empties the clipboard, and ends when the display knows: with clip_history_select_finish().
 *
 * Errors: %CLIP_ERROR_NO_BACKEND where there is no display.
 */
void
clip_history_empty_async (ClipHistory *self,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  GError *error = NULL;
  ClipBackend *backend;

  g_task_set_source_tag (task, clip_history_empty_async);
  if (self->backends->len == 0)
    {
      fail_without_backend (task);
      return;
    }
  backend = g_ptr_array_index (self->backends, 0);
  if (clip_clipboard_empty (self->clipboard, backend, &error))
    clip_backend_sync_async (backend, on_select_synced, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

typedef struct
{
  ClipBackend *backend;
  gint64 id;
  ClipSelectFlags flags;
} Selecting;

static void
selecting_free (gpointer data)
{
  Selecting *self = data;

  g_object_unref (self->backend);
  g_free (self);
}

static void
on_selected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Selecting *selecting = g_task_get_task_data (task);
  GError *error = NULL;

  if (clip_clipboard_own_finish (CLIP_CLIPBOARD (source), result, &error))
    clip_backend_sync_async (selecting->backend, on_select_synced,
                             g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

static void
select_clipboard (GTask *task_take)
{
  ClipHistory *self = g_task_get_source_object (task_take);
  Selecting *selecting = g_task_get_task_data (task_take);

  clip_clipboard_own_async (self->clipboard, selecting->backend, selecting->id,
                            selecting->flags & CLIP_SELECT_PLAIN ? CLIP_OWN_TAKE_PLAIN
                                                                 : CLIP_OWN_TAKE,
                            on_selected, task_take);
}

static void
on_primary_owned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  clip_primary_own_finish (CLIP_PRIMARY (source), result);
  select_clipboard (user_data);
}

/**
 * clip_history_select_async:
 * @id: of the entry
 *
 * Makes us the owner of the clipboard, with every type that the entry holds and @flags let through,
 * and ends when the display knows.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SUCH_FORMAT, %CLIP_ERROR_NO_BACKEND where there is no display.
 */
void
clip_history_select_async (ClipHistory *self,
                           gint64 id,
                           ClipSelectFlags flags,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  Selecting *selecting;

  g_task_set_source_tag (task, clip_history_select_async);
  if (self->backends->len == 0)
    {
      fail_without_backend (task);
      return;
    }
  selecting = g_new (Selecting, 1);
  *selecting =
      (Selecting){ g_object_ref (g_ptr_array_index (self->backends, 0)), id, flags };
  g_task_set_task_data (task, selecting, selecting_free);
  if (flags & CLIP_SELECT_PRIMARY)
    clip_primary_own_async (self->primary, selecting->backend, id, on_primary_owned,
                            g_steal_pointer (&task));
  else
    select_clipboard (g_steal_pointer (&task));
}

gboolean
clip_history_select_finish (ClipHistory *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is on the clipboard because we put it there: what somebody left, what was ours before, what a
 * caller selects. */
#define G_LOG_DOMAIN "clip-history"
#include "clip-clipboard-private.h"

static void
on_filled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipClipboard) self = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_selection_owner_own_finish (CLIP_SELECTION_OWNER (source), result, &error))
    clip_clipboard_set_current (self, clip_selection_owner_id (self->owner));
  else
    g_info ("the clipboard stays empty: %s", error->message);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    clip_owner_exit_taken (
        &self->owner_exit,
        g_get_monotonic_time ()); /* else another one may be on its way */
}

/* what was left */
void
clip_clipboard_own_left (gpointer user_data)
{
  ClipClipboard *self = user_data;
  GCancellable *owning;
  const gint64 id = clip_owner_exit_take (&self->owner_exit, &owning);

  clip_selection_owner_own_async (self->owner, self->owner_exit.display, id,
                                  CLIP_OWN_FILL, owning, on_filled, g_object_ref (self));
}

/* it was ours before our restart, and is nobody's now */
void
clip_clipboard_on_reclaim (ClipClipboard *self, gint64 id, ClipBackend *backend)
{
  g_set_object (&self->owner_exit.display, backend);
  self->owner_exit.id = id;
  clip_clipboard_own_left (self);
}

static void
on_owned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  ClipClipboard *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!clip_selection_owner_own_finish (CLIP_SELECTION_OWNER (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  clip_clipboard_set_current (self, clip_selection_owner_id (self->owner));
  g_task_return_boolean (task, TRUE);
}

/**
 * clip_clipboard_own_async:
 * @id: of the entry
 *
 * Makes us the owner of the clipboard of @backend, with every type that the entry holds and
 * @mode offers.
 *
 * Errors: as clip_selection_owner_own_async().
 */
void
clip_clipboard_own_async (ClipClipboard *self,
                          ClipBackend *backend,
                          gint64 id,
                          ClipOwnMode mode,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_clipboard_own_async);
  clip_owner_exit_make_way (&self->owner_exit);
  clip_selection_owner_own_async (self->owner, backend, id, mode, NULL, on_owned, task);
}

gboolean
clip_clipboard_own_finish (ClipClipboard *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * clip_clipboard_empty:
 *
 * Nothing is on the clipboard from then on, whoever owned it, and nothing is put there in its place.
 *
 * Errors: as clip_backend_own().
 */
gboolean
clip_clipboard_empty (ClipClipboard *self, ClipBackend *backend, GError **error)
{
  clip_owner_exit_end (&self->owner_exit);
  if (!clip_selection_owner_empty (self->owner, backend, error))
    return FALSE;
  clip_clipboard_set_current (self, 0);
  clip_reclaim_set_owned (self->reclaim, 0);
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A history that is emptied, when a session wants that. */
#include "clip-history.h"

/**
 * clip_history_clears_on:
 * @event: `lock` or `logout`
 *
 * Returns: whether the user wants the history to be emptied then
 */
gboolean
clip_history_clears_on (ClipHistory *self, const char *event)
{
  g_auto (GStrv) events =
      clip_settings_list (clip_history_settings (self), CLIP_SETTING_CLEAR_ON);

  return g_strv_contains ((const char *const *) events, event);
}

static void
on_cleared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (clip_store_change_finish (CLIP_STORE (source), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* removes every entry that is not pinned */
void
clip_history_clear_async (ClipHistory *self,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_history_clear_async);
  clip_store_wipe_async (clip_history_store (self), FALSE, 0, on_cleared, task);
}

/* FALSE with the error set: as clip_store_change_finish() */
gboolean
clip_history_clear_finish (ClipHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

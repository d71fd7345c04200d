/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-call.h"

#include "clip-error.h"

static void
on_trimmed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  ClipTrimmed trimmed = { 0 };

  if (!clip_store_trim_finish (CLIP_STORE (source), result, &trimmed, &error))
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
  clip_store_trim_async (clip_history_store (history), &limits, pretends, on_trimmed,
                         task);
}

/* Returns: how many entries went, or would go; -1 with @error set */
gint64
clip_call_trim_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is on the clipboard when a display is found was copied before any call that is
 * made from then on. So it is received first: what a call deletes, or an expiry, is known
 * to be on the clipboard then, and does not come back as something new.
 */
#include "clip-first-look.h"

/* a display, or a program that has copied, that takes longer is not waited for */
#define PATIENCE_MS 1500

typedef struct
{
  ClipClipboard *clipboard; /* NULL once it has ended */
  gulong handler;
  guint timer;
} Look;

static void
look_free (gpointer data)
{
  Look *self = data;

  g_clear_object (&self->clipboard);
  g_free (self);
}

static void
end (GTask *task)
{
  Look *look = g_task_get_task_data (task);

  if (!look->clipboard)
    return;
  g_clear_signal_handler (&look->handler, look->clipboard);
  g_clear_handle_id (&look->timer, g_source_remove);
  g_clear_object (&look->clipboard);
  g_task_return_boolean (task, TRUE);
}

static gboolean
on_patience_ended (gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);

  end (task);
  return G_SOURCE_REMOVE;
}

static void
on_settled (GTask *task)
{
  g_object_ref (task); /* the handler goes, and what it holds */
  end (task);
  g_object_unref (task);
}

static void
unref_task (gpointer data, GClosure *closure G_GNUC_UNUSED)
{
  g_object_unref (data);
}

static void
on_told (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Look *look = g_task_get_task_data (task);

  if (!look->clipboard)
    return;
  if (clip_display_sync_finish (result, NULL) &&
      clip_clipboard_is_receiving (look->clipboard))
    look->handler =
        g_signal_connect_data (look->clipboard, "settled", G_CALLBACK (on_settled),
                               g_object_ref (task), unref_task, G_CONNECT_SWAPPED);
  else
    end (task);
}

/**
 * clip_first_look_async:
 *
 * Ends when the displays have told what they hold, and that has become an entry or none,
 * or when either takes too long.
 */
void
clip_first_look_async (ClipDisplaySync *display_sync,
                       ClipClipboard *clipboard,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Look *look = g_new0 (Look, 1);

  g_task_set_source_tag (task, clip_first_look_async);
  look->clipboard = g_object_ref (clipboard);
  look->timer = g_timeout_add_full (G_PRIORITY_DEFAULT, PATIENCE_MS, on_patience_ended,
                                    g_object_ref (task), g_object_unref);
  g_task_set_task_data (task, look, look_free);
  clip_display_sync_run_async (display_sync, on_told, task);
}

void
clip_first_look_finish (GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, NULL));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

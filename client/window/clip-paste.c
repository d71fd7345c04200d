/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An entry into the window that had the focus. Each step waits for the one before: the window is gone,
 * that other one has the focus, the key that pastes there is known, the clipboard has the entry, the
 * key is pressed. So nothing is pasted into another window, nor what was on the clipboard before.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-paste.h"

#include "clip-press.h"
#include "clip-words.h"

/* some programs paste the primary selection on it */
#define KEY_OF_PRIMARY "shift+insert"
#define KEY_ELSEWHERE "ctrl+v"

typedef struct
{
  CliphistHistory *history;
  guint64 id;
  CliphistSelectFlags flags;
  char *key;
} Paste;

static void
paste_free (Paste *self)
{
  g_object_unref (self->history);
  g_free (self->key);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Paste, paste_free)

/**
 * clip_paste_tell:
 * @words: for the user, while the window is not there to show them
 */
void
clip_paste_tell (const char *words)
{
  g_autoptr (GNotification) notification = g_notification_new (_ ("Clipboard history"));

  g_notification_set_body (notification, words);
  g_application_send_notification (g_application_get_default (), "paste", notification);
}

static void
on_pressed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GSubprocess *program = G_SUBPROCESS (source);
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_autofree char *answer = NULL;

  if (g_subprocess_communicate_utf8_finish (program, result, &said, NULL, &error))
    answer = clip_press_answer (program, said, &error);
  if (!answer)
    {
      g_autofree char *words = g_strdup_printf (
          _ ("It is on the clipboard, but the key to paste it cannot be sent: %s"),
          error->message);

      clip_paste_tell (words);
    }
  g_application_release (g_application_get_default ());
}

static void
press (const char *key)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = clip_press_start (key, &error);

  if (program)
    {
      g_application_hold (g_application_get_default ());
      g_subprocess_communicate_utf8_async (program, NULL, NULL, on_pressed, NULL);
    }
  else
    clip_paste_tell (error->message);
}

static void
on_selected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Paste) self = user_data;
  g_autoptr (GError) error = NULL;

  if (cliphist_history_select_finish (CLIPHIST_HISTORY (source), result, &error))
    press (self->key);
  else
    clip_paste_tell (error->message);
  g_application_release (g_application_get_default ());
}

static void
on_key_known (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GSubprocess *program = G_SUBPROCESS (source);
  Paste *self = user_data;
  g_autofree char *said = NULL;

  g_subprocess_communicate_utf8_finish (program, result, &said, NULL, NULL);
  self->key = clip_press_answer (program, said, NULL) ?: g_strdup (KEY_ELSEWHERE);
  if (g_str_equal (self->key, KEY_OF_PRIMARY))
    self->flags |= CLIPHIST_SELECT_PRIMARY;
  cliphist_history_select_async (self->history, self->id, self->flags, NULL, on_selected,
                                 self);
}

/**
 * clip_paste:
 * @id: of the entry
 *
 * Hides the window, and pastes where the focus is then. What goes wrong is said in a notification.
 */
void
clip_paste (ClipPlacement *placement,
            CliphistHistory *history,
            guint64 id,
            CliphistSelectFlags flags)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = NULL;
  Paste *self = g_new0 (Paste, 1);

  self->history = g_object_ref (history);
  self->id = id;
  self->flags = flags;
  g_application_hold (g_application_get_default ());
  clip_placement_hide (placement);
  program = clip_press_start ("which", &error);
  if (program)
    {
      g_subprocess_communicate_utf8_async (program, NULL, NULL, on_key_known, self);
      return;
    }
  /* without the program that presses keys it is on the clipboard, and no more */
  clip_paste_tell (error->message);
  cliphist_history_select_async (history, id, flags, NULL, NULL, NULL);
  paste_free (self);
  g_application_release (g_application_get_default ());
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An entry on the clipboard, and then the key that pastes it. The daemon answers once the
 * clipboard has changed, so that what was there before is not pasted. Where the key is
 * one that terminals paste the primary selection on, that is set as well; otherwise it is
 * left alone, since a text that is selected in a window, to be pasted over, would no
 * longer be. */
#include "clip-insert.h"

#include "clip-key-press.h"
#include "clip-notify.h"
#include "clip-words.h"

/* a desktop that asks no question is faster */
#define QUESTION_MS 1500

/* Returns: (nullable) (transfer full): what cliphist-key said; NULL where it pressed
   nothing */
static char *
press (const char *asked, GError **error)
{
  g_autoptr (GSubprocess) program = clip_key_press_start (asked, error);
  g_autofree char *said = NULL;

  if (!program ||
      !g_subprocess_communicate_utf8 (program, NULL, NULL, &said, NULL, error))
    return NULL;
  return clip_key_press_answer (program, said, error);
}

static gboolean
on_question (gpointer user_data)
{
  const char *words =
      _ ("waiting for your answer: the desktop asks whether keys may be pressed");

  clip_command_say ("%s", words);
  clip_notify (user_data, _ ("Nothing is pasted yet"), words);
  return G_SOURCE_REMOVE;
}

static void
on_pressed (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* as press(), and says what it waits for: some desktops ask their user first */
static char *
press_when_allowed (const ClipCommand *command, const char *asked, GError **error)
{
  g_autoptr (GSubprocess) program = clip_key_press_start (asked, error);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GSource) question = g_timeout_source_new (QUESTION_MS);
  g_autofree char *said = NULL;

  if (!program)
    return NULL;
  g_source_set_callback (question, on_question, (gpointer) command, NULL);
  g_source_attach (question, NULL);
  g_subprocess_communicate_utf8_async (program, NULL, NULL, on_pressed, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  g_source_destroy (question);
  if (!g_subprocess_communicate_utf8_finish (program, result, &said, NULL, error))
    return NULL;
  return clip_key_press_answer (program, said, error);
}

/* what pastes in the window that has the focus */
const ClipKey *
clip_insert_usual_key (void)
{
  g_autofree char *name = press ("which", NULL);

  return (name ? clip_key_find (name) : NULL) ?: clip_key_find (NULL);
}

/* Returns: the exit status, after pasting what is on the clipboard, or saying why not */
int
clip_insert_clipboard (const ClipCommand *command, const ClipKey *key)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *said = press_when_allowed (command, clip_key_name (key), &error);

  if (said)
    return CLIP_EXIT_DONE;
  /* the first line is all that some desktops show */
  clip_command_say (_ ("It is on the clipboard: press %s to paste it."),
                    clip_key_name (key));
  clip_command_say (_ ("The key cannot be sent: %s"), error->message);
  clip_command_explain (_ ("Nothing was pasted"));
  return CLIP_EXIT_FAILED;
}

/**
 * clip_insert:
 * @id: of the entry
 * @how: it goes onto the clipboard; the key says whether as the primary selection, too
 *
 * Returns: the exit status, after saying what went wrong
 */
int
clip_insert (const ClipCommand *command,
             gint64 id,
             const ClipKey *key,
             const ClipSelectHow *how)
{
  const ClipSelectHow with_key = { .plain = how->plain,
                                   .primary = clip_key_pastes_primary (key),
                                   .move = how->move };
  int status = clip_select (command, id, &with_key);

  return status == CLIP_EXIT_DONE ? clip_insert_clipboard (command, key) : status;
}

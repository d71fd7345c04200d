/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An entry on the clipboard, and then the key that pastes it. The daemon answers once the clipboard
 * has changed, so that nobody pastes what was there before. Where the key is one that terminals paste
 * the primary selection on, that is set as well; otherwise it is left alone, since a text that is
 * selected in a window, to be pasted over, would no longer be. */
#include "clip-insert.h"

#include "clip-press.h"
#include "clip-words.h"

/* Returns: (nullable) (transfer full): what cliphist-key said; NULL where it pressed nothing */
static char *
press (const char *asked, GError **error)
{
  g_autoptr (GSubprocess) program = clip_press_start (asked, error);
  g_autofree char *said = NULL;

  if (!program ||
      !g_subprocess_communicate_utf8 (program, NULL, NULL, &said, NULL, error))
    return NULL;
  return clip_press_answer (program, said, error);
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
clip_insert_clipboard (const ClipKey *key)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *said = press (clip_key_name (key), &error);

  if (said)
    return CLIP_EXIT_DONE;
  clip_command_say (
      _ ("it is on the clipboard, but the key to paste it cannot be sent: %s"),
      error->message);
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

  return status == CLIP_EXIT_DONE ? clip_insert_clipboard (key) : status;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An entry on the clipboard, and then the key that pastes it. The daemon answers once the clipboard
 * has changed, so that nobody pastes what was there before. Where the key is one that terminals paste
 * the primary selection on, that is set as well; otherwise it is left alone, since a text that is
 * selected in a window, to be pasted over, would no longer be. */
#include "clip-insert.h"

#include "clip-libexec.h"
#include "clip-words.h"

/* what pastes in the window that has the focus */
const ClipKey *
clip_insert_usual_key (void)
{
  g_autofree char *program = clip_libexec_find ("cliphist-key");
  char *argv[] = { program, (char *) "which", NULL };
  g_autofree char *name = NULL;
  const ClipKey *key = NULL;

  if (g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &name, NULL, NULL,
                    NULL))
    key = clip_key_find (g_strchomp (name));
  return key ?: clip_key_find (NULL);
}

/* Returns: (nullable) (transfer full): why it was not sent; NULL where it was */
static char *
send_key (const ClipKey *key)
{
  g_autofree char *program = clip_libexec_find ("cliphist-key");
  char *argv[] = { program, (char *) clip_key_name (key), NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;
  int status;

  if (!g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &words, &status,
                     &error))
    return g_strdup (error->message);
  if (g_spawn_check_wait_status (status, &error))
    return NULL;
  g_strchomp (words);
  return *words ? g_steal_pointer (&words) : g_strdup (error->message);
}

/* Returns: the exit status, after pasting what is on the clipboard, or saying why not */
int
clip_insert_clipboard (const ClipKey *key)
{
  g_autofree char *why = send_key (key);

  if (!why)
    return CLIP_EXIT_DONE;
  clip_command_say (
      _ ("it is on the clipboard, but the key to paste it cannot be sent: %s"), why);
  return CLIP_EXIT_FAILED;
}

/**
 * clip_insert:
 * @id: of the entry
 * @is_plain: only its plain text
 *
 * Returns: the exit status, after saying what went wrong
 */
int
clip_insert (const ClipCommand *command, gint64 id, const ClipKey *key, gboolean is_plain)
{
  const ClipSelectHow how = { .plain = is_plain,
                              .primary = clip_key_pastes_primary (key) };
  int status = clip_select (command, id, &how);

  return status == CLIP_EXIT_DONE ? clip_insert_clipboard (key) : status;
}

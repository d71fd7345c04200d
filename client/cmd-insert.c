/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An entry on the clipboard, and then the key that pastes it. The daemon answers once the clipboard
 * has changed, so that nobody pastes what was there before. Where the key is one that terminals paste
 * the primary selection on, that is set as well; otherwise it is left alone, since a text that is
 * selected in a window, to be pasted over, would no longer be. */
#include "clip-cmds.h"
#include "clip-error.h"
#include "clip-key.h"
#include "clip-libexec.h"
#include "clip-select.h"
#include "clip-words.h"

static int
select_entry (const ClipCommand *command, gint64 id, const ClipKey *key)
{
  const ClipSelectHow how = { .plain = clip_command_has (command, CLIP_OPTION_PLAIN),
                              .primary = clip_key_pastes_primary (key) };

  return clip_select (command, id, &how);
}

/* what pastes in the window that has the focus */
static const ClipKey *
find_usual_key (void)
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

int
clip_cmd_insert (ClipCommand *command)
{
  const char *name = command->options[CLIP_OPTION_KEY];
  const ClipKey *key = name ? clip_key_find (name) : NULL;
  g_autofree char *why = NULL;
  gint64 id;
  int status;

  if (!clip_command_id (command, 0, &id))
    return CLIP_EXIT_MISUSED;
  if (name && !key)
    return clip_command_misuse (
        command, _ ("--key is ctrl+v, shift+insert or ctrl+shift+v, not '%s'"), name);
  if (!key)
    key = find_usual_key ();
  status = select_entry (command, id, key);
  if (status != CLIP_EXIT_DONE)
    return status;
  why = send_key (key);
  if (!why)
    return CLIP_EXIT_DONE;
  clip_command_say (
      _ ("it is on the clipboard, but the key to paste it cannot be sent: %s"), why);
  return CLIP_EXIT_FAILED;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-insert.h"
#include "clip-words.h"

int
clip_cmd_insert (ClipCommand *command)
{
  const char *name = command->options[CLIP_OPTION_KEY];
  const ClipKey *key = name ? clip_key_find (name) : NULL;
  gint64 id;

  if (!clip_command_id (command, 0, &id))
    return CLIP_EXIT_MISUSED;
  if (name && !key)
    return clip_command_misuse (
        command, _ ("--key is ctrl+v, shift+insert or ctrl+shift+v, not '%s'"), name);
  return clip_insert (command, id, key ?: clip_insert_usual_key (),
                      clip_command_has (command, CLIP_OPTION_PLAIN));
}

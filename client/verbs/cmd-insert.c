/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-id-arguments.h"
#include "clip-insert.h"
#include "clip-words.h"

#include <sys/stat.h>
#include <unistd.h>

/* a terminal, or the /dev/null that a key has: neither is a picker, which may have been
 * cancelled */
static gboolean
is_stdin_device (void)
{
  struct stat status;

  return fstat (STDIN_FILENO, &status) == 0 && S_ISCHR (status.st_mode);
}

int
clip_cmd_insert (ClipCommand *command)
{
  const char *name = command->options[CLIP_OPTION_KEY];
  const ClipKey *key = name ? clip_key_find (name) : NULL;
  const ClipSelectHow how = { .plain = clip_command_has (command, CLIP_OPTION_PLAIN) };
  gint64 id;

  if (command->words->len == 0 && is_stdin_device ())
    return clip_command_misuse (command, _ ("%s is missing"), "ID");
  if (!clip_id_arguments_resolve (command, clip_command_word (command, 0) ?: "-", &id))
    return command->id_status;
  if (name && !key)
    return clip_command_misuse (
        command, _ ("--key is ctrl+v, shift+insert or ctrl+shift+v, not '%s'"), name);
  return clip_insert (command, id, key, &how);
}

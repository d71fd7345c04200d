/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-error.h"
#include "clip-mime.h"
#include "clip-put.h"
#include "clip-select.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <unistd.h>

static int
fail_to_copy (const char *reason)
{
  g_autoptr (GError) error = g_error_new (
      CLIP_ERROR, CLIP_ERROR_FAILED, _ ("copy: nothing was put on the clipboard: %s"),
      clip_command_drop_words (reason));

  clip_command_explain (NULL);
  return clip_command_fail (error);
}

/* an empty input selects nothing: who cancels a picker keeps the clipboard */
static int
copy_stdin (ClipCommand *command)
{
  const ClipSelectHow how = { 0 };
  const char *mime = command->options[CLIP_OPTION_TYPE];
  g_autoptr (ClipRemote) remote = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;

  if (mime && !clip_mime_is_valid (mime))
    return clip_command_misuse (command, _ ("'%s' is not a MIME type"), mime);
  if (clip_put_is_secret ())
    return fail_to_copy ("sensitive");
  remote = clip_remote_new (command);
  clip_remote_set_option (remote, "select", g_variant_new_boolean (TRUE));
  if (!clip_put_stdin (remote, mime ?: "", &dropped, &error))
    return clip_select_after (command, remote, &how, error);
  if (dropped && *dropped)
    return fail_to_copy (dropped);
  if (dropped)
    clip_command_tell (_ ("There was nothing to copy: the clipboard stays as it is."));
  else
    clip_select_tell (command, 0);
  return CLIP_EXIT_DONE;
}

int
clip_cmd_copy (ClipCommand *command)
{
  const ClipSelectHow how = { .plain = clip_command_has (command, CLIP_OPTION_PLAIN) };
  gint64 id;

  if (command->words->len == 0 && how.plain)
    return clip_command_misuse (command, _ ("--plain needs the ID of an entry"));
  if (command->words->len == 0 && clip_terminal_is_null (STDIN_FILENO))
    return clip_command_misuse (command, _ ("%s is missing"), "ID");
  if (command->words->len == 0)
    return copy_stdin (command);
  if (!clip_command_id (command, 0, &id))
    return command->id_status;
  if (clip_command_has (command, CLIP_OPTION_TYPE))
    return clip_command_misuse (
        command, _ ("--type goes with standard input, and not with an ID"));
  return clip_select (command, id, &how);
}

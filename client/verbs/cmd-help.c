/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-help.h"
#include "clip-suggestion.h"
#include "clip-words.h"

int
clip_cmd_help (ClipCommand *command)
{
  const char *name = clip_command_word (command, 0);
  const char *near;
  ClipVerb verb;
  int status;

  if (!name)
    return clip_help_overview ();
  if (clip_verbs_find (name, &verb))
    return clip_help_verb (verb);
  near = clip_suggestion_verb (name);
  status = clip_command_misuse (command, _ ("there is no verb '%s'"), name);
  if (near)
    clip_command_say (_ ("Did you mean '%s'?"), near);
  return status;
}

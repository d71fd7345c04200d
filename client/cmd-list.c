/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"

int
clip_cmd_list (ClipCommand *command)
{
  ClipQuery query = { 0 };

  if (!clip_command_number (command, CLIP_OPTION_LIMIT, &query.limit) ||
      !clip_command_number (command, CLIP_OPTION_BEFORE, &query.before))
    return CLIP_EXIT_MISUSED;
  return clip_direct_print (command, &query);
}

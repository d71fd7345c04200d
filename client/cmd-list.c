/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-filters.h"
#include "clip-words.h"

int
clip_cmd_list (ClipCommand *command)
{
  const char *picker = command->options[CLIP_OPTION_WITH_ICONS];
  ClipQuery query = { 0 };
  ClipIcons icons;
  int status = clip_filters_read (command, &query);

  if (status != CLIP_EXIT_DONE)
    return status;
  if (!picker)
    return clip_direct_print (command, &query);
  if (!clip_icons_from_name (picker, &icons))
    return clip_command_misuse (
        command, _ ("--with-icons is rofi, fuzzel or wofi, not '%s'"), picker);
  if (clip_command_has (command, CLIP_OPTION_JSON) ||
      clip_command_has (command, CLIP_OPTION_NULL))
    return clip_command_misuse (command,
                                _ ("--with-icons goes with neither --json nor --null"));
  return clip_direct_print_icons (command, &query, icons);
}

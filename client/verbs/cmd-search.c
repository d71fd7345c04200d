/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-entry-lines.h"
#include "clip-filters.h"
#include "clip-words.h"

int
clip_cmd_search (ClipCommand *command)
{
  ClipQuery query = { 0 };
  int status = clip_filters_read (command, &query);

  if (status != CLIP_EXIT_DONE)
    return status;
  if (command->words->len == 0 && !clip_filters_any (command))
    return clip_command_misuse (command, _ ("nothing to search for"));
  g_ptr_array_add (command->words, NULL);
  query.words = (char **) command->words->pdata;
  return clip_entry_lines_print (command, &query);
}

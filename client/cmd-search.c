/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-when.h"
#include "clip-words.h"

static gboolean
is_searching (const ClipCommand *command)
{
  static const ClipOption filters[] = {
    CLIP_OPTION_TYPE,  CLIP_OPTION_CLASS,  CLIP_OPTION_REGEX,
    CLIP_OPTION_SINCE, CLIP_OPTION_PINNED, CLIP_OPTION_TAG,
  };

  if (command->words->len > 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (clip_command_has (command, filters[i]))
      return TRUE;
  return FALSE;
}

/* Returns: the exit status */
static int
read_filters (const ClipCommand *command, ClipQuery *query)
{
  const char *kind = command->options[CLIP_OPTION_CLASS];
  const char *since = command->options[CLIP_OPTION_SINCE];

  if (!clip_command_number (command, CLIP_OPTION_LIMIT, &query->limit) ||
      !clip_command_number (command, CLIP_OPTION_BEFORE, &query->before))
    return CLIP_EXIT_MISUSED;
  if (kind && !clip_class_from_name (kind, &query->kind))
    return clip_command_misuse (
        command, _ ("--class is text, image, files or other, not '%s'"), kind);
  if (since && !clip_when_parse (since, &query->since_us))
    return clip_command_misuse (
        command, _ ("--since is like 2h, 3d or 2025-12-31, not '%s'"), since);
  if (!is_searching (command))
    return clip_command_misuse (command, _ ("nothing to search for"));
  query->mime = command->options[CLIP_OPTION_TYPE];
  query->regex = command->options[CLIP_OPTION_REGEX];
  query->tag = command->options[CLIP_OPTION_TAG];
  query->pinned = clip_command_has (command, CLIP_OPTION_PINNED);
  return CLIP_EXIT_DONE;
}

int
clip_cmd_search (ClipCommand *command)
{
  ClipQuery query = { 0 };
  int status = read_filters (command, &query);

  if (status != CLIP_EXIT_DONE)
    return status;
  g_ptr_array_add (command->words, NULL);
  query.words = (char **) command->words->pdata;
  return clip_direct_print (command, &query);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which entries are meant, by the options that `list` and `search` share. */
#include "clip-filters.h"
#include "clip-time-point.h"
#include "clip-words.h"

gboolean
clip_filters_any (const ClipCommand *command)
{
  static const ClipOption filters[] = {
    CLIP_OPTION_TYPE,  CLIP_OPTION_CLASS,  CLIP_OPTION_REGEX,
    CLIP_OPTION_SINCE, CLIP_OPTION_PINNED, CLIP_OPTION_TAG,
  };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (clip_command_has (command, filters[i]))
      return TRUE;
  return FALSE;
}

/**
 * clip_filters_read:
 * @query: (out): its texts are the command's
 *
 * Returns: the exit status; what is wrong has been said
 */
int
clip_filters_read (const ClipCommand *command, ClipQuery *query)
{
  const char *kind = command->options[CLIP_OPTION_CLASS];
  const char *since = command->options[CLIP_OPTION_SINCE];

  if (!clip_command_number (command, CLIP_OPTION_LIMIT, &query->limit) ||
      !clip_command_number (command, CLIP_OPTION_BEFORE, &query->before))
    return CLIP_EXIT_MISUSED;
  if (kind && !clip_class_from_name (kind, &query->kind))
    return clip_command_misuse (
        command, _ ("--class is text, image, files or other, not '%s'"), kind);
  if (since && !clip_time_point_parse (since, &query->since_us))
    return clip_command_misuse (
        command, _ ("--since is like 2h, 3d, today, 09:00 or 2025-12-31, not '%s'"),
        since);
  query->mime = command->options[CLIP_OPTION_TYPE];
  query->regex = command->options[CLIP_OPTION_REGEX];
  query->tag = command->options[CLIP_OPTION_TAG];
  query->pinned = clip_command_has (command, CLIP_OPTION_PINNED);
  query->pinned_first =
      clip_command_has (command, CLIP_OPTION_PINNED_FIRST) && !query->pinned;
  return CLIP_EXIT_DONE;
}

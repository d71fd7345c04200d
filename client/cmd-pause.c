/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-remote.h"
#include "clip-units.h"
#include "clip-words.h"

#define UNTIL_RESUMED (-1)

static int
pause_until (ClipCommand *command, gint64 until_us)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);

  return clip_remote_run (remote, "Pause", g_variant_new ("(x)", until_us), "()");
}

int
clip_cmd_pause (ClipCommand *command)
{
  const char *duration = clip_command_word (command, 0);
  gint64 now_us = g_get_real_time ();
  gint64 for_us;

  if (!duration)
    return pause_until (command, UNTIL_RESUMED);
  if (!clip_parse_duration (duration, &for_us))
    return clip_command_misuse (
        command, _ ("a duration is like 30s, 10m or 1h30m, not '%s'"), duration);
  return pause_until (command,
                      for_us < G_MAXINT64 - now_us ? now_us + for_us : UNTIL_RESUMED);
}

int
clip_cmd_resume (ClipCommand *command)
{
  return pause_until (command, 0);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-notify.h"
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

static int
tell (int status, const char *duration)
{
  if (status == CLIP_EXIT_DONE && duration)
    clip_command_tell (_ ("Nothing that is copied is kept for %s."), duration);
  else if (status == CLIP_EXIT_DONE)
    clip_command_tell (_ ("Nothing that is copied is kept until “cliphist resume”."));
  return status;
}

int
clip_cmd_pause (ClipCommand *command)
{
  const char *duration = clip_command_word (command, 0);
  gint64 now_us = g_get_real_time ();
  gint64 for_us;

  if (!duration)
    return tell (pause_until (command, UNTIL_RESUMED), NULL);
  if (!clip_parse_duration (duration, &for_us))
    return clip_command_misuse (
        command, _ ("a duration is like 30s, 10m or 1h30m, not '%s'"), duration);
  return tell (pause_until (command, for_us < G_MAXINT64 - now_us ? now_us + for_us
                                                                  : UNTIL_RESUMED),
               duration);
}

static gboolean
is_paused (const ClipCommand *command)
{
  g_autoptr (ClipReader) reader = clip_direct_open (command, NULL);

  return reader && clip_direct_paused_until (reader) != 0;
}

/* of a pause that ends the notification goes; without one a key shows nothing */
int
clip_cmd_resume (ClipCommand *command)
{
  const gboolean was_paused = is_paused (command);
  int status = pause_until (command, 0);

  if (status != CLIP_EXIT_DONE)
    return status;
  if (was_paused)
    clip_command_tell (_ ("What is copied is kept again."));
  else
    {
      clip_command_tell (_ ("The history was not paused."));
      clip_notify (command, _ ("Clipboard history"), _ ("The history was not paused."));
    }
  return CLIP_EXIT_DONE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-desktop-check.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-notify.h"
#include "clip-remote.h"
#include "clip-units.h"
#include "clip-words.h"

#define UNTIL_RESUMED (-1)

/* 0 = the session's daemon is not paused, or there is none */
static gint64
ask_paused_until (void)
{
  g_autoptr (GVariantDict) daemon = clip_desktop_check_ask_daemon (NULL);
  gint64 until_us = 0;

  if (daemon)
    g_variant_dict_lookup (daemon, "PausedUntil", "x", &until_us);
  return until_us;
}

/* A disk that cannot be written ends no pause that was asked for: the session's daemon
 * has it in memory. A private one has gone by now, and what it had with it. */
static gboolean
is_in_force (const ClipRemote *remote, gint64 until_us, const GError *error)
{
  return !clip_remote_is_private (remote) &&
         (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE) ||
          g_error_matches (error, CLIP_ERROR, CLIP_ERROR_FAILED)) &&
         ask_paused_until () == until_us;
}

static gboolean
call_pause (ClipRemote *remote, gint64 until_us, GError **error)
{
  g_autoptr (GVariant) reply = clip_remote_call (
      remote, "Pause", g_variant_new ("(x)", until_us), "()", NULL, error);

  return reply != NULL;
}

/* Where db-path was changed while the daemon ran, that is asked first: it goes on in the
 * old place. The new one has the note for when it is restarted.
 * @out_fault: (transfer full) (nullable): why a restart of the daemon forgets it */
static int
pause_until (ClipCommand *command, gint64 until_us, char **out_fault)
{
  g_autoptr (GVariantDict) daemon = clip_desktop_check_ask_daemon (NULL);
  g_autoptr (ClipRemote) session = clip_desktop_check_is_elsewhere (command, daemon)
                                       ? clip_remote_new_session (command)
                                       : NULL;
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GError) error = NULL;

  if (session && !call_pause (session, until_us, &error) &&
      !is_in_force (session, until_us, error))
    return clip_command_fail (error);
  g_clear_error (&error);
  if (!call_pause (remote, until_us, &error) && !session &&
      !is_in_force (remote, until_us, error))
    return clip_command_fail (error);
  if (error)
    *out_fault = g_strdup_printf (
        _ ("A restart of the daemon forgets this, as it cannot be written: %s"),
        error->message);
  return CLIP_EXIT_DONE;
}

/* @title: what is so. @fault: (nullable): as pause_until() has filled it in */
static void
tell_fault (const ClipCommand *command, const char *title, const char *fault)
{
  if (!fault)
    return;
  clip_command_say ("%s", fault);
  clip_notify (command, title, fault);
}

/* @duration: (nullable): NULL = until it is resumed */
static int
begin (ClipCommand *command, gint64 until_us, const char *duration)
{
  g_autofree char *fault = NULL;
  int status = pause_until (command, until_us, &fault);

  if (status != CLIP_EXIT_DONE)
    return status;
  if (duration)
    clip_command_tell (_ ("Nothing that is copied is kept for %s."), duration);
  else
    clip_command_tell (_ ("Nothing that is copied is kept until “cliphist resume”."));
  tell_fault (command, _ ("The clipboard history is paused"), fault);
  return CLIP_EXIT_DONE;
}

int
clip_cmd_pause (ClipCommand *command)
{
  const char *duration = clip_command_word (command, 0);
  gint64 now_us = g_get_real_time ();
  gint64 for_us;

  if (!duration)
    return begin (command, UNTIL_RESUMED, NULL);
  if (!clip_parse_duration (duration, &for_us))
    return clip_command_misuse (
        command, _ ("a duration is like 30s, 10m or 1h30m, not '%s'"), duration);
  return begin (command, for_us < G_MAXINT64 - now_us ? now_us + for_us : UNTIL_RESUMED,
                duration);
}

/* by its note, or where that could not be written */
static gboolean
is_paused (const ClipCommand *command)
{
  g_autoptr (ClipReader) reader = clip_direct_open (command, NULL);

  return (reader && clip_direct_paused_until (reader) != 0) ||
         (clip_command_is_of_session (command) && ask_paused_until () != 0);
}

/* of a pause that ends the notification goes; without one a key shows nothing */
int
clip_cmd_resume (ClipCommand *command)
{
  const gboolean was_paused = is_paused (command);
  g_autofree char *fault = NULL;
  int status = pause_until (command, 0, &fault);

  if (status != CLIP_EXIT_DONE)
    return status;
  if (was_paused)
    clip_command_tell (_ ("What is copied is kept again."));
  else
    {
      clip_command_tell (_ ("The history was not paused."));
      clip_notify (command, _ ("Clipboard history"), _ ("The history was not paused."));
    }
  tell_fault (command, _ ("The clipboard history is on again"),
              was_paused ? fault : NULL);
  return CLIP_EXIT_DONE;
}

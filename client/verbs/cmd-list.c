/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-display-name.h"
#include "clip-entry-lines.h"
#include "clip-filters.h"
#include "clip-libexec.h"
#include "clip-reader.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <unistd.h>

/* whether a list that a script or a picker reads stands still */
static gboolean
stands_still (const ClipCommand *command)
{
  return clip_has_display () && !clip_has_user_manager () &&
         !clip_reader_is_in_use (command->store);
}

/* a window that was opened for the picker closes before this has ended */
static void
leave_terminal (gpointer user_data G_GNUC_UNUSED)
{
  setsid ();
}

/* This list does not grow where the daemon has crashed, or the session has started none.
 * In a terminal the words about that come behind the list; what pipes it into a picker,
 * a key or a person, waits for nothing, and is told on the screen. */
static void
see_to_daemon (const ClipCommand *command)
{
  const gboolean is_seen = clip_terminal_is_watched (STDERR_FILENO) &&
                           clip_terminal_is_watched (STDOUT_FILENO);
  g_autofree char *program = NULL;
  char *argv[] = { NULL, (char *) "cliphist", (char *) "status", (char *) "--quiet",
                   NULL };

  if (!clip_command_is_of_session (command) || !(is_seen || stands_still (command)))
    return;
  program = clip_libexec_find ("cliphist-session");
  argv[0] = program;
  if (is_seen)
    g_spawn_sync (NULL, argv, NULL, G_SPAWN_FILE_AND_ARGV_ZERO, NULL, NULL, NULL, NULL,
                  NULL, NULL);
  else
    g_spawn_async (NULL, argv, NULL,
                   G_SPAWN_FILE_AND_ARGV_ZERO | G_SPAWN_DO_NOT_REAP_CHILD |
                       G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                   leave_terminal, NULL, NULL, NULL);
}

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
    {
      status = clip_entry_lines_print (command, &query);
      see_to_daemon (command);
      return status;
    }
  if (!clip_icons_from_name (picker, &icons))
    return clip_command_misuse (
        command, _ ("--with-icons is rofi, fuzzel or wofi, not '%s'"), picker);
  if (clip_command_has (command, CLIP_OPTION_JSON) ||
      clip_command_has (command, CLIP_OPTION_NULL))
    return clip_command_misuse (command,
                                _ ("--with-icons goes with neither --json nor --null"));
  status = clip_entry_lines_print_icons (command, &query, icons);
  see_to_daemon (command);
  return status;
}

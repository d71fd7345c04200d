/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The verbs that change something or follow the daemon, and export, which only reads but
 * needs a library that the others do not start without cost. `cliphist` becomes this
 * program, with its own argv, so that users know of one command only.
 */
#include "clip-cmds.h"
#include "clip-desktop-check.h"
#include "clip-notify.h"
#include "clip-sqlite-init.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IN_SESSION(run) run
#define IN_CLIPHIST(run) NULL

static const ClipRun runs[CLIP_N_VERBS] = {
#define VERB(name, function, program, ...) IN_##program (clip_cmd_##function),
#include "clip-verbs.def"
#undef VERB
};

/* a history in which nothing is may be a new one, which the daemon does not keep yet */
static void
on_failed (const ClipCommand *command, const char *words)
{
  g_autofree char *elsewhere =
      clip_command_has_no_history () ? clip_desktop_check_elsewhere (command) : NULL;

  if (elsewhere && !strstr (words, elsewhere))
    {
      clip_command_say ("%s", elsewhere);
      clip_notify_failure (command, elsewhere);
    }
  else
    clip_notify_failure (command, words);
}

/* What another user owns, or has put in the place of what is named, is not handed on to
 * those whom we start: `su` leaves such names, and an ended session. */
static void
forget_others (void)
{
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");
  const char *keys = g_getenv ("XAUTHORITY");
  struct stat status;

  if (runtime && stat (runtime, &status) == 0 && status.st_uid != geteuid () &&
      status.st_uid != 0)
    g_unsetenv ("XDG_RUNTIME_DIR");
  if (keys && stat (keys, &status) == 0 && !S_ISREG (status.st_mode))
    g_unsetenv ("XAUTHORITY"); /* libXau reads a FIFO to its end */
}

int
main (int argc G_GNUC_UNUSED, char *argv[])
{
  signal (SIGPIPE, SIG_DFL);
  signal (SIGCHLD, SIG_DFL);
  forget_others ();
  clip_sqlite_init ();
  return clip_command_main (argv, runs, NULL, on_failed);
}

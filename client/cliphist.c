/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The command. What only reads is done here, straight from the database and the blobs: no
 * daemon, no bus, and no GIO, whose start alone takes longer than to decode an entry. For
 * all else it becomes cliphist-session.
 */
#include "clip-cmds.h"
#include "clip-libexec.h"
#include "clip-sqlite-init.h"
#include "clip-words.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#define IN_CLIPHIST(run) run
#define IN_SESSION(run) NULL

static const ClipRun runs[CLIP_N_VERBS] = {
#define VERB(name, function, program, ...) IN_##program (clip_cmd_##function),
#include "clip-verbs.def"
#undef VERB
};

/* argv stays as it is, its first word too: the variables of the environment are named
 * after it */
static void
become_session (char **argv)
{
  g_autofree char *path = clip_libexec_find ("cliphist-session");

  execv (path, argv);
  clip_command_say (_ ("run '%s': %s"), path, g_strerror (errno));
}

int
main (int argc G_GNUC_UNUSED, char *argv[])
{
  /* our parent may ignore it, and then `list | head` would go on for nothing */
  signal (SIGPIPE, SIG_DFL);
  signal (SIGCHLD, SIG_DFL); /* or no helper could say how it ended */
  clip_sqlite_init ();
  return clip_command_main (argv, runs, become_session, NULL);
}

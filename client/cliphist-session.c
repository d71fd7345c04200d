/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The verbs that change something or follow the daemon, and export, which only reads but
 * needs a library that the others do not start without cost. `cliphist` becomes this
 * program, with its own argv, so that users know of one command only.
 */
#include "clip-cmds.h"
#include "clip-notify.h"
#include "clip-sqlite-init.h"

#include <signal.h>

#define IN_SESSION(run) run
#define IN_CLIPHIST(run) NULL

static const ClipRun runs[CLIP_N_VERBS] = {
#define VERB(name, function, program, ...) IN_##program (clip_cmd_##function),
#include "clip-verbs.def"
#undef VERB
};

int
main (int argc G_GNUC_UNUSED, char *argv[])
{
  signal (SIGPIPE, SIG_DFL);
  clip_sqlite_init ();
  return clip_command_main (argv, runs, NULL, clip_notify_failure);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The command. What only reads is done here, straight from the database and the blobs: no
 * daemon, no bus, and no GIO, whose start alone takes longer than to decode an entry. For all
 * else it becomes cliphist-session.
 */
#include "clip-cmds.h"
#include "clip-database.h"
#include "clip-libexec.h"
#include "clip-words.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const ClipRun runs[CLIP_N_VERBS] = {
  [CLIP_VERB_LIST] = clip_cmd_list,       [CLIP_VERB_DECODE] = clip_cmd_decode,
  [CLIP_VERB_VERSION] = clip_cmd_version, [CLIP_VERB_SEARCH] = clip_cmd_search,
  [CLIP_VERB_SHOW] = clip_cmd_show,       [CLIP_VERB_TYPES] = clip_cmd_types,
  [CLIP_VERB_PASTE] = clip_cmd_paste,     [CLIP_VERB_HELP] = clip_cmd_help,
  [CLIP_VERB_JOIN] = clip_cmd_join,       [CLIP_VERB_STATS] = clip_cmd_stats,
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
  /* whoever started us may ignore it, and then `list | head` would go on for nothing */
  signal (SIGPIPE, SIG_DFL);
  clip_database_init ();
  return clip_command_main (argv, runs, become_session, NULL);
}

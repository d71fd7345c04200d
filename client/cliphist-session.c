/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The verbs that change something or follow the daemon, and export, which only reads but needs a
 * library that the others do not start without cost. `cliphist` becomes this program, with its
 * own argv, so that users know of one command only.
 */
#include "clip-cmds.h"
#include "clip-database.h"
#include "clip-notice.h"

#include <signal.h>

static const ClipRun runs[CLIP_N_VERBS] = {
  [CLIP_VERB_STORE] = clip_cmd_store,
  [CLIP_VERB_DELETE] = clip_cmd_delete,
  [CLIP_VERB_DELETE_QUERY] = clip_cmd_delete_query,
  [CLIP_VERB_WIPE] = clip_cmd_wipe,
  [CLIP_VERB_COMPACT] = clip_cmd_compact,
  [CLIP_VERB_COPY] = clip_cmd_copy,
  [CLIP_VERB_INSERT] = clip_cmd_insert,
  [CLIP_VERB_PICK] = clip_cmd_pick,
  [CLIP_VERB_PIN] = clip_cmd_pin,
  [CLIP_VERB_UNPIN] = clip_cmd_unpin,
  [CLIP_VERB_TAG] = clip_cmd_tag,
  [CLIP_VERB_UNTAG] = clip_cmd_untag,
  [CLIP_VERB_EXPIRE] = clip_cmd_expire,
  [CLIP_VERB_EDIT] = clip_cmd_edit,
  [CLIP_VERB_REMOVE] = clip_cmd_remove,
  [CLIP_VERB_TRIM] = clip_cmd_trim,
  [CLIP_VERB_PAUSE] = clip_cmd_pause,
  [CLIP_VERB_RESUME] = clip_cmd_resume,
  [CLIP_VERB_STATUS] = clip_cmd_status,
  [CLIP_VERB_WATCH] = clip_cmd_watch,
  [CLIP_VERB_EXPORT] = clip_cmd_export,
  [CLIP_VERB_IMPORT] = clip_cmd_import,
  [CLIP_VERB_DOCTOR] = clip_cmd_doctor,
};

int
main (int argc G_GNUC_UNUSED, char *argv[])
{
  signal (SIGPIPE, SIG_DFL);
  clip_database_init ();
  return clip_command_main (argv, runs, NULL, clip_notice_failure);
}

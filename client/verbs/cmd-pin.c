/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-id-arguments.h"
#include "clip-remote.h"
#include "clip-words.h"

static int
set_pinned (ClipCommand *command, gboolean pinned)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  int status = CLIP_EXIT_DONE;

  if (!clip_id_arguments_read (command, 0, ids))
    return command->id_status;
  reader = clip_direct_open (command, &error);
  if (!reader || !clip_id_arguments_are_there (reader, ids, &error))
    return clip_command_fail (error);
  for (guint i = 0; i < ids->len && status == CLIP_EXIT_DONE; i++)
    {
      guint64 id = (guint64) g_array_index (ids, gint64, i);

      status =
          clip_remote_run (remote, "SetPinned", g_variant_new ("(tb)", id, pinned), "()");
    }
  if (status == CLIP_EXIT_DONE && pinned)
    clip_command_tell (P_ ("%u entry is pinned.", "%u entries are pinned.", ids->len),
                       ids->len);
  else if (status == CLIP_EXIT_DONE)
    clip_command_tell (
        P_ ("%u entry is not pinned.", "%u entries are not pinned.", ids->len), ids->len);
  return status;
}

int
clip_cmd_pin (ClipCommand *command)
{
  return set_pinned (command, TRUE);
}

int
clip_cmd_unpin (ClipCommand *command)
{
  return set_pinned (command, FALSE);
}

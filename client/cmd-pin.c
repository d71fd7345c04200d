/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-remote.h"

/* nothing is done where one of the words is no id */
static gboolean
read_ids (const ClipCommand *command, GArray *ids)
{
  gint64 id;

  for (guint i = 0; i < command->words->len; i++)
    {
      if (!clip_command_id (command, i, &id))
        return FALSE;
      g_array_append_val (ids, id);
    }
  return TRUE;
}

/* nor where there is no such entry */
static gboolean
are_there (const ClipCommand *command, const GArray *ids, GError **error)
{
  g_autoptr (ClipReader) reader = clip_direct_open (command, error);

  for (guint i = 0; reader && i < ids->len; i++)
    {
      g_autoptr (ClipEntry) entry =
          clip_reader_lookup (reader, g_array_index (ids, gint64, i), error);

      if (!entry)
        return FALSE;
    }
  return reader != NULL;
}

static int
set_pinned (ClipCommand *command, gboolean pinned)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GError) error = NULL;
  int status = CLIP_EXIT_DONE;

  if (!read_ids (command, ids))
    return CLIP_EXIT_MISUSED;
  if (!are_there (command, ids, &error))
    return clip_command_fail (error);
  for (guint i = 0; i < ids->len && status == CLIP_EXIT_DONE; i++)
    {
      guint64 id = (guint64) g_array_index (ids, gint64, i);

      status =
          clip_remote_run (remote, "SetPinned", g_variant_new ("(tb)", id, pinned), "()");
    }
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

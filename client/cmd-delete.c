/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-error.h"
#include "clip-id.h"
#include "clip-remote.h"

#include <string.h>
#include <unistd.h>

/* the word behind the verb was never looked at; it counts where standard input says
 * nothing */
static gboolean
read_ids (const ClipCommand *command, GArray *ids, GError **error)
{
  const char *word = clip_command_word (command, 0);

  if (!(word && isatty (STDIN_FILENO)) && !clip_id_read_lines (ids, error))
    return FALSE;
  return ids->len > 0 || !word || clip_id_add_line (ids, word, strlen (word), error);
}

/* all of the ids, or none where one of the lines is bad. Where there is no history yet, even
 * deleting nothing makes one, as ever */
int
clip_cmd_delete (ClipCommand *command)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (ClipRemote) remote = NULL;
  g_autoptr (GError) error = NULL;
  GVariant *list;

  if (!read_ids (command, ids, &error))
    return clip_command_fail (error);
  if (ids->len == 0 && g_file_test (command->store, G_FILE_TEST_IS_DIR))
    return CLIP_EXIT_DONE;
  list = g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, ids->data, ids->len,
                                    sizeof (guint64));
  remote = clip_remote_new (command);
  return clip_remote_run (remote, "Delete", g_variant_new ("(@at)", list), "(u)");
}

int
clip_cmd_delete_query (ClipCommand *command)
{
  const char *text = clip_command_word (command, 0);
  g_autoptr (ClipRemote) remote = NULL;
  GVariant *bytes;

  if (!text || *text == '\0')
    {
      clip_command_say ("please provide a query");
      return CLIP_EXIT_FAILED;
    }
  bytes = g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, text, strlen (text), 1);
  remote = clip_remote_new (command);
  return clip_remote_run (remote, "DeleteMatching", g_variant_new ("(@ay)", bytes),
                          "(u)");
}

int
clip_cmd_wipe (ClipCommand *command)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);

  return clip_remote_run (remote, "Wipe", g_variant_new ("()"), "(u)");
}

int
clip_cmd_compact (ClipCommand *command)
{
  g_autoptr (ClipRemote) remote = NULL;

  if (!g_file_test (command->store, G_FILE_TEST_IS_DIR))
    {
      clip_command_say ("open source db: open %s: no such file or directory",
                        command->db_path);
      return CLIP_EXIT_FAILED;
    }
  remote = clip_remote_new (command);
  return clip_remote_run (remote, "Compact", g_variant_new ("()"), "()");
}

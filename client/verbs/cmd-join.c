/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-id.h"
#include "clip-join.h"
#include "clip-output.h"
#include "clip-words.h"

#include <string.h>
#include <unistd.h>

/* NULL where @text escapes something else than a line feed, a tab, a NUL, or itself */
static GString *
unescape (const char *text)
{
  static const char names[] = "nt0\\";
  static const char bytes[] = "\n\t\0\\";
  g_autoptr (GString) out = g_string_new (NULL);

  for (; *text; text++)
    {
      const char *name = NULL;

      if (*text != '\\')
        {
          g_string_append_c (out, *text);
          continue;
        }
      text++;
      name = *text ? strchr (names, *text) : NULL;
      if (!name)
        return NULL;
      g_string_append_c (out, bytes[name - names]);
    }
  return g_steal_pointer (&out);
}

/* Returns: the exit status; 0 with the ids of the words, or of standard input */
static int
take_ids (ClipCommand *command, GArray *ids)
{
  g_autoptr (GError) error = NULL;

  if (command->words->len == 0 && isatty (STDIN_FILENO))
    return clip_command_misuse (command, _ ("ID… is missing"));
  if (command->words->len == 0 && !clip_id_read_lines (ids, &error))
    return clip_command_fail (error);
  for (guint i = 0; i < command->words->len; i++)
    {
      gint64 id;

      if (!clip_command_id (command, i, &id))
        return command->id_status;
      g_array_append_val (ids, id);
    }
  return CLIP_EXIT_DONE;
}

static gboolean
write_part (const ClipCommand *command,
            const ClipPart *part,
            ClipProgress *progress,
            GError **error)
{
  gboolean force = clip_command_has (command, CLIP_OPTION_FORCE);
  g_autoptr (GBytes) bytes = g_bytes_new_static (part->data, part->length);
  ClipPayload gathered = { .bytes = bytes, .fd = -1, .size = (gint64) part->length };
  ClipPayload file = { .fd = part->fd, .size = part->size };

  if (part->length > 0 && !clip_output_payload (&gathered, force, progress, error))
    return FALSE;
  return part->fd < 0 || clip_output_payload (&file, force, progress, error);
}

static gboolean
write_all (const ClipCommand *command, ClipReader *reader, ClipJoin *join, GError **error)
{
  g_autoptr (ClipProgress) progress = clip_output_progress ();
  gboolean more = TRUE;

  while (more)
    {
      g_auto (ClipPart) part = { .fd = -1 };

      if (!clip_join_next (join, reader, &part, &more, error))
        return FALSE;
      clip_progress_expect (progress, (guint64) clip_join_total (join));
      if (more && !write_part (command, &part, progress, error))
        return FALSE;
    }
  return TRUE;
}

static int
join_ids (const ClipCommand *command, GArray *ids, const GString *separator)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);
  g_autoptr (ClipJoin) join = NULL;

  if (reader)
    join = clip_join_new ((const gint64 *) ids->data, ids->len, separator->str,
                          separator->len, command->options[CLIP_OPTION_TYPE], &error);
  if (!join || !write_all (command, reader, join, &error))
    return clip_command_fail (error);
  return CLIP_EXIT_DONE;
}

int
clip_cmd_join (ClipCommand *command)
{
  const char *escaped = command->options[CLIP_OPTION_SEPARATOR] ?: "";
  g_autoptr (GString) separator = unescape (escaped);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  int status;

  if (!separator)
    return clip_command_misuse (
        command, _ ("--separator knows \\n, \\t, \\0 and \\\\, not '%s'"), escaped);
  status = take_ids (command, ids);
  return status == CLIP_EXIT_DONE ? join_ids (command, ids, separator) : status;
}

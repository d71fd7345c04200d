/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-id-arguments.h"
#include "clip-id.h"
#include "clip-output.h"
#include "clip-standard-input.h"
#include "clip-words.h"

#include <errno.h>
#include <string.h>

/* an id with its preview is far shorter; the rest of a longer input is read, and does not
 * count */
#define LINE_BYTES 65536

static char *
read_line (gsize *out_length, GError **error)
{
  g_autofree char *line = g_malloc (LINE_BYTES);
  char rest[4096];
  gsize length = 0;

  clip_id_arguments_ask ();
  for (;;)
    {
      gboolean full = length == LINE_BYTES;
      gssize n = clip_standard_input_read (full ? rest : line + length,
                                           full ? sizeof rest : LINE_BYTES - length);

      if (n < 0)
        {
          clip_id_read_fault (error, errno);
          return NULL;
        }
      if (n == 0)
        break;
      length += full ? 0 : (gsize) n;
    }
  *out_length = length;
  return g_steal_pointer (&line);
}

static gboolean
read_id (const ClipCommand *command, gint64 *out_id, GError **error)
{
  const char *word = clip_command_word (command, 0);
  g_autofree char *line = NULL;
  gsize length;

  if (word && *word)
    length = strlen (word);
  else if ((line = read_line (&length, error)))
    word = line;
  else
    return FALSE;
  return clip_id_from_line (word, length, out_id, error) ||
         clip_id_refuse (word, length, "extracting id: ", error);
}

static int
write_entry (const ClipCommand *command, ClipReader *reader, gint64 id)
{
  g_autoptr (GError) error = NULL;
  const char *mime = command->options[CLIP_OPTION_TYPE];
  g_autoptr (ClipPayload) payload =
      clip_reader_open_content (reader, id, mime ?: "", &error);
  g_autoptr (ClipProgress) progress = payload ? clip_output_progress () : NULL;

  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND))
    {
      clip_command_say ("id %" G_GUINT64_FORMAT " not found", (guint64) id);
      return CLIP_EXIT_FAILED;
    }
  if (payload)
    clip_progress_expect (progress, (guint64) payload->size);
  if (payload &&
      clip_output_payload (payload, clip_command_has (command, CLIP_OPTION_FORCE),
                           progress, &error))
    return CLIP_EXIT_DONE;
  g_clear_pointer (&progress, clip_progress_free);
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    {
      g_clear_error (&error);
      g_set_error_literal (&error, CLIP_ERROR, CLIP_ERROR_NO_SPACE,
                           "writing out: write /dev/stdout: no space left on device");
    }
  return clip_command_fail (error);
}

int
clip_cmd_decode (ClipCommand *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = NULL;
  gint64 id;

  if (!read_id (command, &id, &error))
    return clip_command_fail (error);
  reader = clip_direct_open (command, &error);
  if (!reader)
    return clip_command_fail (error);
  return write_entry (command, reader, id);
}

/* Returns: the exit status; 0 with an id */
static int
newest_or_word (ClipCommand *command, ClipReader *reader, gint64 *out_id)
{
  g_autoptr (GError) error = NULL;

  if (command->words->len > 0)
    return clip_command_id (command, 0, out_id) ? CLIP_EXIT_DONE : command->id_status;
  *out_id = clip_reader_newest (reader, &error);
  if (error)
    return clip_command_fail (error);
  if (*out_id > 0)
    return CLIP_EXIT_DONE;
  clip_command_say (_ ("the history is empty"));
  return CLIP_EXIT_FAILED;
}

int
clip_cmd_paste (ClipCommand *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);
  int status;
  gint64 id;

  if (!reader)
    return clip_command_fail (error);
  status = newest_or_word (command, reader, &id);
  return status == CLIP_EXIT_DONE ? write_entry (command, reader, id) : status;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who names entries one by one has seen them: an id that is not there is a slip, and
 * nothing is done then. */
#include "clip-id-arguments.h"

#include "clip-direct.h"
#include "clip-error.h"
#include "clip-id.h"
#include "clip-standard-input.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TAG_PREFIX "tag:"

static gboolean
note_id (const ClipRow *row, gpointer user_data)
{
  *(gint64 *) user_data = row->id;
  return FALSE;
}

/* the newest that has it */
static gboolean
find_tagged (ClipCommand *command, const char *tag, gint64 *out_id)
{
  ClipQuery query = { .tag = tag, .is_handle = TRUE, .limit = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);
  gboolean more;

  *out_id = 0;
  if (reader && clip_reader_page (reader, &query, note_id, out_id, &more, &error) &&
      *out_id > 0)
    return TRUE;
  command->id_status = CLIP_EXIT_FAILED;
  if (error)
    clip_command_fail (error);
  else
    {
      clip_command_say (_ ("no entry has the tag '%s'"), tag);
      clip_command_explain (NULL);
    }
  return FALSE;
}

/* whoever typed the verb alone would wait for nothing */
void
clip_id_arguments_ask (void)
{
  if (clip_terminal_is_watched (STDIN_FILENO))
    clip_command_tell (_ ("Type an id, and end it with Ctrl+D on a line of its own."));
}

/* (transfer full) (nullable): NULL where there is none, as of a picker that was
   cancelled */
static char *
read_line (GError **error)
{
  FILE *in = clip_standard_input_stream ();
  g_autofree char *line = NULL;
  size_t size = 0;

  errno = 0;
  if (getline (&line, &size, in) <= 0 || ferror (in))
    {
      if (ferror (in))
        clip_id_read_fault (error, errno);
      return NULL;
    }
  g_strchomp (line);
  return *line ? g_steal_pointer (&line) : NULL;
}

static gboolean
resolve_stdin (ClipCommand *command, gint64 *out_id)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = read_line (&error);

  if (line && !g_str_equal (line, "-"))
    return clip_id_arguments_resolve (command, line, out_id);
  command->id_status = error ? clip_command_fail (error) : CLIP_EXIT_FAILED;
  return FALSE;
}

/**
 * clip_id_arguments_resolve:
 * @word: an id, a line of the list, tag:NAME, or - for such a one on standard input
 *
 * Returns: as clip_command_id(); of an empty standard input nothing is said
 */
gboolean
clip_id_arguments_resolve (ClipCommand *command, const char *word, gint64 *out_id)
{
  const char *tab = strchr (word, '\t');
  g_autofree char *number = tab ? g_strndup (word, (gsize) (tab - word)) : NULL;

  if (g_str_equal (word, "-"))
    return resolve_stdin (command, out_id);
  if (g_str_has_prefix (word, TAG_PREFIX))
    return find_tagged (command, word + strlen (TAG_PREFIX), out_id);
  if (clip_id_parse (number ?: word, out_id))
    return TRUE;
  command->id_status = clip_command_misuse (command, _ ("'%s' is not an id"), word);
  return FALSE;
}

/**
 * clip_id_arguments_read:
 * @first_word: which of the words is the first id; all behind it are ids, too
 * @ids: (element-type gint64): gets them
 *
 * Returns: whether all of them are ids; if not, that has been said
 */
gboolean
clip_id_arguments_read (ClipCommand *command, guint first_word, GArray *ids)
{
  gint64 id;

  for (guint i = first_word; i < command->words->len; i++)
    {
      if (!clip_command_id (command, i, &id))
        return FALSE;
      g_array_append_val (ids, id);
    }
  return TRUE;
}

/**
 * clip_id_arguments_are_there:
 * @ids: (element-type gint64)
 *
 * One that is damaged is there.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND for the first one that is not.
 */
gboolean
clip_id_arguments_are_there (ClipReader *reader, const GArray *ids, GError **error)
{
  for (guint i = 0; i < ids->len; i++)
    {
      g_autoptr (GError) reason = NULL;
      g_autoptr (ClipEntry) entry G_GNUC_UNUSED =
          clip_reader_lookup (reader, g_array_index (ids, gint64, i), &reason);

      if (g_error_matches (reason, CLIP_ERROR, CLIP_ERROR_NOT_FOUND))
        {
          g_propagate_error (error, g_steal_pointer (&reason));
          return FALSE;
        }
    }
  return TRUE;
}

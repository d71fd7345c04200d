/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who names entries one by one has seen them: an id that is not there is a slip, and nothing
 * is done then. */
#include "clip-ids.h"

#include "clip-error.h"

/**
 * clip_ids_read:
 * @first_word: which of the words is the first id; all behind it are ids, too
 * @ids: (element-type gint64): gets them
 *
 * Returns: whether all of them are ids; if not, that has been said
 */
gboolean
clip_ids_read (const ClipCommand *command, guint first_word, GArray *ids)
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
 * clip_ids_are_there:
 * @ids: (element-type gint64)
 *
 * One that is damaged is there.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND for the first one that is not.
 */
gboolean
clip_ids_are_there (ClipReader *reader, const GArray *ids, GError **error)
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

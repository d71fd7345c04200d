/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The history, opened to be read without a daemon. */
#include "clip-direct.h"

#include "clip-db-file.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-libexec.h"
#include "clip-paths.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <fcntl.h>
#include <unistd.h>

/* whether the existing tool's database has the place of our file */
static gboolean
has_old_database (const ClipCommand *command)
{
  g_autofree char *path = clip_paths_db_file (command->store);
  clip_autofd int fd = -1;

  return path && clip_db_file_open (path, O_RDONLY, &fd) == CLIP_DB_FILE_BOLT;
}

/* Before anything is read: what that tool has stored is part of the history. A daemon
 * that runs has done so already. */
static gboolean
take_over (const ClipCommand *command, gboolean quietly, GError **error)
{
  GSpawnFlags flags =
      G_SPAWN_STDOUT_TO_DEV_NULL | (quietly ? G_SPAWN_STDERR_TO_DEV_NULL : 0);
  g_autofree char *program = clip_libexec_find ("cliphistd");
  char *argv[] = { program, (char *) "--adopt", (char *) "--store", command->store,
                   NULL };

  if (!g_spawn_sync (NULL, argv, NULL, flags, NULL, NULL, NULL, NULL, NULL, error))
    return FALSE;
  if (!has_old_database (command))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_STALLED,
               _ ("the database '%s' cannot be imported: end the program that uses it, "
                  "and try again"),
               command->db_path);
  return FALSE;
}

static ClipReader *
open_once (const ClipCommand *command, GError **error)
{
  g_autofree char *db_file = clip_paths_db_file (command->store);
  g_autoptr (ClipReader) reader = clip_reader_open (command->store, error);

  if (reader && clip_reader_heed_db_file (reader, db_file, error))
    return g_steal_pointer (&reader);
  return NULL;
}

gboolean
clip_direct_has_entries (ClipReader *reader)
{
  ClipTotals totals;

  return clip_reader_totals (reader, &totals, NULL) && totals.count > 0;
}

/* What the daemon notes with the history, so that a pause outlives it. Returns: until
 * when, in microseconds since the epoch; -1: until resumed; 0: there is none */
gint64
clip_direct_paused_until (ClipReader *reader)
{
  g_autoptr (GHashTable) notes = clip_reader_notes (reader, NULL);
  const char *note = notes ? g_hash_table_lookup (notes, CLIP_NOTE_PAUSED) : NULL;
  gint64 until_us = note ? g_ascii_strtoll (note, NULL, 10) : 0;

  return until_us < 0 || until_us > g_get_real_time () ? until_us : 0;
}

/* Where that fails, what is there is shown: the change before has said why. */
static ClipReader *
open_history (const ClipCommand *command, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (ClipReader) reader = open_once (command, &local);
  gboolean shows = reader && clip_direct_has_entries (reader);

  if (has_old_database (command))
    {
      g_clear_pointer (&reader, clip_reader_free);
      if (local && !g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
        g_propagate_error (error, g_steal_pointer (&local));
      else if (take_over (command, shows, shows ? NULL : error) || shows)
        return open_once (command, error);
      return NULL;
    }
  if (local)
    g_propagate_error (error, g_steal_pointer (&local));
  return g_steal_pointer (&reader);
}

/**
 * clip_direct_open:
 *
 * Errors: %CLIP_ERROR_NO_HISTORY where nothing was ever stored, in the words that scripts
 * take for an empty history, and as clip_reader_open().
 */
ClipReader *
clip_direct_open (const ClipCommand *command, GError **error)
{
  g_autoptr (GError) local = NULL;
  ClipReader *reader = open_history (command, &local);

  if (reader)
    return reader;
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY,
                         clip_terminal_is_watched (STDERR_FILENO)
                             ? _ ("Nothing has been copied yet.")
                             : "opening db: please store something first");
  else
    g_propagate_prefixed_error (error, g_steal_pointer (&local), "opening db: ");
  return NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-history-folder.h"

#include "clip-connect.h"
#include "clip-fd.h"
#include "clip-file-id.h"
#include "clip-folder-lock.h"
#include "clip-ownership.h"
#include "clip-paths.h"
#include "clip-reader-private.h"
#include "clip-salvage.h"

#include <unistd.h>

struct ClipHistoryFolder
{
  char *dir;
  char *path; /* of the database */
  ClipFileId id;
  ClipBlobs *blobs;
};

/* @dir: whose database has just been opened, as have its @blobs */
ClipHistoryFolder *
clip_history_folder_new (const char *dir, ClipBlobs *blobs)
{
  ClipHistoryFolder *self = g_new0 (ClipHistoryFolder, 1);

  self->dir = g_strdup (dir);
  self->path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  self->blobs = clip_blobs_ref (blobs);
  clip_file_id_take (&self->id, self->path);
  return self;
}

void
clip_history_folder_free (ClipHistoryFolder *self)
{
  if (!self)
    return;
  clip_blobs_unref (self->blobs);
  g_free (self->path);
  g_free (self->dir);
  g_free (self);
}

/* whether the database that is open is the one to be found in the folder */
gboolean
clip_history_folder_has_database (ClipHistoryFolder *self)
{
  return clip_file_id_is_at (&self->id, self->path);
}

/* whether there is a database in the folder, and not the one that is open */
gboolean
clip_history_folder_has_another (ClipHistoryFolder *self)
{
  ClipFileId there;

  clip_file_id_take (&there, self->path);
  return there.inode != 0 && !clip_history_folder_has_database (self);
}

/* whether there is something in the log that the database may not have yet */
gboolean
clip_history_folder_has_log (ClipHistoryFolder *self)
{
  return clip_reader_has_log (self->path);
}

/* where the database was removed alone: SQLite would open the log and the index of the
 * old one with the new one */
static void
remove_old_log (ClipHistoryFolder *self)
{
  static const char *const suffixes[] = { "-wal", "-shm" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat (self->path, suffixes[i], NULL);

      unlink (name);
    }
}

/**
 * clip_history_folder_open:
 * @dir: the folder of a history, which exists
 *
 * Opens the database there, made where there is none. What another process puts in its
 * place meanwhile is waited for.
 *
 * Errors: as clip_connect_writer(), and as clip_salvage_clear().
 */
ClipStatements *
clip_history_folder_open (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  gboolean makes = !g_file_test (path, G_FILE_TEST_EXISTS);
  clip_autofd int lock_fd = -1;

  if (!clip_ownership_check_database (dir, error) || !clip_salvage_clear (dir, error))
    return NULL;
  lock_fd = clip_folder_lock (dir, makes, CLIP_FOLDER_PATIENCE_US, error);
  return lock_fd >= 0 ? clip_connect_folder (dir, error) : NULL;
}

/* Nobody else makes a database meanwhile, whose log would be taken for the old one's.
 * @out_replaced: whether another was there */
static ClipStatements *
open_anew (ClipHistoryFolder *self, gboolean *out_replaced, GError **error)
{
  clip_autofd int lock_fd = -1;

  if (!clip_blobs_follow (self->blobs, error))
    return NULL;
  lock_fd = clip_folder_lock (self->dir, TRUE, CLIP_FOLDER_PATIENCE_US, error);
  if (lock_fd < 0)
    return NULL;
  *out_replaced = clip_history_folder_has_another (self);
  if (!*out_replaced)
    remove_old_log (self);
  return clip_connect_folder (self->dir, error);
}

/**
 * clip_history_folder_begin_anew:
 *
 * Where the database is not to be found any more: opens the one that has its place, as at
 * a start, made where there is none.
 *
 * Errors: as clip_history_folder_open(); they name the folder.
 */
ClipStatements *
clip_history_folder_begin_anew (ClipHistoryFolder *self, GError **error)
{
  gboolean is_replaced = FALSE;
  ClipStatements *database = open_anew (self, &is_replaced, error);

  if (!database)
    {
      /* which may be there, and not to be looked into */
      g_prefix_error (error, "history folder '%s' %s: ", self->dir,
                      is_replaced ? "was replaced" : "cannot be found");
      return NULL;
    }
  clip_file_id_take (&self->id, self->path);
  g_message (is_replaced ? "another history has its place: going on in that"
                         : "history folder was removed: starting a new one");
  return database;
}

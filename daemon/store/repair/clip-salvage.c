/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A database that is damaged gives way to a new one with all that can be read of it. The
 * new one is made in a folder of its own, and takes the place of the old one by a rename;
 * the old one is set aside before, with its log. Other processes, this one's own
 * connections among them, find that another database is there as they do when a folder
 * was moved.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-salvage.h"

#include "clip-check.h"
#include "clip-connect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-folder-lock.h"
#include "clip-orphans.h"
#include "clip-paths.h"
#include "clip-salvage-copy.h"
#include "clip-salvage-rows.h"
#include "clip-statements.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>

#define COPY_NAME "copy.db"

/* how long those who write may keep it from being locked */
#define LOCK_MS 30000

/* and those who read from the log's being carried, which is for neatness */
#define CARRY_MS 30

typedef struct
{
  const char *dir;
  char *path; /* of the damaged database */
  char *work; /* the folder of the new one */
  char *copy;
  const gint *stops; /* (nullable): atomic */
  gint64 n_entries;
  sqlite3 *lock; /* (nullable): nobody else writes as long as it is there */
} Salvage;

static void
remove_work (const char *work)
{
  static const char *const names[] = {
    COPY_NAME,
    COPY_NAME "-wal",
    COPY_NAME "-shm",
    CLIP_DATABASE_NAME,
    CLIP_DATABASE_NAME "-wal",
    CLIP_DATABASE_NAME "-shm",
    CLIP_DATABASE_NAME "-journal",
    CLIP_NEW_INDEX_NAME,
  };

  /* a link in its place; what lies behind that is not ours */
  if (g_unlink (work) == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (work, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (work);
}

/* A database that cannot be opened is not written by anybody. */
static gboolean
lock (Salvage *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  gboolean is_busy;
  sqlite3 *db;

  db = clip_connect_locker (self->dir, LOCK_MS, &is_busy, &local);
  if (!db && is_busy)
    g_propagate_prefixed_error (error, g_steal_pointer (&local), "repair history: ");
  if (!db)
    return !is_busy;
  sqlite3_busy_timeout (db, CARRY_MS);
  sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  /* as much as possible into the file, so that it is whole without its log */
  sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  sqlite3_busy_timeout (db, LOCK_MS);
  if (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK)
    {
      self->lock = db;
      return TRUE;
    }
  if ((sqlite3_errcode (db) & 0xff) == SQLITE_BUSY)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 "repair history: another program is writing to it");
  sqlite3_close (db);
  return *error == NULL;
}

static void
unlock (Salvage *self)
{
  if (self->lock)
    sqlite3_exec (self->lock, "ROLLBACK", NULL, NULL, NULL);
  sqlite3_close (g_steal_pointer (&self->lock));
}

static gboolean
carry (sqlite3 *db, GError **error)
{
  return sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) ==
             SQLITE_OK ||
         clip_statements_set_error (db, error);
}

/* all of it in its file, and on the disk */
static gboolean
make_new (Salvage *self, ClipAside *aside, GError **error)
{
  g_autoptr (ClipStatements) target = clip_connect_folder (self->work, error);
  sqlite3 *db = target ? clip_statements_handle (target) : NULL;
  gint64 n_entries = 0;

  if (!target || !carry (db, error) ||
      !clip_salvage_copy (self->path, self->copy, db, error) ||
      !clip_salvage_rows (self->copy, db, self->stops, &n_entries, error))
    return FALSE;
  self->n_entries = n_entries;
  return clip_orphans_keep (self->dir, target, aside, error) && carry (db, error);
}

static gboolean
swap (Salvage *self, ClipAside *aside, GError **error)
{
  static const char *const names[] = { CLIP_DATABASE_NAME, CLIP_DATABASE_NAME "-wal" };
  static const char *const belongings[] = { "-wal", "-shm" };
  clip_autofd int dir_fd = open (self->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autofree char *fresh = g_build_filename (self->work, CLIP_DATABASE_NAME, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!clip_aside_link (aside, names[i], names[i], error))
      return FALSE;
  /* SQLite would take the old log for that of the new database */
  for (guint i = 0; i < G_N_ELEMENTS (belongings); i++)
    {
      g_autofree char *path = g_strconcat (self->path, belongings[i], NULL);

      if (g_unlink (path) < 0 && errno != ENOENT)
        return clip_set_errno (error, errno, "remove '%s'", path);
    }
  if (g_rename (fresh, self->path) < 0)
    return clip_set_errno (error, errno, "put the new history in its place");
  return fsync (dir_fd) == 0 || clip_set_errno (error, errno, "sync folder of history");
}

/* under clip_folder_lock() */
static gboolean
salvage (const char *dir, const gint *stops, ClipAside *aside, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (dir, NULL);
  g_autofree char *path = g_build_filename (absolute, CLIP_DATABASE_NAME, NULL);
  g_autofree char *work = g_build_filename (absolute, CLIP_SALVAGE_NAME, NULL);
  g_autofree char *copy = g_build_filename (work, COPY_NAME, NULL);
  Salvage self = { .dir = dir, .path = path, .work = work, .copy = copy, .stops = stops };
  g_autoptr (GError) local = NULL;

  remove_work (work); /* of one that was killed */
  if (lock (&self, &local) && make_new (&self, aside, &local) &&
      swap (&self, aside, &local))
    g_message ("%" G_GINT64_FORMAT
               " entries of a damaged history were saved; it is in '%s' now",
               self.n_entries, clip_aside_path (aside));
  unlock (&self);
  remove_work (work);
  if (!local)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/**
 * clip_salvage:
 * @dir: the folder of a history whose database is damaged
 * @stops: (nullable): atomic; not 0 = give up, and leave the old one where it is
 *
 * Blocks on the disk, for as long as it takes to read all of it; nobody can write
 * meanwhile.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CANCELLED, %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
gboolean
clip_salvage (const char *dir, const gint *stops, ClipAside *aside, GError **error)
{
  clip_autofd int lock_fd = clip_folder_lock (dir, TRUE, CLIP_FOLDER_PATIENCE_US, error);

  return lock_fd >= 0 && salvage (dir, stops, aside, error);
}

/**
 * clip_salvage_closed:
 * @dir: the folder of a history that nobody in this process has open
 *
 * As clip_salvage(), where the database cannot be opened as it is. What is no database at
 * all, or a damaged one of another program, is set aside, too, and the history begins
 * anew; a sound one of another program is not touched.
 *
 * Errors: as clip_salvage(), and as clip_check().
 */
gboolean
clip_salvage_closed (const char *dir, GError **error)
{
  g_autoptr (ClipAside) aside = clip_aside_new (dir);
  clip_autofd int lock_fd = clip_folder_lock (dir, TRUE, CLIP_FOLDER_PATIENCE_US, error);
  g_autoptr (ClipReport) report = NULL;

  if (lock_fd < 0 || !(report = clip_check (dir, NULL, error)))
    return FALSE;
  if (!clip_report_has (report, CLIP_FINDING_DATABASE))
    return TRUE;
  return salvage (dir, NULL, aside, error);
}

/* what one left that was killed. Waits for one that is under way. */
gboolean
clip_salvage_clear (const char *dir, GError **error)
{
  g_autofree char *work = g_build_filename (dir, CLIP_SALVAGE_NAME, NULL);
  clip_autofd int lock_fd = -1;

  if (!g_file_test (work, G_FILE_TEST_EXISTS))
    return TRUE;
  lock_fd = clip_folder_lock (dir, TRUE, CLIP_FOLDER_PATIENCE_US, error);
  if (lock_fd < 0)
    return FALSE;
  remove_work (work);
  return TRUE;
}

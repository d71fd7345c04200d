/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A database that is damaged gives way to a new one with all that can be read of it. The
 * new one is made in a folder of its own, and takes the place of the old one by a rename:
 * whoever is killed meanwhile leaves the one or the other, and neither lacks anything that
 * could be read before. The old one is set aside, with its log. Other processes, this one's own connections among them, find that
 * another database is there as they do when a folder was moved.
 *
 * SQLite ends a damaged log at the first frame that is wrong, and writes over what lies behind
 * it. So the log is looked at before the history is opened.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-salvage.h"

#include "clip-check.h"
#include "clip-connect.h"
#include "clip-database.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-hold.h"
#include "clip-orphans.h"
#include "clip-paths.h"
#include "clip-reader.h"
#include "clip-salvage-copy.h"
#include "clip-salvage-kind.h"
#include "clip-salvage-rows.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>

#define COPY_NAME "copy.db"

/* how long those who write may keep it from being locked */
#define LOCK_MS 30000

/* and those who read from the log's being carried, which is for neatness */
#define CARRY_MS 30

/* atomic: by this process so far */
static guint n_saved;

typedef struct
{
  const char *dir;
  char *path; /* of the damaged database */
  char *work; /* the folder of the new one */
  char *copy;
  gint64 n_entries;
  gboolean is_gone; /* and its log is left: SQLite would remove that, were it opened */
  sqlite3 *lock;    /* (nullable): nobody else writes as long as it is there */
} Salvage;

static void
remove_work (const char *work)
{
  static const char *const names[] = { COPY_NAME, CLIP_DATABASE_NAME,
                                       CLIP_DATABASE_NAME "-wal",
                                       CLIP_DATABASE_NAME "-shm",
                                       CLIP_DATABASE_NAME "-journal",
                                       CLIP_NEW_INDEX_NAME };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (work, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (work);
}

static gboolean
is_log_whole (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  g_autoptr (ClipReport) report = clip_report_new ();

  return clip_check_log (log, report, NULL) && report->findings->len == 0;
}

/* A database that cannot be opened is not written by anybody; nor is one that is gone. */
static gboolean
lock (Salvage *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  gboolean is_busy;
  sqlite3 *db;

  if (self->is_gone)
    return TRUE;
  db = clip_connect_locker (self->dir, LOCK_MS, &is_busy, &local);
  if (!db && is_busy)
    g_propagate_prefixed_error (error, g_steal_pointer (&local), "repair history: ");
  if (!db)
    return !is_busy;
  sqlite3_busy_timeout (db, CARRY_MS);
  sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  /* As much as possible into the file, so that it is whole without its log. Of a damaged
   * one SQLite would drop what lies behind the first frame that is wrong. */
  if (is_log_whole (self->path))
    sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  sqlite3_busy_timeout (db, LOCK_MS);
  if (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK)
    {
      self->lock = db;
      return TRUE;
    }
  if ((sqlite3_errcode (db) & 0xff) == SQLITE_BUSY)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 "repair history: somebody else is writing to it");
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
         clip_database_set_error (db, error);
}

/* all of it in its file, and on the disk */
static gboolean
make_new (Salvage *self, ClipAside *aside, GError **error)
{
  g_autoptr (ClipDatabase) target = clip_connect_folder (self->work, error);
  sqlite3 *db = target ? clip_database_handle (target) : NULL;
  gint64 n_entries = 0;

  if (!target || !carry (db, error) ||
      !clip_salvage_copy (self->path, self->copy, db, error) ||
      !clip_salvage_rows (self->copy, db, &n_entries, error))
    return FALSE;
  self->n_entries = n_entries;
  return clip_orphans_keep (self->dir, target, aside, error) && carry (db, error);
}

static gboolean
replace (Salvage *self, const char *fresh, int dir_fd, GError **error)
{
  if (g_rename (fresh, self->path) < 0)
    return clip_set_errno (error, errno, "put the new history in its place");
  return fsync (dir_fd) == 0 || clip_set_errno (error, errno, "sync folder of history");
}

/* The log goes when the database has all that is in it: as there is no step that changes
 * both, the copy that the log was carried into has the place of the old one meanwhile. */
static gboolean
end_log (Salvage *self, ClipAside *aside, int dir_fd, GError **error)
{
  g_autofree char *log = g_strconcat (self->path, "-wal", NULL);
  clip_autofd int copy_fd = -1;
  struct stat status;

  if (stat (log, &status) == 0 && status.st_size > 0)
    {
      copy_fd = open (self->copy, O_RDONLY | O_CLOEXEC);
      if (copy_fd < 0 || fsync (copy_fd) < 0)
        return clip_set_errno (error, errno, "sync '%s'", self->copy);
      if (!replace (self, self->copy, dir_fd, error))
        return FALSE;
    }
  if (g_unlink (log) < 0 && errno != ENOENT)
    return clip_set_errno (error, errno, "remove '%s'", log);
  return clip_aside_move (aside, CLIP_DATABASE_NAME "-shm", error);
}

/* what is set aside first keeps its place until another has it: at each moment there is a
 * history with all that can be read */
static gboolean
swap (Salvage *self, ClipAside *aside, GError **error)
{
  static const char *const names[] = { CLIP_DATABASE_NAME, CLIP_DATABASE_NAME "-wal" };
  clip_autofd int dir_fd = open (self->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autofree char *fresh = g_build_filename (self->work, CLIP_DATABASE_NAME, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!clip_aside_link (aside, names[i], names[i], error))
      return FALSE;
  return end_log (self, aside, dir_fd, error) && replace (self, fresh, dir_fd, error);
}

/* under clip_hold() */
static gboolean
run (Salvage self, ClipAside *aside, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (self.dir, NULL);
  g_autofree char *path = g_build_filename (absolute, CLIP_DATABASE_NAME, NULL);
  g_autofree char *work = g_build_filename (absolute, CLIP_SALVAGE_NAME, NULL);
  g_autofree char *copy = g_build_filename (work, COPY_NAME, NULL);
  g_autoptr (GError) local = NULL;

  self.path = path;
  self.work = work;
  self.copy = copy;
  remove_work (work); /* of one that was killed */
  if (lock (&self, &local) && make_new (&self, aside, &local) &&
      swap (&self, aside, &local))
    {
      g_atomic_int_inc (&n_saved);
      g_message ("%" G_GINT64_FORMAT
                 " entries of a damaged history were saved; it is in '%s' now",
                 self.n_entries, clip_aside_path (aside));
    }
  unlock (&self);
  remove_work (work);
  if (!local)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
salvage (const char *dir, ClipAside *aside, GError **error)
{
  return run ((Salvage){ .dir = dir }, aside, error);
}

/* how many histories this process has saved so far, so that whoever opens one can tell */
guint
clip_salvage_count (void)
{
  return (guint) g_atomic_int_get (&n_saved);
}

/**
 * clip_salvage:
 * @dir: the folder of a history whose database is damaged
 *
 * Blocks on the disk, for as long as it takes to read all of it; nobody can write
 * meanwhile.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
gboolean
clip_salvage (const char *dir, ClipAside *aside, GError **error)
{
  clip_autofd int hold_fd = clip_hold (dir, TRUE, error);

  return hold_fd >= 0 && salvage (dir, aside, error);
}

/**
 * clip_salvage_closed:
 * @dir: the folder of a history that nobody in this process has open
 *
 * As clip_salvage(), where the database cannot be opened as it is: that of another program is
 * not touched. What is no database at all is set aside like one, and the history begins anew.
 *
 * Errors: as clip_salvage(), and as clip_check(); %CLIP_ERROR_CORRUPT where it is
 * that of another program.
 */
gboolean
clip_salvage_closed (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  g_autoptr (ClipAside) aside = clip_aside_new (dir);
  clip_autofd int hold_fd = clip_hold (dir, TRUE, error);
  g_autoptr (ClipReport) report = NULL;

  if (hold_fd < 0 || !(report = clip_check (dir, NULL, error)))
    return FALSE;
  if (!clip_report_has (report, CLIP_FINDING_DATABASE) &&
      !clip_report_has (report, CLIP_FINDING_LOG))
    return TRUE;
  return clip_salvage_kind (path) == CLIP_SALVAGE_FOREIGN ? clip_salvage_refuse (error)
                                                          : salvage (dir, aside, error);
}

/* what one left that was killed. Waits for one that is under way. */
gboolean
clip_salvage_clear (const char *dir, GError **error)
{
  g_autofree char *work = g_build_filename (dir, CLIP_SALVAGE_NAME, NULL);
  clip_autofd int hold_fd = -1;

  if (!g_file_test (work, G_FILE_TEST_EXISTS))
    return TRUE;
  hold_fd = clip_hold (dir, TRUE, error);
  if (hold_fd < 0)
    return FALSE;
  remove_work (work);
  return TRUE;
}

/* whether what SQLite says of a history with a damaged log is to be heard instead */
static gboolean
is_not_ours (const char *dir, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (dir, &error);

  if (reader)
    return FALSE;
  return !g_error_matches (error, CLIP_ERROR, CLIP_ERROR_CORRUPT) ||
         clip_salvage_kind (path) != CLIP_SALVAGE_OURS;
}

/**
 * clip_salvage_log:
 * @dir: the folder of a history that is about to be opened to change it; it may be missing
 *
 * As clip_salvage(), where the log is damaged, and what was acknowledged is out of sight behind
 * that. Costs no more than to read the log.
 */
gboolean
clip_salvage_log (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  g_autoptr (ClipAside) aside = NULL;
  clip_autofd int hold_fd = -1;

  if (is_log_whole (path))
    return TRUE;
  hold_fd = clip_hold (dir, TRUE, error);
  if (hold_fd < 0)
    return FALSE;
  /* another process may have been here meanwhile */
  if (is_log_whole (path) || is_not_ours (dir, path))
    return TRUE;
  aside = clip_aside_new (dir);
  g_message ("the log of history '%s' is damaged", dir);
  return salvage (dir, aside, error);
}

static gboolean
has_log_alone (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  struct stat status;

  if (stat (log, &status) < 0 || status.st_size == 0)
    return FALSE;
  return stat (path, &status) < 0 ? errno == ENOENT : status.st_size == 0;
}

/* The log of a database that is gone, or empty. */
static gboolean
salvage_log_alone (const char *dir, const char *path, GError **error)
{
  g_autoptr (ClipAside) aside = clip_aside_new (dir);
  clip_autofd int fd = open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

  if (fd < 0)
    return clip_set_errno (error, errno, "create history '%s'", path);
  g_message ("the database of history '%s' is gone, its log is not", dir);
  return run ((Salvage){ .dir = dir, .is_gone = TRUE }, aside, error);
}

/**
 * clip_salvage_start:
 * @dir: the folder of a history that is about to be opened to change it, and that this process
 * did not have open before
 *
 * As clip_salvage_log(); also where the log is all that is left: SQLite would remove it. What one
 * that was killed left is removed.
 */
gboolean
clip_salvage_start (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  clip_autofd int hold_fd = -1;

  if (!has_log_alone (path))
    return clip_salvage_clear (dir, error) && clip_salvage_log (dir, error);
  hold_fd = clip_hold (dir, TRUE, error);
  return hold_fd >= 0 && (!has_log_alone (path) || salvage_log_alone (dir, path, error));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-connect.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-orphans.h"
#include "clip-ownership.h"
#include "clip-paths.h"
#include "clip-reserve.h"
#include "clip-schema.h"
#include "clip-scrub-vfs.h"
#include "clip-write-sql.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

/* what waits behind other processes, or a disk that syncs slowly */
#define BUSY_MS 30000
#define BUSY_STEP_US 1000

/* a checkpoint that is in a reader's way, or the other way round, is put off instead */
#define CHECKPOINT_BUSY_MS 30
/* but one that gives room back on a full disk waits for a list to end */
#define EMPTY_BUSY_MS 2000

/* SQLite's own waits grow to 100 ms: with many writers, that is how long each copy takes
 */
static int
on_busy (void *user_data G_GNUC_UNUSED, int n_tries)
{
  if (n_tries >= BUSY_MS * 1000 / BUSY_STEP_US)
    return 0;
  g_usleep (BUSY_STEP_US);
  return 1;
}

/* one way to say it, whichever call it was */
static gboolean
fail (const char *what, const char *dir, GError **error)
{
  const int saved_errno = errno;
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);

  return clip_set_errno (error, saved_errno, "%s history '%s'", what, path);
}

/* The file is made here, because SQLite would make it for all to read. It is not opened
 * if it is there: closing it again would give up the locks of this process's other
 * connections. */
static gboolean
make_file (const char *dir, int dir_fd, GError **error)
{
  clip_autofd int fd = openat (dir_fd, CLIP_DATABASE_NAME,
                               O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

  if (fd < 0 && errno == EEXIST)
    return TRUE;
  if (fd < 0 || fsync (dir_fd) < 0)
    return fail ("create", dir, error);
  return TRUE;
}

/* SQLite opens for reading alone what it may not write, and would stay with that when it
   may again */
static gboolean
check_writable (const char *dir, int dir_fd, GError **error)
{
  return faccessat (dir_fd, CLIP_DATABASE_NAME, W_OK, AT_EACCESS) == 0 ||
         fail ("open", dir, error);
}

/* Whether processes can share memory through a file here, as the index of a log needs it.
 * SQLite does not ask: it finds out when the database says already that there is a log,
 * and from then on nobody can open it. */
static gboolean
can_share_memory (int fd)
{
  void *page = mmap (NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  if (page == MAP_FAILED)
    return errno != ENODEV;
  munmap (page, 1);
  return TRUE;
}

/* Where each write takes a new place on the disk (btrfs), the index of the log is made to
 * keep its own, which only an empty file can be: else a disk that is full later would end
 * the process. It gets its name when it is closed: once another connection of this
 * process has it open, to close it would give up that one's locks.
 *
 * Returns: whether there can be a log here */
static gboolean
make_index (int dir_fd)
{
  static const char name[] = CLIP_NEW_INDEX_NAME;
  gboolean is_shared;
  clip_autofd int fd = -1;
  int flags = 0;

  unlinkat (dir_fd, name, 0); /* of a process that was killed */
  fd = openat (dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return TRUE; /* what is wrong here is for others to say */
  is_shared = can_share_memory (fd);
  if (ioctl (fd, FS_IOC_GETFLAGS, &flags) == 0)
    {
      flags |= FS_NOCOW_FL;
      (void) ioctl (fd, FS_IOC_SETFLAGS, &flags); /* it is for those that know it */
    }
  clip_fd_clear (&fd);
  if (!is_shared ||
      renameat2 (dir_fd, name, dir_fd, CLIP_DATABASE_NAME "-shm", RENAME_NOREPLACE) < 0)
    unlinkat (dir_fd, name, 0);
  return is_shared;
}

static sqlite3 *
connect_to (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  sqlite3 *db = NULL;

  if (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                       clip_scrub_vfs_name ()) != SQLITE_OK)
    {
      clip_statements_set_error (db, error);
      sqlite3_close (db);
      return NULL;
    }
  sqlite3_extended_result_codes (db, 1);
  return db;
}

/* the log outlives its writers, so that a store in a folder that cannot be written opens
 */
static void
keep_log (sqlite3 *db)
{
  int yes = 1;

  sqlite3_file_control (db, NULL, SQLITE_FCNTL_PERSIST_WAL, &yes);
}

/* where two change the mode at once SQLite refuses one of them without a wait */
static gboolean
set_wal (ClipStatements *database, GError **error)
{
  for (int n_tries = 0;; n_tries++)
    {
      g_autoptr (GError) local = NULL;

      if (clip_statements_run (database, CLIP_SQL_SET_WAL, &local, ""))
        return TRUE;
      if ((sqlite3_errcode (clip_statements_handle (database)) & 0xff) != SQLITE_BUSY ||
          !on_busy (NULL, n_tries))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
    }
}

/* nobody else can have a database that came here with a log: then its index is in memory
 * for once, and the log ends */
static gboolean
set_rollback (ClipStatements *database, GError **error)
{
  g_info ("no memory can be shared through files here: the history has no log");
  return clip_statements_run (database, CLIP_SQL_SET_ROLLBACK, error, "") &&
         clip_statements_run (database, CLIP_SQL_SET_SHARING, error, "") &&
         clip_statements_run (database, CLIP_SQL_GET_SCHEMA, error, "");
}

/* before there is a table; after that it would be a commit that changes nothing, but
 * where a wipe was killed behind its own, see clip_transaction_cut(): there it may fail,
 * as the history is whole without */
static gboolean
set_incremental (ClipStatements *database, GError **error)
{
  gint64 version, cut;

  if (clip_statements_number (database, CLIP_SQL_GET_VERSION, &version, error, "") ==
          CLIP_ROWS_FAILED ||
      clip_statements_number (database, CLIP_SQL_GET_CUT, &cut, error, "") ==
          CLIP_ROWS_FAILED)
    return FALSE;
  if (version > 0 && cut == 1)
    clip_statements_run (database, CLIP_SQL_SET_INCREMENTAL, NULL, "");
  return version > 0 ||
         clip_statements_run (database, CLIP_SQL_SET_INCREMENTAL, error, "");
}

static gboolean
set_up (ClipStatements *database, gboolean has_log, GError **error)
{
  static const ClipSql settings[] = {
    CLIP_SQL_SET_FULL_SYNC, CLIP_SQL_SET_SECURE_DELETE, CLIP_SQL_SET_CACHE,
    CLIP_SQL_SET_TEMPORARY, CLIP_SQL_SET_NO_CHECKPOINT, CLIP_SQL_SET_LOG_LIMIT,
  };

  if (!set_incremental (database, error) ||
      !(has_log ? set_wal (database, error) : set_rollback (database, error)))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    if (!clip_statements_run (database, settings[i], error, ""))
      return FALSE;
  keep_log (clip_statements_handle (database));
  return TRUE;
}

static gboolean
is_new (ClipStatements *database, gboolean *out_new, GError **error)
{
  gint64 version;

  if (clip_statements_number (database, CLIP_SQL_GET_VERSION, &version, error, "") ==
      CLIP_ROWS_FAILED)
    return FALSE;
  *out_new = version == 0;
  return TRUE;
}

/* A database that is made where one was lost knows none of the blobs. Files are linked
 * with the database locked, so that none of them is somebody's who was faster. */
static gboolean
keep_orphans (ClipStatements *database, const char *dir, GError **error)
{
  g_autoptr (ClipAside) aside = NULL;
  gboolean due, done;

  if (!is_new (database, &due, error))
    return FALSE;
  if (!due)
    return TRUE;
  if (!clip_statements_run (database, CLIP_SQL_BEGIN, error, ""))
    return FALSE;
  aside = clip_aside_new (dir);
  done = is_new (database, &due, error) &&
         (!due || clip_orphans_keep (dir, NULL, aside, error));
  clip_statements_run (database, CLIP_SQL_ROLLBACK, NULL, "");
  return done;
}

static ClipStatements *
connect_writer (const char *dir, int dir_fd, GError **error)
{
  g_autoptr (ClipStatements) database = NULL;
  gboolean has_log;
  sqlite3 *db;

  if (!clip_ownership_check_database (dir, error) || !make_file (dir, dir_fd, error) ||
      !check_writable (dir, dir_fd, error))
    return NULL;
  has_log = make_index (dir_fd);
  db = connect_to (dir, error);
  if (!db)
    return NULL;
  sqlite3_busy_handler (db, on_busy, NULL);
  database = clip_statements_new (db, clip_writes, CLIP_N_SQL);
  if (!has_log && !clip_statements_run (database, CLIP_SQL_SET_ALONE, error, ""))
    return NULL;
  /* settings change a database, and one that is not ours to write must not change */
  if (!clip_schema_check (database, error) || !set_up (database, has_log, error) ||
      !keep_orphans (database, dir, error) || !clip_schema_make (database, error))
    return NULL;
  return g_steal_pointer (&database);
}

/**
 * clip_connect_writer:
 * @dir: the folder of the history, which exists
 * @dir_fd: the same folder
 *
 * Opens the history for its writer, made where there is none: each commit survives a
 * power cut, and what is deleted is overwritten. A file system that has no shared memory
 * for the log gets a rollback journal instead.
 *
 * Errors: as clip_schema_make(), clip_ownership_check_database(), %G_FILE_ERROR.
 */
ClipStatements *
clip_connect_writer (const char *dir, int dir_fd, GError **error)
{
  g_autoptr (GError) local = NULL;
  ClipStatements *database = connect_writer (dir, dir_fd, &local);

  /* a new log and its index take room, too */
  if (!database && g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_SPACE) &&
      clip_reserve_release (dir))
    return connect_writer (dir, dir_fd, error);
  if (!database)
    g_propagate_error (error, g_steal_pointer (&local));
  return database;
}

/**
 * clip_connect_folder:
 * @dir: the folder of the history; made where it is missing, for its user alone
 *
 * As clip_connect_writer(), when what is in the folder, and that it is there, survives a
 * power cut.
 */
ClipStatements *
clip_connect_folder (const char *dir, GError **error)
{
  clip_autofd int dir_fd = clip_ownership_make_folder (dir, error);

  if (dir_fd < 0)
    return NULL;
  if (fsync (dir_fd) < 0)
    {
      clip_set_errno (error, errno, "sync folder '%s'", dir);
      return NULL;
    }
  return clip_connect_writer (dir, dir_fd, error);
}

static gboolean
is_busy (sqlite3 *db)
{
  int code = sqlite3_errcode (db) & 0xff;

  return code == SQLITE_BUSY || code == SQLITE_PROTOCOL;
}

/**
 * clip_connect_empty_log:
 *
 * Carries the log over and gives its room back, for which it waits until nobody reads
 * what is in it; not for ever, as somebody else may read for a long time.
 */
void
clip_connect_empty_log (sqlite3 *db)
{
  sqlite3_busy_timeout (db, EMPTY_BUSY_MS);
  sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  sqlite3_busy_handler (db, on_busy, NULL);
}

/**
 * clip_connect_carry_log:
 * @db: of clip_connect_writer()
 * @mode: as of sqlite3_wal_checkpoint_v2()
 *
 * Returns: whether all of the log was carried over, and done with as @mode says; nobody
 * who is in the way is waited for long
 */
gboolean
clip_connect_carry_log (sqlite3 *db, int mode)
{
  int n_log = 0, n_carried = 0;
  int code;

  sqlite3_busy_timeout (db, CHECKPOINT_BUSY_MS);
  code = sqlite3_wal_checkpoint_v2 (db, NULL, mode, &n_log, &n_carried);
  sqlite3_busy_handler (db, on_busy, NULL);
  return code == SQLITE_OK && n_carried >= n_log;
}

/**
 * clip_connect_locker:
 * @busy_ms: how long it waits for others
 * @out_busy: whether others kept it from being opened for so long
 *
 * Returns: (transfer full) (nullable): a connection that knows the log, which it does not
 * carry by itself; owned by the caller
 */
sqlite3 *
clip_connect_locker (const char *dir, int busy_ms, gboolean *out_busy, GError **error)
{
  sqlite3 *db = connect_to (dir, error);

  *out_busy = FALSE;
  if (!db)
    return NULL;
  sqlite3_busy_timeout (db, busy_ms);
  sqlite3_wal_autocheckpoint (db, 0);
  keep_log (db);
  /* before it has read, a connection does not know that there is a log */
  if (sqlite3_exec (db, clip_writes[CLIP_SQL_GET_SCHEMA], NULL, NULL, NULL) == SQLITE_OK)
    return db;
  *out_busy = is_busy (db);
  clip_statements_set_error (db, error);
  sqlite3_close (db);
  return NULL;
}

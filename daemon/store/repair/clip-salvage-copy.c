/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A copy of a damaged database for SQLite to read: the file, its log carried into it,
 * and, where the first page is lost, that of a new database. Tables have the same root
 * pages in every history: SQLite keeps roots in front of all else where a database can
 * shrink, in the order in which the tables were made.
 *
 * The database is read through SQLite's own descriptor: to close another one of the same
 * file would give up the locks of this process.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-salvage-copy.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-step-limit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BYTES 4096

/* of the first page: how many there are, and for which change that number holds */
#define OFFSET_N_PAGES 28
#define OFFSET_VALID_FOR 92

static gboolean
write_page (int fd, const guint8 *page, goffset offset, GError **error)
{
  errno = 0; /* a write that is short sets none */
  return pwrite (fd, page, PAGE_BYTES, offset) == PAGE_BYTES ||
         clip_set_errno (error, errno ?: ENOSPC, "copy pages");
}

/* What was cut off is nothing but zeros: else SQLite carries over no log that counts on
 * more pages. A number that is damaged itself says nothing. */
static void
make_as_long_as_it_says (int fd, gint64 size)
{
  guint32 n_pages = 0;
  gint64 said;

  if (size < PAGE_BYTES ||
      !clip_read_exactly (fd, &n_pages, sizeof n_pages, OFFSET_N_PAGES, NULL))
    return;
  said = (gint64) GUINT32_FROM_BE (n_pages) * PAGE_BYTES;
  if (said > size && said / 2 <= size && ftruncate (fd, said) < 0)
    g_message ("a damaged history stays as short as it is: %s", g_strerror (errno));
}

/* What the disk does not give is nothing but zeros.
 * @db: one that may be nothing that SQLite understands */
static gboolean
copy_file (sqlite3 *db, int fd, GError **error)
{
  guint8 page[PAGE_BYTES];
  sqlite3_file *file = NULL;
  sqlite3_int64 size = 0;
  guint n_lost = 0;

  sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (!file || !file->pMethods || file->pMethods->xFileSize (file, &size) != SQLITE_OK)
    return clip_set_errno (error, EIO, "read the database");
  for (sqlite3_int64 offset = 0; offset < size; offset += PAGE_BYTES)
    {
      int code = file->pMethods->xRead (file, page, PAGE_BYTES, offset);

      if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
        {
          memset (page, 0, PAGE_BYTES);
          n_lost++;
        }
      if (!write_page (fd, page, offset, error))
        return FALSE;
    }
  if (n_lost > 0)
    g_message ("the disk does not give %u pages of a damaged history", n_lost);
  make_as_long_as_it_says (fd, size);
  return TRUE;
}

/* beside the copy: nobody holds a lock on a log */
static gboolean
copy_log (const char *path, const char *copy, GError **error)
{
  g_autofree char *from = g_strconcat (path, "-wal", NULL);
  g_autofree char *to = g_strconcat (copy, "-wal", NULL);
  clip_autofd int from_fd = open (from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  clip_autofd int to_fd = open (to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (from_fd < 0 && errno == ENOENT)
    return TRUE;
  if (from_fd < 0 || to_fd < 0)
    return clip_set_errno (error, errno, "copy the log");
  return clip_copy_file (from_fd, to_fd, error) >= 0;
}

/* Whether it has the tables of a history, those in its log among them: the log is carried
 * over when the last connection ends. */
static gboolean
has_tables (const char *copy)
{
  ClipStepLimit limit = { 0 };
  sqlite3 *db = NULL;
  gboolean has;

  sqlite3_open_v2 (copy, &db, SQLITE_OPEN_READWRITE, NULL);
  clip_step_limit_watch (&limit, db, NULL);
  has = sqlite3_exec (db, "SELECT 1 FROM totals, entry, name, blob, content, tag WHERE 0",
                      NULL, NULL, NULL) == SQLITE_OK;
  sqlite3_close (db);
  return has;
}

/* whether it could not be carried over */
static gboolean
has_log (const char *copy)
{
  g_autofree char *path = g_strconcat (copy, "-wal", NULL);
  struct stat status;

  return stat (path, &status) == 0 && status.st_size > 0;
}

/* How many pages there are is then what the size of the file says.
 * @model: a new database without a log */
static gboolean
put_first_page (sqlite3 *model, int fd, GError **error)
{
  guint8 page[PAGE_BYTES];
  sqlite3_file *file = NULL;

  sqlite3_file_control (model, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (!file || !file->pMethods ||
      file->pMethods->xRead (file, page, PAGE_BYTES, 0) != SQLITE_OK)
    return clip_set_errno (error, EIO, "read a new database");
  page[OFFSET_VALID_FOR] ^= 1;
  return write_page (fd, page, 0, error);
}

/**
 * clip_salvage_copy:
 * @path: of a database that is damaged
 * @copy: of the file to be made
 * @model: a new database, all of it in its file
 */
gboolean
clip_salvage_copy (const char *path, const char *copy, sqlite3 *model, GError **error)
{
  clip_autofd int fd = open (copy, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  sqlite3 *db = NULL;
  gboolean done;

  if (fd < 0)
    return clip_set_errno (error, errno, "make '%s'", copy);
  sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  done = copy_file (db, fd, error) && copy_log (path, copy, error);
  sqlite3_close (db);
  if (!done || (has_tables (copy) && !has_log (copy)))
    return done;
  done = put_first_page (model, fd, error);
  has_tables (copy); /* for its log; what there is of it is read in any case */
  return done;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A copy of a damaged database for SQLite to read: the file, the log on top of it, and,
 * where the first page or what it says of the tables is lost, these from a new database.
 * Tables have the same root pages in every history: SQLite keeps roots in front of all else
 * where a database can shrink, in the order in which the tables were made.
 *
 * The database is read through SQLite's own descriptor: to close another one of the same
 * file would give up the locks of this process.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-salvage-copy.h"

#include "clip-check.h"
#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define PAGE_BYTES 4096
#define STEP_BYTES (1024 * 1024)

/* of the first page */
#define HEADER_BYTES 100
#define OFFSET_CHANGES 24
#define OFFSET_N_PAGES 28
#define OFFSET_FREE_PAGES 32
#define OFFSET_VALID_FOR 92
#define OFFSET_N_CELLS (HEADER_BYTES + 3)
#define OFFSET_RIGHT_CHILD (HEADER_BYTES + 8)
#define OFFSET_CELLS (HEADER_BYTES + 12)
#define INTERIOR_PAGE 5

static guint32
get_u32 (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 |
         bytes[3];
}

static void
set_u32 (guint8 *bytes, guint32 value)
{
  guint32 big = GUINT32_TO_BE (value);

  memcpy (bytes, &big, sizeof big);
}

static gboolean
write_at (int fd, const void *data, gsize length, goffset offset, GError **error)
{
  errno = 0; /* a write that is short sets none */
  return pwrite (fd, data, length, offset) == (gssize) length ||
         clip_set_errno (error, errno ?: ENOSPC, "copy pages");
}

/* What the disk does not give is nothing but zeros: of a stretch with a bad place in it each page is
 * asked for by itself. Returns: how many it does not give. */
static guint
read_stretch (sqlite3_file *file, guint8 *buffer, int length, sqlite3_int64 offset)
{
  guint n_lost = 0;
  int code;

  memset (buffer, 0, (gsize) length);
  code = file->pMethods->xRead (file, buffer, length, offset);
  if (code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ)
    return 0;
  for (int at = 0; at < length; at += PAGE_BYTES)
    {
      int n = MIN (length - at, PAGE_BYTES);

      code = file->pMethods->xRead (file, buffer + at, n, offset + at);
      if (code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ)
        continue;
      memset (buffer + at, 0, (gsize) n);
      n_lost++;
    }
  return n_lost;
}

/* @db: one that may be nothing that SQLite understands */
static gboolean
copy_file (sqlite3 *db, int fd, GError **error)
{
  g_autofree guint8 *buffer = g_malloc (STEP_BYTES);
  sqlite3_file *file = NULL;
  sqlite3_int64 size = 0;
  guint n_lost = 0;

  sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (!file || !file->pMethods || file->pMethods->xFileSize (file, &size) != SQLITE_OK)
    return clip_set_errno (error, EIO, "read the database");
  for (sqlite3_int64 offset = 0; offset < size; offset += STEP_BYTES)
    {
      int length = (int) MIN (size - offset, STEP_BYTES);

      n_lost += read_stretch (file, buffer, length, offset);
      if (!write_at (fd, buffer, (gsize) length, offset, error))
        return FALSE;
    }
  if (n_lost > 0)
    g_message ("the disk does not give %u pages of a damaged history", n_lost);
  return TRUE;
}

/* whether a database has the tables of a history, whatever is in its log */
gboolean
clip_salvage_has_tables (const char *path)
{
  g_autofree char *name = g_filename_to_uri (path, NULL, NULL);
  g_autofree char *uri = g_strconcat (name, "?immutable=1", NULL);
  sqlite3 *db = NULL;
  gboolean has = sqlite3_open_v2 (uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                                  NULL) == SQLITE_OK &&
                 sqlite3_exec (db,
                               "SELECT 1 FROM totals, entry, name, blob, content, tag"
                               " WHERE 0",
                               NULL, NULL, NULL) == SQLITE_OK;

  sqlite3_close (db);
  return has;
}

static gboolean
read_page (sqlite3 *db, guint32 number, guint8 *page)
{
  sqlite3_file *file = NULL;

  sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file && file->pMethods &&
         file->pMethods->xRead (file, page, PAGE_BYTES,
                                (number - 1) * (sqlite3_int64) PAGE_BYTES) == SQLITE_OK;
}

/* a child of the first page becomes the last page of the copy */
static gboolean
move_child (sqlite3 *model, guint8 *pointer, int fd, guint32 *n_pages, GError **error)
{
  guint8 page[PAGE_BYTES];

  if (!read_page (model, get_u32 (pointer), page))
    return clip_set_errno (error, EIO, "read a new database");
  set_u32 (pointer, ++*n_pages);
  return write_at (fd, page, sizeof page, (*n_pages - 1) * (goffset) PAGE_BYTES, error);
}

/* @model: a new database without a log */
static gboolean
graft_tables (sqlite3 *model, int fd, GError **error)
{
  guint8 first[PAGE_BYTES];
  struct stat status;
  guint32 n_pages;
  guint n_cells;

  if (fstat (fd, &status) < 0 || !read_page (model, 1, first))
    return clip_set_errno (error, errno ?: EIO, "read a new database");
  n_pages = (guint32) MAX ((status.st_size + PAGE_BYTES - 1) / PAGE_BYTES, 1);
  n_cells = (guint) first[OFFSET_N_CELLS] << 8 | first[OFFSET_N_CELLS + 1];
  if (first[HEADER_BYTES] == INTERIOR_PAGE)
    {
      for (guint i = 0; i < n_cells; i++)
        {
          const guint8 *cell = first + OFFSET_CELLS + 2 * i;
          guint offset = (guint) cell[0] << 8 | cell[1];

          if (offset + 4 > PAGE_BYTES ||
              !move_child (model, first + offset, fd, &n_pages, error))
            return FALSE;
        }
      if (!move_child (model, first + OFFSET_RIGHT_CHILD, fd, &n_pages, error))
        return FALSE;
    }
  set_u32 (first + OFFSET_N_PAGES, n_pages);
  memcpy (first + OFFSET_VALID_FOR, first + OFFSET_CHANGES, 4);
  memset (first + OFFSET_FREE_PAGES, 0, 8);
  return write_at (fd, first, sizeof first, 0, error);
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
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  sqlite3 *db = NULL;
  gboolean done;

  if (fd < 0)
    return clip_set_errno (error, errno, "make '%s'", copy);
  sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  done = copy_file (db, fd, error) && clip_log_apply (log, fd, error);
  sqlite3_close (db);
  return done && (clip_salvage_has_tables (copy) || graft_tables (model, fd, error));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Rows that cannot be reached from the root of their table, because a page on the way is
 * lost. A page of rows is a tree by itself: each one of the file is put in the place of
 * the root in turn, and read as if it were all of the table. Those of other tables are
 * read, too; whoever takes the rows tells them by their sums.
 */
#include "clip-salvage-leaves.h"

#include "clip-fd.h"

#include <fcntl.h>
#include <sys/stat.h>

#define PAGE_BYTES 4096
#define LEAF 13 /* the first byte of a page of rows */

static sqlite3 *
open_copy (const char *copy)
{
  g_autofree char *name = g_filename_to_uri (copy, NULL, NULL);
  g_autofree char *uri = g_strconcat (name, "?immutable=1", NULL);
  sqlite3 *db = NULL;

  sqlite3_open_v2 (uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
  return db;
}

static gint64
find_root (sqlite3 *db, const char *table)
{
  sqlite3_stmt *find = NULL;
  gint64 root = 0;

  sqlite3_prepare_v2 (db, "SELECT rootpage FROM sqlite_schema WHERE name = ?1", -1, &find,
                      NULL);
  if (find && sqlite3_bind_text (find, 1, table, -1, SQLITE_STATIC) == SQLITE_OK &&
      sqlite3_step (find) == SQLITE_ROW)
    root = sqlite3_column_int64 (find, 0);
  sqlite3_finalize (find);
  return root;
}

/* the connection forgets the root before: nobody tells it that the file has changed */
static gboolean
read_rows (sqlite3 *db, sqlite3_stmt *rows, ClipLeafFunc function, gpointer user_data)
{
  gboolean goes_on = TRUE;

  sqlite3_db_release_memory (db);
  while (goes_on && sqlite3_step (rows) == SQLITE_ROW)
    goes_on = function (rows, user_data);
  sqlite3_reset (rows);
  return goes_on;
}

/* (transfer full) (nullable): of all keys */
static sqlite3_stmt *
prepare (sqlite3 *db, const char *statement)
{
  sqlite3_stmt *rows = NULL;

  sqlite3_prepare_v2 (db, statement, -1, &rows, NULL);
  if (!rows)
    return NULL;
  sqlite3_bind_int64 (rows, 1, 0);
  sqlite3_bind_int64 (rows, 2, G_MAXINT64);
  return rows;
}

static gboolean
read_page (int fd, gint64 number, guint8 *page)
{
  return clip_read_exactly (fd, page, PAGE_BYTES, (number - 1) * PAGE_BYTES, NULL);
}

/**
 * clip_salvage_leaves:
 * @copy: of clip_salvage_copy(); is afterwards as it was
 * @statement: selects rows between two keys
 *
 * Returns: whether @function never stopped
 */
gboolean
clip_salvage_leaves (const char *copy,
                     const char *table,
                     const char *statement,
                     ClipLeafFunc function,
                     gpointer user_data)
{
  clip_autofd int fd = open (copy, O_RDWR | O_CLOEXEC);
  sqlite3 *db = open_copy (copy);
  gint64 root = find_root (db, table);
  sqlite3_stmt *rows = prepare (db, statement);
  guint8 kept[PAGE_BYTES], page[PAGE_BYTES];
  gboolean goes_on = TRUE;
  struct stat status = { 0 };

  if (root < 2 || !rows || fd < 0 || fstat (fd, &status) < 0 ||
      !read_page (fd, root, kept))
    status.st_size = 0;
  for (gint64 i = 2; goes_on && i <= status.st_size / PAGE_BYTES; i++)
    if (i != root && read_page (fd, i, page) && page[0] == LEAF &&
        pwrite (fd, page, sizeof page, (root - 1) * PAGE_BYTES) == sizeof page)
      goes_on = read_rows (db, rows, function, user_data);
  sqlite3_finalize (rows);
  sqlite3_close (db);
  if (status.st_size > 0 &&
      pwrite (fd, kept, sizeof kept, (root - 1) * PAGE_BYTES) != sizeof kept)
    g_info ("a copy is spoilt: no more is read of it");
  return goes_on;
}

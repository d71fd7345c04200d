/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * plain-rows DATABASE [LIMIT]
 *
 * The rows of a history as lines, and nothing else: what SQLite and one write(2) for each
 * 256 KiB take.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES (256 * 1024)

static char buffer[BUFFER_BYTES];
static size_t used;

static int
flush (void)
{
  size_t written = 0;

  while (written < used)
    {
      ssize_t n = write (STDOUT_FILENO, buffer + written, used - written);

      if (n < 0)
        return 0;
      written += (size_t) n;
    }
  used = 0;
  return 1;
}

static int
put_row (sqlite3_stmt *rows)
{
  const void *preview = sqlite3_column_blob (rows, 1);
  size_t length = (size_t) sqlite3_column_bytes (rows, 1);

  if (used + length + 32 > BUFFER_BYTES && !flush ())
    return 0;
  if (length + 32 > BUFFER_BYTES)
    return 0;
  used += (size_t) snprintf (buffer + used, 32, "%lld\t", sqlite3_column_int64 (rows, 0));
  if (length > 0)
    memcpy (buffer + used, preview, length);
  used += length;
  buffer[used++] = '\n';
  return 1;
}

int
main (int argc, char *argv[])
{
  sqlite3_stmt *rows = NULL;
  sqlite3 *db = NULL;
  int fine =
      argc > 1 &&
      sqlite3_open_v2 (argv[1], &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ==
          SQLITE_OK &&
      sqlite3_exec (db, "PRAGMA cache_size = -512", NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2 (db, "SELECT id, preview FROM entry ORDER BY id DESC LIMIT ?1",
                          -1, &rows, NULL) == SQLITE_OK;

  if (!fine)
    {
      fprintf (stderr, "usage: plain-rows DATABASE [LIMIT]\n");
      return 2;
    }
  sqlite3_bind_int64 (rows, 1, argc > 2 ? atoll (argv[2]) : -1);
  while (fine && sqlite3_step (rows) == SQLITE_ROW)
    fine = put_row (rows);
  return fine && flush () ? 0 : 1;
}

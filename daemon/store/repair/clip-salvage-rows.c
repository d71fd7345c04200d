/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What can be read of a damaged database, into a new one. A page of rows is a tree by
 * itself: each one of the file is put in the place of the root of its table in turn, and
 * read as if it were all of it. So no row depends on the pages above it. Rows of other
 * tables are read, too: one counts when its sum is right.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-salvage-rows.h"

#include "clip-check-files.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime-table.h"
#include "clip-read-sql.h"
#include "clip-stage.h"
#include "clip-statements.h"
#include "clip-step-limit.h"
#include "clip-write-sql.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define LEAF 13 /* the first byte of a page of rows */

/* More than anything in a row: thousands of rows could share the pages of one that is
 * larger, each to be read and summed with each type. */
#define MAX_VALUE_BYTES (2 * CLIP_INLINE_BYTES)

typedef struct
{
  sqlite3 *source;
  ClipStepLimit limit; /* of the source */
  sqlite3 *target;
  int fd; /* of the source */
  goffset n_pages;
} Salvage;

/* a table whose rows are known by what is in them */
typedef struct
{
  const char *name;
  const char *ids[2]; /* from both ends of a page */
  const char *row;
  const char *insert;
  int mime; /* which column of the row is one; -1 = none */
} Table;

/* an id that was given: none can be added behind a higher one */
#define POSSIBLE " WHERE ?1 BETWEEN 1 AND 1 << 40"

#define TABLE(name, columns, insert, mime) \
  { \
    name, \
        { "SELECT id FROM " name " ORDER BY id", \
          "SELECT id FROM " name " ORDER BY id DESC" }, \
        "SELECT " columns " FROM " name " WHERE id = ?1", \
        "INSERT OR IGNORE INTO " name " SELECT " insert, mime \
  }

/* what is referred to comes first */
static const Table tables[] = {
  TABLE ("blob",
         "id, name, hash, size, inode, changed_ns",
         "?1, ?2, ?3, ?4, ?5, ?6"
         " WHERE replace (substr (?2, 1, 33), '/', '') = lower (hex (?3))",
         -1),
  TABLE ("entry",
         "id, last_us, first_us, copies, expires_us, pinned, kind, extras, size, mime,"
         " origin, blob, preview, body, sum",
         "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15" POSSIBLE
         " AND ?15 = clip_sum (?1, 0, (SELECT text FROM name WHERE id = ?10), ?9,"
         " (SELECT hash FROM blob WHERE id = ?12), ?13, ?14)",
         9),
  TABLE ("content",
         "id, entry, position, mime, size, blob, body, sum",
         "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8"
         " WHERE ?8 = clip_sum (?2, ?3, (SELECT text FROM name WHERE id = ?4), ?5,"
         " (SELECT hash FROM blob WHERE id = ?6), NULL, ?7)"
         " AND EXISTS (SELECT 1 FROM entry WHERE id = ?2)",
         3),
};

/* tables without sums: what SQLite reads of them from both ends, and in an index that has
   all */
static const char *const plain[][2] = {
#define NAME "INSERT OR IGNORE INTO name (id, text) SELECT ?1, ?2" POSSIBLE
  { "SELECT id, text FROM name ORDER BY id", NAME },
  { "SELECT id, text FROM name ORDER BY id DESC", NAME },
  { "SELECT id, text FROM name INDEXED BY sqlite_autoindex_name_1 ORDER BY text", NAME },
#undef NAME
#define NOTE "INSERT OR IGNORE INTO note VALUES (?1, ?2)"
  { "SELECT key, value FROM note ORDER BY key", NOTE },
  { "SELECT key, value FROM note ORDER BY key DESC", NOTE },
#undef NOTE
#define TAG "INSERT OR IGNORE INTO tag VALUES (?1, ?2)"
  { "SELECT entry, name FROM tag ORDER BY entry, name", TAG },
  { "SELECT entry, name FROM tag ORDER BY entry DESC, name DESC", TAG },
  { "SELECT entry, name FROM tag INDEXED BY tag_name ORDER BY name, entry", TAG },
#undef TAG
};

/* What is higher gets a number behind the others: else the next copy might have one that
 * a check takes for damage. An import keeps ids up to here, CLIP_MAX_KEPT_ID. */
#define HIGH " > 1 << 39"

#define FIND_HIGH(table) \
  ("INSERT INTO high SELECT id, (SELECT ifnull (max (id), 0) FROM " table \
   " WHERE NOT id" HIGH ") + row_number () OVER (ORDER BY id) FROM " table \
   " WHERE id" HIGH)

/* what the rows together say */
static const char *const finish[] = {
  "UPDATE entry SET origin = NULL WHERE origin NOT IN (SELECT id FROM name)",
  ("UPDATE name SET tag_only = 1 WHERE id NOT IN (SELECT mime FROM entry UNION"
   " SELECT origin FROM entry WHERE origin IS NOT NULL UNION SELECT mime FROM content)"),
  "DELETE FROM name WHERE tag_only = 1 AND id NOT IN (SELECT name FROM tag)",

  "CREATE TEMP TABLE high (was INTEGER PRIMARY KEY, now INTEGER)",
  FIND_HIGH ("entry"),
  "UPDATE dup SET entry = now FROM high WHERE entry = was",
  "UPDATE tag SET entry = now FROM high WHERE entry = was",
  ("UPDATE content SET entry = now, sum = clip_sum (now, position,"
   " (SELECT text FROM name WHERE name.id = mime), size,"
   " (SELECT hash FROM blob WHERE blob.id = content.blob), NULL, body)"
   " FROM high WHERE entry = was"),
  ("UPDATE entry SET id = now, sum = clip_sum (now, 0,"
   " (SELECT text FROM name WHERE name.id = mime), size,"
   " (SELECT hash FROM blob WHERE blob.id = entry.blob), preview, body)"
   " FROM high WHERE id = was"),
  "DELETE FROM high",
  FIND_HIGH ("name"),
  "UPDATE entry SET mime = now FROM high WHERE mime = was",
  "UPDATE entry SET origin = now FROM high WHERE origin = was",
  "UPDATE content SET mime = now FROM high WHERE mime = was",
  "UPDATE tag SET name = now FROM high WHERE name = was",
  "UPDATE name SET id = now FROM high WHERE id = was",
  ("UPDATE sqlite_sequence SET seq = (SELECT ifnull (max (id), 0) FROM name)"
   " WHERE name = 'name'"),
  "DROP TABLE high",

  ("UPDATE totals SET (count, bytes, pinned, pinned_bytes, last_id, first_loose) ="
   " (" CLIP_COUNTED_TOTALS ")"),
  "UPDATE totals SET first_loose = 1",
};

static sqlite3_stmt *
prepare (sqlite3 *db, const char *text)
{
  sqlite3_stmt *statement = NULL;

  sqlite3_prepare_v2 (db, text, -1, &statement, NULL);
  return statement;
}

/* FALSE = the new database cannot be written; a row that breaks the rules of its table is
 * a damaged one. @out_n: (out): how many rows it made */
static gboolean
insert_row (Salvage *self, sqlite3_stmt *insert, sqlite3_stmt *row, int *out_n)
{
  int code;

  for (int i = 0; i < sqlite3_column_count (row); i++)
    sqlite3_bind_value (insert, i + 1, sqlite3_column_value (row, i));
  code = sqlite3_step (insert);
  sqlite3_reset (insert);
  *out_n = code == SQLITE_DONE ? sqlite3_changes (self->target) : 0;
  return code == SQLITE_DONE || (code & 0xff) == SQLITE_CONSTRAINT ||
         code == SQLITE_MISMATCH;
}

/* Of pages that lead to each other only so much is read. */
static gboolean
take_plain (Salvage *self, const char *select, const char *into)
{
  sqlite3_stmt *rows = prepare (self->source, select);
  sqlite3_stmt *insert = prepare (self->target, into);
  gboolean goes_on = TRUE;
  int n;

  clip_step_limit_begin (&self->limit);
  while (goes_on && rows && sqlite3_step (rows) == SQLITE_ROW)
    goes_on = insert_row (self, insert, rows, &n);
  sqlite3_finalize (rows);
  sqlite3_finalize (insert);
  return goes_on;
}

static gboolean
run_name (Salvage *self, const char *text, sqlite3_value *id, const char *name)
{
  sqlite3_stmt *statement = prepare (self->target, text);
  int code;

  sqlite3_bind_value (statement, 1, id);
  if (name)
    sqlite3_bind_text (statement, 2, name, -1, SQLITE_STATIC);
  code = sqlite3_step (statement);
  sqlite3_finalize (statement);
  return code == SQLITE_ROW;
}

/* Names are few, and in a page or two: with these each entry would be lost. The sum is of
 * the name, too, and nearly all contents are of few types: that one is right with which
 * the sum is. */
static gboolean
guess_mime (Salvage *self, const Table *table, sqlite3_stmt *insert, sqlite3_stmt *row)
{
  sqlite3_value *id = sqlite3_column_value (row, table->mime);
  const char *mime;
  int n = 0;

  if (sqlite3_value_type (id) != SQLITE_INTEGER ||
      run_name (self, "SELECT 1 FROM name WHERE id = ?1", id, NULL))
    return TRUE;
  for (guint i = 0; n == 0 && (mime = clip_mime_known (i)); i++)
    {
      run_name (self, "INSERT OR IGNORE INTO name (id, text) SELECT ?1, ?2" POSSIBLE, id,
                mime);
      if (!insert_row (self, insert, row, &n))
        return FALSE;
      if (n == 0)
        run_name (self, "DELETE FROM name WHERE id = ?1", id, NULL);
    }
  return TRUE;
}

static gboolean
take_row (Salvage *self, const Table *table, sqlite3_stmt *insert, sqlite3_stmt *row)
{
  int n;

  if (sqlite3_step (row) != SQLITE_ROW)
    return TRUE;
  return insert_row (self, insert, row, &n) &&
         (n > 0 || table->mime < 0 || guess_mime (self, table, insert, row));
}

/* The connection forgets the page before: nobody tells it that the file has changed.
 * Where a row is in the way the page is read from its other end. */
static gboolean
take_page (Salvage *self, const Table *table, sqlite3_stmt *ids[2], sqlite3_stmt *more[2])
{
  gboolean goes_on = TRUE;
  int code = SQLITE_ERROR;

  clip_step_limit_begin (&self->limit);
  sqlite3_db_release_memory (self->source);
  for (guint i = 0; i < 2 && goes_on && code != SQLITE_DONE; i++)
    {
      while (goes_on && (code = sqlite3_step (ids[i])) == SQLITE_ROW)
        {
          sqlite3_bind_int64 (more[0], 1, sqlite3_column_int64 (ids[i], 0));
          goes_on = take_row (self, table, more[1], more[0]);
          sqlite3_reset (more[0]);
        }
      sqlite3_reset (ids[i]);
    }
  return goes_on;
}

static goffset
find_root (sqlite3 *db, const char *table)
{
  sqlite3_stmt *find = prepare (db, "SELECT rootpage FROM sqlite_schema WHERE name = ?1");
  goffset root = 0;

  sqlite3_bind_text (find, 1, table, -1, SQLITE_STATIC);
  if (find && sqlite3_step (find) == SQLITE_ROW)
    root = sqlite3_column_int64 (find, 0);
  sqlite3_finalize (find);
  return root;
}

static gboolean
read_page (Salvage *self, goffset number, guint8 *page)
{
  return clip_read_exactly (self->fd, page, PAGE_BYTES, (number - 1) * PAGE_BYTES, NULL);
}

static gboolean
write_page (Salvage *self, goffset number, const guint8 *page)
{
  return pwrite (self->fd, page, PAGE_BYTES, (number - 1) * PAGE_BYTES) == PAGE_BYTES;
}

/* the copy is afterwards as it was */
static gboolean
take_table (Salvage *self, const Table *table)
{
  goffset root = find_root (self->source, table->name);
  sqlite3_stmt *ids[2] = { prepare (self->source, table->ids[0]),
                           prepare (self->source, table->ids[1]) };
  sqlite3_stmt *more[2] = { prepare (self->source, table->row),
                            prepare (self->target, table->insert) };
  guint8 kept[PAGE_BYTES] = { 0 }, page[PAGE_BYTES];
  gboolean goes_on = more[1] != NULL;

  if (root > 1 && ids[0] && ids[1] && more[0])
    {
      read_page (self, root, kept);
      for (goffset i = 2;
           goes_on && i <= self->n_pages && clip_check_goes_on (self->limit.stops, NULL);
           i++)
        if ((i == root ? write_page (self, root, memcpy (page, kept, PAGE_BYTES))
                       : read_page (self, i, page)) &&
            page[0] == LEAF && write_page (self, root, page))
          goes_on = take_page (self, table, ids, more);
      write_page (self, root, kept);
    }
  for (guint i = 0; i < 2; i++)
    {
      sqlite3_finalize (ids[i]);
      sqlite3_finalize (more[i]);
    }
  return goes_on;
}

/* ids go on from where they were, unless that is where none can be */
static gboolean
take_last_id (Salvage *self)
{
  return take_plain (self, "SELECT last_id FROM totals",
                     "UPDATE totals SET last_id = max (last_id, ?1) WHERE NOT ?1" HIGH);
}

static gboolean
take_all (Salvage *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (!take_plain (self, plain[i][0], plain[i][1]))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (!take_table (self, &tables[i]))
      return FALSE;
  for (guint i = CLIP_SQL_TIDY_TAGS; i <= CLIP_SQL_TIDY_BLOBS; i++)
    if (sqlite3_exec (self->target, clip_writes[i], NULL, NULL, NULL) != SQLITE_OK)
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (finish); i++)
    if (sqlite3_exec (self->target, finish[i], NULL, NULL, NULL) != SQLITE_OK)
      return FALSE;
  return take_last_id (self);
}

static gint64
count_entries (sqlite3 *target)
{
  sqlite3_stmt *count = prepare (target, "SELECT count FROM totals");
  gint64 n =
      count && sqlite3_step (count) == SQLITE_ROW ? sqlite3_column_int64 (count, 0) : 0;

  sqlite3_finalize (count);
  return n;
}

/**
 * clip_salvage_rows:
 * @copy: of clip_salvage_copy()
 * @target: a new history, which knows clip_sum()
 * @stops: (nullable): atomic; not 0 = give up
 * @out_n_entries: (out): how many entries it has now
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CANCELLED, %G_FILE_ERROR, %CLIP_ERROR_FAILED
 * where @target cannot be written.
 */
gboolean
clip_salvage_rows (const char *copy,
                   sqlite3 *target,
                   const gint *stops,
                   gint64 *out_n_entries,
                   GError **error)
{
  g_autofree char *name = g_filename_to_uri (copy, NULL, NULL);
  g_autofree char *uri = g_strconcat (name, "?immutable=1", NULL);
  clip_autofd int fd = open (copy, O_RDWR | O_CLOEXEC);
  Salvage self = { .target = target, .fd = fd };
  struct stat status;
  gboolean done;

  if (fd < 0 || fstat (fd, &status) < 0)
    return clip_set_errno (error, errno, "open '%s'", copy);
  self.n_pages = status.st_size / PAGE_BYTES;
  sqlite3_open_v2 (uri, &self.source, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
  sqlite3_limit (self.source, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
  clip_step_limit_watch (&self.limit, self.source, stops);
  sqlite3_progress_handler (target, 0, NULL, NULL); /* it is sound */
  done = sqlite3_exec (target, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
         take_all (&self) && clip_check_goes_on (stops, NULL) &&
         sqlite3_exec (target, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
  if (!done && clip_check_goes_on (stops, error))
    clip_statements_set_error (target, error);
  sqlite3_close (self.source);
  *out_n_entries = done ? count_entries (target) : 0;
  return done;
}

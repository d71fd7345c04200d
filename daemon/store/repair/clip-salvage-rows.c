/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What can be read of a damaged database, row by row, into a new one. A tree is walked
 * from below and from above, until a page is reached that cannot be read; what lies
 * between is halved, and each half walked the same way: whatever is still to be reached
 * from the root is found. A content whose sum is wrong is left behind.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-salvage-rows.h"

#include "clip-blob-file.h"
#include "clip-database.h"
#include "clip-error.h"
#include "clip-hash.h"
#include "clip-limits.h"
#include "clip-salvage-leaves.h"
#include "clip-salvage-nameless.h"
#include "clip-salvage-type.h"

#include <string.h>

/* how many walks may fail: each costs some pages */
#define MAX_FAILURES 200000

typedef struct Salvage Salvage;

/* a row is to be kept as it can be; FALSE = the new database cannot be written */
typedef gboolean (*RowFunc) (Salvage *self, sqlite3_stmt *row);

struct Salvage
{
  const char *copy;
  sqlite3 *source;
  sqlite3 *target;
  gint64 n_entries;
  guint n_failures;
  sqlite3_stmt *up;   /* ?1 to ?2, the first column is the key */
  sqlite3_stmt *down; /* from ?2 to ?1 */
  RowFunc take;
  sqlite3_stmt *insert;
  sqlite3_stmt *second; /* another statement of the target */
  sqlite3_stmt *third;
};

/* up to the end, or to what cannot be read. @reached: (out): the last key that was */
static gboolean
walk (Salvage *self,
      sqlite3_stmt *rows,
      gint64 first,
      gint64 last,
      gint64 *reached,
      gboolean *out_end)
{
  gboolean writes = TRUE;
  int code = SQLITE_ROW;

  sqlite3_bind_int64 (rows, 1, first);
  sqlite3_bind_int64 (rows, 2, last);
  while (writes && (code = sqlite3_step (rows)) == SQLITE_ROW)
    {
      *reached = sqlite3_column_int64 (rows, 0);
      writes = self->take (self, rows);
    }
  sqlite3_reset (rows);
  *out_end = code == SQLITE_DONE;
  self->n_failures += code != SQLITE_DONE;
  return writes;
}

static gboolean
walk_range (Salvage *self, gint64 first, gint64 last)
{
  gint64 low = first - 1, high = last + 1, middle;
  gboolean ended;

  if (first > last || self->n_failures > MAX_FAILURES)
    return TRUE;
  if (!walk (self, self->up, first, last, &low, &ended))
    return FALSE;
  if (ended)
    return TRUE;
  if (!walk (self, self->down, low + 1, last, &high, &ended))
    return FALSE;
  if (ended || high - low <= 2)
    return TRUE;
  middle = low + (high - low) / 2;
  return walk_range (self, low + 1, middle) && walk_range (self, middle + 1, high - 1);
}

static sqlite3_stmt *
prepare (sqlite3 *db, const char *text)
{
  sqlite3_stmt *statement = NULL;

  sqlite3_prepare_v2 (db, text, -1, &statement, NULL);
  return statement;
}

static void
bind_row (sqlite3_stmt *insert, sqlite3_stmt *row, int n_columns)
{
  for (int i = 0; i < n_columns; i++)
    sqlite3_bind_value (insert, i + 1, sqlite3_column_value (row, i));
}

/* what is bound; what is there already stays */
static gboolean
insert_bound (sqlite3_stmt *insert)
{
  int code = sqlite3_step (insert);

  sqlite3_reset (insert);
  sqlite3_clear_bindings (insert);
  /* a row that breaks the rules of its table is a damaged one */
  return code == SQLITE_DONE || code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH;
}

/* takes a row of the source over, column by column */
static gboolean
insert_row (sqlite3_stmt *insert, sqlite3_stmt *row, int n_columns)
{
  bind_row (insert, row, n_columns);
  return insert_bound (insert);
}

static gboolean
take_plain (Salvage *self, sqlite3_stmt *row)
{
  return insert_row (self->insert, row, sqlite3_column_count (row));
}

static gboolean
take_blob (Salvage *self, sqlite3_stmt *row)
{
  const char *name = (const char *) sqlite3_column_text (row, 1);
  ClipHash hash;

  if (!name || sqlite3_column_bytes (row, 2) != sizeof hash.bytes)
    return TRUE;
  memcpy (hash.bytes, sqlite3_column_blob (row, 2), sizeof hash.bytes);
  return !clip_blob_name_fits (name, &hash) || take_plain (self, row);
}

static void
append_blob (GByteArray *bytes, sqlite3_stmt *row, int column)
{
  if (column >= 0 && sqlite3_column_type (row, column) == SQLITE_BLOB)
    g_byte_array_append (bytes, sqlite3_column_blob (row, column),
                         (guint) sqlite3_column_bytes (row, column));
}

/* where a content's columns are, in a row of entry and in one of content */
typedef struct
{
  int mime, size, blob, preview, body, sum, kind;
} Layout;

/* what the sum is of, as the new database knows it */
static gboolean
gather (Salvage *self,
        sqlite3_stmt *row,
        const Layout *layout,
        GByteArray *bytes,
        ClipHash *out_hash)
{
  gint64 size = sqlite3_column_int64 (row, layout->size);
  gboolean found;

  if (sqlite3_column_type (row, layout->blob) == SQLITE_NULL)
    {
      g_autoptr (ClipHasher) hasher = clip_hasher_new ();

      append_blob (bytes, row, layout->preview);
      append_blob (bytes, row, layout->body);
      clip_hasher_add (hasher, bytes->data, bytes->len);
      *out_hash = clip_hasher_end (hasher);
      return size == bytes->len;
    }
  sqlite3_bind_value (self->second, 1, sqlite3_column_value (row, layout->blob));
  found = sqlite3_step (self->second) == SQLITE_ROW &&
          sqlite3_column_int64 (self->second, 1) == size;
  if (found)
    append_blob (bytes, self->second, 0);
  sqlite3_reset (self->second);
  if (bytes->len != sizeof out_hash->bytes)
    return FALSE;
  memcpy (out_hash->bytes, bytes->data, sizeof out_hash->bytes);
  return TRUE;
}

/* (transfer full) (nullable): the type's name in the new database */
static char *
find_mime (Salvage *self, sqlite3_stmt *row, const Layout *layout)
{
  sqlite3_stmt *find = prepare (self->target, "SELECT text FROM name WHERE id = ?1");
  char *mime = NULL;

  sqlite3_bind_value (find, 1, sqlite3_column_value (row, layout->mime));
  if (sqlite3_step (find) == SQLITE_ROW)
    mime = g_strdup ((const char *) sqlite3_column_text (find, 0));
  sqlite3_finalize (find);
  return mime;
}

/* (transfer full) (nullable): as find_mime(), where the name is lost, and its content tells it */
static char *
restore_mime (Salvage *self,
              sqlite3_stmt *row,
              gint64 entry,
              gint64 position,
              const Layout *layout,
              const GByteArray *bytes)
{
  sqlite3_stmt *add;
  const char *mime;

  if (sqlite3_column_type (row, layout->sum) != SQLITE_INTEGER ||
      sqlite3_column_type (row, layout->mime) != SQLITE_INTEGER)
    return NULL;
  mime = clip_salvage_type (sqlite3_column_int64 (row, layout->sum), entry, position,
                            sqlite3_column_int64 (row, layout->size), bytes->data,
                            bytes->len);
  if (!mime)
    return NULL;
  add = prepare (self->target, "INSERT OR IGNORE INTO name (id, text) VALUES (?1, ?2)");
  sqlite3_bind_value (add, 1, sqlite3_column_value (row, layout->mime));
  sqlite3_bind_text (add, 2, mime, -1, SQLITE_STATIC);
  sqlite3_step (add);
  sqlite3_finalize (add);
  return find_mime (self, row, layout);
}

/* what the row of a content gets */
typedef struct
{
  ClipHash hash;
  gint64 sum;
  gint64 name; /* of its type; 0 = the one it had */
} Found;

static gboolean
has_its_sum (sqlite3_stmt *row, const Layout *layout, gint64 sum)
{
  return sqlite3_column_type (row, layout->sum) == SQLITE_INTEGER &&
         sqlite3_column_int64 (row, layout->sum) == sum;
}

/* FALSE = it is not what was stored */
static gboolean
is_whole (Salvage *self,
          sqlite3_stmt *row,
          gint64 entry,
          gint64 position,
          const Layout *layout,
          Found *out_found)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *mime = find_mime (self, row, layout);
  gint64 size = sqlite3_column_int64 (row, layout->size);
  gboolean in_row = sqlite3_column_type (row, layout->blob) == SQLITE_NULL;
  const char *guess;

  out_found->name = 0;
  if (!gather (self, row, layout, bytes, &out_found->hash))
    return FALSE;
  if (mime || (mime = restore_mime (self, row, entry, position, layout, bytes)))
    {
      out_found->sum = clip_sum (entry, position, mime, size, bytes->data, bytes->len);
      return has_its_sum (row, layout, out_found->sum);
    }
  if (layout->kind < 0)
    return FALSE;
  out_found->name = clip_salvage_nameless (
      self->source, self->target, entry, sqlite3_column_int (row, layout->kind),
      &out_found->hash, in_row ? bytes->data : NULL, bytes->len, &guess);
  if (out_found->name > 0)
    out_found->sum = clip_sum (entry, position, guess, size, bytes->data, bytes->len);
  return out_found->name > 0;
}

static gboolean
run_bound (sqlite3_stmt *statement)
{
  int code = sqlite3_step (statement);

  sqlite3_reset (statement);
  return code == SQLITE_DONE || code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH;
}

static gboolean
take_entry (Salvage *self, sqlite3_stmt *row)
{
  static const Layout layout = {
    .mime = 9, .size = 8, .blob = 11, .preview = 12, .body = 13, .sum = 14, .kind = 6
  };
  gint64 id = sqlite3_column_int64 (row, 0);
  Found found;

  if (!is_whole (self, row, id, 0, &layout, &found))
    return TRUE;
  bind_row (self->insert, row, 14);
  sqlite3_bind_int64 (self->insert, 15, found.sum);
  if (found.name > 0)
    sqlite3_bind_int64 (self->insert, layout.mime + 1, found.name);
  if (!insert_bound (self->insert))
    return FALSE;
  self->n_entries += sqlite3_changes (self->target);
  sqlite3_bind_int64 (self->third, 1, clip_hash_short (&found.hash));
  sqlite3_bind_int64 (self->third, 2, id);
  return run_bound (self->third);
}

static gboolean
take_content (Salvage *self, sqlite3_stmt *row)
{
  static const Layout layout = {
    .mime = 3, .size = 4, .blob = 5, .preview = -1, .body = 6, .sum = 7, .kind = -1
  };
  Found found;

  if (!is_whole (self, row, sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 2),
                 &layout, &found))
    return TRUE;
  sqlite3_bind_int64 (self->insert, 8, found.sum);
  return insert_row (self->insert, row, 7);
}

/* a table, or what there is to be had of it */
typedef struct
{
  const char *up;
  const char *down;
  const char *insert;
  RowFunc take;
  const char *name; /* where its rows can be told from others */
} Table;

#define FROM(columns, table, key) \
  "SELECT " columns " FROM " table " WHERE " key " BETWEEN ?1 AND ?2 ORDER BY " key
#define TABLE(columns, table, key, insert, take) \
  { \
    FROM (columns, table, key), FROM (columns, table, key) " DESC", insert, take, NULL \
  }
#define SUMMED_TABLE(columns, table, key, insert, take) \
  { \
    FROM (columns, table, key), FROM (columns, table, key) " DESC", insert, take, table \
  }
#define ENTRY \
  "id, last_us, first_us, copies, expires_us, pinned, kind, extras, size, mime, origin," \
  " blob, preview, body"
#define CONTENT "id, entry, position, mime, size, blob, body"
#define INSERT "INSERT OR IGNORE INTO "

/* in this order: what is referred to comes first */
static const Table tables[] = {
  TABLE ("id, text",
         "name",
         "id",
         INSERT "name (id, text) VALUES (?1, ?2)",
         take_plain),
  TABLE ("id, name, hash, size, inode, changed_ns",
         "blob",
         "id",
         INSERT "blob VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
         take_blob),
  SUMMED_TABLE (ENTRY ", sum",
                "entry",
                "id",
                INSERT
                "entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
                " ?13, ?14, ?15)",
                take_entry),
  SUMMED_TABLE (CONTENT ", sum",
                "content",
                "id",
                INSERT "content SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS"
                       " (SELECT 1 FROM entry WHERE id = ?2)",
                take_content),
  TABLE ("entry, name",
         "tag",
         "entry",
         INSERT "tag SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM entry WHERE id = ?1)"
                " AND EXISTS (SELECT 1 FROM name WHERE id = ?2)",
         take_plain),
};

static gboolean
on_leaf (sqlite3_stmt *row, gpointer user_data)
{
  Salvage *self = user_data;

  return self->take (self, row);
}

/* what is out of reach */
static gboolean
take_leaves (Salvage *self, const Table *table)
{
  if (!table->name || (self->n_failures == 0 && self->up))
    return TRUE;
  return clip_salvage_leaves (self->copy, table->name, table->up, on_leaf, self);
}

static gboolean
take_table (Salvage *self, const Table *table)
{
  gboolean done;

  self->up = prepare (self->source, table->up);
  self->down = prepare (self->source, table->down);
  self->insert = prepare (self->target, table->insert);
  self->take = table->take;
  self->n_failures = 0;
  done = self->insert &&
         (!self->up || !self->down || walk_range (self, 1, CLIP_MAX_ID)) &&
         take_leaves (self, table);
  sqlite3_finalize (self->up);
  sqlite3_finalize (self->down);
  sqlite3_finalize (self->insert);
  return done;
}

/* what the rows together say, and what was small */
static const char finish[] =
    "UPDATE entry SET origin = NULL WHERE origin NOT IN (SELECT id FROM name);"
    "UPDATE entry SET extras = (SELECT count(*) FROM content WHERE entry = entry.id);"
    "UPDATE name SET tag_only = 1 WHERE id NOT IN (SELECT mime FROM entry UNION"
    " SELECT origin FROM entry WHERE origin IS NOT NULL UNION SELECT mime FROM content);"
    "DELETE FROM name WHERE tag_only = 1 AND id NOT IN (SELECT name FROM tag);";

static gboolean
close_up (sqlite3 *target)
{
  static const char text[] =
      "UPDATE content SET position = position - 1, sum = clip_sum (entry, position - 1,"
      " (SELECT text FROM name WHERE name.id = content.mime), size,"
      " (SELECT hash FROM blob WHERE blob.id = content.blob), NULL, body)"
      " WHERE position > 1 AND NOT EXISTS (SELECT 1 FROM content AS before"
      " WHERE before.entry = content.entry AND before.position = content.position - 1)";

  do
    if (sqlite3_exec (target, text, NULL, NULL, NULL) != SQLITE_OK)
      return FALSE;
  while (sqlite3_changes (target) > 0);
  return TRUE;
}

/* the values that outlive the daemon, from both ends */
static gboolean
take_notes (Salvage *self)
{
  static const char *const texts[] = { "SELECT key, value FROM note ORDER BY key",
                                       "SELECT key, value FROM note ORDER BY key DESC" };
  sqlite3_stmt *insert =
      prepare (self->target, "INSERT OR IGNORE INTO note VALUES (?1, ?2)");
  gboolean done = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      sqlite3_stmt *rows = prepare (self->source, texts[i]);

      while (done && rows && sqlite3_step (rows) == SQLITE_ROW)
        done = insert_row (insert, rows, 2);
      sqlite3_finalize (rows);
    }
  sqlite3_finalize (insert);
  return done;
}

/* ids go on from where they were */
static gboolean
set_totals (Salvage *self)
{
  sqlite3_stmt *rows = prepare (self->source, "SELECT last_id FROM totals");
  gint64 last_id =
      rows && sqlite3_step (rows) == SQLITE_ROW ? sqlite3_column_int64 (rows, 0) : 0;
  sqlite3_stmt *set = prepare (
      self->target,
      "WITH all_contents(size, pinned) AS (SELECT size, pinned FROM entry UNION ALL"
      " SELECT content.size, pinned FROM content JOIN entry ON entry.id = content.entry)"
      " UPDATE totals SET count = (SELECT count(*) FROM entry),"
      " bytes = (SELECT ifnull(sum(size), 0) FROM all_contents),"
      " pinned = (SELECT count(*) FROM entry WHERE pinned = 1),"
      " pinned_bytes = (SELECT ifnull(sum(size), 0) FROM all_contents WHERE pinned = 1),"
      " last_id = max((SELECT ifnull(max(id), 0) FROM entry), ?1), first_loose = 1");
  gboolean done;

  sqlite3_finalize (rows);
  if (!set)
    return FALSE;
  sqlite3_bind_int64 (set, 1, CLAMP (last_id, 0, CLIP_MAX_ID));
  done = run_bound (set);
  sqlite3_finalize (set);
  return done;
}

/* the names once more, from their index, which has all of them */
static gboolean
take_names (Salvage *self)
{
  sqlite3_stmt *rows =
      prepare (self->source, "SELECT id, text FROM name"
                             " INDEXED BY sqlite_autoindex_name_1 ORDER BY text");
  sqlite3_stmt *insert =
      prepare (self->target, "INSERT OR IGNORE INTO name (id, text) VALUES (?1, ?2)");
  gboolean done = TRUE;

  while (done && rows && sqlite3_step (rows) == SQLITE_ROW)
    done = insert_row (insert, rows, 2);
  sqlite3_finalize (rows);
  sqlite3_finalize (insert);
  return done;
}

static gboolean
take_all (Salvage *self)
{
  if (!take_names (self))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (!take_table (self, &tables[i]))
      return FALSE;
  return take_notes (self) && close_up (self->target) &&
         sqlite3_exec (self->target, finish, NULL, NULL, NULL) == SQLITE_OK &&
         set_totals (self);
}

/**
 * clip_salvage_rows:
 * @copy: of clip_salvage_copy()
 * @target: a new history, which knows clip_sum()
 * @out_n_entries: (out): how many entries it has now
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_FAILED where @target cannot be written.
 */
gboolean
clip_salvage_rows (const char *copy,
                   sqlite3 *target,
                   gint64 *out_n_entries,
                   GError **error)
{
  g_autofree char *name = g_filename_to_uri (copy, NULL, NULL);
  g_autofree char *uri = g_strconcat (name, "?immutable=1", NULL);
  Salvage self = { .copy = copy, .target = target };
  gboolean done;

  sqlite3_open_v2 (uri, &self.source, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
  self.second = prepare (target, "SELECT hash, size FROM blob WHERE id = ?1");
  self.third = prepare (target, "INSERT OR IGNORE INTO dup VALUES (?1, ?2)");
  done = sqlite3_exec (target, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
         take_all (&self) &&
         sqlite3_exec (target, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
  if (!done)
    clip_database_set_error (target, error);
  sqlite3_finalize (self.second);
  sqlite3_finalize (self.third);
  sqlite3_close (self.source);
  *out_n_entries = self.n_entries;
  return done;
}

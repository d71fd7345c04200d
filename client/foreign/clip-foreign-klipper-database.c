/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Klipper since Plasma 6.3: history3.sqlite, and a folder of files that hold the contents.
 * A row has the text, too, which other types may come with. Nobody knows who wrote the
 * database: its schema is not trusted, and every name that leads to a file is a hash.
 */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-foreign-format.h"
#include "clip-mime.h"

#include <sqlite3.h>
#include <string.h>

#define MAGIC "SQLite format 3"
#define HASH_DIGITS 40
#define SMALL_BYTES (64 * 1024)

/* two tables, and no view that is called like one */
static const char check_sql[] = "SELECT count(*) FROM sqlite_master WHERE type = 'table' "
                                "AND name IN ('main', 'aux')";
static const char rows_sql[] =
    "SELECT uuid, added_time, last_used_time, starred FROM main.main "
    "ORDER BY ifnull(last_used_time, added_time), added_time, rowid";
static const char types_sql[] =
    "SELECT mimetype, data_uuid FROM main.aux WHERE uuid = ?1 "
    "ORDER BY rowid";
static const char text_sql[] = "SELECT text FROM main.main WHERE uuid = ?1";

typedef struct
{
  const ClipForeignFile *file;
  sqlite3 *db;
  sqlite3_stmt *rows;
  sqlite3_stmt *types;
  sqlite3_stmt *text;
  guint n_rows;
} Database;

/* --- opening --- */

static gboolean
has_log (const ClipForeignFile *file)
{
  g_autofree char *path = g_strconcat (file->path, "-wal", NULL);
  struct stat status;

  return stat (path, &status) == 0 && status.st_size > 0;
}

/* where there is no log nobody is at it, and it can be read without the files beside it that
 * SQLite would make */
static sqlite3 *
open_database (const ClipForeignFile *file)
{
  g_autofree char *path = g_canonicalize_filename (file->path, NULL);
  g_autofree char *plain = g_filename_to_uri (path, NULL, NULL);
  g_autofree char *uri =
      g_strconcat (plain, has_log (file) ? "?mode=ro" : "?mode=ro&immutable=1", NULL);
  sqlite3 *db = NULL;

  sqlite3_open_v2 (uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
  if (!db)
    return NULL;
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_exec (db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
  return db;
}

static gboolean
has_tables (sqlite3 *db)
{
  sqlite3_stmt *check = NULL;
  gboolean found = sqlite3_prepare_v2 (db, check_sql, -1, &check, NULL) == SQLITE_OK &&
                   sqlite3_step (check) == SQLITE_ROW &&
                   sqlite3_column_int (check, 0) == 2;

  sqlite3_finalize (check);
  return found;
}

static gboolean
is_one (const ClipForeignFile *file)
{
  sqlite3 *db;
  gboolean found;

  if (!clip_foreign_file_begins (file, 0, MAGIC, sizeof MAGIC))
    return FALSE;
  db = open_database (file);
  found = db && has_tables (db);
  sqlite3_close (db);
  return found;
}

static gboolean
fail (const Database *self, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, "after %u rows: %s", self->n_rows,
               sqlite3_errstr (sqlite3_extended_errcode (self->db)));
  return FALSE;
}

static gboolean
prepare (Database *self, GError **error)
{
  if (!has_tables (self->db))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                   "it has not the tables of a history");
      return FALSE;
    }
  return (sqlite3_prepare_v2 (self->db, rows_sql, -1, &self->rows, NULL) == SQLITE_OK &&
          sqlite3_prepare_v2 (self->db, types_sql, -1, &self->types, NULL) == SQLITE_OK &&
          sqlite3_prepare_v2 (self->db, text_sql, -1, &self->text, NULL) == SQLITE_OK) ||
         fail (self, error);
}

static void
database_close (gpointer reader)
{
  Database *self = reader;

  sqlite3_finalize (self->rows);
  sqlite3_finalize (self->types);
  sqlite3_finalize (self->text);
  sqlite3_close (self->db);
  g_free (self);
}

static gpointer
database_open (const ClipForeignFile *file, GError **error)
{
  Database *self = g_new0 (Database, 1);

  self->file = file;
  self->db = open_database (file);
  if (self->db && prepare (self, error))
    return self;
  database_close (self);
  return NULL;
}

/* --- rows --- */

static gboolean
is_hash (const char *text)
{
  return text && strlen (text) == HASH_DIGITS &&
         strspn (text, "0123456789abcdefABCDEF") == HASH_DIGITS;
}

/* seconds, as a number with a fraction */
static gint64
time_of (const Database *self, int column)
{
  double seconds = sqlite3_column_double (self->rows, column);
  double now = (double) g_get_real_time () / G_USEC_PER_SEC;

  if (!(seconds > 0) || seconds > now)
    return self->file->changed_us;
  return (gint64) (seconds * G_USEC_PER_SEC);
}

static gboolean
add_text (Database *self, const char *uuid, const char *mime, ClipForeignEntry *entry)
{
  gboolean found;

  sqlite3_reset (self->text);
  sqlite3_bind_text (self->text, 1, uuid, -1, SQLITE_TRANSIENT);
  found = sqlite3_step (self->text) == SQLITE_ROW &&
          sqlite3_column_type (self->text, 0) != SQLITE_NULL;
  if (found)
    {
      const void *text = sqlite3_column_text (self->text, 0);

      clip_foreign_entry_add_bytes (
          entry, mime, g_bytes_new (text, (gsize) sqlite3_column_bytes (self->text, 0)));
    }
  sqlite3_reset (self->text);
  return found;
}

/* what is small is loaded: it may be what says that it all is a secret */
static gboolean
add_small (ClipForeignEntry *entry,
           const char *mime,
           int fd,
           goffset size,
           GError **error)
{
  g_autofree char *data = g_malloc ((gsize) size);

  if (!clip_read_exactly (fd, data, (gsize) size, 0, error))
    return FALSE;
  clip_foreign_entry_add_bytes (entry, mime,
                                g_bytes_new_take (g_steal_pointer (&data), (gsize) size));
  return TRUE;
}

static gboolean
add_content (Database *self,
             const char *uuid,
             const char *mime,
             const char *data_uuid,
             ClipForeignEntry *entry,
             GError **error)
{
  g_autofree char *path = g_build_filename ("data", uuid, data_uuid, NULL);
  goffset size = 0;
  clip_autofd int fd = clip_foreign_file_beside (self->file, path, &size);

  if (fd < 0)
    {
      if (!g_str_has_prefix (mime, "text/plain") || !add_text (self, uuid, mime, entry))
        entry->is_incomplete = TRUE;
      return TRUE;
    }
  if (size <= SMALL_BYTES)
    return add_small (entry, mime, fd, size, error);
  clip_foreign_entry_add_part (entry, mime, g_steal_fd (&fd), 0, size);
  return TRUE;
}

static gboolean
add_contents (Database *self, const char *uuid, ClipForeignEntry *entry, GError **error)
{
  int step;

  sqlite3_reset (self->types);
  sqlite3_bind_text (self->types, 1, uuid, -1, SQLITE_TRANSIENT);
  while ((step = sqlite3_step (self->types)) == SQLITE_ROW)
    {
      const char *mime = (const char *) sqlite3_column_text (self->types, 0);
      const char *data_uuid = (const char *) sqlite3_column_text (self->types, 1);

      if (!mime || !is_hash (data_uuid))
        entry->is_incomplete = TRUE;
      else if (!add_content (self, uuid, mime, data_uuid, entry, error))
        return FALSE;
    }
  if (step != SQLITE_DONE)
    return fail (self, error);
  if (entry->contents->len == 0 && !entry->is_incomplete)
    add_text (self, uuid, CLIP_MIME_TEXT, entry);
  return TRUE;
}

static ClipForeignEntry *
database_next (gpointer reader, GError **error)
{
  Database *self = reader;
  g_autoptr (ClipForeignEntry) entry = NULL;
  g_autofree char *uuid = NULL;
  int step = sqlite3_step (self->rows);

  if (step == SQLITE_DONE)
    return NULL;
  uuid = step == SQLITE_ROW
             ? g_strdup ((const char *) sqlite3_column_text (self->rows, 0))
             : NULL;
  if (step != SQLITE_ROW)
    {
      fail (self, error);
      return NULL;
    }
  entry = clip_foreign_entry_new (self->file->changed_us);
  entry->first_us = time_of (self, 1);
  entry->last_us = sqlite3_column_type (self->rows, 2) == SQLITE_NULL ? entry->first_us
                                                                      : time_of (self, 2);
  entry->pinned = sqlite3_column_int (self->rows, 3) != 0;
  if (!is_hash (uuid))
    entry->is_incomplete = TRUE;
  else if (!add_contents (self, uuid, entry, error))
    return NULL;
  self->n_rows++;
  return g_steal_pointer (&entry);
}

const ClipForeignFormat clip_foreign_klipper_database = {
  .name = "klipper",
  .title = "Klipper",
  .pattern = "history3.sqlite",
  .is_live = TRUE,
  .is_one = is_one,
  .open = database_open,
  .next = database_next,
  .close = database_close,
};

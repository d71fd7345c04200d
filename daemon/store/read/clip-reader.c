/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opening a history to read. A history in use, or one that its daemon left, is opened as
 * SQLite opens it, and a writer is never in a reader's way nor a reader in a writer's.
 * Where the folder cannot be written SQLite wants to create its side files and cannot:
 * without a log the database is complete and nobody can be changing it, and with one the
 * log is indexed in memory.
 */
#include "clip-reader.h"

#include "clip-blob-file.h"
#include "clip-db-file.h"
#include "clip-detect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-ownership.h"
#include "clip-paths.h"
#include "clip-reader-private.h"
#include "clip-scrub-vfs.h"
#include "clip-utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* a writer holds its lock for milliseconds; recovery after a crash takes longer */
#define BUSY_MS 10000
/* That is ever given: a billion a day, for nine months, behind those that are kept. A
 * salvage reads higher ones: those that one process gives before another looks. */
#define MAX_ID (G_GINT64_CONSTANT (3) << 38)

/* with the sign that there is more */
#define MAX_PREVIEW_BYTES (CLIP_HEAD_BYTES + strlen (CLIP_UTF8_ELLIPSIS))

/* for how long the age is taken to be what it was: to look it up costs as much as an
   entry */
#define AGE_FRESH_US G_USEC_PER_SEC

/* of the shared memory beside a database: each connection shares its lock for as long as
 * it lives */
#define LOCK_BYTE 128

/* An empty one is not opened: SQLite would remove the log that may be left of it. Of one
 * that may not be read SQLite would not say which it is. */
static gboolean
exists (const char *path, GError **error)
{
  struct stat status;
  gboolean found = stat (path, &status) == 0;

  if (found && status.st_size > 0)
    return access (path, R_OK) == 0 ||
           clip_set_errno (error, errno, "open history '%s'", path);
  if (!found && errno != ENOENT && errno != ENOTDIR)
    return clip_set_errno (error, errno, "open history '%s'", path);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY,
               "open history '%s': nothing has been stored yet", path);
  return FALSE;
}

/* where there is no folder, or it cannot be opened, exists() says so */
static gboolean
is_our_own (const char *dir, GError **error)
{
  g_autoptr (GError) local = NULL;
  clip_autofd int fd = clip_ownership_open_folder (dir, &local);

  if (fd >= 0 || !g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_PERM))
    return clip_ownership_check_database (dir, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* @path: of a database: whether there is something in its log that it may not have yet */
gboolean
clip_reader_has_log (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  struct stat status;

  return stat (log, &status) == 0 && status.st_size > 0;
}

/* @option: (nullable): of the URI */
static ClipStatements *
connect_to (const char *path, const char *option)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (absolute, NULL, NULL);
  g_autofree char *name = g_strconcat (uri, option ? "?" : NULL, option, NULL);
  sqlite3 *db = NULL;

  sqlite3_open_v2 (name, &db,
                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                   clip_scrub_vfs_name ());
  sqlite3_extended_result_codes (db, 1);
  sqlite3_busy_timeout (db, BUSY_MS);
  return clip_statements_new (db, clip_reads, CLIP_N_READS);
}

static gboolean
read_version (ClipStatements *database, gint64 *out_version, GError **error)
{
  return clip_statements_run (database, CLIP_READ_SET_CACHE, error, "") &&
         clip_statements_number (database, CLIP_READ_VERSION, out_version, error, "") ==
             CLIP_ROWS_ROW;
}

/* the side files are not there and cannot be made, or cannot be mapped: then nobody has
 * written here since it came from elsewhere; or there is no room for them, which whoever
 * has the history open has already. A process that has no descriptors left knows nothing
 * of the kind. */
static gboolean
is_closed_folder (ClipStatements *database)
{
  int code = sqlite3_errcode (clip_statements_handle (database));
  int reason = sqlite3_system_errno (clip_statements_handle (database));

  if (reason == EMFILE || reason == ENFILE || reason == ENOMEM)
    return FALSE;
  return (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY ||
         code == SQLITE_IOERR_SHMMAP || code == SQLITE_IOERR_SHMSIZE ||
         code == SQLITE_IOERR_SHMOPEN;
}

static ClipStatements *
connect_closed (const char *path, gint64 *out_version, GError **error)
{
  gboolean logged = clip_reader_has_log (path);
  g_autoptr (ClipStatements) database =
      connect_to (path, logged ? "vfs=unix-none" : "immutable=1");

  if (logged)
    {
      sqlite3_db_config (clip_statements_handle (database),
                         SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
      if (!clip_statements_run (database, CLIP_READ_SET_PRIVATE, error, ""))
        return NULL;
    }
  return read_version (database, out_version, error) ? g_steal_pointer (&database) : NULL;
}

static ClipStatements *
connect_any (const char *path, gint64 *out_version, GError **error)
{
  g_autoptr (ClipStatements) database = NULL;
  g_autoptr (GError) local = NULL;

  database = connect_to (path, NULL);
  if (read_version (database, out_version, &local))
    return g_steal_pointer (&database);
  if (is_closed_folder (database))
    return connect_closed (path, out_version, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

/* a newer schema says from which one on its rows can be read */
static gboolean
is_readable (ClipStatements *database, gint64 version)
{
  gint64 min_reader;

  return version <= CLIP_SCHEMA_VERSION ||
         (clip_statements_number (database, CLIP_READ_MIN_READER, &min_reader, NULL,
                                  "") == CLIP_ROWS_ROW &&
          min_reader <= CLIP_SCHEMA_VERSION);
}

static gboolean
check_version (ClipStatements *database, gint64 version, const char *path, GError **error)
{
  if (version < CLIP_SCHEMA_VERSION &&
      !clip_statements_check_mark (database, CLIP_READ_OWN_TABLES, CLIP_READ_VERSION,
                                   &version, error))
    return FALSE;
  if (version == CLIP_SCHEMA_VERSION)
    return clip_statements_check_tables (database, CLIP_READ_OTHER_TABLES, error);
  if (version == 0)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY,
                 "open history '%s': nothing has been stored yet", path);
  else if (version < CLIP_SCHEMA_VERSION)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, CLIP_SCHEMA_TOO_OLD, version);
  else if (!is_readable (database, version))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NEWER_DATABASE,
                 "open history '%s': written by a newer version (schema %" G_GINT64_FORMAT
                 ", this program reads %d)",
                 path, version, CLIP_SCHEMA_VERSION);
  else
    return TRUE;
  return FALSE;
}

/**
 * clip_reader_is_in_use:
 * @dir: the folder of a history, of which this process has no reader: a file that is
 * closed gives up the locks of its process
 *
 * Returns: whether another process has it open, as a daemon that runs always has
 */
gboolean
clip_reader_is_in_use (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME "-shm", NULL);
  /* what is there may be a FIFO, which the open that follows refuses by name */
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct flock lock = {
    .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_BYTE, .l_len = 1
  };

  return fd >= 0 && fcntl (fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/**
 * clip_reader_open:
 * @dir: the folder of the history
 *
 * Opens a history to read, whoever writes to it meanwhile. Writes nothing, save for the
 * side files that SQLite wants beside a database whose last writer took them away.
 *
 * Errors: %CLIP_ERROR_NO_HISTORY, %CLIP_ERROR_NEWER_DATABASE, %CLIP_ERROR_CORRUPT,
 * %G_FILE_ERROR (_PERM where others may write to it), %CLIP_ERROR_FAILED.
 */
ClipReader *
clip_reader_open (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  g_autoptr (ClipStatements) database = NULL;
  ClipReader *self;
  gint64 version = 0;
  ClipFileId id;

  clip_file_id_take (&id, path);
  if (!is_our_own (dir, error) || !exists (path, error))
    return NULL;
  database = connect_any (path, &version, error);
  if (!database || !check_version (database, version, path, error))
    return NULL;
  self = g_new0 (ClipReader, 1);
  self->dir = g_strdup (dir);
  self->path = g_steal_pointer (&path);
  self->id = id;
  self->blobs_fd = -1;
  self->database = g_steal_pointer (&database);
  self->is_newer = version > CLIP_SCHEMA_VERSION;
  self->buffer = g_byte_array_new ();
  return self;
}

/* whether a newer version has changed it, so that this one cannot */
gboolean
clip_reader_is_newer (const ClipReader *self)
{
  return self->is_newer;
}

/**
 * clip_reader_new_guest:
 * @host: a connection of the present schema, which @self must not outlive
 *
 * Reads by somebody else's connection, inside of its transactions: what that has just
 * written is in its memory still.
 */
ClipReader *
clip_reader_new_guest (const char *dir, ClipStatements *host)
{
  ClipReader *self = g_new0 (ClipReader, 1);

  self->dir = g_strdup (dir);
  self->path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  clip_file_id_take (&self->id, self->path);
  self->blobs_fd = -1;
  self->database = clip_statements_new_guest (host, clip_reads, CLIP_N_READS);
  self->buffer = g_byte_array_new ();
  return self;
}

void
clip_reader_free (ClipReader *self)
{
  if (!self)
    return;
  for (guint i = 0; i < CLIP_N_NAMES; i++)
    {
      g_free (self->mimes[i].text);
      g_free (self->origins[i].text);
    }
  clip_fd_clear (&self->blobs_fd);
  clip_statements_free (self->database);
  clip_match_free (self->match);
  g_byte_array_unref (self->buffer);
  g_free (self->path);
  g_free (self->dir);
  g_free (self);
}

/* whether its history is still the one to be found in the folder */
gboolean
clip_reader_is_current (ClipReader *self)
{
  return clip_file_id_is_at (&self->id, self->path);
}

/* what it has read: where the next call may be long in coming, and it may be deleted by
 * then */
void
clip_reader_forget (ClipReader *self)
{
  sqlite3_db_release_memory (clip_statements_handle (self->database));
}

/**
 * clip_reader_heed_db_file:
 * @path: (nullable): of the file at db-path
 *
 * Where that file was removed, and nobody has wiped the history yet, only pinned entries
 * are there from now on.
 *
 * Errors: %CLIP_ERROR_NO_HISTORY where there is no file, or an empty one, and no entry;
 * as clip_reader_totals().
 */
gboolean
clip_reader_heed_db_file (ClipReader *self, const char *path, GError **error)
{
  g_autoptr (GHashTable) notes = NULL;
  ClipTotals totals;

  if (!path || !clip_db_file_tells_nothing (path))
    return TRUE;
  notes = clip_reader_notes (self, error);
  if (!notes)
    return FALSE;
  self->is_wiped =
      clip_db_file_was_removed (path, g_hash_table_lookup (notes, CLIP_DB_FILE_NOTE));
  if (!clip_reader_totals (self, &totals, error))
    return FALSE;
  if (totals.count > 0)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY,
               "open history '%s': nothing has been stored yet", self->path);
  return FALSE;
}

/* (transfer full): what a damaged page has, or another program wrote, may be no text, and
 * goes into messages of D-Bus, which end who sends anything else */
static char *
dup_text (sqlite3_stmt *rows, int column)
{
  const char *text = (const char *) sqlite3_column_text (rows, column);

  return g_utf8_make_valid (text ?: "", -1);
}

static const char *
find_name (ClipReader *self, ClipName *names, gint64 id, GError **error)
{
  ClipName *slot = &names[(guint64) id % CLIP_N_NAMES];
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state;

  if (id == 0)
    return "";
  if (slot->id == id)
    return slot->text;
  rows = clip_statements_query (self->database, CLIP_READ_NAME, error, "i", id);
  state = clip_statements_next (self->database, rows, error);
  if (state == CLIP_ROWS_ROW && sqlite3_column_type (rows, 0) != SQLITE_TEXT)
    state = CLIP_ROWS_END;
  if (state == CLIP_ROWS_END)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                 "history: name %" G_GINT64_FORMAT " is missing", id);
  if (state != CLIP_ROWS_ROW)
    return NULL;
  g_free (slot->text);
  slot->text = dup_text (rows, 0);
  slot->id = id;
  return slot->text;
}

/* The age that the history obeys is noted in it: the reader knows of no configuration. It
 * may change while the reader is open. */
static gint64
get_max_age (ClipReader *self, gint64 now_us)
{
  gint64 age_us;

  if (ABS (now_us - self->age_read_us) < AGE_FRESH_US)
    return self->max_age_us;
  if (clip_statements_number (self->database, CLIP_READ_MAX_AGE, &age_us, NULL, "") !=
      CLIP_ROWS_FAILED)
    self->max_age_us = age_us;
  self->age_read_us = now_us;
  return self->max_age_us;
}

/* SQLite takes the order of rows in their page for granted, and goes on in what it finds
 * there: who reads many says so where that turns back. Returns: %FALSE */
gboolean
clip_reader_set_disorder (const ClipReader *self, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "history '%s': pages of entries are damaged, and some may be missing here",
               self->path);
  return FALSE;
}

ClipMoment
clip_reader_moment (ClipReader *self)
{
  gint64 now_us = g_get_real_time ();
  gint64 age_us = get_max_age (self, now_us);

  return (ClipMoment){ .now_us = now_us,
                       .old_us = age_us > 0 ? now_us - age_us : G_MININT64 };
}

/* borrowed until the next name is asked for; %NULL with @error set where there is none */
const char *
clip_reader_mime (ClipReader *self, sqlite3_stmt *rows, int column, GError **error)
{
  return find_name (self, self->mimes, sqlite3_column_int64 (rows, column), error);
}

/* borrowed until the next origin is asked for; "" where it is unknown, %NULL with @error
   set */
const char *
clip_reader_origin (ClipReader *self, sqlite3_stmt *rows, GError **error)
{
  return find_name (self, self->origins, sqlite3_column_int64 (rows, CLIP_COLUMN_ORIGIN),
                    error);
}

/* of a row that came from elsewhere there may be more than we ever write */
void
clip_reader_fill_preview (sqlite3_stmt *rows, int column, ClipRow *row)
{
  row->preview = sqlite3_column_blob (rows, column) ?: "";
  row->preview_length =
      MIN ((gsize) sqlite3_column_bytes (rows, column), MAX_PREVIEW_BYTES);
}

/**
 * clip_reader_fill_row:
 * @rows: at a row of a statement that selects the columns of one
 * @row: (out): borrowed from @rows and @self
 */
gboolean
clip_reader_fill_row (ClipReader *self, sqlite3_stmt *rows, ClipRow *row, GError **error)
{
  row->id = sqlite3_column_int64 (rows, CLIP_COLUMN_ID);
  row->last_us = sqlite3_column_int64 (rows, CLIP_COLUMN_LAST_US);
  row->first_us = sqlite3_column_int64 (rows, CLIP_COLUMN_FIRST_US);
  row->copies = sqlite3_column_int64 (rows, CLIP_COLUMN_COPIES);
  row->expires_us = sqlite3_column_int64 (rows, CLIP_COLUMN_EXPIRES_US);
  row->pinned = sqlite3_column_int (rows, CLIP_COLUMN_PINNED);
  row->kind = (ClipClass) sqlite3_column_int (rows, CLIP_COLUMN_KIND);
  row->size = sqlite3_column_int64 (rows, CLIP_COLUMN_SIZE);
  clip_reader_fill_preview (rows, CLIP_COLUMN_PREVIEW, row);
  row->mime = clip_reader_mime (self, rows, CLIP_COLUMN_MIME, error);
  if (!row->mime)
    return FALSE;
  row->origin = clip_reader_origin (self, rows, error);
  return row->origin != NULL;
}

static gboolean
read_extras (ClipReader *self, ClipEntry *entry, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (self->database, CLIP_READ_EXTRAS, error, "i", entry->row.id);
  ClipRows state;

  while ((state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    {
      const char *mime = clip_reader_mime (self, rows, 1, error);

      if (!mime)
        return FALSE;
      g_ptr_array_add (entry->contents,
                       clip_content_new (mime, sqlite3_column_int64 (rows, 2),
                                         sqlite3_column_int64 (rows, 0)));
    }
  return state == CLIP_ROWS_END;
}

/* Returns: (transfer full): the tags of the entry; of one that is gone, none. NULL with
   the error set */
char **
clip_reader_list_tags (ClipReader *self, gint64 id, GError **error)
{
  g_autoptr (GStrvBuilder) tags = g_strv_builder_new ();
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (self->database, CLIP_READ_TAGS, error, "i", id);
  ClipRows state;

  while ((state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    {
      g_autofree char *tag = dup_text (rows, 0);

      g_strv_builder_add (tags, tag);
    }
  return state == CLIP_ROWS_END ? g_strv_builder_end (tags) : NULL;
}

/* of an entry that a page has: one that is gone by now has none */
gboolean
clip_reader_fill_tags (ClipReader *self, ClipEntry *entry, GError **error)
{
  entry->tags = clip_reader_list_tags (self, entry->row.id, error);
  return entry->tags != NULL;
}

/**
 * clip_reader_lookup:
 *
 * Returns: (transfer full): the entry with its contents and tags
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
ClipEntry *
clip_reader_lookup (ClipReader *self, gint64 id, GError **error)
{
  ClipMoment moment = clip_reader_moment (self);
  g_autoptr (ClipEntry) entry = NULL;
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      self->database, CLIP_READ_ENTRY, error, "iii", id, moment.now_us, moment.old_us);
  ClipRows state = clip_statements_next (self->database, rows, error);
  ClipRow row;

  if (state == CLIP_ROWS_FAILED ||
      (state == CLIP_ROWS_ROW && !clip_reader_fill_row (self, rows, &row, error)))
    return NULL;
  if (state == CLIP_ROWS_END || (self->is_wiped && !row.pinned))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                   "id %" G_GINT64_FORMAT " not found", id);
      return NULL;
    }
  entry = clip_entry_new (&row);
  g_ptr_array_add (entry->contents, clip_content_new (row.mime, row.size, 0));
  if (!read_extras (self, entry, error) || !clip_reader_fill_tags (self, entry, error))
    return NULL;
  return g_steal_pointer (&entry);
}

/* @statement: that selects them, as the history says them, or counts */
gboolean
clip_totals_read (ClipStatements *database,
                  guint statement,
                  ClipTotals *out_totals,
                  GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (database, statement, error, "");
  ClipRows state = clip_statements_next (database, rows, error);

  if (state == CLIP_ROWS_END)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, "history: totals are missing");
  if (state != CLIP_ROWS_ROW)
    return FALSE;
  if (sqlite3_column_int64 (rows, 4) < 0 || sqlite3_column_int64 (rows, 4) > MAX_ID)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                   "history: its last id cannot be: %" G_GINT64_FORMAT,
                   (gint64) sqlite3_column_int64 (rows, 4));
      return FALSE;
    }
  *out_totals = (ClipTotals){ .count = sqlite3_column_int64 (rows, 0),
                              .bytes = sqlite3_column_int64 (rows, 1),
                              .pinned = sqlite3_column_int64 (rows, 2),
                              .pinned_bytes = sqlite3_column_int64 (rows, 3),
                              .last_id = sqlite3_column_int64 (rows, 4),
                              .first_loose = sqlite3_column_int64 (rows, 5) };
  return TRUE;
}

gboolean
clip_reader_totals (ClipReader *self, ClipTotals *out_totals, GError **error)
{
  if (!clip_totals_read (self->database, CLIP_READ_TOTALS, out_totals, error))
    return FALSE;
  if (self->is_wiped)
    {
      out_totals->count = out_totals->pinned;
      out_totals->bytes = out_totals->pinned_bytes;
    }
  return TRUE;
}

static gboolean
on_newest (const ClipRow *row, gpointer user_data)
{
  *(gint64 *) user_data = row->id;
  return FALSE;
}

/* the highest id there is; 0 = the history is empty; -1 with @error set */
gint64
clip_reader_newest (ClipReader *self, GError **error)
{
  ClipQuery query = { .pinned = TRUE, .limit = 1 };
  ClipMoment moment = clip_reader_moment (self);
  gint64 newest = 0;
  gboolean more;

  if (self->is_wiped)
    return clip_reader_page (self, &query, on_newest, &newest, &more, error) ? newest
                                                                             : -1;
  if (clip_statements_number (self->database, CLIP_READ_NEWEST, &newest, error, "iii",
                              (gint64) 0, moment.now_us,
                              moment.old_us) == CLIP_ROWS_FAILED)
    return -1;
  return newest;
}

/**
 * clip_reader_notes:
 *
 * Returns: (transfer full) (element-type utf8 utf8): the small values kept with the
 * history, by key
 */
GHashTable *
clip_reader_notes (ClipReader *self, GError **error)
{
  g_autoptr (GHashTable) notes =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (self->database, CLIP_READ_NOTES, error, "");
  ClipRows state;

  while ((state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    g_hash_table_insert (notes, dup_text (rows, 0), dup_text (rows, 1));
  return state == CLIP_ROWS_END ? g_steal_pointer (&notes) : NULL;
}

/**
 * clip_reader_tags:
 * @function: is called for each tag that an entry has, in the order of their bytes
 *
 * Errors: as clip_statements_query().
 */
gboolean
clip_reader_tags (ClipReader *self,
                  ClipTagFunc function,
                  gpointer user_data,
                  GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (self->database, CLIP_READ_COUNT_TAGS, error, "");
  ClipRows state;

  while ((state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    {
      g_autofree char *tag = dup_text (rows, 0);

      function (tag, sqlite3_column_int64 (rows, 1), user_data);
    }
  return state == CLIP_ROWS_END;
}

/* the folder of the blobs; borrowed; -1 where there is none */
int
clip_reader_blobs (ClipReader *self)
{
  g_autofree char *path = NULL;

  if (self->blobs_fd < 0)
    {
      path = g_build_filename (self->dir, CLIP_BLOBS_NAME, NULL);
      self->blobs_fd = open (path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
  return self->blobs_fd;
}

/**
 * clip_reader_open_blob:
 * @blob: the number of the blob's row
 * @size: what the file must hold, in bytes
 *
 * Returns: a descriptor to look into, owned by the caller, or -1. What is served comes
 * from clip_reader_open_content(), which makes sure of the bytes.
 *
 * Errors: as clip_blob_file_open().
 */
int
clip_reader_open_blob (ClipReader *self, gint64 blob, gint64 size, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (self->database, CLIP_READ_BLOB, error, "i", blob);
  ClipRows state = clip_statements_next (self->database, rows, error);

  if (state == CLIP_ROWS_END)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                 "history: blob %" G_GINT64_FORMAT " is missing", blob);
  if (state != CLIP_ROWS_ROW)
    return -1;
  return clip_blob_file_open (clip_reader_blobs (self),
                              (const char *) sqlite3_column_text (rows, 0), size, error);
}

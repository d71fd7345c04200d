/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SQLite with the three things that every caller needs: statements that are prepared once
 * and found by their number, values bound in one line, and results that say row, end or
 * error. What is bound is borrowed until the rows are cleared, never copied.
 */
#include "clip-statements.h"

#include "clip-error.h"
#include "clip-read-sql.h"
#include "clip-schema-sql.h"
#include "clip-step-limit.h"

#include <errno.h>
#include <unistd.h>

struct ClipStatements
{
  sqlite3 *db;
  const char *const *texts;
  guint n_texts;
  sqlite3_stmt **statements;
  gboolean is_guest; /* the connection is another one's */
  ClipStepLimit own_limit;
  ClipStepLimit *limit; /* that of the connection */
};

static ClipStatements *
new_on (sqlite3 *db, const char *const *texts, guint n_texts)
{
  ClipStatements *self = g_new0 (ClipStatements, 1);

  self->db = db;
  self->texts = texts;
  self->n_texts = n_texts;
  self->statements = g_new0 (sqlite3_stmt *, n_texts);
  self->limit = &self->own_limit;
  return self;
}

/**
 * clip_statements_new:
 * @db_take: an open connection
 * @texts: the statements by number; borrowed
 *
 * Returns: (transfer full): the connection with its statements, none prepared yet. One
 * that finds more rows than there can be ends: the database is damaged then.
 */
ClipStatements *
clip_statements_new (sqlite3 *db_take, const char *const *texts, guint n_texts)
{
  ClipStatements *self = new_on (db_take, texts, n_texts);

  clip_step_limit_watch (self->limit, db_take, NULL);
  return self;
}

/* other statements on the same connection; to be freed before @host */
ClipStatements *
clip_statements_new_guest (ClipStatements *host, const char *const *texts, guint n_texts)
{
  ClipStatements *self = new_on (host->db, texts, n_texts);

  self->is_guest = TRUE;
  self->limit = host->limit;
  return self;
}

/* @stops: (nullable): atomic; not 0 = what runs on the connection fails from now on */
void
clip_statements_heed (ClipStatements *self, const gint *stops)
{
  self->limit->stops = stops;
}

void
clip_statements_free (ClipStatements *self)
{
  if (!self)
    return;
  for (guint i = 0; i < self->n_texts; i++)
    sqlite3_finalize (self->statements[i]);
  if (!self->is_guest)
    sqlite3_close (self->db);
  g_free (self->statements);
  g_free (self);
}

sqlite3 *
clip_statements_handle (const ClipStatements *self)
{
  return self->db;
}

/* https://www.sqlite.org/fileformat.html 1.3: who may write it, who may read it, and the
 * format of its schema. Another number has SQLite write nothing, or read nothing. */
static gboolean
has_known_header (sqlite3 *db)
{
  sqlite3_file *file = NULL;
  guint8 head[48];

  sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (!file || !file->pMethods ||
      file->pMethods->xRead (file, head, sizeof head, 0) != SQLITE_OK)
    return TRUE; /* there is none */
  return head[18] >= 1 && head[18] <= 2 && head[19] >= 1 && head[19] <= 2 &&
         head[44] + head[45] + head[46] == 0 && head[47] <= 4;
}

static gboolean
is_damaged (sqlite3 *db, int code)
{
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB ||
         (code == SQLITE_ERROR && !has_known_header (db));
}

static const char *
path_of (sqlite3 *db)
{
  const char *path = sqlite3_db_filename (db, "main");

  return path ?: "";
}

static int
last_errno (sqlite3_file *file)
{
  int saved_errno = 0;

  if (file && file->pMethods)
    file->pMethods->xFileControl (file, SQLITE_FCNTL_LAST_ERRNO, &saved_errno);
  return saved_errno;
}

/* of a failed write to the log, or to the database: a connection forgets it on the way */
static int
find_last_errno (sqlite3 *db)
{
  sqlite3_file *log = NULL;
  sqlite3_file *file = NULL;
  int saved_errno;

  sqlite3_file_control (db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  saved_errno = last_errno (log);
  return saved_errno != 0 ? saved_errno : last_errno (file);
}

/* why the system refused what SQLite wanted of it; 0 = it did not, or not that we know.
 * To enlarge the index of the log fails for want of room alone, and is not said to. */
static int
find_errno (sqlite3 *db, int code)
{
  int saved_errno = sqlite3_system_errno (db);

  if (code == SQLITE_FULL ||
      (sqlite3_extended_errcode (db) == SQLITE_IOERR_SHMSIZE && saved_errno == 0))
    return saved_errno == EDQUOT ? EDQUOT : ENOSPC;
  if (code == SQLITE_READONLY)
    return access (path_of (db), W_OK) < 0 ? errno : 0;
  if (code == SQLITE_IOERR && saved_errno == 0)
    return find_last_errno (db);
  return code == SQLITE_IOERR ? saved_errno : 0;
}

/**
 * clip_statements_set_error:
 * @db: a connection whose last call failed
 *
 * Reports what SQLite says. Errors: %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_CORRUPT,
 * %G_FILE_ERROR where the system refused the file, else %CLIP_ERROR_FAILED.
 *
 * Returns: %FALSE, so that it can be returned
 */
gboolean
clip_statements_set_error (sqlite3 *db, GError **error)
{
  int code = sqlite3_errcode (db) & 0xff;
  int saved_errno = find_errno (db, code);

  /* one that was never opened has no path */
  if (code == SQLITE_CANTOPEN && sqlite3_system_errno (db) != 0 && *path_of (db) == '\0')
    return clip_set_errno (error, sqlite3_system_errno (db), "open history");
  if (code == SQLITE_CANTOPEN && sqlite3_system_errno (db) != 0)
    return clip_set_errno (error, sqlite3_system_errno (db), "open history '%s'",
                           path_of (db));
  if (saved_errno != 0)
    return clip_set_errno (error, saved_errno, "history '%s'", path_of (db));
  if (code == SQLITE_INTERRUPT)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                 "history '%s': its pages have more rows than there is room for",
                 path_of (db));
  else
    g_set_error (error, CLIP_ERROR,
                 is_damaged (db, code) ? CLIP_ERROR_CORRUPT : CLIP_ERROR_FAILED,
                 "history '%s': %s", path_of (db), sqlite3_errmsg (db));
  return FALSE;
}

static sqlite3_stmt *
statement_at (ClipStatements *self, guint statement, GError **error)
{
  sqlite3_stmt **slot = &self->statements[statement];

  if (!*slot && sqlite3_prepare_v3 (self->db, self->texts[statement], -1,
                                    SQLITE_PREPARE_PERSISTENT, slot, NULL) != SQLITE_OK)
    clip_statements_set_error (self->db, error);
  return *slot;
}

static int
bind_one (sqlite3_stmt *rows, int index, char type, va_list *args)
{
  const void *data;

  switch (type)
    {
    case 'i':
      return sqlite3_bind_int64 (rows, index, va_arg (*args, gint64));
    case 's':
      return sqlite3_bind_text (rows, index, va_arg (*args, const char *), -1,
                                SQLITE_STATIC);
    case 'b':
      data = va_arg (*args, const void *);
      return sqlite3_bind_blob64 (rows, index, data, va_arg (*args, gsize),
                                  SQLITE_STATIC);
    default:
      g_assert (type == '-');
      return sqlite3_bind_null (rows, index);
    }
}

static sqlite3_stmt *
bind_all (ClipStatements *self,
          guint statement,
          GError **error,
          const char *types,
          va_list *args)
{
  sqlite3_stmt *rows;

  clip_step_limit_begin (self->limit);
  rows = statement_at (self, statement, error);
  for (int i = 0; rows && types[i]; i++)
    if (bind_one (rows, i + 1, types[i], args) != SQLITE_OK)
      {
        clip_statements_set_error (self->db, error);
        return NULL;
      }
  return rows;
}

/**
 * clip_statements_query:
 * @types: a letter for each value that follows: `i` gint64, `s` string or %NULL, `b`
 * pointer and gsize, `-` NULL, which takes no value
 *
 * Returns: (transfer none): the rows to come, in a clip_autorows; what was bound must
 * outlive them. %NULL with @error set where the statement does not fit the database.
 */
sqlite3_stmt *
clip_statements_query (ClipStatements *self,
                       guint statement,
                       GError **error,
                       const char *types,
                       ...)
{
  sqlite3_stmt *rows;
  va_list args;

  va_start (args, types);
  rows = bind_all (self, statement, error, types, &args);
  va_end (args);
  return rows;
}

/**
 * clip_statements_next:
 * @rows: (nullable): %NULL, the query having failed, stays failed
 *
 * Returns: whether there is a row, the end, or a failure with @error set
 */
ClipRows
clip_statements_next (ClipStatements *self, sqlite3_stmt *rows, GError **error)
{
  int code = rows ? sqlite3_step (rows) : SQLITE_OK;

  if (code == SQLITE_ROW)
    return CLIP_ROWS_ROW;
  if (code == SQLITE_DONE)
    return CLIP_ROWS_END;
  if (rows)
    clip_statements_set_error (self->db, error);
  return CLIP_ROWS_FAILED;
}

/**
 * clip_statements_run:
 *
 * Runs a statement to its end, rows or not. @types and what follows: as in
 * clip_statements_query().
 */
gboolean
clip_statements_run (ClipStatements *self,
                     guint statement,
                     GError **error,
                     const char *types,
                     ...)
{
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state;
  va_list args;

  va_start (args, types);
  rows = bind_all (self, statement, error, types, &args);
  va_end (args);
  do
    state = clip_statements_next (self, rows, error);
  while (state == CLIP_ROWS_ROW);
  return state == CLIP_ROWS_END;
}

/**
 * clip_statements_number:
 * @out_number: (out): the first column of the first row; 0 where there is none
 *
 * @types and what follows: as in clip_statements_query().
 */
ClipRows
clip_statements_number (ClipStatements *self,
                        guint statement,
                        gint64 *out_number,
                        GError **error,
                        const char *types,
                        ...)
{
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state;
  va_list args;

  va_start (args, types);
  rows = bind_all (self, statement, error, types, &args);
  va_end (args);
  state = clip_statements_next (self, rows, error);
  *out_number = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, 0) : 0;
  return state;
}

/**
 * clip_statements_check_numbers:
 * @used_up: the statement which counts the tables whose rows have used up their numbers
 *
 * Errors: %CLIP_ERROR_CORRUPT where there is one.
 */
gboolean
clip_statements_check_numbers (ClipStatements *self, guint used_up, GError **error)
{
  gint64 n;

  if (clip_statements_number (self, used_up, &n, error, "") != CLIP_ROWS_ROW)
    return FALSE;
  if (n > 0)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                 "history '%s': the numbers of its rows cannot be", path_of (self->db));
  return n == 0;
}

/**
 * clip_statements_check_mark:
 * @own_tables: the statement which tells whether there are our tables, and nothing else
 * @get_version: the statement which tells the version
 * @version: (inout): of a database that says that it is of an older version, or not made
 * yet; ours where another process has made it meanwhile
 *
 * Errors: %CLIP_ERROR_CORRUPT where the tables say that it is of ours.
 */
gboolean
clip_statements_check_mark (ClipStatements *self,
                            guint own_tables,
                            guint get_version,
                            gint64 *version,
                            GError **error)
{
  gint64 is_ours;

  if (clip_statements_number (self, own_tables, &is_ours, error, "s", schema_history) !=
      CLIP_ROWS_ROW)
    return FALSE;
  if (is_ours &&
      clip_statements_number (self, get_version, version, error, "") != CLIP_ROWS_ROW)
    return FALSE;
  is_ours = is_ours && *version < CLIP_SCHEMA_VERSION;
  if (is_ours)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                 "history '%s': its version is not that of its tables",
                 path_of (self->db));
  return !is_ours;
}

/**
 * clip_statements_check_tables:
 * @statement: which counts the tables and indexes that are not as the schema makes them
 *
 * Errors: %CLIP_ERROR_CORRUPT where there is one, %CLIP_ERROR_FAILED where there is none
 * of ours.
 */
gboolean
clip_statements_check_tables (ClipStatements *self, guint statement, GError **error)
{
  gint64 n;

  if (!has_known_header (self->db))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                   "history '%s': its header is that of no version of SQLite 3",
                   path_of (self->db));
      return FALSE;
    }
  if (clip_statements_number (self, statement, &n, error, "s", schema_history) !=
      CLIP_ROWS_ROW)
    return FALSE;
  if (n == 0)
    return TRUE;
  if (n < 0)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 "history '%s': the database is not a clipboard history",
                 path_of (self->db));
  else
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                 "history '%s': its tables are not as this program makes them",
                 path_of (self->db));
  return FALSE;
}

/* What a row holds of a content: its body, and before that its preview, where that is a
 * BLOB; a preview that is a text stands for itself. */
void
clip_value_append (GByteArray *bytes, sqlite3_value *value)
{
  if (sqlite3_value_type (value) == SQLITE_BLOB)
    g_byte_array_append (bytes, sqlite3_value_blob (value),
                         (guint) sqlite3_value_bytes (value));
}

/* the cleanup of clip_autorows; forgets what was bound, too */
void
clip_rows_clear (sqlite3_stmt **rows)
{
  if (!*rows)
    return;
  sqlite3_reset (*rows);
  sqlite3_clear_bindings (*rows);
  *rows = NULL;
}

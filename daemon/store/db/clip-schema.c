/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one schema, made in one transaction. A database that is newer than this program, of
 * an early development version, or of another program is not touched.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-schema.h"

#include "clip-error.h"
#include "clip-read-sql.h"
#include "clip-schema-sql.h"
#include "clip-sql-functions.h"
#include "clip-write-sql.h"

/* An empty file has no schema either, and may become a history. Looked at in this order:
 * what another process makes of it meanwhile has both. */
static gboolean
check_kind (ClipStatements *database, GError **error)
{
  gint64 application, schema;

  if (clip_statements_number (database, CLIP_SQL_GET_SCHEMA, &schema, error, "") !=
          CLIP_ROWS_ROW ||
      clip_statements_number (database, CLIP_SQL_GET_APPLICATION, &application, error,
                              "") != CLIP_ROWS_ROW)
    return FALSE;
  if (application == CLIP_DATABASE_ID || schema == 0)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "open history: the database is not a clipboard history");
  return FALSE;
}

/* 0 = there is none yet */
static gboolean
get_version (ClipStatements *database, gint64 *out_version, GError **error)
{
  if (clip_statements_number (database, CLIP_SQL_GET_VERSION, out_version, error, "") !=
      CLIP_ROWS_ROW)
    return FALSE;
  /* the tables say more than the mark, which may be damaged */
  if (*out_version < CLIP_SCHEMA_VERSION &&
      !clip_statements_check_mark (database, CLIP_SQL_GET_OWN_TABLES,
                                   CLIP_SQL_GET_VERSION, out_version, error))
    return FALSE;
  if (*out_version == CLIP_SCHEMA_VERSION)
    return clip_statements_check_tables (database, CLIP_SQL_GET_OTHER_TABLES, error) &&
           clip_statements_check_numbers (database, CLIP_SQL_GET_USED_UP, error);
  if (!check_kind (database, error))
    return FALSE;
  if (*out_version == 0)
    return TRUE;
  if (*out_version > CLIP_SCHEMA_VERSION)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NEWER_DATABASE,
                 "open history: written by a newer version (schema %" G_GINT64_FORMAT
                 ", this program writes %d)",
                 *out_version, CLIP_SCHEMA_VERSION);
  else
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, CLIP_SCHEMA_TOO_OLD, *out_version);
  return FALSE;
}

/* inside the transaction: another process may have been faster */
static gboolean
make (ClipStatements *database, GError **error)
{
  sqlite3 *db = clip_statements_handle (database);
  gint64 version;

  return get_version (database, &version, error) &&
         (version == CLIP_SCHEMA_VERSION ||
          sqlite3_exec (db, schema_history, NULL, NULL, NULL) == SQLITE_OK ||
          clip_statements_set_error (db, error));
}

/**
 * clip_schema_check:
 *
 * Whether the database is empty or a history that this program writes to. Touches
 * nothing.
 *
 * Errors: as clip_schema_make().
 */
gboolean
clip_schema_check (ClipStatements *database, GError **error)
{
  gint64 version;

  return get_version (database, &version, error);
}

/**
 * clip_schema_make:
 *
 * Makes an empty database a history. After a failure it is as it was.
 *
 * Errors: %CLIP_ERROR_NEWER_DATABASE, %CLIP_ERROR_CORRUPT for another program's database,
 * %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_FAILED.
 */
gboolean
clip_schema_make (ClipStatements *database, GError **error)
{
  gint64 version;

  if (!get_version (database, &version, error) ||
      !clip_sql_functions_register (clip_statements_handle (database), error))
    return FALSE;
  if (version == CLIP_SCHEMA_VERSION)
    return TRUE;
  if (!clip_statements_run (database, CLIP_SQL_BEGIN, error, ""))
    return FALSE;
  if (make (database, error) &&
      clip_statements_run (database, CLIP_SQL_COMMIT, error, ""))
    return TRUE;
  clip_statements_run (database, CLIP_SQL_ROLLBACK, NULL, "");
  g_prefix_error (error, "make history: ");
  return FALSE;
}

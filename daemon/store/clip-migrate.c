/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The steps from one schema to the next, each setting `user_version` itself, and all that are
 * to be taken in one transaction: the program that came before still opens what a failure
 * leaves. A database that is newer than this program, or somebody else's, is not touched.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-migrate.h"

#include "clip-error.h"
#include "clip-read-sql.h"
#include "clip-schema.h"
#include "clip-sql-sum.h"
#include "clip-sql.h"

G_STATIC_ASSERT (G_N_ELEMENTS (schema_steps) == CLIP_SCHEMA_VERSION);

/* An empty file has no schema either, and may become a history. Looked at in this order:
 * what another process makes of it meanwhile has both. */
static gboolean
check_kind (ClipDatabase *database, GError **error)
{
  gint64 application, schema;

  if (clip_database_number (database, CLIP_SQL_GET_SCHEMA, &schema, error, "") !=
          CLIP_ROWS_ROW ||
      clip_database_number (database, CLIP_SQL_GET_APPLICATION, &application, error,
                            "") != CLIP_ROWS_ROW)
    return FALSE;
  if (application == CLIP_DATABASE_ID || schema == 0)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "open history: the database is not a clipboard history");
  return FALSE;
}

static gboolean
get_version (ClipDatabase *database, guint n_steps, guint *out_version, GError **error)
{
  gint64 version;

  if (!check_kind (database, error) ||
      clip_database_number (database, CLIP_SQL_GET_VERSION, &version, error, "") !=
          CLIP_ROWS_ROW)
    return FALSE;
  *out_version = (guint) version;
  if (version >= 0 && version <= n_steps)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NEWER_DATABASE,
               "open history: written by a newer version (schema %" G_GINT64_FORMAT
               ", this program writes %u)",
               version, n_steps);
  return FALSE;
}

static gboolean
run_script (ClipDatabase *database, const char *script, GError **error)
{
  sqlite3 *db = clip_database_handle (database);

  return sqlite3_exec (db, script, NULL, NULL, NULL) == SQLITE_OK ||
         clip_database_set_error (db, error);
}

/* inside the transaction: another process may have been faster */
static gboolean
take_steps (ClipDatabase *database,
            const char *const *steps,
            guint n_steps,
            GError **error)
{
  guint version, next;

  if (!get_version (database, n_steps, &version, error))
    return FALSE;
  for (; version < n_steps; version = next)
    {
      if (!run_script (database, steps[version], error) ||
          !get_version (database, n_steps, &next, error))
        return FALSE;
      if (next == version + 1)
        continue;
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                   "migrate history: step %u did not set its version", version + 1);
      return FALSE;
    }
  return TRUE;
}

/**
 * clip_migrate_to:
 * @steps: the script of each step; step 0 makes schema 1 of nothing
 *
 * Brings the database to schema @n_steps. After a failure it is as it was.
 *
 * Errors: %CLIP_ERROR_NEWER_DATABASE, %CLIP_ERROR_CORRUPT for another program's database,
 * %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_FAILED.
 */
gboolean
clip_migrate_to (ClipDatabase *database,
                 const char *const *steps,
                 guint n_steps,
                 GError **error)
{
  guint before;

  if (!get_version (database, n_steps, &before, error) ||
      !clip_sql_sum_register (clip_database_handle (database), error))
    return FALSE;
  if (before == n_steps)
    return TRUE;
  if (!clip_database_run (database, CLIP_SQL_BEGIN, error, ""))
    return FALSE;
  if (!take_steps (database, steps, n_steps, error) ||
      !clip_database_run (database, CLIP_SQL_COMMIT, error, ""))
    {
      clip_database_run (database, CLIP_SQL_ROLLBACK, NULL, "");
      g_prefix_error (error, "migrate history from schema %u: ", before);
      return FALSE;
    }
  g_info ("history migrated from schema %u to %u", before, n_steps);
  return TRUE;
}

/* Whether the database is empty or a history, and no newer than this program. Touches
 * nothing. Errors: as clip_migrate_to(). */
gboolean
clip_migrate_check (ClipDatabase *database, GError **error)
{
  guint version;

  return get_version (database, CLIP_SCHEMA_VERSION, &version, error);
}

/* to the schema of this program */
gboolean
clip_migrate (ClipDatabase *database, GError **error)
{
  return clip_migrate_to (database, schema_steps, CLIP_SCHEMA_VERSION, error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-connect.h"
#include "clip-fd.h"
#include "clip-ownership.h"
#include "clip-paths.h"
#include "clip-read-sql.h"
#include "clip-sqlite-init.h"
#include "clip-write-sql.h"
#include "hoard.h"

#include <string.h>

/* those that walk a whole table, or index, because that is what they are for */
static const char *const walks[] = {
  "DELETE FROM entry", "DELETE FROM content", "DELETE FROM blob",  "DELETE FROM dup",
  "DELETE FROM tag",   "DELETE FROM name",    CLIP_COUNTED_TOTALS, CLIP_OTHER_TABLES,
  CLIP_OWN_TABLES,     CLIP_USED_UP,
};

/* of a check and a repair, which look at all there is */
static gboolean
checks (const char *text)
{
  for (guint i = CLIP_READ_WRONG_ENTRIES; i <= CLIP_READ_LOOSE_ROWS; i++)
    if (strcmp (clip_reads[i], text) == 0)
      return TRUE;
  for (guint i = CLIP_SQL_TIDY_TAGS; i <= CLIP_SQL_TIDY_BLOBS; i++)
    if (strcmp (clip_writes[i], text) == 0)
      return TRUE;
  return FALSE;
}

/* of `stats`, which looks at all there is, and orders what it counts */
static gboolean
counts (const char *text)
{
  for (guint i = CLIP_READ_COUNT_KINDS; i <= CLIP_READ_COUNT_BLOBS; i++)
    if (strcmp (clip_reads[i], text) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
may_walk (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    if (strcmp (walks[i], text) == 0)
      return TRUE;
  return checks (text);
}

static void
check_plan (sqlite3 *db, const char *text)
{
  g_autofree char *explain = g_strconcat ("EXPLAIN QUERY PLAN ", text, NULL);
  sqlite3_stmt *plan = NULL;

  g_assert_cmpint (sqlite3_prepare_v2 (db, explain, -1, &plan, NULL), ==, SQLITE_OK);
  while (sqlite3_step (plan) == SQLITE_ROW)
    {
      const char *detail = (const char *) sqlite3_column_text (plan, 3);

      if (!counts (text) && ((strstr (detail, "SCAN") && !may_walk (text)) ||
                             strstr (detail, "TEMP B-TREE")))
        g_error ("'%s': %s", text, detail);
    }
  sqlite3_finalize (plan);
}

static void
check_all (sqlite3 *db, const char *const *texts, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      sqlite3_stmt *statement = NULL;
      int code;

      g_assert_nonnull (texts[i]);
      code = sqlite3_prepare_v2 (db, texts[i], -1, &statement, NULL);
      if (code != SQLITE_OK)
        g_error ("'%s': %s", texts[i], sqlite3_errmsg (db));
      sqlite3_finalize (statement);
      if (!g_str_has_prefix (texts[i], "PRAGMA"))
        check_plan (db, texts[i]);
    }
}

static void
test_plans (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStatements) database = NULL;
  clip_autofd int dir_fd = clip_ownership_make_folder (dir, &error);

  database = clip_connect_writer (dir, dir_fd, &error);
  g_assert_no_error (error);
  check_all (clip_statements_handle (database), clip_writes, CLIP_N_SQL);
  check_all (clip_statements_handle (database), clip_reads, CLIP_N_READS);
  g_clear_pointer (&database, clip_statements_free);
  hoard_remove_dir (dir);
}

static void
test_strict_tables (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStatements) database = NULL;
  clip_autofd int dir_fd = clip_ownership_make_folder (dir, &error);
  sqlite3_stmt *tables = NULL;
  guint n = 0;

  database = clip_connect_writer (dir, dir_fd, &error);
  g_assert_no_error (error);
  sqlite3_prepare_v2 (clip_statements_handle (database),
                      "SELECT name, strict FROM pragma_table_list"
                      " WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
                      -1, &tables, NULL);
  for (; sqlite3_step (tables) == SQLITE_ROW; n++)
    if (!sqlite3_column_int (tables, 1))
      g_error ("table '%s' is not strict",
               (const char *) sqlite3_column_text (tables, 0));
  g_assert_cmpuint (n, >, 5);
  sqlite3_finalize (tables);
  g_clear_pointer (&database, clip_statements_free);
  hoard_remove_dir (dir);
}

static void
assert_defended (sqlite3 *db)
{
  int defensive = 0, trusts = 1;

  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, -1, &trusts);
  g_assert_true (defensive);
  g_assert_false (trusts);
}

/* whoever opens it, and the schema that came with it is changed by no statement */
static void
test_every_connection_is_defended (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *path = g_build_filename (hoard->dir, CLIP_DATABASE_NAME, NULL);
  gboolean is_busy;
  sqlite3 *locker = clip_connect_locker (hoard->dir, 0, &is_busy, NULL);
  sqlite3 *other = NULL;

  assert_defended (locker);
  sqlite3_close (locker);
  g_assert_cmpint (sqlite3_open (path, &other), ==, SQLITE_OK);
  assert_defended (other);
  g_assert_cmpint (sqlite3_exec (other,
                                 "PRAGMA writable_schema = ON;"
                                 "UPDATE sqlite_schema SET sql = '' WHERE name = 'entry'",
                                 NULL, NULL, NULL),
                   !=, SQLITE_OK);
  sqlite3_close (other);
}

/* what came with a file keeps no entry in, and shows nothing in the place of one */
static void
test_triggers_and_views_do_nothing (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *path = g_build_filename (hoard->dir, CLIP_DATABASE_NAME, NULL);
  sqlite3 *db = NULL;

  hoard_add_text (hoard->store, "word");
  hoard_run_sql (hoard->dir, "CREATE TRIGGER no BEFORE DELETE ON entry"
                             " BEGIN SELECT raise (IGNORE); END;"
                             "CREATE VIEW other AS SELECT * FROM entry");
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "DELETE FROM entry", NULL, NULL, NULL), ==,
                   SQLITE_OK);
  g_assert_cmpint (sqlite3_changes (db), ==, 1);
  g_assert_cmpint (sqlite3_exec (db, "SELECT * FROM other", NULL, NULL, NULL), !=,
                   SQLITE_OK);
  sqlite3_close (db);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  clip_sqlite_init ();
  g_test_add_func ("/sql/triggers-and-views-do-nothing",
                   test_triggers_and_views_do_nothing);
  g_test_add_func ("/sql/every-connection-is-defended",
                   test_every_connection_is_defended);
  g_test_add_func ("/sql/every-statement-searches", test_plans);
  g_test_add_func ("/sql/every-table-is-strict", test_strict_tables);
  return g_test_run ();
}

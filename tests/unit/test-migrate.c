/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-connect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-migrate.h"
#include "clip-ownership.h"
#include "clip-reader.h"
#include "clip-sql.h"
#include "hoard.h"
#include "kill-step.h"

#include <glib/gstdio.h>
#include <string.h>

static const char *const steps[] = {
  "PRAGMA application_id = 0x636c6970; PRAGMA user_version = 1;"
  "CREATE TABLE totals (only INTEGER PRIMARY KEY, min_reader INTEGER) STRICT;"
  "INSERT INTO totals VALUES (1, 1);",
  "PRAGMA user_version = 2; ALTER TABLE totals ADD COLUMN more TEXT;",
};

static const char *const failing_steps[] = {
  NULL, /* taken already */
  "PRAGMA user_version = 2; ALTER TABLE totals ADD COLUMN more TEXT;"
  "UPDATE totals SET nonsense = 1;",
};

static const char *const failing_later[] = {
  NULL,
  "PRAGMA user_version = 2; ALTER TABLE totals ADD COLUMN more TEXT;",
  "PRAGMA user_version = 3; UPDATE totals SET nonsense = 1;",
};

typedef struct
{
  char *dir;
  char *path;
} Place;

static ClipDatabase *
connect_to (const char *path)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  return clip_database_new (db, clip_statements, CLIP_N_SQL);
}

static void
set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  place->dir = hoard_make_dir ();
  place->path = g_build_filename (place->dir, "history.db", NULL);
}

static void
tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_remove_dir (place->dir);
  g_free (place->dir);
  g_free (place->path);
}

static gint64
get (ClipDatabase *database, ClipSql statement)
{
  gint64 number;

  clip_database_number (database, statement, &number, NULL, "");
  return number;
}

static gboolean
has_column (ClipDatabase *database, const char *text)
{
  return sqlite3_exec (clip_database_handle (database), text, NULL, NULL, NULL) ==
         SQLITE_OK;
}

static void
test_steps_taken (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipDatabase) database = connect_to (place->path);

  g_assert_true (clip_migrate_to (database, steps, 1, &error));
  g_assert_cmpint (get (database, CLIP_SQL_GET_VERSION), ==, 1);
  g_assert_true (clip_migrate_to (database, steps, 2, &error));
  g_assert_true (clip_migrate_to (database, steps, 2, &error));
  g_assert_no_error (error);
  g_assert_cmpint (get (database, CLIP_SQL_GET_VERSION), ==, 2);
  g_assert_true (has_column (database, "SELECT more FROM totals"));
}

static void
assert_undone (Place *place, const char *const *failing, guint n_steps)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipDatabase) database = connect_to (place->path);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;

  g_assert_true (clip_migrate_to (database, steps, 1, NULL));
  g_file_get_contents (place->path, &before, &before_length, NULL);
  g_assert_false (clip_migrate_to (database, failing, n_steps, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_FAILED);
  g_assert_cmpint (get (database, CLIP_SQL_GET_VERSION), ==, 1);
  g_assert_false (has_column (database, "SELECT more FROM totals"));
  g_file_get_contents (place->path, &after, &after_length, NULL);
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
test_failed_step_undone (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  assert_undone (place, failing_steps, G_N_ELEMENTS (failing_steps));
}

/* who goes back to the version before finds what that can open */
static void
test_steps_before_undone (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  assert_undone (place, failing_later, G_N_ELEMENTS (failing_later));
}

static void
test_newer_untouched (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) reader_error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;
  ClipDatabase *database = connect_to (place->path);

  clip_migrate_to (database, steps, 1, NULL);
  sqlite3_exec (clip_database_handle (database),
                "PRAGMA user_version = 99; UPDATE totals SET min_reader = 98", NULL, NULL,
                NULL);
  clip_database_free (database);
  g_file_get_contents (place->path, &before, &before_length, NULL);

  g_assert_null (clip_store_open (place->dir, CLIP_STORE_SESSION, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NEWER_DATABASE);
  g_assert_null (clip_reader_open (place->dir, &reader_error));
  g_assert_error (reader_error, CLIP_ERROR, CLIP_ERROR_NEWER_DATABASE);
  g_file_get_contents (place->path, &after, &after_length, NULL);
  g_assert_cmpmem (before, before_length, after, after_length);
}

/* a newer schema says from which version on it can be read */
static void
test_newer_readable (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = NULL;
  ClipStore *store = clip_store_open (place->dir, 0, &error);
  ClipDatabase *database;

  g_assert_no_error (error);
  clip_store_close (store);
  g_object_unref (store);
  database = connect_to (place->path);
  sqlite3_exec (clip_database_handle (database), "PRAGMA user_version = 5", NULL, NULL,
                NULL);
  clip_database_free (database);
  reader = clip_reader_open (place->dir, &error);
  g_assert_no_error (error);
  g_assert_cmpint (clip_reader_newest (reader, &error), ==, 0);
}

static void
test_other_program_untouched (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;
  ClipDatabase *database = connect_to (place->path);

  sqlite3_exec (clip_database_handle (database), "CREATE TABLE entry (a)", NULL, NULL,
                NULL);
  clip_database_free (database);
  g_file_get_contents (place->path, &before, &before_length, NULL);
  g_assert_null (clip_store_open (place->dir, 0, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_file_get_contents (place->path, &after, &after_length, NULL);
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
test_no_database_at_all (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (place->path, "this is no database, whatever its name is", -1,
                       NULL);
  g_assert_null (clip_store_open (place->dir, 0, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
}

static void
load_fixture (Place *place, const char *name)
{
  g_autofree char *path = g_build_filename (CLIP_TEST_HISTORIES, name, NULL);
  g_autofree char *sql = NULL;
  sqlite3 *db = NULL;

  g_assert_true (g_file_get_contents (path, &sql, NULL, NULL));
  g_assert_cmpint (sqlite3_open (place->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* "ID bytes;" of every content, as a reader gets them */
static char *
read_all (const char *dir)
{
  static const char *const mimes[] = { "text/plain;charset=utf-8", "text/html" };
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (dir, &error);
  GString *all = g_string_new (NULL);

  g_assert_no_error (error);
  for (gint64 id = 1; id <= 5; id++)
    for (guint i = 0; i < G_N_ELEMENTS (mimes); i++)
      {
        g_autoptr (ClipPayload) payload =
            clip_reader_open_content (reader, id, mimes[i], NULL);

        if (payload)
          g_string_append_printf (all, "%d %.*s;", (int) id, (int) payload->size,
                                  (const char *) g_bytes_get_data (payload->bytes, NULL));
      }
  return g_string_free (all, FALSE);
}

/* every schema that was ever released: read as it is, then migrated and read again */
static void
test_released_schemas (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const fixtures[][2] = {
    { "history-001.sql", "1 the oldest entry of schema 1;2 Grüße aus Köln;"
                         "3 needle in a haystack;4 <b>bold</b>;" },
    { "history-002.sql", "2 Grüße aus Köln;3 needle in a haystack;3 <b>needle</b>;"
                         "4 the oldest entry of schema 2;" },
    { "history-003.sql", "1 the oldest entry of schema 3;3 Grüße aus Köln;"
                         "4 needle in a haystack;4 <b>needle</b>;" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;
      ClipStore *store;

      load_fixture (place, fixtures[i][0]);
      before = read_all (place->dir);
      g_assert_cmpstr (before, ==, fixtures[i][1]);
      store = clip_store_open (place->dir, CLIP_STORE_SESSION, &error);
      g_assert_no_error (error);
      after = read_all (place->dir);
      g_assert_cmpstr (after, ==, fixtures[i][1]);
      clip_store_close (store);
      g_object_unref (store);
      hoard_remove_dir (place->dir);
      g_assert_cmpint (g_mkdir (place->dir, 0700), ==, 0);
    }
}

/* no page more than there are, as on a disk that is full */
static void
test_full_disk (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;
  ClipDatabase *database;

  load_fixture (place, "history-001.sql");
  g_file_get_contents (place->path, &before, &before_length, NULL);
  database = connect_to (place->path);
  sqlite3_exec (clip_database_handle (database), "PRAGMA max_page_count = 1", NULL, NULL,
                NULL);
  g_assert_false (clip_migrate (database, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  clip_database_free (database);
  g_file_get_contents (place->path, &after, &after_length, NULL);
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
open_quietly (gpointer data)
{
  const Place *place = data;
  clip_autofd int dir_fd = clip_ownership_make_folder (place->dir, NULL);

  clip_connect_writer (place->dir, dir_fd, NULL);
}

/* whoever comes after finds the old schema or the new one, and every content */
static void
test_killed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  gboolean killed = TRUE;

  for (guint n = 0; killed; n++)
    {
      g_autofree char *all = NULL;

      load_fixture (place, "history-002.sql");
      killed = kill_before_step (KILL_AT_WRITES, n, open_quietly, place);
      all = read_all (place->dir);
      g_assert_cmpstr (all, ==,
                       "2 Grüße aus Köln;3 needle in a haystack;3 <b>needle</b>;"
                       "4 the oldest entry of schema 2;");
      hoard_remove_dir (place->dir);
      g_assert_cmpint (g_mkdir (place->dir, 0700), ==, 0);
    }
}

static gpointer
open_once (gpointer data)
{
  const Place *place = data;
  g_autoptr (GError) error = NULL;
  clip_autofd int dir_fd = clip_ownership_make_folder (place->dir, NULL);

  clip_database_free (clip_connect_writer (place->dir, dir_fd, &error));
  g_assert_no_error (error);
  return NULL;
}

/* several private daemons may start at once where there is nothing yet */
static void
test_made_by_many (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  for (guint round = 0; round < 5; round++)
    {
      GThread *threads[4];

      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        threads[i] = g_thread_new ("opener", open_once, place);
      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        g_thread_join (threads[i]);
      hoard_remove_dir (place->dir);
    }
}

/* a private daemon opens it for each call: a commit that changes nothing is three syncs */
static void
test_opening_writes_nothing (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *log = g_build_filename (hoard->dir, "history.db-wal", NULL);
  GStatBuf status;

  hoard_add_text (hoard->store, "one");
  clip_store_close (hoard->store);
  g_assert_no_errno (g_stat (log, &status));
  g_assert_cmpint (status.st_size, ==, 0);
  hoard_reopen (hoard, 0);
  g_assert_no_errno (g_stat (log, &status));
  g_assert_cmpint (status.st_size, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Place, NULL, set_up, function, tear_down)
  ADD ("/migrate/steps-taken-once", test_steps_taken);
  ADD ("/migrate/failed-step-undone", test_failed_step_undone);
  ADD ("/migrate/failed-step-undoes-those-before", test_steps_before_undone);
  ADD ("/migrate/newer-refused-untouched", test_newer_untouched);
  ADD ("/migrate/newer-readable-where-it-says-so", test_newer_readable);
  ADD ("/migrate/other-program-untouched", test_other_program_untouched);
  ADD ("/migrate/no-database-at-all", test_no_database_at_all);
  ADD ("/migrate/every-released-schema", test_released_schemas);
  ADD ("/migrate/full-disk-undone", test_full_disk);
  ADD ("/migrate/killed-leaves-old-or-new", test_killed);
  ADD ("/migrate/made-by-many-at-once", test_made_by_many);
  g_test_add_func ("/migrate/opening-writes-nothing", test_opening_writes_nothing);
#undef ADD
  return g_test_run ();
}

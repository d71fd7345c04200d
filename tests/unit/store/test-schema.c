/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-connect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-ownership.h"
#include "clip-reader.h"
#include "clip-salvage.h"
#include "clip-schema.h"
#include "clip-write-sql.h"
#include "hoard-check.h"
#include "hoard.h"
#include "kill-step.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* a file system like 9p, where files cannot be mapped to be shared */
static gboolean has_no_shared_memory;

void *
mmap (void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
  if (!has_no_shared_memory || (flags & MAP_TYPE) != MAP_SHARED)
#ifdef SYS_mmap2 /* where pointers have 32 bits; it counts in 4096 bytes, mmap(2) */
    return (void *) syscall (SYS_mmap2, address, length, protection, flags, fd,
                             (long) (offset / 4096));
#else
    return (void *) syscall (SYS_mmap, address, length, protection, flags, fd, offset);
#endif
  errno = ENODEV;
  return MAP_FAILED;
}

typedef struct
{
  char *dir;
  char *path;
} Place;

static ClipStatements *
connect_to (const char *path)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  return clip_statements_new (db, clip_writes, CLIP_N_SQL);
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
get (ClipStatements *database, ClipSql statement)
{
  gint64 number;

  clip_statements_number (database, statement, &number, NULL, "");
  return number;
}

/* as another version of this program would have made it */
static void
make_of_version (Place *place, const char *sql)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *path = g_build_filename (hoard->dir, "history.db", NULL);
  ClipStatements *database;

  hoard_add_text (hoard->store, "a text");
  clip_store_close (hoard->store);
  database = connect_to (path);
  hoard_exec (clip_statements_handle (database), sql);
  clip_statements_free (database);
  g_assert_cmpint (g_rename (path, place->path), ==, 0);
}

/* neither the writer nor a reader opens it, and both leave every byte as it was */
static void
assert_refused (Place *place, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) reader_error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;

  g_file_get_contents (place->path, &before, &before_length, NULL);
  g_assert_null (clip_store_open (place->dir, CLIP_STORE_SESSION, &error));
  g_assert_error (error, CLIP_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_null (clip_reader_open (place->dir, &reader_error));
  g_assert_error (reader_error, CLIP_ERROR, code);
  g_assert_nonnull (strstr (reader_error->message, words));
  g_file_get_contents (place->path, &after, &after_length, NULL);
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
test_newer_untouched (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  make_of_version (place, "PRAGMA user_version = 99; UPDATE totals SET min_reader = 98");
  assert_refused (place, CLIP_ERROR_NEWER_DATABASE, "schema 99");
}

static void
test_too_old_untouched (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  make_of_version (place, "PRAGMA user_version = 3; DROP TABLE journal");
  assert_refused (place, CLIP_ERROR_FAILED, "schema 3");
}

/* it is refused as damaged, and a repair has all of it */
static void
assert_mended (Place *place)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStore) store = NULL;

  g_assert_null (clip_store_open (place->dir, CLIP_STORE_SESSION, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_clear_error (&error);
  clip_salvage_closed (place->dir, &error);
  g_assert_no_error (error);
  store = clip_store_open (place->dir, CLIP_STORE_SESSION, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hoard_add_text (store, "another"), ==, 2);
  hoard_assert_list (store, "2 another;1 a text;");
  clip_store_close (store);
}

/* a bit that has changed would have a history begin anew without its files, or
 * have each change fail, or each copy vanish */
static void
test_numbers_that_cannot_be_are_damage (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const damages[] = {
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 3",
    "PRAGMA user_version = -5",
    "PRAGMA auto_vacuum = NONE; VACUUM",
    "UPDATE totals SET last_id = 9223372036854775807",
    "UPDATE totals SET last_id = (1 << 40) - 1",
    "UPDATE totals SET last_id = -5",
    "UPDATE totals SET last_id = 0",
    "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'journal'",
    "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'name'",
    ("UPDATE name SET id = 9223372036854775807 WHERE text = 'test clipboard unit';"
     "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'name'"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      make_of_version (place, damages[i]);
      assert_mended (place);
    }
}

/* one byte of the header: of who may write it, of the format, of whether the file can be
 * cut, and of how many tables there are */
static void
test_damaged_header_is_mended (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const struct
  {
    goffset offset;
    guint8 byte;
  } damages[] = { { 18, 3 }, { 19, 3 }, { 47, 5 }, { 55, 0 }, { 63, 0 }, { 104, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      clip_autofd int fd = -1;

      make_of_version (place, "SELECT 1");
      fd = open (place->path, O_RDWR | O_CLOEXEC);
      g_assert_cmpint (pwrite (fd, &damages[i].byte, 1, damages[i].offset), ==, 1);
      assert_mended (place);
    }
}

/* each commit would cut the file, and take as long as there are pages that are free */
static void
test_killed_behind_a_wipe (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStore) store = NULL;
  sqlite3_stmt *mode = NULL;
  sqlite3 *db = NULL;

  make_of_version (place, "PRAGMA auto_vacuum = FULL");
  store = clip_store_open (place->dir, CLIP_STORE_SESSION, &error);
  g_assert_no_error (error);
  hoard_assert_list (store, "1 a text;");
  clip_store_close (store);
  g_assert_cmpint (sqlite3_open (place->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "PRAGMA auto_vacuum", -1, &mode, NULL), ==,
                   SQLITE_OK);
  g_assert_cmpint (sqlite3_step (mode), ==, SQLITE_ROW);
  g_assert_cmpint (sqlite3_column_int (mode, 0), ==, 2);
  sqlite3_finalize (mode);
  sqlite3_close (db);
}

/* a newer schema says from which version on it can be read */
static void
test_newer_readable (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = NULL;
  ClipStore *store = clip_store_open (place->dir, 0, &error);
  ClipStatements *database;

  g_assert_no_error (error);
  clip_store_close (store);
  g_object_unref (store);
  database = connect_to (place->path);
  sqlite3_exec (clip_statements_handle (database), "PRAGMA user_version = 6", NULL, NULL,
                NULL);
  clip_statements_free (database);
  reader = clip_reader_open (place->dir, &error);
  g_assert_no_error (error);
  g_assert_cmpint (clip_reader_newest (reader, &error), ==, 0);
}

/* @sql: what another program has made. Neither we nor a repair touch it */
static void
assert_left_to_its_program (Place *place, const char *sql, int code)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;
  ClipStatements *database = connect_to (place->path);

  hoard_exec (clip_statements_handle (database), sql);
  clip_statements_free (database);
  g_file_get_contents (place->path, &before, &before_length, NULL);
  g_assert_null (clip_store_open (place->dir, 0, &error));
  g_assert_error (error, CLIP_ERROR, code);
  clip_salvage_closed (place->dir, NULL);
  g_file_get_contents (place->path, &after, &after_length, NULL);
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
test_other_program_untouched (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  assert_left_to_its_program (place, "CREATE TABLE entry (a)", CLIP_ERROR_CORRUPT);
}

/* by chance */
static void
test_other_program_of_our_version_untouched (Place *place,
                                             gconstpointer data G_GNUC_UNUSED)
{
  assert_left_to_its_program (
      place, "CREATE TABLE moz_places (a); PRAGMA user_version = 5", CLIP_ERROR_FAILED);
}

/* what is deleted from one stays in the tables that its module keeps */
static void
test_virtual_table_untouched (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  make_of_version (place,
                   "DROP TABLE entry;"
                   "CREATE VIRTUAL TABLE entry USING fts5 (id, last_us, first_us, copies,"
                   " expires_us, pinned, kind, extras, size, mime, origin, blob, preview,"
                   " body, sum)");
  assert_refused (place, CLIP_ERROR_CORRUPT, "not as this program makes them");
}

/* by which each copy costs as much as the one who made it likes, or fails */
static void
test_other_tables_untouched (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const changes[] = {
    "CREATE INDEX other ON entry (length (hex (zeroblob (1000 + id))))",
    "DROP INDEX entry_kind; CREATE UNIQUE INDEX entry_kind ON entry (kind)",
    "ALTER TABLE content ADD COLUMN other INTEGER AS (length (hex (zeroblob (entry))))",
    "PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql ="
    " replace (sql, 'kind INTEGER', 'kind INTEGER CHECK (kind > 1)') WHERE name = "
    "'entry'",
    "CREATE UNIQUE INDEX other ON entry (kind); PRAGMA writable_schema = on;"
    "UPDATE sqlite_schema SET type = 'INDEX' WHERE name = 'other'",
    "ALTER TABLE tag RENAME TO tag_; ALTER TABLE tag_ RENAME TO TAG;"
    "CREATE INDEX other ON TAG (name + 1)",
    "DROP TABLE tag",
    "DROP INDEX content_entry",
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      make_of_version (place, changes[i]);
      assert_refused (place, CLIP_ERROR_CORRUPT, "not as this program makes them");
    }
}

/* a few bytes of the first page, on which nothing depends where the tables are ours */
static void
test_mark_that_is_damaged (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  ClipStore *store;

  make_of_version (place, "PRAGMA application_id = 7");
  store = clip_store_open (place->dir, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hoard_add_text (store, "another"), ==, 2);
  clip_store_close (store);
  g_object_unref (store);
}

/* what a program that saves or examines the history puts beside it */
static void
test_what_is_beside_is_left (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  ClipStore *store;

  make_of_version (place, "ANALYZE; CREATE TABLE other (id, text);"
                          "CREATE INDEX other_text ON other (text);"
                          "CREATE VIEW copied AS SELECT id, last_us FROM entry");
  store = clip_store_open (place->dir, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hoard_add_text (store, "another"), ==, 2);
  clip_store_close (store);
  g_object_unref (store);
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

/* no page more than there are, as on a disk that is full */
static void
test_full_disk (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  ClipStatements *database = connect_to (place->path);

  sqlite3_exec (clip_statements_handle (database), "PRAGMA max_page_count = 3", NULL,
                NULL, NULL);
  g_assert_false (clip_schema_make (database, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_cmpint (get (database, CLIP_SQL_GET_SCHEMA), ==, 0);
  clip_statements_free (database);
}

/* the next one finds nothing, or a history */
static void
test_killed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  gboolean killed = TRUE;
  guint n;

  for (n = 0; killed; n++)
    {
      g_autoptr (GError) error = NULL;
      ClipStore *store;

      killed = kill_before_step (KILL_AT_WRITES, n, "open", place->dir);
      store = clip_store_open (place->dir, 0, &error);
      g_assert_no_error (error);
      g_assert_cmpint (hoard_add_text (store, "a text"), ==, 1);
      clip_store_close (store);
      g_object_unref (store);
      hoard_remove_dir (place->dir);
      g_assert_cmpint (g_mkdir (place->dir, 0700), ==, 0);
    }
  g_assert_cmpuint (n, >, 3);
}

static gpointer
open_once (gpointer data)
{
  const Place *place = data;
  g_autoptr (GError) error = NULL;
  clip_autofd int dir_fd = clip_ownership_make_folder (place->dir, NULL);

  clip_statements_free (clip_connect_writer (place->dir, dir_fd, &error));
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

/* a private daemon opens it for each call: a commit that changes nothing is three
   syncs */
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

static char *
journal_mode (ClipStatements *database)
{
  sqlite3_stmt *rows = NULL;
  char *mode;

  sqlite3_prepare_v2 (clip_statements_handle (database), "PRAGMA journal_mode", -1, &rows,
                      NULL);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  mode = g_strdup ((const char *) sqlite3_column_text (rows, 0));
  sqlite3_finalize (rows);
  return mode;
}

/* and nothing is left of what that was tried with, not by a process that was killed
 * either */
static void
test_no_shared_memory_no_log (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *killed = g_strconcat (place->path, "-new", NULL);

  for (guint without = 0; without < 2; without++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClipStatements) database = NULL;
      g_autofree char *mode = NULL;

      g_assert_true (g_file_set_contents (killed, "", 0, NULL));
      has_no_shared_memory = without;
      database = clip_connect_folder (place->dir, &error);
      g_assert_no_error (error);
      mode = journal_mode (database);
      g_assert_cmpstr (mode, ==, without ? "delete" : "wal");
      g_clear_pointer (&database, clip_statements_free);
      has_no_shared_memory = FALSE;
      g_assert_false (g_file_test (killed, G_FILE_TEST_EXISTS));
    }
}

/* what is killed */
static int
open_folder (const char *dir)
{
  clip_autofd int dir_fd = clip_ownership_make_folder (dir, NULL);

  return clip_connect_writer (dir, dir_fd, NULL) ? 0 : 1;
}

int
main (int argc, char *argv[])
{
  if (argc == 3 && g_str_equal (argv[1], "open"))
    _exit (open_folder (argv[2]));
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Place, NULL, set_up, function, tear_down)
  ADD ("/schema/newer-refused-untouched", test_newer_untouched);
  ADD ("/schema/too-old-refused-untouched", test_too_old_untouched);
  ADD ("/schema/numbers-that-cannot-be-are-damage",
       test_numbers_that_cannot_be_are_damage);
  ADD ("/schema/damaged-header-is-mended", test_damaged_header_is_mended);
  ADD ("/schema/killed-behind-a-wipe", test_killed_behind_a_wipe);
  ADD ("/schema/newer-readable-where-it-says-so", test_newer_readable);
  ADD ("/schema/other-program-untouched", test_other_program_untouched);
  ADD ("/schema/other-program-of-our-version-untouched",
       test_other_program_of_our_version_untouched);
  ADD ("/schema/virtual-table-untouched", test_virtual_table_untouched);
  ADD ("/schema/other-tables-untouched", test_other_tables_untouched);
  ADD ("/schema/mark-that-is-damaged", test_mark_that_is_damaged);
  ADD ("/schema/what-is-beside-is-left", test_what_is_beside_is_left);
  ADD ("/schema/no-database-at-all", test_no_database_at_all);
  ADD ("/schema/full-disk-undone", test_full_disk);
  ADD ("/schema/killed-leaves-nothing-or-a-history", test_killed);
  ADD ("/schema/made-by-many-at-once", test_made_by_many);
  ADD ("/schema/no-shared-memory-no-log", test_no_shared_memory_no_log);
  g_test_add_func ("/schema/opening-writes-nothing", test_opening_writes_nothing);
#undef ADD
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A damaged database gives way to a new one with all that can be read of it. */
#include "clip-aside.h"
#include "clip-change.h"
#include "clip-check.h"
#include "clip-connect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-salvage.h"
#include "clip-sql-functions.h"
#include "hoard-check.h"
#include "kill-step.h"
#include "salvage-rig.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXTS_OF_A_PAGE (PAGE_BYTES / 300)

static goffset
size_of (const char *path)
{
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_size;
}

/* the file of a content whose row was not found is not what a sweep may remove */
static void
test_blob_of_a_lost_row (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ClipAside) aside = clip_aside_new (place->hoard->dir);
  g_autoptr (GDir) folder = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  const char *name;
  goffset n_pages;
  guint n = 0;

  hoard_reopen (place->hoard, 0);
  hoard_add_blob (place->hoard->store, 100000, 1);
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
  n_pages = size_of (place->database) / PAGE_BYTES;
  for (goffset i = 0; i < n_pages; i++)
    zero_page (place->database, i);
  g_assert_true (clip_salvage (place->hoard->dir, NULL, aside, &error));
  g_assert_no_error (error);
  path = g_build_filename (place->hoard->dir, clip_aside_path (aside), NULL);
  folder = g_dir_open (path, 0, NULL);
  while ((name = g_dir_read_name (folder)))
    n += g_str_has_prefix (name, "blobs-");
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (hoard_count_files (place->hoard->dir, "blobs"), ==, 0);
  assert_whole (place);
}

static void
test_header_lost (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  zero_page (place->database, 0);
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
  /* ids go on */
  g_assert_cmpint (hoard_add_text (place->hoard->store, "new"), ==, N_TEXTS + 2);
}

/* what only the log has is not lost with the first page */
static void
test_header_lost_with_log (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  hoard_exec (db, "CREATE TEMP TABLE kept AS SELECT * FROM entry WHERE id > 100;"
                  "DELETE FROM entry WHERE id > 100; PRAGMA wal_checkpoint (TRUNCATE);"
                  "PRAGMA wal_autocheckpoint = 0; INSERT INTO entry SELECT * FROM kept");
  sqlite3_close (db);
  zero_page (place->database, 0);
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* free pages at its end, and a change in a log beside it */
static void
leave_log (Place *place, const char *size)
{
  g_autofree char *filler = g_strdup_printf ("INSERT INTO filler VALUES (zeroblob (%s));"
                                             "DROP TABLE filler;"
                                             "PRAGMA wal_checkpoint (TRUNCATE);",
                                             size);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  hoard_exec (db, "CREATE TABLE filler (bytes)");
  hoard_exec (db, filler);
  hoard_exec (db, "PRAGMA wal_autocheckpoint = 0;"
                  "UPDATE entry SET copies = 2 WHERE id = 1");
  sqlite3_close (db);
}

/* SQLite carries no log over into a file that is much shorter than that says */
static void
test_cut_off_with_log (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  leave_log (place, "1 << 18");
  g_assert_cmpint (
      truncate (place->database, size_of (place->database) - 40 * PAGE_BYTES), ==, 0);
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* and where that is less than half of it, what is there is read without the log */
static void
test_half_cut_off_with_log (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  leave_log (place, "1 << 20");
  g_assert_cmpint (truncate (place->database, size_of (place->database) * 2 / 5), ==, 0);
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* the last ones that are given before it is found that they cannot be */
static void
test_numbers_begin_anew (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const tags[] = { "work", NULL };
  const gint64 most = G_GINT64_CONSTANT (3) << 38;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  ClipOutcome added;
  ClipStore *store;

  hoard_run_sql (place->hoard->dir,
                 "UPDATE totals SET last_id = (3 << 38) - 1;"
                 "UPDATE sqlite_sequence SET seq = (3 << 38) - 1 WHERE name = 'name'");
  hoard_reopen (place->hoard, 0);
  store = place->hoard->store;
  hoard_add (store, hoard_draft (store, "text/x-one", "one", "text/x-two", "1", NULL),
             NULL);
  added = hoard_add (
      store, hoard_draft (store, "text/x-three", "two", "text/x-four", "2", NULL), NULL);
  g_assert_cmpint (added.id, ==, most + 1);
  clip_store_change_wait (store, clip_change_tag (added.id, tags), NULL, &error);
  g_assert_no_error (error);
  hoard_add_blob (store, 100000, 1);
  clip_store_close (store);
  g_clear_object (&place->hoard->store);
  g_assert_null (clip_store_open (place->hoard->dir, 0, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  salvage (place);
  assert_whole (place);
  hoard_reopen (place->hoard, 0);
  store = place->hoard->store;
  hoard_assert_bytes (store, N_TEXTS + 2, "text/x-two", "1");
  hoard_assert_bytes (store, N_TEXTS + 3, "text/x-four", "2");
  entry = hoard_lookup (store, N_TEXTS + 3, NULL);
  g_assert_cmpstr (entry->tags[0], ==, "work");
  g_assert_cmpint (hoard_add_text (store, "new"), ==, N_TEXTS + 5);
}

/* a text where the table has numbers: the row is lost, and nothing else */
static void
test_row_of_another_kind (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_run_sql (place->hoard->dir,
                 "PRAGMA writable_schema = on;"
                 "UPDATE sqlite_schema SET sql = replace (sql, ') STRICT', ')')"
                 " WHERE name = 'tag'; PRAGMA writable_schema = reset;"
                 "INSERT INTO tag VALUES ('no number', 1); PRAGMA writable_schema = on;"
                 "UPDATE sqlite_schema SET sql = replace (sql, ') WITHOUT',"
                 " ') STRICT, WITHOUT') WHERE name = 'tag';"
                 "PRAGMA writable_schema = reset");
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* its sum is right, but it was none of ours */
static void
test_larger_than_a_row_can_be (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ClipEntry) entry = NULL;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  g_assert_true (clip_sql_functions_register (db, NULL));
  hoard_exec (db, "INSERT INTO entry SELECT 200, last_us, NULL, 1, NULL, 0, 1, 0,"
                  " 1000000, mime, NULL, NULL, x'', zeroblob (1000000),"
                  " clip_sum (200, 0, text, 1000000, NULL, x'', zeroblob (1000000))"
                  " FROM entry JOIN name ON name.id = mime WHERE entry.id = 1");
  sqlite3_close (db);
  zero_page (place->database, 0);
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  entry = hoard_lookup (place->hoard->store, 200, NULL);
  g_assert_null (entry);
}

/* names of types, the index of these, and how far their numbers went: a page each, side
   by side */
static void
test_names_lost (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GBytes) html = NULL;

  for (goffset page = 3; page < 6; page++)
    zero_page (place->database, page);
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  html = hoard_bytes (place->hoard->store, N_TEXTS + 1, "text/html", NULL);
  g_assert_nonnull (html);
  g_assert_cmpmem (g_bytes_get_data (html, NULL), g_bytes_get_size (html), "<b>rich</b>",
                   strlen ("<b>rich</b>"));
  assert_whole (place);
}

/* each page in turn: a page takes with it what is on it, and nothing wrong comes back */
static void
test_any_page_lost (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *whole = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (place->database, &whole, &length, NULL));
  for (gsize page = 0; page < length / PAGE_BYTES; page++)
    {
      zero_page (place->database, (goffset) page);
      salvage (place);
      g_assert_cmpuint (count_texts (place), >=, N_TEXTS - TEXTS_OF_A_PAGE);
      assert_whole (place);
      clip_store_close (place->hoard->store);
      g_clear_object (&place->hoard->store);
      g_assert_true (g_file_set_contents (place->database, whole, (gssize) length, NULL));
    }
}

static void
test_second_half_lost (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpint (truncate (place->database, size_of (place->database) * 3 / 4), ==, 0);
  salvage (place);
  g_assert_cmpuint (count_texts (place), >, 10);
  assert_whole (place);
}

static void
test_nothing_left (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_true (g_file_set_contents (place->database, "nothing at all", -1, NULL));
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, 0);
  assert_whole (place);
}

static void
count_removed (ClipStore *store G_GNUC_UNUSED, GArray *ids, guint *n)
{
  g_assert_cmpuint (ids->len, ==, 0); /* whoever listens reads again */
  *n += 1;
}

/* a row that cannot be kept: its content is not what was stored */
static void
spoil (Place *place, gint64 id)
{
  g_autofree char *sql =
      g_strdup_printf ("UPDATE entry SET sum = sum + 1 WHERE id = %d", (int) id);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* what was saved has kept its id: that something has gone is announced, once */
static void
test_removals (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  guint n = 0;

  hoard_reopen (place->hoard, CLIP_STORE_SESSION);
  g_signal_connect (place->hoard->store, "entries-removed", G_CALLBACK (count_removed),
                    &n);
  spoil (place, 7);
  salvage (place);
  hoard_add_text (place->hoard->store, "new");
  while (n == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n, ==, 1);
}

/* on any thread */
static void
count_alarms (const char *domain G_GNUC_UNUSED,
              GLogLevelFlags level G_GNUC_UNUSED,
              const char *message,
              gpointer n_alarms)
{
  if (strstr (message, "removed"))
    g_atomic_int_inc ((gint *) n_alarms);
}

/* an open store goes on in the new database, and does not say that it was removed */
static void
test_store_follows (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  gint n_alarms = 0;

  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  salvage (place);
  g_log_set_default_handler (count_alarms, &n_alarms);
  g_assert_cmpint (hoard_add_text (place->hoard->store, "new"), ==, N_TEXTS + 2);
  g_log_set_default_handler (g_log_default_handler, NULL);
  g_assert_cmpint (g_atomic_int_get (&n_alarms), ==, 0);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* whoever is killed leaves the old one, or the new one: neither lacks an entry here */
static void
test_killed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  guint n;

  for (n = 0; kill_before_step (KILL_AT_NAMES, n, "salvage", place->hoard->dir); n++)
    {
      g_assert_true (g_file_test (place->database, G_FILE_TEST_IS_REGULAR));
      g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
      clip_store_close (place->hoard->store);
      g_clear_object (&place->hoard->store);
    }
  g_assert_cmpuint (n, >, 3);
  assert_whole (place);
}

/* then what is set aside is not left in its place first */
static void
test_no_links (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_false (kill_before_step (KILL_AT_NAMES, G_MAXUINT, "salvage-without-links",
                                    place->hoard->dir));
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
  assert_whole (place);
  g_assert_true (hoard_holds (place->hoard->dir, "120 120 "));
}

static void
salvage_closed (Place *place)
{
  g_autoptr (GError) error = NULL;

  gboolean done = clip_salvage_closed (place->hoard->dir, &error);

  g_assert_no_error (error);
  g_assert_true (done);
}

/* Where a row's number is out of order, those behind it are found again and again by who
 * asks for the next one.
 * @page: of rows; a cell has a byte for its length, and then its number, see "Database
 * File Format" of SQLite, 1.6 */
static void
put_second_row_behind (const char *path, goffset page)
{
  clip_autofd int fd = open (path, O_RDWR | O_CLOEXEC);
  guint8 cell[2];

  g_assert_cmpint (pread (fd, cell, 2, page * PAGE_BYTES + 10), ==, 2);
  g_assert_cmpint (
      pwrite (fd, "\x7f", 1, page * PAGE_BYTES + cell[0] * 256 + cell[1] + 1), ==, 1);
}

static void
test_rows_in_a_circle (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  goffset page;

  hoard_reopen (place->hoard, 0);
  for (guint i = 0; i < 4; i++)
    hoard_add_blob (place->hoard->store, 100000, (guint8) i);
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
  page = find_root (place->database, "blob") - 1;
  put_second_row_behind (place->database, page);
  salvage_closed (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* such a database can be read; nothing of it can be changed */
static void
test_table_missing (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  hoard_exec (db, "DROP TABLE tag; DROP TABLE totals");
  sqlite3_close (db);
  salvage_closed (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* whoever says that the history is to be repaired has no other use for what lies in its
   place */
static void
test_no_database (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_true (g_file_set_contents (place->database, "somebody's notes", -1, NULL));
  salvage_closed (place);
  g_assert_cmpuint (count_texts (place), ==, 0);
  g_assert_true (hoard_holds (place->hoard->dir, "somebody's notes"));
  assert_whole (place);
}

static void
test_other_program (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = -1;
  sqlite3 *db;

  g_unlink (place->database);
  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  hoard_exec (db, "PRAGMA user_version = 3; CREATE TABLE entry (a);"
                  "INSERT INTO entry VALUES ('a note')");
  sqlite3_close (db);
  fd = open (place->database, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (pwrite (fd, "\377", 1, 100), ==, 1);
  salvage_closed (place);
  g_assert_cmpuint (count_texts (place), ==, 0);
  g_assert_true (hoard_holds (place->hoard->dir, "a note"));
}

/* entries say whose it is, and a power cut leaves zeros */
static void
test_header_lost_closed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  goffset n_pages = size_of (place->database) / PAGE_BYTES;

  zero_page (place->database, 0);
  salvage_closed (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
  for (goffset page = 0; page < n_pages; page++)
    zero_page (place->database, page);
  g_assert_cmpint (truncate (place->database, n_pages * PAGE_BYTES), ==, 0);
  salvage_closed (place);
  g_assert_cmpuint (count_texts (place), ==, 0);
}

#define N_TOGETHER 3

/* several at once: each finds it whole, or makes it so; no database is put in place
   unfinished */
static void
test_together (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  pid_t pids[N_TOGETHER];
  int status;

  zero_page (place->database, 0);
  for (guint i = 0; i < N_TOGETHER; i++)
    pids[i] = run_anew ("salvage-closed", place->hoard->dir);
  for (guint i = 0; i < N_TOGETHER; i++)
    {
      g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
      g_assert_true (WIFEXITED (status));
      g_assert_cmpint (WEXITSTATUS (status), ==, 0);
    }
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* what others keep from being opened is not one that cannot be opened */
static void
test_busy (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  gboolean is_busy = FALSE;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  hoard_exec (db, "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE");
  g_assert_null (clip_connect_locker (place->hoard->dir, 1, &is_busy, &error));
  g_assert_true (is_busy);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_FAILED);
  sqlite3_close (db);
  g_clear_error (&error);
  zero_page (place->database, 0);
  g_assert_null (clip_connect_locker (place->hoard->dir, 1, &is_busy, &error));
  g_assert_false (is_busy);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
}

/* what lies behind it is another's */
static void
test_link_in_its_place (Place *place, gconstpointer data)
{
  g_autofree char *work = g_build_filename (place->hoard->dir, CLIP_SALVAGE_NAME, NULL);
  g_autofree char *other = g_build_filename (place->hoard->dir, "other", NULL);
  g_autofree char *file = g_build_filename (other, CLIP_DATABASE_NAME, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "another's", -1, &error));
  g_assert_cmpint (symlink ("other", work), ==, 0);
  g_assert_true (clip_salvage_clear (place->hoard->dir, &error));
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (work, G_FILE_TEST_IS_SYMLINK));
}

/* what is killed, or is one of several at once */
static int
run_part (const char *what, const char *dir)
{
  g_autoptr (ClipAside) aside = clip_aside_new (dir);

  if (g_str_equal (what, "salvage-closed"))
    return clip_salvage_closed (dir, NULL) ? 0 : 1;
  if (g_str_equal (what, "salvage-without-links"))
    refuse_links ();
  return clip_salvage (dir, NULL, aside, NULL) ? 0 : 1;
}

int
main (int argc, char *argv[])
{
  if (argc == 3 && g_str_has_prefix (argv[1], "salvage"))
    _exit (run_part (argv[1], argv[2]));
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) \
  g_test_add (name, Place, NULL, place_set_up, function, place_tear_down)
  ADD ("/salvage/killed-leaves-old-or-new", test_killed);
  ADD ("/salvage/no-hard-links", test_no_links);
  ADD ("/salvage/several-at-once", test_together);
  ADD ("/salvage/blob-of-a-lost-row", test_blob_of_a_lost_row);
  ADD ("/salvage/header-lost", test_header_lost);
  ADD ("/salvage/numbers-that-cannot-be-begin-anew", test_numbers_begin_anew);
  ADD ("/salvage/header-lost-and-a-log", test_header_lost_with_log);
  ADD ("/salvage/cut-off-and-a-log", test_cut_off_with_log);
  ADD ("/salvage/half-cut-off-and-a-log", test_half_cut_off_with_log);
  ADD ("/salvage/row-of-another-kind", test_row_of_another_kind);
  ADD ("/salvage/larger-than-a-row-can-be", test_larger_than_a_row_can_be);
  ADD ("/salvage/names-of-types-lost", test_names_lost);
  ADD ("/salvage/any-page-lost", test_any_page_lost);
  ADD ("/salvage/rows-in-a-circle", test_rows_in_a_circle);
  ADD ("/salvage/table-missing", test_table_missing);
  ADD ("/salvage/second-half-lost", test_second_half_lost);
  ADD ("/salvage/nothing-left", test_nothing_left);
  ADD ("/salvage/store-follows", test_store_follows);
  ADD ("/salvage/only-what-was-not-saved-is-announced-as-removed", test_removals);
  ADD ("/salvage/other-program-is-set-aside", test_other_program);
  ADD ("/salvage/no-database-is-set-aside", test_no_database);
  ADD ("/salvage/header-lost-nobody-has-it-open", test_header_lost_closed);
  ADD ("/salvage/busy-is-not-damaged", test_busy);
  ADD ("/salvage/link-in-its-place-is-removed", test_link_in_its_place);
#undef ADD
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What was released: a history that 1.0 has written is one for every later version.
 */
#include "clip-check.h"
#include "hoard-check.h"

#include <glib/gstdio.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"
#define LINE "0123456789abcde\n"
#define N_LINES 4200
#define BLOB_FOLDER "ca"
#define BLOB_FILE "2f7556a2aa9dc2f673ea444ed8ec9d"

static char *
large_text (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < N_LINES; i++)
    g_string_append (text, LINE);
  return g_string_free (text, FALSE);
}

/* (transfer full): a folder with the history of that release */
static char *
make_released (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "store", "history-1.0.sql", NULL);
  g_autofree char *rows = NULL;
  g_autofree char *sql = NULL;
  g_autofree char *text = large_text ();
  char *dir = hoard_make_dir ();
  g_autofree char *folder = g_build_filename (dir, "blobs", BLOB_FOLDER, NULL);
  g_autofree char *blob = g_build_filename (folder, BLOB_FILE, NULL);
  g_autofree char *database = g_build_filename (dir, "history.db", NULL);

  g_file_get_contents (path, &rows, NULL, &error);
  g_assert_no_error (error);
  /* what no text of a database tells */
  sql = g_strconcat ("PRAGMA auto_vacuum = INCREMENTAL;", rows, NULL);
  g_file_set_contents_full (database, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
  hoard_run_sql (dir, sql);
  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  g_file_set_contents_full (blob, text, -1, G_FILE_SET_CONTENTS_NONE, 0400, &error);
  g_assert_no_error (error);
  return dir;
}

static Hoard *
open_released (void)
{
  Hoard *hoard = hoard_new (0);

  clip_store_close (hoard->store);
  hoard_remove_dir (hoard->dir);
  g_free (hoard->dir);
  hoard->dir = make_released ();
  hoard_reopen (hoard, 0);
  return hoard;
}

/* (transfer full): the tables and indices of a database, one after the other */
static char *
read_schema (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  GString *text = g_string_new (NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *rows = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (
      sqlite3_prepare_v2 (db,
                          "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL UNION ALL "
                          "SELECT application_id FROM pragma_application_id UNION ALL "
                          "SELECT user_version FROM pragma_user_version ORDER BY 1",
                          -1, &rows, NULL),
      ==, SQLITE_OK);
  while (sqlite3_step (rows) == SQLITE_ROW)
    g_string_append_printf (text, "%s\n", (const char *) sqlite3_column_text (rows, 0));
  sqlite3_finalize (rows);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return g_string_free (text, FALSE);
}

/* a table that changes is a new version, which is made of this one */
static void
test_schema (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *dir = make_released ();
  g_autofree char *released = read_schema (dir);
  g_autofree char *ours = read_schema (hoard->dir);

  g_assert_cmpstr (ours, ==, released);
  hoard_remove_dir (dir);
}

static void
test_lists (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Hoard) hoard = open_released ();
  g_autofree char *text = large_text ();
  g_autofree char *list = hoard_list (hoard->store);
  g_autoptr (ClipEntry) pinned = hoard_lookup (hoard->store, 7, &error);
  g_autoptr (ClipReport) report = NULL;

  g_assert_true (g_str_has_prefix (list, "9 expires;7 pinned;6 a tagged text;5 "));
  g_assert_true (g_str_has_suffix (list,
                                   ";4 file:///home/user/a%20file;"
                                   "3 [[ binary data 71 B png 2x2 ]];"
                                   "2 Grüße aus Köln, 日本語, two lines;1 a text;"));
  hoard_assert_totals (hoard->store, 8, 67394, 1);
  hoard_assert_bytes (hoard->store, 2, TEXT, "Grüße aus Köln, 日本語, two\nlines");
  hoard_assert_bytes (hoard->store, 2, "text/html", "<b>Grüße</b> aus Köln");
  hoard_assert_bytes (hoard->store, 4, "text/uri-list", "file:///home/user/a%20file\r\n");
  hoard_assert_bytes (hoard->store, 5, TEXT, text);
  g_assert_no_error (error);
  g_assert_true (pinned->row.pinned);
  report = clip_check (hoard->dir, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < report->findings->len; i++)
    {
      const ClipFinding *finding = report->findings->pdata[i];

      g_test_message ("%s: %s", finding->object, finding->text);
    }
  g_assert_cmpuint (report->findings->len, ==, 0);
}

/* what was copied then is known again */
static void
test_adds (void)
{
  g_autoptr (Hoard) hoard = open_released ();
  g_autoptr (GString) heard = hoard_listen (hoard->store);
  g_autofree char *text = large_text ();

  g_assert_cmpint (hoard_add_text (hoard->store, "a new text"), ==, 10);
  g_assert_cmpint (hoard_add_text (hoard->store, "a text"), ==, 11);
  g_assert_cmpint (hoard_add_text (hoard->store, text), ==, 12);
  g_assert_cmpstr (heard->str, ==, "+10 1>11 5>12 ");
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 1);
  hoard_reopen (hoard, 0);
  hoard_assert_bytes (hoard->store, 10, TEXT, "a new text");
  hoard_assert_totals (hoard->store, 9, 67404, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/release/1.0-tables-are-as-they-were", test_schema);
  g_test_add_func ("/release/1.0-history-is-read", test_lists);
  g_test_add_func ("/release/1.0-history-takes-new-entries", test_adds);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What carries the log pauses on the way. Here it pauses for an hour, so that whatever goes
 * on meanwhile goes on in a pause.
 */
#include "clip-checkpoint.h"
#include "clip-connect.h"
#include "clip-scrub.h"
#include "hoard.h"

#include <glib/gstdio.h>

#define N_ROWS 300
#define GROWN_PAGES 300 /* the least that is carried at once has less */
#define LARGE_PAGES 1000

typedef struct
{
  char *dir;
  char *path;
  ClipDatabase *database;
  ClipCheckpoint *checkpoint;
} Desk;

static void
run_sql (Desk *desk, const char *sql)
{
  sqlite3 *db = clip_database_handle (desk->database);
  int code = sqlite3_exec (db, sql, NULL, NULL, NULL);

  if (code != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
}

/* at least a page for each row */
static void
set_up (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fill = g_strdup_printf (
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
      " INSERT INTO note SELECT 'key ' || i, hex (zeroblob (1700)) FROM n",
      N_ROWS);
  g_autoptr (GError) error = NULL;

  desk->dir = hoard_make_dir ();
  desk->path = g_build_filename (desk->dir, "history.db", NULL);
  desk->database = clip_connect_folder (desk->dir, &error);
  g_assert_no_error (error);
  run_sql (desk, "PRAGMA wal_checkpoint (TRUNCATE)");
  run_sql (desk, fill);
  desk->checkpoint = clip_checkpoint_new (desk->dir);
  clip_checkpoint_set_pause (desk->checkpoint, G_TIME_SPAN_HOUR);
}

static void
tear_down (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  clip_checkpoint_free (desk->checkpoint);
  clip_database_free (desk->database);
  hoard_remove_dir (desk->dir);
  g_free (desk->path);
  g_free (desk->dir);
}

static goffset
file_size (const char *path)
{
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  return info.st_size;
}

/* from here on it pauses: one bite of pages is in the file */
static void
begin_to_carry (Desk *desk, gboolean overwritten)
{
  goffset before = file_size (desk->path);
  gint64 end_us = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;

  clip_checkpoint_note (desk->checkpoint, GROWN_PAGES, overwritten);
  while (file_size (desk->path) == before)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (1000);
    }
}

static gint64
count_pages (Desk *desk)
{
  sqlite3_stmt *row = NULL;
  gint64 n;

  sqlite3_prepare_v2 (clip_database_handle (desk->database), "PRAGMA page_count", -1,
                      &row, NULL);
  g_assert_cmpint (sqlite3_step (row), ==, SQLITE_ROW);
  n = sqlite3_column_int64 (row, 0);
  sqlite3_finalize (row);
  return n;
}

static void
assert_carried (Desk *desk)
{
  g_assert_cmpint (file_size (desk->path), ==, count_pages (desk) * 4096);
}

static void
test_pauses_between_bites (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  begin_to_carry (desk, FALSE);
  g_assert_cmpint (file_size (desk->path), <, N_ROWS / 2 * 4096);
}

/* also where the log is to be emptied, which keeps writers out in the end */
static void
test_commits_go_on (Desk *desk, gconstpointer data)
{
  begin_to_carry (desk, GPOINTER_TO_INT (data));
  run_sql (desk, "PRAGMA busy_timeout = 0");
  run_sql (desk, "INSERT INTO note VALUES ('meanwhile', '')");
}

static void
test_large_log_ends_the_pauses (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  begin_to_carry (desk, FALSE);
  clip_checkpoint_note (desk->checkpoint, LARGE_PAGES, FALSE);
  assert_carried (desk);
}

static void
test_end_ends_the_pauses (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  begin_to_carry (desk, FALSE);
  g_clear_pointer (&desk->checkpoint, clip_checkpoint_free);
  assert_carried (desk);
}

static gboolean
on_bite (gpointer data)
{
  guint *n_bites = data;

  ++*n_bites;
  return TRUE;
}

/* between so many pages and the next ones, and not behind the last */
static void
test_bites_are_counted (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  sqlite3 *db = clip_database_handle (desk->database);
  int n_log = 0, n_carried = 0;
  guint n_bites = 0, n_expected;

  clip_scrub_set_bite (db, on_bite, &n_bites);
  sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_PASSIVE, &n_log, &n_carried);
  n_expected = ((guint) n_carried - 1) / CLIP_SCRUB_BITE_PAGES;
  g_assert_cmpint (n_carried, >=, N_ROWS);
  g_assert_cmpuint (n_bites, >, 0);
  g_assert_cmpuint (n_bites, <=, n_expected);
  n_bites = 0;
  clip_scrub_set_bite (db, NULL, NULL);
  run_sql (desk, "UPDATE note SET value = value || 'more'");
  run_sql (desk, "PRAGMA wal_checkpoint");
  g_assert_cmpuint (n_bites, ==, 0);
  assert_carried (desk);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, data, function) \
  g_test_add (name, Desk, data, set_up, function, tear_down)
  ADD ("/checkpoint/pauses-between-bites", NULL, test_pauses_between_bites);
  ADD ("/checkpoint/commits-go-on", NULL, test_commits_go_on);
  ADD ("/checkpoint/commits-go-on-before-the-log-is-emptied", GINT_TO_POINTER (TRUE),
       test_commits_go_on);
  ADD ("/checkpoint/large-log-ends-the-pauses", NULL, test_large_log_ends_the_pauses);
  ADD ("/checkpoint/end-ends-the-pauses", NULL, test_end_ends_the_pauses);
  ADD ("/checkpoint/bites-are-counted", NULL, test_bites_are_counted);
#undef ADD
  return g_test_run ();
}

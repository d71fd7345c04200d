/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A damaged log: what lies behind the damage is found by a salvage, too. */
#include "clip-fd.h"
#include "kill-step.h"
#include "salvage-rig.h"

#include <fcntl.h>
#include <unistd.h>

#define N_IN_LOG 20

/* the last texts are in the log alone, each in a transaction of its own; @bad: the frame
 * that is damaged, from 1 */
static void
put_into_log (Place *place, gsize bad)
{
  g_autofree char *log = g_strconcat (place->database, "-wal", NULL);
  goffset offset = 32 + (goffset) (bad - 1) * (24 + PAGE_BYTES) + 500;
  clip_autofd int fd = -1;
  sqlite3 *db;
  guint8 byte;

  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  run_sql (db, "CREATE TEMP TABLE kept AS SELECT * FROM entry WHERE id > 100"
               " AND id <= 120; DELETE FROM entry WHERE id > 100 AND id <= 120;"
               "PRAGMA wal_checkpoint (TRUNCATE); PRAGMA wal_autocheckpoint = 0");
  for (guint i = 1; i <= N_IN_LOG; i++)
    {
      g_autofree char *sql =
          g_strdup_printf ("INSERT INTO entry SELECT * FROM kept WHERE id = %u", 100 + i);

      run_sql (db, sql);
    }
  sqlite3_close (db);
  fd = open (log, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (pread (fd, &byte, 1, offset), ==, 1);
  byte ^= 1;
  g_assert_cmpint (pwrite (fd, &byte, 1, offset), ==, 1);
}

static void
test_log_damaged (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  put_into_log (place, 2);
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* the frames behind the damaged one are not given up where the history is only opened */
static void
test_log_damaged_opened (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *aside = g_build_filename (place->hoard->dir, "damaged", NULL);
  guint n_aside;

  put_into_log (place, 2);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
  n_aside = hoard_count_files (aside, NULL);
  g_assert_cmpuint (n_aside, >, 0);
  hoard_reopen (place->hoard, CLIP_STORE_SESSION);
  g_assert_cmpuint (hoard_count_files (aside, NULL), ==, n_aside);
}

/* what only the log has is never only in what was set aside: the next salvage finds it */
static void
test_log_damaged_killed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *log_path = g_strconcat (place->database, "-wal", NULL);
  g_autofree char *log = NULL;
  g_autofree char *database = NULL;
  gsize log_length, length;
  gboolean killed = TRUE;

  put_into_log (place, 2);
  g_assert_true (g_file_get_contents (place->database, &database, &length, NULL));
  g_assert_true (g_file_get_contents (log_path, &log, &log_length, NULL));
  for (guint n = 0; killed; n++)
    {
      g_assert_true (
          g_file_set_contents (place->database, database, (gssize) length, NULL));
      g_assert_true (g_file_set_contents (log_path, log, (gssize) log_length, NULL));
      killed = kill_before_step (KILL_AT_NAMES, n, salvage_quietly, place);
      g_assert_true (g_file_test (place->database, G_FILE_TEST_IS_REGULAR));
      salvage (place);
      g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
      clip_store_close (place->hoard->store);
      g_clear_object (&place->hoard->store);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) \
  g_test_add (name, Place, NULL, place_set_up, function, place_tear_down)
  /* what forks comes first: see test-salvage */
  ADD ("/salvage/log-damaged-and-killed", test_log_damaged_killed);
  ADD ("/salvage/log-damaged", test_log_damaged);
  ADD ("/salvage/log-damaged-and-opened", test_log_damaged_opened);
#undef ADD
  return g_test_run ();
}

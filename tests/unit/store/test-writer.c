/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-connect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-ownership.h"
#include "clip-reader.h"
#include "clip-writer.h"
#include "hoard.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"

/* A writer without a façade: what it is told is seen on its own thread. */
typedef struct
{
  char *dir;
  ClipBlobs *blobs;
  ClipTransaction *transaction;
  ClipWriter *writer;

  GMutex mutex;
  GCond changed;
  guint n_commits; /* from here on guarded by mutex */
  guint n_told;    /* entries that were added */
  guint n_done;
  GPtrArray *errors; /* of the changes, in the order of their end; NULL = none */
  ClipOutcome added; /* by the last of them */
} Desk;

static void
set_up (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  clip_autofd int dir_fd = -1;
  ClipStatements *database;

  desk->dir = hoard_make_dir ();
  dir_fd = clip_ownership_make_folder (desk->dir, &error);
  desk->blobs = clip_blobs_open (desk->dir, &error);
  database = clip_connect_writer (desk->dir, dir_fd, &error);
  g_assert_no_error (error);
  desk->transaction =
      clip_transaction_new (desk->dir, database, desk->blobs, FALSE, &error);
  desk->errors = g_ptr_array_new ();
}

static void
on_news (const ClipNews *news, gpointer user_data)
{
  Desk *desk = user_data;

  g_mutex_lock (&desk->mutex);
  desk->n_commits++;
  for (guint i = 0; i < news->events->len; i++)
    desk->n_told += g_array_index (news->events, ClipEvent, i).kind == CLIP_EVENT_ADDED;
  g_mutex_unlock (&desk->mutex);
}

static void
start (Desk *desk)
{
  desk->writer = clip_writer_new (desk->transaction, on_news, desk);
}

static void
stop (Desk *desk)
{
  g_clear_pointer (&desk->writer, clip_writer_free);
  desk->transaction = NULL;
}

static void
tear_down (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  stop (desk);
  for (guint i = 0; i < desk->errors->len; i++)
    g_clear_error ((GError **) &desk->errors->pdata[i]);
  g_ptr_array_unref (desk->errors);
  clip_blobs_unref (desk->blobs);
  hoard_remove_dir (desk->dir);
  g_free (desk->dir);
}

static void
on_done (ClipChange *change)
{
  Desk *desk = change->user_data;

  g_mutex_lock (&desk->mutex);
  desk->n_done++;
  g_ptr_array_add (desk->errors, g_steal_pointer (&change->error));
  desk->added = change->now.outcome;
  g_cond_signal (&desk->changed);
  g_mutex_unlock (&desk->mutex);
}

static void
wait_done (Desk *desk, guint n)
{
  g_mutex_lock (&desk->mutex);
  while (desk->n_done < n)
    g_cond_wait (&desk->changed, &desk->mutex);
  g_mutex_unlock (&desk->mutex);
}

static ClipChange *
told (Desk *desk, ClipChange *change)
{
  change->done = on_done;
  change->user_data = desk;
  return change;
}

static ClipChange *
new_add (Desk *desk, const char *data, gsize length, const ClipLimits *limits)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) stage = clip_stage_new (desk->blobs, &error);
  ClipDraft *draft = clip_draft_new ("");

  g_assert_no_error (error);
  g_assert_true (clip_write_all (clip_stage_fd (stage), data, length, &error));
  clip_draft_add (draft, TEXT, stage, (gint64) length);
  return told (desk, clip_change_add (draft, limits));
}

static void
push_text (Desk *desk, const char *text)
{
  clip_writer_push (desk->writer, new_add (desk, text, strlen (text), NULL));
}

static gboolean
count_row (const ClipRow *row G_GNUC_UNUSED, gpointer user_data)
{
  ++*(guint *) user_data;
  return TRUE;
}

/* every entry there is, whole */
static guint
count_whole (const char *dir)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (dir, &error);
  ClipTotals totals;
  ClipQuery query = { 0 };
  gboolean more = TRUE;
  guint n = 0;

  while (more && clip_reader_page (reader, &query, count_row, &n, &more, &error))
    continue;
  g_assert_no_error (error);
  g_assert_true (clip_reader_totals (reader, &totals, &error));
  g_assert_cmpint (totals.count, ==, n);
  return n;
}

typedef struct
{
  GMutex mutex;
  GCond changed;
  gboolean open;
} Gate;

static void
on_gate (ClipChange *change)
{
  Gate *gate = change->user_data;

  g_mutex_lock (&gate->mutex);
  while (!gate->open)
    g_cond_wait (&gate->changed, &gate->mutex);
  g_mutex_unlock (&gate->mutex);
}

/* holds the writer's thread until it is let go */
static void
hold (Desk *desk, Gate *gate)
{
  ClipChange *change = clip_change_delete_newest ();

  change->done = on_gate;
  change->user_data = gate;
  clip_writer_push (desk->writer, change);
}

static void
let_go (Gate *gate)
{
  g_mutex_lock (&gate->mutex);
  gate->open = TRUE;
  g_cond_signal (&gate->changed);
  g_mutex_unlock (&gate->mutex);
}

static void
test_what_waits_is_one_commit (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  Gate gate = { 0 };

  start (desk);
  hold (desk, &gate);
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      push_text (desk, text);
    }
  let_go (&gate);
  wait_done (desk, 40);
  stop (desk);
  g_assert_cmpuint (count_whole (desk->dir), ==, 40);
  /* the gate's own, those that came with it, and the rest */
  g_assert_cmpuint (desk->n_commits, <=, 3);
}

/* the fault of the test: what a trigger in a file does, which is nothing else */
static void
let_triggers_act (Desk *desk)
{
  g_assert_cmpint (
      sqlite3_db_config (clip_statements_handle (clip_transaction_db (desk->transaction)),
                         SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, NULL),
      ==, SQLITE_OK);
}

/* what came before a wipe that fails is as new as it was */
static void
test_failed_wipe_drops_nothing (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  Gate gate = { 0 };

  let_triggers_act (desk);
  start (desk);
  push_text (desk, "first");
  wait_done (desk, 1);
  hoard_run_sql (desk->dir, "CREATE TRIGGER no BEFORE DELETE ON entry"
                            " BEGIN SELECT raise (ABORT, 'not this one'); END");
  hold (desk, &gate);
  push_text (desk, "second");
  clip_writer_push (desk->writer, told (desk, clip_change_wipe (FALSE, 0)));
  let_go (&gate);
  wait_done (desk, 3);
  stop (desk);
  g_assert_null (desk->errors->pdata[1]);
  g_assert_nonnull (desk->errors->pdata[2]);
  g_assert_cmpuint (count_whole (desk->dir), ==, 2);
}

static void
limit_pages (Desk *desk, const char *limit)
{
  g_assert_cmpint (
      sqlite3_exec (clip_statements_handle (clip_transaction_db (desk->transaction)),
                    limit, NULL, NULL, NULL),
      ==, SQLITE_OK);
}

/* SQLite ends a transaction when there is no room: what was in it fails, what was before
 * stays, and with room made it goes on */
static void
test_full_database (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *large = g_malloc (60000);
  guint n_failed = 0;

  limit_pages (desk, "PRAGMA max_page_count = 150");
  start (desk);
  for (guint i = 0; i < 20; i++)
    {
      memset (large, 'a' + (int) i, 60000);
      clip_writer_push (desk->writer, new_add (desk, large, 60000, NULL));
      wait_done (desk, i + 1);
    }
  for (guint i = 0; i < 20; i++)
    if (desk->errors->pdata[i])
      {
        g_assert_error ((GError *) desk->errors->pdata[i], CLIP_ERROR,
                        CLIP_ERROR_NO_SPACE);
        n_failed++;
      }
  g_assert_cmpuint (n_failed, >, 5);
  g_assert_cmpuint (count_whole (desk->dir), ==, 20 - n_failed);

  clip_writer_push (desk->writer, told (desk, clip_change_wipe (FALSE, 0)));
  clip_writer_push (desk->writer, new_add (desk, large, 60000, NULL));
  wait_done (desk, 22);
  g_assert_null (desk->errors->pdata[21]);
  g_assert_cmpuint (count_whole (desk->dir), ==, 1);
}

/* the totals are those of what is there, and no file is without a row */
static void
check_consistent (Desk *desk, gint64 inline_bytes, gint64 blob_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (desk->dir, &error);
  gint64 n_blobs = hoard_count_files (desk->dir, "blobs");
  ClipTotals totals;

  g_assert_true (clip_reader_totals (reader, &totals, &error));
  g_assert_cmpint (totals.bytes, ==,
                   n_blobs * blob_bytes + (totals.count - n_blobs) * inline_bytes);
  g_assert_cmpint (totals.count, ==, count_whole (desk->dir));
}

/* those that find room are kept, though SQLite has ended their transaction for one that
 * found none; and of those that found none no file is left */
static void
test_full_database_takes_no_other (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *large = g_malloc (60000);
  g_autofree char *blob = g_malloc (100000);
  guint n_failed = 0;
  Gate gate = { 0 };

  limit_pages (desk, "PRAGMA max_page_count = 49");
  start (desk);
  hold (desk, &gate);
  for (guint i = 0; i < 6; i++)
    {
      memset (blob, '0' + (int) i, 100000);
      memset (large, 'a' + (int) i, 60000);
      clip_writer_push (desk->writer, new_add (desk, blob, 100000, NULL));
      clip_writer_push (desk->writer, new_add (desk, large, 60000, NULL));
    }
  let_go (&gate);
  wait_done (desk, 12);
  stop (desk);
  for (guint i = 0; i < 12; i++)
    n_failed += desk->errors->pdata[i] != NULL;
  g_assert_cmpuint (n_failed, >=, 4);
  g_assert_cmpuint (n_failed, <=, 6);
  check_consistent (desk, 60000, 100000);
}

/* a blob that another process links, or unlinks, between the preparation of a job and its
 * turn: it is prepared again, in its place in the order */
static void
test_overtaken_prepares_again (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *blob = g_malloc0 (200000);
  Gate gate = { 0 };

  start (desk);
  hold (desk, &gate);
  /* all are prepared before the first of them is linked */
  for (guint i = 0; i < 5; i++)
    clip_writer_push (desk->writer, new_add (desk, blob, 200000, NULL));
  push_text (desk, "after");
  let_go (&gate);
  wait_done (desk, 6);
  stop (desk);
  for (guint i = 0; i < 6; i++)
    g_assert_null (desk->errors->pdata[i]);
  g_assert_cmpuint (count_whole (desk->dir), ==, 2);
  g_assert_cmpuint (hoard_count_files (desk->dir, "blobs"), ==, 1);
}

/* somebody who reads keeps nobody from logging out, also where the log holds what was
 * deleted */
static void
test_reader_delays_no_end (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (desk->dir, "history.db", NULL);
  gint64 begun_us;
  sqlite3 *foreign = NULL;
  sqlite3_stmt *stalled = NULL;

  start (desk);
  push_text (desk, "first");
  push_text (desk, "second");
  wait_done (desk, 2);
  g_assert_cmpint (sqlite3_open (path, &foreign), ==, SQLITE_OK);
  sqlite3_prepare_v2 (foreign, "SELECT id FROM entry", -1, &stalled, NULL);
  g_assert_cmpint (sqlite3_step (stalled), ==, SQLITE_ROW);
  clip_writer_push (desk->writer, told (desk, clip_change_delete_newest ()));
  wait_done (desk, 3);
  begun_us = g_get_monotonic_time ();
  stop (desk);
  g_assert_cmpint (g_get_monotonic_time () - begun_us, <, 10 * G_USEC_PER_SEC);
  sqlite3_finalize (stalled);
  sqlite3_close (foreign);
}

/* a reader that never ends its read: nobody waits, and the log grows no faster */
static void
test_stalled_read_delays_nobody (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (desk->dir, "history.db", NULL);
  sqlite3 *foreign = NULL;
  sqlite3_stmt *stalled = NULL;

  start (desk);
  push_text (desk, "first");
  push_text (desk, "second");
  wait_done (desk, 2);
  g_assert_cmpint (sqlite3_open (path, &foreign), ==, SQLITE_OK);
  sqlite3_prepare_v2 (foreign, "SELECT id FROM entry", -1, &stalled, NULL);
  g_assert_cmpint (sqlite3_step (stalled), ==, SQLITE_ROW);
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      push_text (desk, text);
      wait_done (desk, i + 3);
    }
  for (guint i = 0; i < 302; i++)
    g_assert_null (desk->errors->pdata[i]);
  g_assert_cmpint (sqlite3_step (stalled), ==, SQLITE_ROW);
  g_assert_cmpint (sqlite3_step (stalled), ==, SQLITE_DONE);
  sqlite3_finalize (stalled);
  sqlite3_close (foreign);
}

/* an entry that was committed has been added, whatever becomes of the trimming that goes
 * on in further transactions */
static void
test_added_though_not_trimmed (Desk *desk, gconstpointer raised)
{
  g_autofree char *path = g_build_filename (desk->dir, "history.db", NULL);
  g_autofree char *trigger =
      g_strdup_printf ("CREATE TRIGGER no BEFORE DELETE ON entry WHEN old.id = 1500"
                       " BEGIN SELECT raise (%s, 'not this one'); END",
                       (const char *) raised);
  sqlite3 *foreign = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;

  let_triggers_act (desk);
  start (desk);
  for (guint i = 1; i <= 2000; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      push_text (desk, text);
    }
  wait_done (desk, 2000);
  g_assert_cmpint (sqlite3_open (path, &foreign), ==, SQLITE_OK);
  sqlite3_busy_timeout (foreign, 10000); /* the index may just be written */
  g_assert_cmpint (sqlite3_exec (foreign, trigger, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (foreign);
  limits.max_items = 10;
  g_test_expect_message ("clip-store", G_LOG_LEVEL_WARNING, "history is larger *");
  clip_writer_push (desk->writer, new_add (desk, "one more", 8, &limits));
  wait_done (desk, 2001);
  g_test_assert_expected_messages ();
  g_assert_no_error ((GError *) desk->errors->pdata[2000]);
  g_assert_cmpint (desk->added.id, ==, 2001);
  g_assert_cmpint (desk->added.n, ==, 1000);
  stop (desk);
  g_assert_cmpuint (count_whole (desk->dir), ==, 1001);
}

static goffset
file_size (Desk *desk, const char *name)
{
  g_autofree char *path = g_build_filename (desk->dir, name, NULL);
  GStatBuf status;

  return g_stat (path, &status) == 0 ? (goffset) status.st_size : 0;
}

static goffset
log_size (Desk *desk)
{
  return file_size (desk, "history.db-wal");
}

/* whether the writer pauses between its commits or not */
static void
test_log_stays_small (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = g_strnfill (2000, 'x');

  start (desk);
  for (guint i = 0; i < 3000; i++)
    {
      memcpy (text, &i, sizeof i);
      clip_writer_push (desk->writer, new_add (desk, text, 2000, NULL));
      if (i < 1500)
        wait_done (desk, i > 8 ? i - 8 : 0);
      else if (i % 10 == 0)
        wait_done (desk, i);
      g_assert_cmpint (log_size (desk), <, 6 * 1024 * 1024);
    }
  wait_done (desk, 3000);
}

/* --- what cannot be told at once --- */

/* a statement that fails the next time it runs */
typedef struct
{
  const char *beginning;
  gint is_armed; /* atomic */
  gboolean fails;
} Fault;

static int
on_statement (unsigned what G_GNUC_UNUSED,
              void *user_data,
              void *statement G_GNUC_UNUSED,
              void *sql)
{
  Fault *fault = user_data;

  if (g_str_has_prefix (sql, fault->beginning))
    fault->fails = g_atomic_int_compare_and_exchange (&fault->is_armed, TRUE, FALSE);
  return 0;
}

static int
on_progress (void *user_data)
{
  Fault *fault = user_data;
  gboolean fails = fault->fails;

  fault->fails = FALSE;
  return fails;
}

static void
inject (Desk *desk, Fault *fault)
{
  sqlite3 *db = clip_statements_handle (clip_transaction_db (desk->transaction));

  sqlite3_trace_v2 (db, SQLITE_TRACE_STMT, on_statement, fault);
  sqlite3_progress_handler (db, 1, on_progress, fault);
}

static void
test_told_when_it_can_be_looked_at (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  Fault fault = { .beginning = "SELECT expires_us FROM entry WHERE expires_us > 0" };

  inject (desk, &fault);
  start (desk);
  push_text (desk, "one");
  wait_done (desk, 1);
  g_test_expect_message ("clip-store", G_LOG_LEVEL_WARNING, "history cannot be looked*");
  g_atomic_int_set (&fault.is_armed, TRUE);
  push_text (desk, "two");
  wait_done (desk, 2);
  g_test_assert_expected_messages ();
  push_text (desk, "three");
  stop (desk);
  g_assert_cmpuint (desk->n_told, ==, 3);
}

/* on the writer's thread, once: between the look before a commit and the one behind it */
static int
take_away (void *user_data)
{
  Desk *desk = user_data;
  g_autofree char *away = g_strconcat (desk->dir, ".away", NULL);

  sqlite3_commit_hook (clip_statements_handle (clip_transaction_db (desk->transaction)),
                       NULL, NULL);
  g_assert_cmpint (g_rename (desk->dir, away), ==, 0);
  return 0;
}

static void
test_vanished_is_not_acknowledged (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *away = g_strconcat (desk->dir, ".away", NULL);

  start (desk);
  sqlite3_commit_hook (clip_statements_handle (clip_transaction_db (desk->transaction)),
                       take_away, desk);
  push_text (desk, "one");
  wait_done (desk, 1);
  push_text (desk, "two");
  wait_done (desk, 2);
  g_assert_error ((GError *) desk->errors->pdata[0], CLIP_ERROR, CLIP_ERROR_FAILED);
  g_assert_nonnull (strstr (((GError *) desk->errors->pdata[0])->message, desk->dir));
  g_assert_null (desk->errors->pdata[1]);
  g_assert_cmpint (desk->added.id, ==, 1);
  stop (desk);
  g_assert_cmpuint (desk->n_told, ==, 1);
  g_assert_cmpuint (count_whole (desk->dir), ==, 1);
  hoard_remove_dir (away);
}

/* as a repair by another process does: another database, and the same files */
static int
replace_database (void *user_data)
{
  Desk *desk = user_data;
  g_autofree char *path = g_build_filename (desk->dir, "history.db", NULL);
  g_autofree char *copy = g_build_filename (desk->dir, "copy", NULL);

  sqlite3_commit_hook (clip_statements_handle (clip_transaction_db (desk->transaction)),
                       NULL, NULL);
  g_assert_cmpint (g_rename (copy, path), ==, 0);
  return 0;
}

static void
test_replaced_keeps_its_files (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (desk->dir, "history.db", NULL);
  g_autofree char *copy = g_build_filename (desk->dir, "copy", NULL);
  g_autofree char *blob = g_malloc0 (100000);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  start (desk);
  clip_writer_push (desk->writer, new_add (desk, blob, 100000, NULL));
  wait_done (desk, 1);
  hoard_run_sql (desk->dir, "PRAGMA wal_checkpoint (TRUNCATE)");
  g_assert_true (g_file_get_contents (path, &bytes, &length, &error));
  g_assert_true (g_file_set_contents_full (copy, bytes, (gssize) length,
                                           G_FILE_SET_CONTENTS_NONE, 0600, &error));
  sqlite3_commit_hook (clip_statements_handle (clip_transaction_db (desk->transaction)),
                       replace_database, desk);
  clip_writer_push (desk->writer, told (desk, clip_change_delete_newest ()));
  wait_done (desk, 2);
  stop (desk);
  g_assert_error ((GError *) desk->errors->pdata[1], CLIP_ERROR, CLIP_ERROR_FAILED);
  g_assert_cmpuint (hoard_count_files (desk->dir, "blobs"), ==, 1);
}

/* --- pages that are given back --- */

/* 900 pages: more than three steps give back */
static void
add_large (Desk *desk)
{
  g_autofree char *large = g_strnfill (60000, 'x');

  for (guint i = 0; i < 60; i++)
    {
      memcpy (large, &i, sizeof i);
      clip_writer_push (desk->writer, new_add (desk, large, 60000, NULL));
    }
  wait_done (desk, 60);
}

static void
test_pages_return_until_stopped (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  const gint stops = TRUE;

  start (desk);
  add_large (desk);
  hoard_run_sql (desk->dir, "DELETE FROM entry");
  clip_writer_push (desk->writer, told (desk, clip_change_return_pages (&stops)));
  wait_done (desk, 61);
  g_assert_cmpint (desk->added.n, >, 0);
  clip_writer_push (desk->writer, told (desk, clip_change_return_pages (NULL)));
  wait_done (desk, 62);
  g_assert_cmpint (desk->added.n, ==, 0);
  /* the file is smaller by then */
  g_assert_cmpint (log_size (desk), ==, 0);
  g_assert_cmpint (file_size (desk, "history.db"), <, 256 * 1024);
}

/* between two steps another change frees more pages than a step gives back */
static void
test_pages_return_though_more_come (Desk *desk, gconstpointer data G_GNUC_UNUSED)
{
  gint64 ids[50];
  Gate gate = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    ids[i] = i + 1;
  start (desk);
  add_large (desk);
  hoard_run_sql (desk->dir, "DELETE FROM entry WHERE id % 3 = 0");
  hold (desk, &gate);
  clip_writer_push (desk->writer, told (desk, clip_change_return_pages (NULL)));
  clip_writer_push (desk->writer,
                    told (desk, clip_change_delete (ids, G_N_ELEMENTS (ids))));
  let_go (&gate);
  wait_done (desk, 62);
  g_assert_cmpint (desk->added.n, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Desk, NULL, set_up, function, tear_down)
  ADD ("/writer/what-waits-is-one-commit", test_what_waits_is_one_commit);
  ADD ("/writer/failed-wipe-drops-nothing", test_failed_wipe_drops_nothing);
  ADD ("/writer/full-database", test_full_database);
  ADD ("/writer/full-database-takes-no-other", test_full_database_takes_no_other);
  ADD ("/writer/overtaken-prepares-again", test_overtaken_prepares_again);
  ADD ("/writer/stalled-read-delays-nobody", test_stalled_read_delays_nobody);
  ADD ("/writer/reader-delays-no-end", test_reader_delays_no_end);
  g_test_add ("/writer/added-though-not-trimmed", Desk, "ABORT", set_up,
              test_added_though_not_trimmed, tear_down);
  g_test_add ("/writer/added-though-trim-takes-all-back", Desk, "ROLLBACK", set_up,
              test_added_though_not_trimmed, tear_down);
  ADD ("/writer/told-when-it-can-be-looked-at", test_told_when_it_can_be_looked_at);
  ADD ("/writer/log-stays-small", test_log_stays_small);
  ADD ("/writer/vanished-is-not-acknowledged", test_vanished_is_not_acknowledged);
  ADD ("/writer/replaced-keeps-its-files", test_replaced_keeps_its_files);
  ADD ("/writer/pages-return-until-stopped", test_pages_return_until_stopped);
  ADD ("/writer/pages-return-though-more-come", test_pages_return_though_more_come);
#undef ADD
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What has to go because there is too much, or because its time has passed. */
#include "clip-error.h"
#include "hoard-check.h"
#include "wait-until.h"

#include <sqlite3.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"
#define HTML "text/html"

/* that one step of a change removes, and more */
#define AT_ONCE 1000
#define MANY 5000

static void
test_oldest_trimmed_first (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipOutcome added;

  for (char text[] = "a"; *text <= 'f'; (*text)++)
    hoard_add_text (hoard->store, text);
  hoard_pin (hoard->store, 2, TRUE);
  limits.max_items = 3;
  added = hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "g", NULL), &limits);
  g_assert_cmpint (added.n, ==, 3);
  hoard_assert_list (hoard->store, "7 g;6 f;5 e;2 b;");
  hoard_pin (hoard->store, 2, FALSE);
  added = hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "h", NULL), &limits);
  g_assert_cmpint (added.n, ==, 2);
  hoard_assert_list (hoard->store, "8 h;7 g;6 f;");
}

static void
test_trimmed_by_bytes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;

  limits.max_total_bytes = 10;
  hoard_add_text (hoard->store, "four");
  hoard_add_text (hoard->store, "five5");
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "six", NULL), &limits);
  hoard_assert_list (hoard->store, "3 six;2 five5;");
  hoard_assert_totals (hoard->store, 2, 8, 0);
  /* one that is larger than all may be is what remains */
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "twelve-bytes", NULL),
             &limits);
  hoard_assert_list (hoard->store, "4 twelve-bytes;");
}

/* what the sums of the database say, against the rows */
static void
assert_sums (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  sqlite3_stmt *rows = NULL;
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==,
                   SQLITE_OK);
  sqlite3_prepare_v2 (
      db,
      "WITH whole AS (SELECT pinned, size + ifnull((SELECT sum(size) FROM content"
      " WHERE entry = entry.id), 0) AS size FROM entry)"
      " SELECT count, (SELECT count(*) FROM whole),"
      " bytes, (SELECT ifnull(sum(size), 0) FROM whole),"
      " pinned, (SELECT ifnull(sum(pinned), 0) FROM whole),"
      " pinned_bytes, (SELECT ifnull(sum(size * pinned), 0) FROM whole) FROM totals",
      -1, &rows, NULL);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  for (int i = 0; i < 8; i += 2)
    g_assert_cmpint (sqlite3_column_int64 (rows, i), ==,
                     sqlite3_column_int64 (rows, i + 1));
  sqlite3_finalize (rows);
  sqlite3_close (db);
}

static void
test_pinned_bytes_do_not_count (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;

  limits.max_total_bytes = 10;
  hoard_add_text (hoard->store, "a pinned one, larger than all may be");
  hoard_pin (hoard->store, 1, TRUE);
  for (char text[] = "word 1"; text[5] <= '3'; text[5]++)
    hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, text, NULL), &limits);
  hoard_assert_list (hoard->store, "4 word 3;1 a pinned one, larger than all may be;");
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "four", NULL), &limits);
  hoard_assert_list (hoard->store,
                     "5 four;4 word 3;1 a pinned one, larger than all may be;");
  hoard_reopen (hoard, 0);
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "five", NULL), &limits);
  hoard_assert_list (hoard->store,
                     "6 five;5 four;1 a pinned one, larger than all may be;");
  /* it counts again */
  hoard_pin (hoard->store, 1, FALSE);
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "six", NULL), &limits);
  hoard_assert_list (hoard->store, "7 six;6 five;");
}

/* through everything that may become of a pinned entry */
static void
test_sums_follow_pins (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits narrow = CLIP_NO_LIMITS;

  narrow.max_dedupe_search = 0;
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "plain", HTML, "<b>rich</b>", NULL), NULL);
  hoard_pin (hoard->store, 1, TRUE);
  assert_sums (hoard->dir);
  hoard_add_text (hoard->store, "plain");
  assert_sums (hoard->dir);
  hoard_assert_totals (hoard->store, 1, 16, 1);

  /* a pinned twin is merged into one that is not */
  hoard_add_text (hoard->store, "twin");
  hoard_pin (hoard->store, 3, TRUE);
  hoard_add_text (hoard->store, "between");
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "twin", NULL), &narrow);
  hoard_assert_totals (hoard->store, 4, 31, 2);
  hoard_add_text (hoard->store, "twin");
  hoard_assert_totals (hoard->store, 3, 27, 2);
  assert_sums (hoard->dir);

  hoard_pin (hoard->store, 2, FALSE);
  assert_sums (hoard->dir);
  hoard_delete (hoard->store, 6);
  assert_sums (hoard->dir);
  hoard_pin (hoard->store, 2, TRUE);
  hoard_wipe (hoard->store, FALSE, 0);
  assert_sums (hoard->dir);
  hoard_wipe (hoard->store, TRUE, 0);
  assert_sums (hoard->dir);
  hoard_assert_totals (hoard->store, 0, 0, 0);
}

static void
test_no_items_empties (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipOutcome added;

  hoard_add_text (hoard->store, "one");
  heard = hoard_listen (hoard->store);
  limits.max_items = 0;
  added =
      hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "two", NULL), &limits);
  g_assert_cmpint (added.id, ==, 2);
  hoard_assert_list (hoard->store, "");
  hoard_assert_totals (hoard->store, 0, 0, 0);
  g_assert_cmpstr (heard->str, ==, "-1 ");
}

static void
test_trim_goes_on (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  Answer answers[2500] = { { NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      clip_store_change_async (
          hoard->store,
          clip_change_add (hoard_draft (hoard->store, TEXT, text, NULL), NULL), on_answer,
          &answers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    g_object_unref (answer_wait (&answers[i]));
  limits.max_items = 3;
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 2497);
  hoard_assert_list (hoard->store, "2500 2499;2499 2498;2498 2497;");
}

static void
on_turn (GObject *source, GAsyncResult *result, gpointer order)
{
  g_autoptr (GError) error = NULL;
  ClipOutcome outcome;

  clip_store_change_finish (CLIP_STORE (source), result, &outcome, &error);
  g_assert_no_error (error);
  g_assert_cmpint (outcome.n, <=, outcome.id != 0 ? AT_ONCE : MANY);
  g_string_append (order, outcome.id != 0 ? "copy " : "trim ");
}

/* An archive may bring very many that all go at one time: a copy waits for no more than
 * one step of a trim, nor takes all of these upon itself. */
static void
test_copy_comes_between (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) order = g_string_new (NULL);
  g_autofree char *path = g_build_filename (hoard->dir, "history.db", NULL);
  ClipLimits limits = CLIP_NO_LIMITS;
  sqlite3 *db = NULL;

  hoard_fill (hoard, MANY);
  hoard_run_sql (hoard->dir, "UPDATE entry SET expires_us = 1000");
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  hoard_exec (db, "BEGIN IMMEDIATE"); /* the trim waits for that, and the copy for it */
  clip_store_change_async (hoard->store, clip_change_trim (&limits, FALSE), on_turn,
                           order);
  clip_store_change_async (
      hoard->store,
      clip_change_add (hoard_draft (hoard->store, TEXT, "copied", NULL), NULL), on_turn,
      order);
  hoard_exec (db, "COMMIT");
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  wait_until (order->len == strlen ("copy trim "));
  g_assert_cmpstr (order->str, ==, "copy trim ");
  hoard_assert_list (hoard->store, "5001 copied;");
  hoard_assert_totals (hoard->store, 1, strlen ("copied"), 0);
}

/* but as many of them as it takes: a history above its limit would be taken for one that
 * has grown under another */
static void
test_copy_keeps_the_limit (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *large = g_strnfill (50 * MANY, 'a');
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipTotals totals;

  hoard_fill (hoard, MANY); /* each has a hundred bytes */
  hoard_run_sql (hoard->dir, "UPDATE entry SET expires_us = 1000");
  limits.max_total_bytes = 100 * MANY;
  limits.cautious = CLIP_LIMIT_BYTES;
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, large, NULL), &limits);
  clip_store_get_totals (hoard->store, &totals);
  g_assert_cmpint (totals.bytes, <=, limits.max_total_bytes);
}

/* a trial weighs behind what has expired, too */
static void
test_trial_weighs_as_a_trim (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipOutcome trial, trimmed;

  limits.max_items = 90;
  limits.cautious = CLIP_LIMIT_ITEMS;
  hoard_fill (hoard, 300);
  hoard_run_sql (hoard->dir, "UPDATE entry SET expires_us = 1000 WHERE id <= 203");
  trial = hoard_trim (hoard->store, limits, TRUE);
  trimmed = hoard_trim (hoard->store, limits, FALSE);
  g_assert_cmpint (trial.n, ==, 210);
  g_assert_cmpint (trimmed.n, ==, 210);
  g_assert_cmpuint (trial.spared, ==, 0);
  g_assert_cmpuint (trimmed.spared, ==, 0);
}

/* a limit that is not asked for takes no tenth either of what has come between */
static void
test_weighs_what_comes_between (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (hoard->dir, "history.db", NULL);
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipOutcome trimmed;
  ClipTotals totals;
  Answer trim = { NULL }, answers[2400] = { { NULL } };
  sqlite3 *db = NULL;

  limits.max_items = 3000;
  limits.cautious = CLIP_LIMIT_ITEMS;
  hoard_fill (hoard, 3000);
  hoard_run_sql (hoard->dir, "UPDATE entry SET expires_us = 1000 WHERE id > 1000");
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  hoard_exec (db, "BEGIN IMMEDIATE");
  clip_store_change_async (hoard->store, clip_change_trim (&limits, FALSE), on_answer,
                           &trim);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      clip_store_change_async (
          hoard->store,
          clip_change_add (hoard_draft (hoard->store, TEXT, text, NULL), NULL), on_answer,
          &answers[i]);
    }
  hoard_exec (db, "COMMIT");
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    g_object_unref (answer_wait (&answers[i]));
  result = answer_wait (&trim);
  clip_store_change_finish (hoard->store, result, &trimmed, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (trimmed.spared, ==, CLIP_LIMIT_ITEMS);
  clip_store_get_totals (hoard->store, &totals);
  g_assert_cmpint (totals.count, ==, 1000 + G_N_ELEMENTS (answers));
}

/* which is found by a check; a trial says how many would go all the same */
static void
test_damaged_sizes_are_added_up (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_run_sql (hoard->dir, "UPDATE entry SET size = 9223372036854775807, last_us = 1");
  limits.max_age_us = 1000;
  limits.thorough = TRUE;
  g_assert_cmpint (hoard_trim (hoard->store, limits, TRUE).n, ==, 2);
}

static void
test_expired_go (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;
  Answer answer = { NULL };

  hoard_add_text (hoard->store, "past");
  hoard_add_text (hoard->store, "pinned");
  hoard_add_text (hoard->store, "future");
  hoard_pin (hoard->store, 2, TRUE);
  for (gint64 id = 1; id <= 3; id++)
    {
      clip_store_change_async (hoard->store,
                               clip_change_expire (id, id == 3 ? G_MAXINT64 : 1000),
                               on_answer, &answer);
      g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
    }
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 1);
  hoard_assert_list (hoard->store, "3 future;2 pinned;");
}

static void
expire_at (ClipStore *store, gint64 id, gint64 expires_us)
{
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_change_async (store, clip_change_expire (id, expires_us), on_answer,
                           &answer);
  g_assert_cmpint (hoard_wait_n (store, &answer, &error), ==, 1);
  g_assert_no_error (error);
}

static void
count_pushed_out (ClipStore *store G_GNUC_UNUSED, gint64 n, gpointer user_data)
{
  *(gint64 *) user_data += n;
}

/* of four that go two had expired: the others went for want of room */
static void
test_expired_is_not_pushed_out (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  gint64 n_told = 0;
  ClipOutcome added;

  g_signal_connect (hoard->store, "pushed-out", G_CALLBACK (count_pushed_out), &n_told);
  for (char text[] = "a"; *text <= 'd'; (*text)++)
    hoard_add_text (hoard->store, text);
  expire_at (hoard->store, 2, 1000);
  expire_at (hoard->store, 3, 1000);
  limits.max_items = 1;
  added = hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "e", NULL), &limits);
  g_assert_cmpint (added.n, ==, 4);
  g_assert_cmpint (added.n_pushed_out, ==, 2);
  while (n_told == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (n_told, ==, 2);
  hoard_assert_list (hoard->store, "5 e;");
}

static void
assert_not_found (ClipStore *store, Answer *answer)
{
  g_autoptr (GError) error = NULL;

  hoard_wait_n (store, answer, &error);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

/* nobody sees it any more, so nobody brings it back */
static void
test_expired_cannot_be_changed (void)
{
  static const char *const tags[] = { "tag", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  Answer answer = { NULL };

  hoard_add_text (hoard->store, "expired");
  expire_at (hoard->store, 1, 1000);
  clip_store_change_async (hoard->store, clip_change_expire (1, 0), on_answer, &answer);
  assert_not_found (hoard->store, &answer);
  clip_store_change_async (hoard->store, clip_change_pin (1, TRUE), on_answer, &answer);
  assert_not_found (hoard->store, &answer);
  clip_store_change_async (hoard->store, clip_change_tag (1, tags), on_answer, &answer);
  assert_not_found (hoard->store, &answer);
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 1);
}

/* what is copied now has no more to do with a time that has passed, whether it moves or
 * is replaced; what was there when the daemon started was copied before */
static void
test_expired_again_stays (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipDraft *initial;

  for (guint i = 0; i < 3; i++)
    hoard_add_text (hoard->store, "initial");
  expire_at (hoard->store, 3, 1000);
  initial = hoard_draft (hoard->store, TEXT, "initial", NULL);
  clip_draft_set_initial (initial);
  g_assert_cmpint (hoard_add (hoard->store, initial, NULL).id, ==, 3);
  hoard_assert_list (hoard->store, "");
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 1);

  hoard_add_text (hoard->store, "moved");
  expire_at (hoard->store, 4, 1000);
  g_assert_cmpint (hoard_add_text (hoard->store, "moved"), ==, 5);
  expire_at (hoard->store, 5, 1000);
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "moved", HTML, "<b>moved</b>", NULL), NULL);
  hoard_assert_list (hoard->store, "6 moved;");
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 0);
}

/* nobody lets go of an entry to see it vanish; a time that is yet to come stays */
static void
test_unpinned_stays (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  gint64 later_us = g_get_real_time () + G_TIME_SPAN_HOUR;
  g_autoptr (ClipEntry) entry = NULL;

  hoard_add_text (hoard->store, "past");
  hoard_add_text (hoard->store, "to come");
  for (gint64 id = 1; id <= 2; id++)
    {
      hoard_pin (hoard->store, id, TRUE);
      expire_at (hoard->store, id, id == 1 ? 1000 : later_us);
      g_assert_cmpint (hoard_pin (hoard->store, id, FALSE), ==, 1);
    }
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 0);
  hoard_assert_list (hoard->store, "2 to come;1 past;");
  entry = hoard_lookup (hoard->store, 2, NULL);
  g_assert_cmpint (entry->row.expires_us, ==, later_us);
}

/* a secret that is to go does not stay because it was needed once more */
static void
test_copied_again_expires (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  gint64 later_us = g_get_real_time () + G_TIME_SPAN_HOUR;
  g_autoptr (ClipEntry) entry = NULL;

  hoard_add_text (hoard->store, "to go");
  expire_at (hoard->store, 1, later_us);
  g_assert_cmpint (hoard_add_text (hoard->store, "to go"), ==, 2);
  entry = hoard_lookup (hoard->store, 2, NULL);
  g_assert_cmpint (entry->row.expires_us, ==, later_us);
}

static gboolean
append_row (const ClipRow *row, gpointer user_data)
{
  g_string_append_printf (user_data, "%d ", (int) row->id);
  return TRUE;
}

static char *
read_ids (ClipReader *reader, ClipQuery query)
{
  g_autoptr (GError) error = NULL;
  GString *ids = g_string_new (NULL);
  gboolean more = TRUE;

  while (more)
    {
      clip_reader_page (reader, &query, append_row, ids, &more, &error);
      g_assert_no_error (error);
    }
  return g_string_free (ids, FALSE);
}

static void
assert_read (ClipReader *reader, ClipQuery query, const char *expected)
{
  g_autofree char *ids = read_ids (reader, query);

  g_assert_cmpstr (ids, ==, expected);
}

/* nobody has removed it yet, or will: there may be no daemon */
static void
test_expired_not_read (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (hoard->dir, &error);
  char *words[] = { (char *) "word", NULL };

  g_assert_no_error (error);
  hoard_add_text (hoard->store, "word one");
  hoard_add_text (hoard->store, "word pinned");
  hoard_add_text (hoard->store, "word last");
  hoard_pin (hoard->store, 2, TRUE);
  assert_read (reader, (ClipQuery){ .brief = TRUE }, "3 2 1 ");
  expire_at (hoard->store, 2, 1000);
  expire_at (hoard->store, 3, 1000);
  expire_at (hoard->store, 1, G_MAXINT64);
  assert_read (reader, (ClipQuery){ .brief = TRUE }, "2 1 ");
  assert_read (reader, (ClipQuery){ 0 }, "2 1 ");
  assert_read (reader, (ClipQuery){ .words = words }, "2 1 ");
  assert_read (reader, (ClipQuery){ .words = words, .brief = TRUE }, "2 1 ");
  g_assert_cmpint (clip_reader_newest (reader, &error), ==, 2);
  g_assert_null (clip_reader_lookup (reader, 3, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (clip_reader_open_content (reader, 3, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

/* the history has obeyed an age; weeks later there may be no daemon */
static void
test_too_old_not_read (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = NULL;
  gint64 now_us = g_get_real_time ();
  gint64 hour_us = (gint64) 3600 * G_USEC_PER_SEC;
  g_autofree char *age = g_strdup_printf ("%" G_GINT64_FORMAT, 2 * hour_us);
  Answer answer = { NULL };

  for (guint i = 4; i > 0; i--)
    {
      g_autofree char *text = g_strdup_printf ("%u hours", i);
      ClipDraft *draft = hoard_draft (hoard->store, TEXT, text, NULL);

      clip_draft_set_times (draft, now_us - i * hour_us, now_us - i * hour_us);
      hoard_add (hoard->store, draft, NULL);
    }
  hoard_pin (hoard->store, 2, TRUE);
  clip_store_change_async (hoard->store, clip_change_note ("max-age", age), on_answer,
                           &answer);
  hoard_wait_n (hoard->store, &answer, &error);
  g_assert_no_error (error);
  clip_store_change_async (hoard->store, clip_change_pin (1, TRUE), on_answer, &answer);
  assert_not_found (hoard->store, &answer);
  reader = clip_reader_open (hoard->dir, &error);
  g_assert_no_error (error);
  assert_read (reader, (ClipQuery){ .brief = TRUE }, "4 2 ");
  assert_read (reader, (ClipQuery){ 0 }, "4 2 ");
  g_assert_null (clip_reader_open_content (reader, 1, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

/* as an import brings it in: the lowest id is not the oldest */
static void
test_too_old_above_new_not_read (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = NULL;
  g_autofree char *age =
      g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) 3600 * G_USEC_PER_SEC);
  ClipDraft *draft;
  Answer answer = { NULL };

  hoard_add_text (hoard->store, "new");
  draft = hoard_draft (hoard->store, TEXT, "old", NULL);
  clip_draft_set_times (draft, 1000, 1000);
  hoard_add (hoard->store, draft, NULL);
  hoard_add_text (hoard->store, "newest");
  clip_store_change_async (hoard->store, clip_change_note ("max-age", age), on_answer,
                           &answer);
  hoard_wait_n (hoard->store, &answer, &error);
  g_assert_no_error (error);
  reader = clip_reader_open (hoard->dir, &error);
  g_assert_no_error (error);
  assert_read (reader, (ClipQuery){ .brief = TRUE }, "3 1 ");
  assert_read (reader, (ClipQuery){ 0 }, "3 1 ");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/oldest-trimmed-first", test_oldest_trimmed_first);
  g_test_add_func ("/store/trimmed-by-bytes", test_trimmed_by_bytes);
  g_test_add_func ("/store/pinned-bytes-do-not-count", test_pinned_bytes_do_not_count);
  g_test_add_func ("/store/totals-follow-pins", test_sums_follow_pins);
  g_test_add_func ("/store/no-items-empties", test_no_items_empties);
  g_test_add_func ("/store/long-trim-goes-on", test_trim_goes_on);
  g_test_add_func ("/store/copy-comes-between-the-steps-of-a-trim",
                   test_copy_comes_between);
  g_test_add_func ("/limits/a-copy-keeps-the-limit-beside-many-that-go",
                   test_copy_keeps_the_limit);
  g_test_add_func ("/store/trial-weighs-as-a-trim", test_trial_weighs_as_a_trim);
  g_test_add_func ("/store/trim-weighs-what-comes-between-its-steps",
                   test_weighs_what_comes_between);
  g_test_add_func ("/store/damaged-sizes-are-added-up", test_damaged_sizes_are_added_up);
  g_test_add_func ("/store/expired-go", test_expired_go);
  g_test_add_func ("/store/expired-is-not-pushed-out", test_expired_is_not_pushed_out);
  g_test_add_func ("/store/expired-cannot-be-changed", test_expired_cannot_be_changed);
  g_test_add_func ("/store/expired-again-stays", test_expired_again_stays);
  g_test_add_func ("/store/unpinned-stays", test_unpinned_stays);
  g_test_add_func ("/store/copied-again-expires-all-the-same", test_copied_again_expires);
  g_test_add_func ("/store/expired-not-read", test_expired_not_read);
  g_test_add_func ("/store/too-old-not-read", test_too_old_not_read);
  g_test_add_func ("/store/too-old-above-new-not-read", test_too_old_above_new_not_read);
  return g_test_run ();
}

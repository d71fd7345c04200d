/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What limits cost, and what they must not take: a number that nobody meant for this
 * history spares it. */
#include "clip-change-steps.h"
#include "clip-connect.h"
#include "clip-error.h"
#include "hoard-check.h"

#define TEXT "text/plain;charset=utf-8"
#define DAY_US ((gint64) 24 * 3600 * G_USEC_PER_SEC)

static void
add_at (Hoard *hoard, const char *text, gint64 us, const ClipLimits *limits)
{
  ClipDraft *draft = hoard_draft (hoard->store, TEXT, text, NULL);

  clip_draft_set_times (draft, us, us);
  hoard_add (hoard->store, draft, limits);
}

static void
add_some (Hoard *hoard, guint n, gint64 first_us, gint64 step_us)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("%010u", i);

      add_at (hoard, text, first_us + i * step_us, NULL);
    }
}

static void
assert_count (Hoard *hoard, gint64 count)
{
  ClipTotals totals;

  clip_store_get_totals (hoard->store, &totals);
  g_assert_cmpint (totals.count, ==, count);
}

static void
test_more_than_a_tenth_spared (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipOutcome trimmed;

  add_some (hoard, 40, 1000, 1);
  limits.cautious = CLIP_LIMIT_ITEMS | CLIP_LIMIT_BYTES;
  limits.max_items = 35;
  trimmed = hoard_trim (hoard->store, limits, FALSE);
  g_assert_cmpint (trimmed.n, ==, 0);
  g_assert_cmpuint (trimmed.spared, ==, CLIP_LIMIT_ITEMS);
  /* nor does a copy take what a trim does not */
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "one more", NULL), &limits);
  assert_count (hoard, 41);
  limits.max_items = -1;
  limits.max_total_bytes = 350;
  trimmed = hoard_trim (hoard->store, limits, FALSE);
  g_assert_cmpint (trimmed.n, ==, 0);
  g_assert_cmpuint (trimmed.spared, ==, CLIP_LIMIT_BYTES);
  limits.max_items = 37;
  limits.max_total_bytes = 0;
  trimmed = hoard_trim (hoard->store, limits, FALSE);
  g_assert_cmpint (trimmed.n, ==, 4);
  g_assert_cmpuint (trimmed.spared, ==, 0);
}

static void
test_asked_for_is_obeyed (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;

  add_some (hoard, 40, 1000, 1);
  limits.max_items = 3;
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 37);
}

/* in a small history each copy takes more than a tenth */
static void
test_kept_limit_goes_on (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;

  limits.cautious = CLIP_LIMIT_ITEMS | CLIP_LIMIT_BYTES;
  limits.max_items = 2;
  limits.max_total_bytes = 20;
  for (char text[] = "a"; *text <= 'f'; (*text)++)
    hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, text, NULL), &limits);
  hoard_assert_list (hoard->store, "6 f;5 e;");
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "nineteen characters", NULL),
             &limits);
  hoard_assert_list (hoard->store, "7 nineteen characters;6 f;");
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "eighteen character", NULL),
             &limits);
  hoard_assert_list (hoard->store, "8 eighteen character;");
}

static void
test_old_go (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  gint64 now_us = g_get_real_time ();
  ClipOutcome trimmed;

  for (gint64 days = 5; days > 0; days--)
    {
      g_autofree char *text = g_strdup_printf ("%d days", (int) days);

      add_at (hoard, text, now_us - days * DAY_US, NULL);
    }
  hoard_pin (hoard->store, 1, TRUE);
  limits.max_age_us = 3 * DAY_US + DAY_US / 2;
  trimmed = hoard_trim (hoard->store, limits, FALSE);
  g_assert_cmpint (trimmed.n, ==, 1);
  g_assert_cmpint (trimmed.oldest_us, ==, now_us - 3 * DAY_US);
  hoard_assert_list (hoard->store, "5 1 days;4 2 days;3 3 days;1 5 days;");
  limits.max_age_us = 1;
  /* what is added is there, however old it says it is */
  add_at (hoard, "of old", 1000, &limits);
  hoard_assert_list (hoard->store, "6 of old;1 5 days;");
}

/* a week is what the user has chosen, also after three weeks away */
static void
test_obeyed_age_stays_obeyed (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  gint64 now_us = g_get_real_time ();
  ClipOutcome trimmed;

  limits.cautious = CLIP_LIMIT_AGE;
  limits.max_age_us = 7 * DAY_US;
  g_assert_cmpuint (hoard_trim (hoard->store, limits, FALSE).spared, ==, 0);
  add_some (hoard, 20, now_us - 21 * DAY_US, 1000);
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 20);

  add_some (hoard, 20, now_us - 6 * DAY_US, 1000);
  limits.max_age_us = 5 * DAY_US;
  trimmed = hoard_trim (hoard->store, limits, FALSE);
  g_assert_cmpint (trimmed.n, ==, 0);
  g_assert_cmpuint (trimmed.spared, ==, CLIP_LIMIT_AGE);
  limits.cautious = 0;
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 20);
}

/* without it for a while, and then again: nobody has seen what it takes */
static void
test_age_given_up_is_forgotten (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;

  limits.cautious = CLIP_LIMIT_AGE;
  limits.max_age_us = 7 * DAY_US;
  hoard_trim (hoard->store, limits, FALSE);
  limits.max_age_us = 0;
  hoard_trim (hoard->store, limits, FALSE);
  add_some (hoard, 20, 1000, 1000);
  limits.max_age_us = 7 * DAY_US;
  g_assert_cmpuint (hoard_trim (hoard->store, limits, FALSE).spared, ==, CLIP_LIMIT_AGE);
}

static void
test_count_is_what_goes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;

  add_some (hoard, 40, 1000, 1);
  hoard_pin (hoard->store, 2, TRUE);
  for (gint64 id = 1; id <= 39; id += 19)
    {
      Answer answer = { NULL };

      clip_store_change_async (hoard->store, clip_change_expire (id, 1000), on_answer,
                               &answer);
      g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
    }
  for (guint i = 0; i < 3; i++)
    {
      gint64 n;

      limits.max_items = i == 0 ? 30 : -1;
      limits.max_total_bytes = i == 1 ? 200 : 0;
      limits.max_age_us = i == 2 ? 1 : 0;
      n = hoard_trim (hoard->store, limits, TRUE).n;
      g_assert_cmpint (n, >, 0);
      g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, n);
    }
  hoard_assert_list (hoard->store, "2 0000000001;");
}

/* an import gives what is old a higher id than what is new */
static void
test_old_above_new (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *age = g_strdup_printf ("%" G_GINT64_FORMAT, 30 * DAY_US);
  ClipLimits limits = CLIP_NO_LIMITS;
  gint64 now_us = g_get_real_time ();
  Answer answer = { NULL };
  ClipOutcome trimmed;

  add_at (hoard, "new", now_us - DAY_US, NULL);
  add_some (hoard, 50, now_us - 1000 * DAY_US, 1000);
  add_at (hoard, "newest", now_us, NULL);
  clip_store_change_async (hoard->store, clip_change_note ("max-age", age), on_answer,
                           &answer);
  hoard_wait_n (hoard->store, &answer, NULL);
  hoard_assert_list (hoard->store, "52 newest;1 new;");
  limits.thorough = TRUE;
  limits.max_age_us = 30 * DAY_US;
  g_assert_cmpint (hoard_trim (hoard->store, limits, TRUE).n, ==, 50);
  limits.max_items = 2;
  g_assert_cmpint (hoard_trim (hoard->store, limits, TRUE).n, ==, 50);
  limits.max_items = 1;
  g_assert_cmpint (hoard_trim (hoard->store, limits, TRUE).n, ==, 51);
  limits.max_items = -1;
  trimmed = hoard_trim (hoard->store, limits, FALSE);
  g_assert_cmpint (trimmed.n, ==, 50);
  g_assert_cmpint (trimmed.oldest_us, ==, now_us - DAY_US);
  hoard_assert_list (hoard->store, "52 newest;1 new;");
}

/* --- below the store: without its thread --- */

static ClipTransaction *
open_transaction (Hoard *hoard)
{
  g_autoptr (GError) error = NULL;
  ClipBlobs *blobs = clip_blobs_open (hoard->dir, &error);
  ClipStatements *database = clip_connect_folder (hoard->dir, &error);
  ClipTransaction *transaction;

  g_assert_no_error (error);
  transaction = clip_transaction_new (hoard->dir, database, blobs, FALSE, &error);
  g_assert_no_error (error);
  clip_blobs_unref (blobs);
  g_assert_true (clip_transaction_begin (transaction, &error));
  return transaction;
}

static gint64
count_steps (ClipTransaction *transaction)
{
  sqlite3 *db = clip_statements_handle (clip_transaction_db (transaction));
  gint64 steps = 0;

  for (sqlite3_stmt *s = sqlite3_next_stmt (db, NULL); s; s = sqlite3_next_stmt (db, s))
    steps += sqlite3_stmt_status (s, SQLITE_STMTSTATUS_VM_STEP, FALSE);
  return steps;
}

/* how much SQLite does to remove the ten oldest of so many */
static gint64
measure_trim (guint n, gboolean by_age)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipTransaction) transaction = NULL;
  g_autoptr (GError) error = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipChangeProgress progress = { 0 };
  gint64 before;

  hoard_fill (hoard, n);
  transaction = open_transaction (hoard);
  limits.max_items = n - 10;
  limits.max_age_us = by_age ? DAY_US : 0;
  limits.cautious = CLIP_LIMIT_ITEMS | CLIP_LIMIT_BYTES | CLIP_LIMIT_AGE;
  before = count_steps (transaction);
  g_assert_true (clip_step_weigh (transaction, clip_transaction_totals (transaction),
                                  &limits, &progress, &error));
  g_assert_cmpint (
      clip_step_trim (transaction, &progress.limits, 0, &progress.outcome, &error), ==,
      CLIP_CHANGE_DONE);
  g_assert_cmpint (progress.outcome.n, ==, 10);
  before = count_steps (transaction) - before;
  clip_transaction_abandon (transaction);
  return before;
}

static void
test_cost_is_of_what_goes (void)
{
  for (guint by_age = 0; by_age < 2; by_age++)
    {
      gint64 of_few = measure_trim (200, by_age);
      gint64 of_many = measure_trim (100000, by_age);

      g_assert_cmpint (of_few, >, 0);
      g_assert_cmpint (of_many, ==, of_few);
    }
}

static void
test_oldest_make_room (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipTransaction) transaction = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipDraft) draft = clip_draft_new ("");
  ClipChangeProgress progress = { .room_bytes = 150000, .limits = CLIP_NO_LIMITS };

  for (guint32 seed = 1; seed <= 5; seed++)
    hoard_add_blob (hoard->store, 100000, seed);
  hoard_pin (hoard->store, 1, TRUE);
  transaction = open_transaction (hoard);
  progress.limits.min_free_bytes = 1;
  g_assert_cmpint (clip_step_make_room (transaction, draft, &progress, &error), ==,
                   CLIP_CHANGE_MORE);
  g_assert_cmpint (progress.outcome.n, ==, 2);
  g_assert_cmpint (clip_step_make_room (transaction, draft, &progress, &error), ==,
                   CLIP_CHANGE_DONE);
  g_assert_cmpint (progress.outcome.n, ==, 2);
  g_assert_true (clip_transaction_commit (transaction, &error));
  hoard_reopen (hoard, 0);
  hoard_assert_totals (hoard->store, 3, 300000, 1);
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 2);
}

/* a disk that somebody else has filled is not helped by an empty history: an entry goes
 * for an entry, and none where none may go */
static void
test_as_much_goes_as_comes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipOutcome added = { 0 };

  for (guint i = 1; i <= 3; i++)
    hoard_add_text (hoard->store, i == 1 ? "one" : i == 2 ? "two" : "six");
  limits.min_free_bytes = G_MAXINT64 / 2;
  g_assert_true (hoard_try_add (hoard->store,
                                hoard_draft (hoard->store, TEXT, "four", NULL), &limits,
                                &added, &error));
  hoard_assert_list (hoard->store, "4 four;3 six;");
  hoard_pin (hoard->store, 3, TRUE);
  hoard_pin (hoard->store, 4, TRUE);
  g_assert_false (hoard_try_add (hoard->store,
                                 hoard_draft (hoard->store, TEXT, "five", NULL), &limits,
                                 &added, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_nonnull (strstr (error->message, "bytes are missing"));
  hoard_assert_list (hoard->store, "4 four;3 six;");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spare/more-than-a-tenth-spared", test_more_than_a_tenth_spared);
  g_test_add_func ("/spare/asked-for-is-obeyed", test_asked_for_is_obeyed);
  g_test_add_func ("/spare/kept-limit-goes-on", test_kept_limit_goes_on);
  g_test_add_func ("/spare/old-go", test_old_go);
  g_test_add_func ("/spare/obeyed-age-stays-obeyed", test_obeyed_age_stays_obeyed);
  g_test_add_func ("/spare/age-given-up-is-forgotten", test_age_given_up_is_forgotten);
  g_test_add_func ("/store/old-above-new", test_old_above_new);
  g_test_add_func ("/spare/count-is-what-goes", test_count_is_what_goes);
  g_test_add_func ("/spare/cost-is-of-what-goes", test_cost_is_of_what_goes);
  g_test_add_func ("/spare/oldest-make-room", test_oldest_make_room);
  g_test_add_func ("/spare/as-much-goes-as-comes", test_as_much_goes_as_comes);
  return g_test_run ();
}

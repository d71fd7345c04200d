/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is deleted or wiped: that, all of it, and nothing else. */
#include "hoard-check.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define TEXT "text/plain;charset=utf-8"
#define HTML "text/html"

static void
test_wipe_spares_pinned (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipTotals totals;

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_add_blob (hoard->store, 100000, 1);
  hoard_pin (hoard->store, 1, TRUE);
  clip_store_get_totals (hoard->store, &totals);
  g_assert_cmpint (totals.pinned_bytes, ==, 3);
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 2);
  hoard_assert_list (hoard->store, "1 one;");
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
  g_assert_cmpint (hoard_add_text (hoard->store, "three"), ==, 4);
  g_assert_cmpint (hoard_wipe (hoard->store, TRUE, 0), ==, 2);
  hoard_assert_list (hoard->store, "");
}

/* whoever wipes means all of it; whoever wipes a part does not say which */
static void
test_wiped_is_not_set_aside (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *damaged = g_build_filename (hoard->dir, "damaged", NULL);
  g_autofree char *folder = g_build_filename (damaged, "20240101-120000", NULL);
  g_autofree char *file = g_build_filename (folder, "history.db", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);

  hoard_add_text (hoard->store, "one");
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "a secret", -1, NULL));
  g_assert_cmpint (symlink (hoard->dir, link), ==, 0);
  hoard_wipe (hoard->store, FALSE, G_MAXINT64);
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 1);
  g_assert_false (g_file_test (damaged, G_FILE_TEST_EXISTS));
  g_assert_cmpint (hoard_add_text (hoard->store, "two"), ==, 2);
}

/* more than a signal lists */
static void
test_wiped_many_are_one_signal (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  g_autoptr (GString) heard = NULL;

  hoard_fill (hoard, 1001);
  heard = hoard_listen (hoard->store);
  hoard_add_text (hoard->store, "one more");
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 1002);
  g_assert_cmpstr (heard->str, ==, "+1002 -many ");
}

/* of SQLite's own, which would keep each page that is changed as it was, for a
   savepoint */
static void
test_wipe_takes_little_memory (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_fill (hoard, 100000);
  g_assert_cmpint (sqlite3_memory_highwater (TRUE), >, 0);
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 100000);
  g_assert_cmpint (sqlite3_memory_highwater (FALSE), <, 8 * 1024 * 1024);
}

/* by another process, in one transaction: more than is kept for us to announce */
static void
test_others_remove_many (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  g_autoptr (GString) heard = NULL;
  g_autoptr (GError) error = NULL;
  ClipStore *other;

  hoard_fill (hoard, 300);
  other = clip_store_open (hoard->dir, 0, &error);
  g_assert_no_error (error);
  heard = hoard_listen (hoard->store);
  g_assert_cmpint (hoard_wipe (other, FALSE, 0), ==, 300);
  while (!strstr (heard->str, "-300 "))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_str_has_prefix (heard->str, "-many -46 -47 "));
  clip_store_close (other);
  g_object_unref (other);
}

static void
test_ids_survive_wipe (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = hoard_listen (hoard->store);

  hoard_add_text (hoard->store, "one");
  hoard_add_blob (hoard->store, 100000, 1);
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 2);
  hoard_assert_totals (hoard->store, 0, 0, 0);
  g_assert_cmpint (clip_store_newest (hoard->store), ==, 0);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
  hoard_reopen (hoard, 0);
  g_assert_cmpint (hoard_add_text (hoard->store, "two"), ==, 3);
  hoard_assert_bytes (hoard->store, 3, TEXT, "two");
  g_assert_cmpstr (heard->str, ==, "+1 +2 -1 -2 ");
}

static void
test_wipe_since (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  for (gint64 us = 1; us <= 4; us++)
    {
      g_autofree char *text = g_strdup_printf ("at %d", (int) us);
      ClipDraft *draft = hoard_draft (hoard->store, TEXT, text, NULL);

      clip_draft_set_times (draft, us, us);
      hoard_add (hoard->store, draft, NULL);
    }
  hoard_pin (hoard->store, 4, TRUE);
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 3), ==, 1);
  hoard_assert_list (hoard->store, "4 at 4;2 at 2;1 at 1;");
}

static void
test_delete (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  const gint64 ids[] = { 1, 77, 3 };
  Answer answer = { NULL };

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_add_blob (hoard->store, 100000, 1);
  clip_store_change_async (hoard->store, clip_change_delete (ids, 3), on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 2);
  hoard_assert_list (hoard->store, "2 two;");
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
  hoard_assert_totals (hoard->store, 1, 3, 0);
  /* it is new again */
  g_assert_cmpint (hoard_add_text (hoard->store, "one"), ==, 4);
  hoard_assert_list (hoard->store, "4 one;2 two;");
}

static void
test_delete_newest (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_change_async (hoard->store, clip_change_delete_newest (), on_answer,
                           &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 0);
  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_pin (hoard->store, 1, TRUE);
  clip_store_change_async (hoard->store, clip_change_delete_newest (), on_answer,
                           &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  clip_store_change_async (hoard->store, clip_change_delete_newest (), on_answer,
                           &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 0);
  hoard_assert_list (hoard->store, "1 one;");
}

static gint64
delete_matching (ClipStore *store, const char *text)
{
  g_autoptr (GBytes) needle = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_delete_matching_async (store, needle, NULL, on_answer, &answer);
  return hoard_wait_n (store, &answer, &error);
}

static void
test_delete_matching (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *large = g_malloc0 (600000);
  g_autoptr (ClipStage) stage = NULL;
  ClipDraft *draft = clip_draft_new ("");

  hoard_add_text (hoard->store, "Needle in text");
  hoard_add_text (hoard->store, "needle in lower case");
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "plain", HTML, "Needle", NULL), NULL);
  /* where one window of the search ends */
  memcpy (large + 256 * 1024 - 3, "Needle", 6);
  stage = hoard_stage (hoard->store, large, 600000);
  clip_draft_add (draft, "application/x-test", stage, 600000);
  hoard_add (hoard->store, draft, NULL);
  /* where the preview ends and the rest begins */
  hoard_add_text (hoard->store, "line ends\nand goes on");

  g_assert_cmpint (delete_matching (hoard->store, "Needle"), ==, 2);
  g_assert_cmpint (delete_matching (hoard->store, "Needle"), ==, 0);
  hoard_assert_list (hoard->store,
                     "5 line ends and goes on;3 plain;2 needle in lower case;");
  g_assert_cmpint (delete_matching (hoard->store, "ends\nand"), ==, 1);
}

static void
test_split_text_matched (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add_text (hoard->store, "the end \n");
  g_assert_cmpint (delete_matching (hoard->store, "end \n"), ==, 1);
}

/* one transaction of all of them would say that there are many */
static void
test_many_matching (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  GString *heard;

  hoard_fill (hoard, 2500);
  hoard_add_text (hoard->store, "another");
  heard = hoard_listen (hoard->store);
  g_assert_cmpint (delete_matching (hoard->store, "00"), ==, 2500);
  hoard_assert_list (hoard->store, "2501 another;");
  g_assert_null (strstr (heard->str, "-many"));
  g_assert_nonnull (strstr (heard->str, "-2500 "));
  g_string_free (heard, TRUE);
}

static void
wait_overwritten (ClipStore *store)
{
  while (clip_store_is_overwriting (store))
    g_main_context_iteration (NULL, FALSE);
}

static void
test_deleted_is_gone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add_text (hoard->store, "before");
  hoard_add_text (hoard->store, "a very SECRET thing");
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "x", HTML, "another SECRET", NULL), NULL);
  hoard_add_text (hoard->store, "after");
  g_assert_true (hoard_holds (hoard->dir, "SECRET"));
  hoard_delete (hoard->store, 2);
  hoard_delete (hoard->store, 3);
  wait_overwritten (hoard->store);
  g_assert_false (hoard_holds (hoard->dir, "SECRET"));
  g_assert_true (hoard_holds (hoard->dir, "before"));
}

/* among many, so that pages are split and merged on the way */
static void
test_deleted_among_many_is_gone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };
  gint64 last = 0;

  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *fill = g_strnfill ((gsize) g_rand_int_range (random, 1, 900), 'x');
      g_autofree char *text =
          g_strdup_printf ("%u %s %s", i, i % 3 ? "open" : "SECRET", fill);
      Answer added = { NULL };

      clip_store_change_async (
          hoard->store,
          clip_change_add (hoard_draft (hoard->store, TEXT, text, NULL), NULL), on_answer,
          &added);
      g_object_unref (answer_wait (&added));
      last++;
      if (i % 3 == 0)
        g_array_append_val (ids, last);
    }
  g_assert_true (hoard_holds (hoard->dir, "SECRET"));
  clip_store_change_async (hoard->store,
                           clip_change_delete ((gint64 *) (gpointer) ids->data, ids->len),
                           on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 200);
  wait_overwritten (hoard->store);
  g_assert_false (hoard_holds (hoard->dir, "SECRET"));
}

static void
test_wiped_is_gone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  Answer answers[300] = { { NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *text = g_strdup_printf ("SECRET %u", i * 7919);

      clip_store_change_async (
          hoard->store,
          clip_change_add (
              hoard_draft (hoard->store, TEXT, text, HTML, "SECRET too", NULL), NULL),
          on_answer, &answers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    g_object_unref (answer_wait (&answers[i]));
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 300);
  wait_overwritten (hoard->store);
  g_assert_false (hoard_holds (hoard->dir, "SECRET"));
}

static void
test_space_comes_back (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *path = g_build_filename (hoard->dir, "history.db", NULL);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };
  GStatBuf status;

  for (gint64 i = 1; i <= 100; i++)
    {
      g_autoptr (ClipStage) stage = hoard_stage_of (hoard->store, 60000, (guint) i);
      ClipDraft *draft = clip_draft_new ("");

      clip_draft_add (draft, "application/x-test", stage, 60000);
      hoard_add (hoard->store, draft, NULL);
      g_array_append_val (ids, i);
    }
  clip_store_change_async (hoard->store,
                           clip_change_delete ((gint64 *) (gpointer) ids->data, 99),
                           on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 99);
  hoard_reopen (hoard, 0);
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_size, <, 1000000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/wipe-spares-pinned", test_wipe_spares_pinned);
  g_test_add_func ("/store/wiped-is-not-set-aside", test_wiped_is_not_set_aside);
  g_test_add_func ("/store/wiped-many-are-one-signal", test_wiped_many_are_one_signal);
  g_test_add_func ("/store/wipe-takes-little-memory", test_wipe_takes_little_memory);
  g_test_add_func ("/store/others-remove-many", test_others_remove_many);
  g_test_add_func ("/store/ids-survive-wipe", test_ids_survive_wipe);
  g_test_add_func ("/store/wipe-since", test_wipe_since);
  g_test_add_func ("/store/delete", test_delete);
  g_test_add_func ("/store/delete-newest-unless-pinned", test_delete_newest);
  g_test_add_func ("/store/delete-matching", test_delete_matching);
  g_test_add_func ("/store/delete-matching-many", test_many_matching);
  g_test_add_func ("/store/split-text-matched", test_split_text_matched);
  g_test_add_func ("/store/deleted-is-gone", test_deleted_is_gone);
  g_test_add_func ("/store/deleted-among-many-is-gone", test_deleted_among_many_is_gone);
  g_test_add_func ("/store/wiped-is-gone", test_wiped_is_gone);
  g_test_add_func ("/store/space-comes-back", test_space_comes_back);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "hoard.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT "text/plain;charset=utf-8"
#define HTML "text/html"

/* what the signals said, one after the other */
static GString *listen (ClipStore *store);

static void
on_added (ClipStore *store G_GNUC_UNUSED, ClipEntry *entry, GString *heard)
{
  g_string_append_printf (heard, "+%d ", (int) entry->row.id);
}

static void
on_moved (ClipStore *store G_GNUC_UNUSED, gint64 old_id, gint64 new_id, GString *heard)
{
  g_string_append_printf (heard, "%d>%d ", (int) old_id, (int) new_id);
}

static void
on_removed (ClipStore *store G_GNUC_UNUSED, GArray *ids, GString *heard)
{
  for (guint i = 0; i < ids->len; i++)
    g_string_append_printf (heard, "-%d ", (int) g_array_index (ids, gint64, i));
}

static void
on_changed (ClipStore *store G_GNUC_UNUSED, ClipEntry *entry, GString *heard)
{
  g_string_append_printf (heard, "*%d ", (int) entry->row.id);
}

static GString *
listen (ClipStore *store)
{
  GString *heard = g_string_new (NULL);

  g_signal_connect (store, "entry-added", G_CALLBACK (on_added), heard);
  g_signal_connect (store, "entry-moved", G_CALLBACK (on_moved), heard);
  g_signal_connect (store, "entries-removed", G_CALLBACK (on_removed), heard);
  g_signal_connect (store, "entry-changed", G_CALLBACK (on_changed), heard);
  return heard;
}

static void
assert_bytes (ClipStore *store, gint64 id, const char *mime, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hoard_bytes (store, id, mime, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected,
                   strlen (expected));
}

static void
assert_list (ClipStore *store, const char *expected)
{
  g_autofree char *list = hoard_list (store);

  g_assert_cmpstr (list, ==, expected);
}

static void
assert_totals (ClipStore *store, gint64 count, gint64 bytes, gint64 pinned)
{
  ClipTotals totals;

  clip_store_get_totals (store, &totals);
  g_assert_cmpint (totals.count, ==, count);
  g_assert_cmpint (totals.bytes, ==, bytes);
  g_assert_cmpint (totals.pinned, ==, pinned);
}

static void
test_text_comes_back (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  gint64 id = hoard_add_text (hoard->store, "hello\n");
  g_autoptr (ClipEntry) entry = hoard_lookup (hoard->store, id, &error);

  g_assert_no_error (error);
  g_assert_cmpint (id, ==, 1);
  assert_bytes (hoard->store, id, NULL, "hello\n");
  assert_bytes (hoard->store, id, "", "hello\n");
  assert_bytes (hoard->store, id, TEXT, "hello\n");
  g_assert_cmpstr (entry->row.preview, ==, "hello");
  g_assert_cmpstr (entry->row.mime, ==, TEXT);
  g_assert_cmpstr (entry->row.origin, ==, "test clipboard unit");
  g_assert_cmpint (entry->row.kind, ==, CLIP_CLASS_TEXT);
  g_assert_cmpint (entry->row.size, ==, 6);
  g_assert_cmpint (entry->row.copies, ==, 1);
  g_assert_cmpint (clip_store_newest (hoard->store), ==, 1);
  assert_totals (hoard->store, 1, 6, 0);
}

/* inline and in a file, at the sizes where one becomes the other, with and without a
 * preview that the content begins with */
static void
test_every_size_comes_back (void)
{
  static const gsize sizes[] = { 0,     1,     100,   3000,   4096,   4097,
                                 65535, 65536, 65537, 200000, 5000000 };
  g_autoptr (Hoard) hoard = hoard_new (0);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint binary = 0; binary < 2; binary++)
      {
        g_autoptr (ClipStage) stage = NULL;
        g_autoptr (GBytes) sent = NULL;
        g_autoptr (GBytes) back = NULL;
        g_autoptr (GError) error = NULL;
        g_autofree char *text = g_malloc (sizes[i] + 1);
        ClipDraft *draft = clip_draft_new ("");
        ClipAdded added;

        memset (text, 'a' + (int) i, sizes[i]);
        stage = binary ? hoard_stage_of (hoard->store, sizes[i], i)
                       : hoard_stage (hoard->store, text, sizes[i]);
        clip_draft_add (draft, binary ? "application/x-test" : TEXT, stage,
                        (gint64) sizes[i]);
        sent = clip_stage_head (stage, sizes[i], &error);
        added = hoard_add (hoard->store, draft, NULL);
        back = hoard_bytes (hoard->store, added.id, NULL, &error);
        g_assert_no_error (error);
        g_assert_true (g_bytes_equal (sent, back));
      }
}

static mode_t
mode_of (const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_mode & 0777;
}

static void
test_modes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *blobs = g_build_filename (hoard->dir, "blobs", NULL);
  g_autofree char *shard = NULL;
  GDir *folder;

  hoard_add_blob (hoard->store, 100000, 1);
  folder = g_dir_open (blobs, 0, NULL);
  shard = g_build_filename (blobs, g_dir_read_name (folder), NULL);
  g_dir_close (folder);
  folder = g_dir_open (shard, 0, NULL);
  g_assert_cmpint (mode_of (shard, g_dir_read_name (folder)), ==, 0400);
  g_dir_close (folder);
  g_assert_cmpint (mode_of (shard, "."), ==, 0700);
  g_assert_cmpint (mode_of (blobs, "."), ==, 0700);
  g_assert_cmpint (mode_of (hoard->dir, "history.db"), ==, 0600);
  g_assert_cmpint (mode_of (hoard->dir, "history.db-wal"), ==, 0600);
}

static void
test_several_contents (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) missing = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  ClipAdded added =
      hoard_add (hoard->store,
                 hoard_draft (hoard->store, TEXT, "plain", HTML, "<b>rich</b>",
                              "x-special/other", "more", NULL),
                 NULL);

  entry = hoard_lookup (hoard->store, added.id, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entry->contents->len, ==, 3);
  g_assert_cmpstr (((ClipContent *) entry->contents->pdata[1])->mime, ==, HTML);
  g_assert_cmpint (((ClipContent *) entry->contents->pdata[2])->size, ==, 4);
  assert_bytes (hoard->store, added.id, HTML, "<b>rich</b>");
  assert_bytes (hoard->store, added.id, "x-special/other", "more");
  assert_bytes (hoard->store, added.id, "UTF8_STRING", "plain");
  g_assert_null (hoard_bytes (hoard->store, added.id, "image/png", &missing));
  g_assert_error (missing, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT);
  assert_totals (hoard->store, 1, 20, 0);
}

static void
test_missing_entry (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) bytes_error = NULL;

  g_assert_null (hoard_lookup (hoard->store, 99, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "id 99 not found");
  g_assert_null (hoard_bytes (hoard->store, 99, NULL, &bytes_error));
  g_assert_error (bytes_error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

static void
test_same_again_moves (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  ClipDraft *first = hoard_draft (hoard->store, TEXT, "one", NULL);
  ClipDraft *again = NULL;
  ClipAdded added;

  clip_draft_set_times (first, 1000, 2000);
  hoard_add (hoard->store, first, NULL);
  hoard_add_text (hoard->store, "two");
  again = hoard_draft (hoard->store, TEXT, "one", NULL);
  clip_draft_set_times (again, 5000, 5000);
  added = hoard_add (hoard->store, again, NULL);
  g_assert_cmpint (added.id, ==, 3);
  g_assert_cmpint (added.moved_from, ==, 1);
  assert_list (hoard->store, "3 one;2 two;");
  entry = hoard_lookup (hoard->store, 3, &error);
  g_assert_cmpint (entry->row.first_us, ==, 1000);
  g_assert_cmpint (entry->row.last_us, ==, 5000);
  g_assert_cmpint (entry->row.copies, ==, 2);
  assert_totals (hoard->store, 2, 6, 0);
}

/* the id says that something was copied, even if it was the newest already */
static void
test_newest_again_moves (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpint (hoard_add_text (hoard->store, "one"), ==, 1);
  g_assert_cmpint (hoard_add_text (hoard->store, "one"), ==, 2);
  assert_list (hoard->store, "2 one;");
}

static void
test_large_again_moves (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpint (hoard_add_blob (hoard->store, 300000, 7), ==, 1);
  g_assert_cmpint (hoard_add_blob (hoard->store, 300000, 8), ==, 2);
  g_assert_cmpint (hoard_add_blob (hoard->store, 300000, 7), ==, 3);
  assert_totals (hoard->store, 2, 600000, 0);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 2);
}

static void
test_move_keeps_everything (void)
{
  static const char *const tags[] = { "red", "blue", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  Answer answer = { NULL };

  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "plain", HTML, "<b>rich</b>", NULL), NULL);
  hoard_pin (hoard->store, 1, TRUE);
  clip_store_set_tags_async (hoard->store, 1, tags, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  clip_store_set_expiry_async (hoard->store, 1, G_MAXINT64, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  g_assert_no_error (error);

  g_assert_cmpint (hoard_add_text (hoard->store, "plain"), ==, 2);
  entry = hoard_lookup (hoard->store, 2, &error);
  g_assert_no_error (error);
  g_assert_true (entry->row.pinned);
  g_assert_cmpint (entry->row.expires_us, ==, G_MAXINT64);
  g_assert_true (g_strv_contains ((const char *const *) entry->tags, "red"));
  g_assert_true (g_strv_contains ((const char *const *) entry->tags, "blue"));
  g_assert_cmpuint (entry->contents->len, ==, 2);
  assert_bytes (hoard->store, 2, HTML, "<b>rich</b>");
  assert_totals (hoard->store, 1, 16, 1);
}

static void
test_richer_replaces_plainer (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = listen (hoard->store);
  ClipAdded added;

  hoard_add_text (hoard->store, "plain");
  hoard_pin (hoard->store, 1, TRUE);
  added = hoard_add (hoard->store,
                     hoard_draft (hoard->store, TEXT, "plain", HTML, "<b>rich</b>", NULL),
                     NULL);
  g_assert_cmpint (added.moved_from, ==, 1);
  assert_list (hoard->store, "2 plain;");
  assert_bytes (hoard->store, 2, HTML, "<b>rich</b>");
  assert_totals (hoard->store, 1, 16, 1);
  g_assert_cmpstr (heard->str, ==, "+1 *1 1>2 *2 ");
}

static void
test_neither_within_the_other (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "a", HTML, "1", NULL), NULL);
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "a", HTML, "2", NULL), NULL);
  assert_list (hoard->store, "2 a;1 a;");
  /* all that the second has, and the first has not */
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "a", HTML, "2", "text/x", "3", NULL), NULL);
  assert_list (hoard->store, "3 a;1 a;");
}

static void
test_narrow_search_lets_twins_in (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = NULL;
  ClipLimits narrow = CLIP_NO_LIMITS;

  narrow.max_dedupe_search = 1;
  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  /* the newest two are looked at */
  g_assert_cmpint (
      hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "one", NULL), &narrow)
          .moved_from,
      ==, 1);
  hoard_add_text (hoard->store, "three");
  g_assert_cmpint (
      hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "two", NULL), &narrow)
          .moved_from,
      ==, 0);
  assert_list (hoard->store, "5 two;4 three;3 one;2 two;");
  heard = listen (hoard->store);
  /* one of them remains */
  g_assert_cmpint (hoard_add_text (hoard->store, "two"), ==, 6);
  assert_list (hoard->store, "6 two;4 three;3 one;");
  g_assert_cmpstr (heard->str, ==, "5>6 -2 ");
}

static void
test_oldest_trimmed_first (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipAdded added;

  for (char text[] = "a"; *text <= 'f'; (*text)++)
    hoard_add_text (hoard->store, text);
  hoard_pin (hoard->store, 2, TRUE);
  limits.max_items = 3;
  added = hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "g", NULL), &limits);
  g_assert_cmpint (added.n_trimmed, ==, 3);
  assert_list (hoard->store, "7 g;6 f;5 e;2 b;");
  hoard_pin (hoard->store, 2, FALSE);
  added = hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "h", NULL), &limits);
  g_assert_cmpint (added.n_trimmed, ==, 2);
  assert_list (hoard->store, "8 h;7 g;6 f;");
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
  assert_list (hoard->store, "3 six;2 five5;");
  assert_totals (hoard->store, 2, 8, 0);
  /* one that is larger than all may be is what remains */
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "twelve-bytes", NULL),
             &limits);
  assert_list (hoard->store, "4 twelve-bytes;");
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
  assert_list (hoard->store, "4 word 3;1 a pinned one, larger than all may be;");
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "four", NULL), &limits);
  assert_list (hoard->store, "5 four;4 word 3;1 a pinned one, larger than all may be;");
  hoard_reopen (hoard, 0);
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "five", NULL), &limits);
  assert_list (hoard->store, "6 five;5 four;1 a pinned one, larger than all may be;");
  /* it counts again */
  hoard_pin (hoard->store, 1, FALSE);
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "six", NULL), &limits);
  assert_list (hoard->store, "7 six;6 five;");
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
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "plain", HTML, "<b>rich</b>",
                          "x-special/other", "more", NULL),
             NULL);
  assert_sums (hoard->dir);
  assert_totals (hoard->store, 1, 20, 1);

  /* a pinned twin is merged into one that is not, and holds more */
  hoard_add_text (hoard->store, "twin");
  hoard_pin (hoard->store, 4, TRUE);
  hoard_add_text (hoard->store, "between");
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "twin", HTML, "<i>t</i>", NULL), &narrow);
  assert_totals (hoard->store, 4, 43, 2);
  hoard_add_text (hoard->store, "twin");
  assert_totals (hoard->store, 3, 39, 2);
  assert_sums (hoard->dir);

  hoard_pin (hoard->store, 3, FALSE);
  assert_sums (hoard->dir);
  hoard_delete (hoard->store, 7);
  assert_sums (hoard->dir);
  hoard_pin (hoard->store, 3, TRUE);
  hoard_wipe (hoard->store, FALSE, 0);
  assert_sums (hoard->dir);
  hoard_wipe (hoard->store, TRUE, 0);
  assert_sums (hoard->dir);
  assert_totals (hoard->store, 0, 0, 0);
}

static void
test_no_items_empties (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipAdded added;

  hoard_add_text (hoard->store, "one");
  heard = listen (hoard->store);
  limits.max_items = 0;
  added =
      hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "two", NULL), &limits);
  g_assert_cmpint (added.id, ==, 2);
  assert_list (hoard->store, "");
  assert_totals (hoard->store, 0, 0, 0);
  g_assert_cmpstr (heard->str, ==, "-1 ");
}

static void
test_trim_goes_on (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;
  Answer answers[2500] = { { NULL } };
  Answer answer = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      clip_store_add_async (hoard->store, hoard_draft (hoard->store, TEXT, text, NULL),
                            NULL, on_answer, &answers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    g_object_unref (answer_wait (&answers[i]));
  limits.max_items = 3;
  clip_store_trim_async (hoard->store, &limits, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 2497);
  assert_list (hoard->store, "2500 2499;2499 2498;2498 2497;");
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
      clip_store_set_expiry_async (hoard->store, id, id == 3 ? G_MAXINT64 : 1000,
                                   on_answer, &answer);
      g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
    }
  clip_store_trim_async (hoard->store, &limits, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  assert_list (hoard->store, "3 future;2 pinned;");
}

static void
expire_at (ClipStore *store, gint64 id, gint64 expires_us)
{
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_set_expiry_async (store, id, expires_us, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (store, &answer, &error), ==, 1);
  g_assert_no_error (error);
}

/* what is copied now has no more to do with a time that has passed: whether it moves or
 * is replaced, and whether it was there when the daemon started */
static void
test_expired_again_stays (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  ClipLimits limits = CLIP_NO_LIMITS;
  ClipDraft *initial;
  Answer answer = { NULL };

  for (guint i = 0; i < 3; i++)
    hoard_add_text (hoard->store, "initial");
  expire_at (hoard->store, 3, 1000);
  initial = hoard_draft (hoard->store, TEXT, "initial", NULL);
  clip_draft_set_initial (initial);
  hoard_add (hoard->store, initial, NULL);
  assert_list (hoard->store, "4 initial;");
  clip_store_trim_async (hoard->store, &limits, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 0);

  hoard_add_text (hoard->store, "moved");
  expire_at (hoard->store, 5, 1000);
  g_assert_cmpint (hoard_add_text (hoard->store, "moved"), ==, 6);
  expire_at (hoard->store, 6, 1000);
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "moved", HTML, "<b>moved</b>", NULL), NULL);
  assert_list (hoard->store, "7 moved;4 initial;");
  clip_store_trim_async (hoard->store, &limits, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 0);
}

static void
test_wipe_spares_pinned (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_add_blob (hoard->store, 100000, 1);
  hoard_pin (hoard->store, 1, TRUE);
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 2);
  assert_list (hoard->store, "1 one;");
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
  g_assert_cmpint (hoard_add_text (hoard->store, "three"), ==, 4);
  g_assert_cmpint (hoard_wipe (hoard->store, TRUE, 0), ==, 2);
  assert_list (hoard->store, "");
}

static void
test_ids_survive_wipe (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = listen (hoard->store);

  hoard_add_text (hoard->store, "one");
  hoard_add_blob (hoard->store, 100000, 1);
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 2);
  assert_totals (hoard->store, 0, 0, 0);
  g_assert_cmpint (clip_store_newest (hoard->store), ==, 0);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
  hoard_reopen (hoard, 0);
  g_assert_cmpint (hoard_add_text (hoard->store, "two"), ==, 3);
  assert_bytes (hoard->store, 3, TEXT, "two");
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
  assert_list (hoard->store, "4 at 4;2 at 2;1 at 1;");
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
  clip_store_delete_async (hoard->store, ids, 3, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 2);
  assert_list (hoard->store, "2 two;");
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
  assert_totals (hoard->store, 1, 3, 0);
  /* it is new again */
  g_assert_cmpint (hoard_add_text (hoard->store, "one"), ==, 4);
  assert_list (hoard->store, "4 one;2 two;");
}

static void
test_delete_newest (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_delete_newest_async (hoard->store, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 0);
  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_pin (hoard->store, 1, TRUE);
  clip_store_delete_newest_async (hoard->store, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  clip_store_delete_newest_async (hoard->store, on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 0);
  assert_list (hoard->store, "1 one;");
}

static gint64
delete_matching (ClipStore *store, const char *text)
{
  g_autoptr (GBytes) needle = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_delete_matching_async (store, needle, on_answer, &answer);
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
  assert_list (hoard->store, "5 line ends and goes on;3 plain;2 needle in lower case;");
  g_assert_cmpint (delete_matching (hoard->store, "ends\nand"), ==, 1);
}

static void
test_split_text_matched (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add_text (hoard->store, "the end \n");
  g_assert_cmpint (delete_matching (hoard->store, "end \n"), ==, 1);
}

static void
test_burst_keeps_order (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = listen (hoard->store);
  g_autoptr (GString) expected = g_string_new (NULL);
  Answer answers[50] = { { NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      ClipDraft *draft = clip_draft_new ("");
      gsize length = i % 5 == 0 ? 100000 + i : 10 + i;
      g_autoptr (ClipStage) stage = hoard_stage_of (hoard->store, length, i);

      clip_draft_add (draft, "application/x-test", stage, (gint64) length);
      clip_store_add_async (hoard->store, draft, NULL, on_answer, &answers[i]);
      g_string_append_printf (expected, "+%u ", i + 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GAsyncResult) result = answer_wait (&answers[i]);
      g_autoptr (GError) error = NULL;
      ClipAdded added;

      g_assert_true (clip_store_add_finish (hoard->store, result, &added, &error));
      g_assert_cmpint (added.id, ==, i + 1);
    }
  g_assert_cmpstr (heard->str, ==, expected->str);
  assert_totals (hoard->store, 50, 10 * 100000 + 40 * 10 + 49 * 25, 0);
}

/* one that fails takes nothing of those with it that are committed together */
static void
test_failure_stays_alone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  Answer answers[9] = { { NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);
      ClipDraft *draft = hoard_draft (hoard->store, TEXT, text, NULL);
      g_autoptr (ClipStage) stage = hoard_stage_of (hoard->store, 100000, i);
      ClipLimits limits = CLIP_NO_LIMITS;

      clip_draft_add (draft, "application/x-test", stage, i == 4 ? 99999 : 100000);
      limits.min_free_bytes = i == 6 ? G_MAXINT64 : 0;
      clip_store_add_async (hoard->store, draft, &limits, on_answer, &answers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GAsyncResult) result = answer_wait (&answers[i]);
      g_autoptr (GError) error = NULL;

      clip_store_add_finish (hoard->store, result, NULL, &error);
      if (i == 4)
        g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
      else if (i == 6)
        g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
      else
        g_assert_no_error (error);
    }
  assert_list (hoard->store, "7 8;6 7;5 5;4 3;3 2;2 1;1 0;");
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 7);
}

static void
test_set_on_missing (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_set_pinned_async (hoard->store, 5, TRUE, on_answer, &answer);
  hoard_wait_n (hoard->store, &answer, &error);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

static void
test_pin_twice_is_once (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add_text (hoard->store, "one");
  g_assert_cmpint (hoard_pin (hoard->store, 1, TRUE), ==, 1);
  g_assert_cmpint (hoard_pin (hoard->store, 1, TRUE), ==, 0);
  assert_totals (hoard->store, 1, 3, 1);
}

static void
set_note (ClipStore *store, const char *key, const char *value)
{
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_set_note_async (store, key, value, on_answer, &answer);
  hoard_wait_n (store, &answer, &error);
  g_assert_no_error (error);
}

static void
test_notes_outlive (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *before = clip_store_get_note (hoard->store, "paused");
  g_autofree char *set = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *gone = NULL;

  g_assert_null (before);
  set_note (hoard->store, "paused", "-1");
  set = clip_store_get_note (hoard->store, "paused");
  g_assert_cmpstr (set, ==, "-1");
  hoard_reopen (hoard, 0);
  kept = clip_store_get_note (hoard->store, "paused");
  g_assert_cmpstr (kept, ==, "-1");
  set_note (hoard->store, "paused", NULL);
  gone = clip_store_get_note (hoard->store, "paused");
  g_assert_null (gone);
}

static void
wait_heard (const GString *heard, const char *expected)
{
  while (strlen (heard->str) < strlen (expected))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (heard->str, ==, expected);
}

static void
test_hears_of_other_writers (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  g_autoptr (GString) heard = listen (hoard->store);
  g_autoptr (GError) error = NULL;
  ClipStore *other = clip_store_open (hoard->dir, 0, &error);
  g_autofree char *note = NULL;

  g_assert_no_error (error);
  hoard_add_text (other, "one");
  wait_heard (heard, "+1 ");
  hoard_add_text (other, "one");
  wait_heard (heard, "+1 1>2 ");
  hoard_pin (other, 2, TRUE);
  wait_heard (heard, "+1 1>2 *2 ");
  hoard_delete (other, 2);
  wait_heard (heard, "+1 1>2 *2 -2 ");
  assert_totals (hoard->store, 0, 0, 0);
  set_note (other, "key", "value");
  while (!(note = clip_store_get_note (hoard->store, "key")))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (note, ==, "value");
  clip_store_close (other);
  g_object_unref (other);
  /* and says nothing twice */
  hoard_add_text (hoard->store, "two");
  g_assert_cmpstr (heard->str, ==, "+1 1>2 *2 -2 +3 ");
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

      clip_store_add_async (hoard->store, hoard_draft (hoard->store, TEXT, text, NULL),
                            NULL, on_answer, &added);
      g_object_unref (answer_wait (&added));
      last++;
      if (i % 3 == 0)
        g_array_append_val (ids, last);
    }
  g_assert_true (hoard_holds (hoard->dir, "SECRET"));
  clip_store_delete_async (hoard->store, (gint64 *) (gpointer) ids->data, ids->len,
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

      clip_store_add_async (
          hoard->store, hoard_draft (hoard->store, TEXT, text, HTML, "SECRET too", NULL),
          NULL, on_answer, &answers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    g_object_unref (answer_wait (&answers[i]));
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 300);
  wait_overwritten (hoard->store);
  g_assert_false (hoard_holds (hoard->dir, "SECRET"));
}

static void
test_no_files_left_of_duplicates (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  for (guint i = 0; i < 5; i++)
    hoard_add_blob (hoard->store, 70000, 3);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 1);
  hoard_delete (hoard->store, 5);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
}

static void
test_dropped_stage_leaves_nothing (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  clip_stage_unref (hoard_stage_of (hoard->store, 9000000, 3));
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
}

/* what was asked for is done before the store is closed, and what comes later is not */
static void
test_close_finishes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = listen (hoard->store);
  g_autoptr (GAsyncResult) first = NULL;
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) late = hoard_stage (hoard->store, "late", 4);
  ClipDraft *draft = clip_draft_new ("");
  Answer answers[2] = { { NULL } };

  clip_store_add_async (hoard->store, hoard_draft (hoard->store, TEXT, "one", NULL), NULL,
                        on_answer, &answers[0]);
  clip_store_close (hoard->store);
  clip_draft_add (draft, TEXT, late, 4);
  clip_store_add_async (hoard->store, draft, NULL, on_answer, &answers[1]);
  first = answer_wait (&answers[0]);
  g_assert_true (clip_store_add_finish (hoard->store, first, NULL, &error));
  second = answer_wait (&answers[1]);
  g_assert_false (clip_store_add_finish (hoard->store, second, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  g_assert_cmpstr (heard->str, ==, "+1 ");
  hoard_reopen (hoard, 0);
  assert_list (hoard->store, "1 one;");
}

static void
test_draft_needs_content (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;

  g_assert_false (hoard_try_add (hoard->store, clip_draft_new (""), NULL, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
}

static void
test_damaged_blob_is_not_served (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *remove_all =
      g_strdup_printf ("rm -r '%s/blobs'/[0-9a-f]*", hoard->dir);
  g_autoptr (GError) error = NULL;
  gint64 id = hoard_add_blob (hoard->store, 100000, 1);

  g_assert_true (g_spawn_command_line_sync ("true", NULL, NULL, NULL, NULL));
  g_assert_cmpint (system (remove_all), ==, 0);
  g_assert_null (hoard_bytes (hoard->store, id, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  /* the same, copied again, is whole again */
  g_assert_cmpint (hoard_add_blob (hoard->store, 100000, 1), ==, 2);
  g_clear_error (&error);
  g_bytes_unref (hoard_bytes (hoard->store, 2, NULL, &error));
  g_assert_no_error (error);
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
  clip_store_delete_async (hoard->store, (gint64 *) (gpointer) ids->data, 99, on_answer,
                           &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 99);
  hoard_reopen (hoard, 0);
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_size, <, 1000000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/text-comes-back", test_text_comes_back);
  g_test_add_func ("/store/every-size-comes-back", test_every_size_comes_back);
  g_test_add_func ("/store/files-are-the-users-alone", test_modes);
  g_test_add_func ("/store/several-contents", test_several_contents);
  g_test_add_func ("/store/missing-entry", test_missing_entry);
  g_test_add_func ("/store/same-again-moves-up", test_same_again_moves);
  g_test_add_func ("/store/newest-again-gets-the-next-id", test_newest_again_moves);
  g_test_add_func ("/store/large-one-again-moves-up", test_large_again_moves);
  g_test_add_func ("/store/move-keeps-pin-tags-expiry", test_move_keeps_everything);
  g_test_add_func ("/store/richer-replaces-plainer", test_richer_replaces_plainer);
  g_test_add_func ("/store/neither-within-the-other", test_neither_within_the_other);
  g_test_add_func ("/store/narrow-search-lets-twins-in",
                   test_narrow_search_lets_twins_in);
  g_test_add_func ("/store/oldest-trimmed-first", test_oldest_trimmed_first);
  g_test_add_func ("/store/trimmed-by-bytes", test_trimmed_by_bytes);
  g_test_add_func ("/store/pinned-bytes-do-not-count", test_pinned_bytes_do_not_count);
  g_test_add_func ("/store/sums-follow-pins", test_sums_follow_pins);
  g_test_add_func ("/store/no-items-empties", test_no_items_empties);
  g_test_add_func ("/store/long-trim-goes-on", test_trim_goes_on);
  g_test_add_func ("/store/expired-go", test_expired_go);
  g_test_add_func ("/store/expired-again-stays", test_expired_again_stays);
  g_test_add_func ("/store/wipe-spares-pinned", test_wipe_spares_pinned);
  g_test_add_func ("/store/ids-survive-wipe", test_ids_survive_wipe);
  g_test_add_func ("/store/wipe-since", test_wipe_since);
  g_test_add_func ("/store/delete", test_delete);
  g_test_add_func ("/store/delete-newest-unless-pinned", test_delete_newest);
  g_test_add_func ("/store/delete-matching", test_delete_matching);
  g_test_add_func ("/store/split-text-matched", test_split_text_matched);
  g_test_add_func ("/store/burst-keeps-order", test_burst_keeps_order);
  g_test_add_func ("/store/failure-stays-alone", test_failure_stays_alone);
  g_test_add_func ("/store/set-on-missing-entry", test_set_on_missing);
  g_test_add_func ("/store/pinned-twice-is-once", test_pin_twice_is_once);
  g_test_add_func ("/store/notes-outlive", test_notes_outlive);
  g_test_add_func ("/store/hears-of-other-writers", test_hears_of_other_writers);
  g_test_add_func ("/store/deleted-is-gone", test_deleted_is_gone);
  g_test_add_func ("/store/deleted-among-many-is-gone", test_deleted_among_many_is_gone);
  g_test_add_func ("/store/wiped-is-gone", test_wiped_is_gone);
  g_test_add_func ("/store/one-file-for-equal-bytes", test_no_files_left_of_duplicates);
  g_test_add_func ("/store/dropped-stage-leaves-nothing",
                   test_dropped_stage_leaves_nothing);
  g_test_add_func ("/store/close-finishes", test_close_finishes);
  g_test_add_func ("/store/draft-needs-content", test_draft_needs_content);
  g_test_add_func ("/store/damaged-blob-is-not-served", test_damaged_blob_is_not_served);
  g_test_add_func ("/store/space-comes-back", test_space_comes_back);
  return g_test_run ();
}

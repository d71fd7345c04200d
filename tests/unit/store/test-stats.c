/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-stats.h"
#include "hoard.h"
#include "shelf.h"

#include <time.h>

static ClipStats *
count (const char *dir)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (dir, &error);
  ClipStats *stats;

  g_assert_no_error (error);
  stats = clip_stats_new (reader, &error);
  g_assert_no_error (error);
  return stats;
}

/* many rows */
static void
test_all_entries (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStats) stats = NULL;
  guint n = 4096 + 17;
  gint64 bytes = 0;

  hoard_fill (hoard, n);
  stats = count (hoard->dir);
  g_assert_cmpint (stats->entries, ==, n);
  g_assert_cmpint (stats->contents, ==, n);
  for (guint i = CLIP_CLASS_TEXT; i <= CLIP_CLASS_OTHER; i++)
    bytes += stats->classes[i].bytes;
  g_assert_cmpint (stats->bytes, ==, bytes);
  g_assert_cmpint (stats->bytes, ==,
                   shelf_get_number (hoard->dir, "SELECT bytes FROM totals"));
  g_assert_cmpuint (stats->largest->len, ==, CLIP_STATS_LARGEST);
}

static void
check_day (const ClipStats *stats, guint index, const char *name, gint64 entries)
{
  const ClipStatsDay *day = &g_array_index (stats->days, ClipStatsDay, index);

  g_assert_cmpstr (day->name, ==, name);
  g_assert_cmpint (day->sum.entries, ==, entries);
}

/* the hours of a day in which clocks are changed are 23 or 25, and of an entry that came
 * in later the day may be an earlier one */
static void
test_days (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStats) stats = NULL;

  g_setenv ("TZ", "Europe/Berlin", TRUE);
  tzset ();
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("entry %u", i);

      hoard_add_text (hoard->store, text);
    }
  hoard_run_sql (hoard->dir, "UPDATE entry SET last_us = 1000000 * CASE id"
                             " WHEN 1 THEN unixepoch ('2025-10-25 21:59:59')"
                             " WHEN 2 THEN unixepoch ('2025-10-25 22:00:00')"
                             " WHEN 3 THEN unixepoch ('2025-10-26 22:59:59')"
                             " WHEN 4 THEN unixepoch ('2025-10-26 23:00:00')"
                             " WHEN 5 THEN unixepoch ('2025-10-26 00:30:00') END");
  stats = count (hoard->dir);
  g_assert_cmpuint (stats->days->len, ==, 3);
  check_day (stats, 0, "2025-10-27", 1);
  check_day (stats, 1, "2025-10-26", 3);
  check_day (stats, 2, "2025-10-25", 1);
}

static void
check_type (const ClipStats *stats, guint index, const char *mime, gint64 n, gint64 bytes)
{
  const ClipStatsType *type = g_ptr_array_index (stats->types, index);

  g_assert_cmpstr (type->mime, ==, mime);
  g_assert_cmpint (type->contents, ==, n);
  g_assert_cmpint (type->bytes, ==, bytes);
}

static void
test_further_contents (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStats) stats = NULL;

  hoard_add (hoard->store,
             hoard_draft (hoard->store, "text/plain;charset=utf-8", "one", "text/html",
                          "<b>one</b>", NULL),
             NULL);
  hoard_add_text (hoard->store, "two");
  stats = count (hoard->dir);
  g_assert_cmpint (stats->entries, ==, 2);
  g_assert_cmpint (stats->contents, ==, 3);
  g_assert_cmpint (stats->bytes, ==, 16);
  g_assert_cmpint (stats->classes[CLIP_CLASS_TEXT].bytes, ==, 6);
  check_type (stats, 0, "text/html", 1, 10);
  check_type (stats, 1, "text/plain;charset=utf-8", 2, 6);
}

static void
test_shared_files (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStats) stats = NULL;
  g_autofree char *text = g_strnfill (100000, 'a');

  hoard_add (hoard->store,
             hoard_draft (hoard->store, "text/plain", text, "text/html", text, NULL),
             NULL);
  hoard_add_blob (hoard->store, 200000, 1);
  stats = count (hoard->dir);
  g_assert_cmpint (stats->bytes, ==, 400000);
  g_assert_cmpint (stats->blobs, ==, 2);
  g_assert_cmpint (stats->blob_bytes, ==, 300000);
  g_assert_cmpint (stats->shared_bytes, ==, 100000);
}

/* numbers that only damage makes */
static void
test_damaged_rows (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStats) stats = NULL;

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_run_sql (hoard->dir,
                 "UPDATE entry SET kind = 99, copies = 9223372036854775807,"
                 " last_us = 9223372036854775807 WHERE id = 1;"
                 "UPDATE entry SET copies = -1, last_us = 1 - 9223372036854775807,"
                 " size = 9223372036854775807 WHERE id = 2");
  stats = count (hoard->dir);
  g_assert_cmpint (stats->entries, ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stats/all-entries", test_all_entries);
  g_test_add_func ("/stats/days-are-local-ones", test_days);
  g_test_add_func ("/stats/further-contents", test_further_contents);
  g_test_add_func ("/stats/shared-files", test_shared_files);
  g_test_add_func ("/stats/damaged-rows", test_damaged_rows);
  return g_test_run ();
}

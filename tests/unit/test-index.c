/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is found is what the texts say, whatever the index holds just then: every search
 * here is compared with looking at all of the texts.
 */
#include "clip-postings.h"
#include "clip-read-sql.h"
#include "clip-trigrams.h"
#include "shelf.h"

#include <stdlib.h>
#include <string.h>

#define SECRET "Xq7-vZ!kW2#pLm9"

/* how many segments say that they hold the trigram */
static guint
count_holding (const char *dir, guint32 trigram)
{
  sqlite3 *db = shelf_open_database (dir);
  sqlite3_stmt *rows = NULL;
  guint n = 0;

  sqlite3_prepare_v2 (db,
                      "SELECT id & 0xffffff, postings FROM search_segment JOIN search_row"
                      " ON search_row.id = (SELECT max(id) FROM search_row"
                      " WHERE id <= number << 24 | ?1 AND id >= number << 24)",
                      -1, &rows, NULL);
  sqlite3_bind_int64 (rows, 1, trigram);
  while (sqlite3_step (rows) == SQLITE_ROW)
    {
      ClipBlockSet blocks, none = { { 0 } };

      clip_postings_find (sqlite3_column_blob (rows, 1),
                          (gsize) sqlite3_column_bytes (rows, 1),
                          trigram - (guint32) sqlite3_column_int64 (rows, 0), &blocks);
      n += memcmp (&blocks, &none, sizeof none) != 0;
    }
  sqlite3_finalize (rows);
  sqlite3_close (db);
  return n;
}

/* of the trigrams of SECRET */
static guint
count_secret (const char *dir)
{
  g_autoptr (GByteArray) folded = g_byte_array_new ();
  guint n = 0;

  clip_trigrams_fold (folded, SECRET, strlen (SECRET));
  for (guint i = 0; i + CLIP_TRIGRAM_BYTES <= folded->len; i++)
    n += count_holding (dir, clip_trigram_at (folded->data + i)) > 0;
  return n;
}

static void
test_built_behind (void)
{
  g_autoptr (Shelf) shelf = shelf_new (17000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;

  shelf_check (shelf);
  shelf_wait_indexed (shelf->hoard->store);
  shelf_check (shelf);
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM search_segment"), ==, 2);
  g_assert_cmpint (shelf_get_number (dir, "SELECT max(last) FROM search_segment"), ==,
                   16384);
  g_assert_cmpint (shelf_get_number (dir, "SELECT min_reader FROM totals"), ==, 1);
}

/* one page of a search that can be narrowed passes what a scan takes many for */
static void
test_narrows (void)
{
  g_autoptr (Shelf) shelf = shelf_new (50000, CLIP_STORE_SESSION);
  const char *words[] = { "zzqqzz", NULL };
  ClipQuery query = { .words = (char **) words };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (ClipReader) reader = NULL;
  gboolean more = TRUE;
  guint n_pages;

  shelf_wait_indexed (shelf->hoard->store);
  reader = clip_reader_open (shelf->hoard->dir, &error);
  for (n_pages = 0; more; n_pages++)
    g_assert_true (
        clip_reader_page (reader, &query, shelf_append_id, ids, &more, &error));
  g_assert_cmpuint (n_pages, <=, 4);
  g_assert_cmpstr (ids->str, ==, "");
}

static void
test_deleted_leaves_no_trigram (void)
{
  g_autoptr (Shelf) shelf = shelf_new (9000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;
  gint64 id = shelf->texts->len + 1;

  shelf_add (shelf, "a " SECRET);
  for (guint i = 0; i < 8000; i++)
    g_ptr_array_add (shelf->texts, g_strdup_printf ("filler %u", i));
  shelf_insert_texts (dir, shelf->texts, (guint) id);
  shelf_add (shelf, "the last of all");
  shelf_wait_indexed (shelf->hoard->store);
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM search_segment"), ==, 2);
  g_assert_cmpuint (count_secret (dir), ==, strlen (SECRET) - 2);

  shelf_delete (shelf, id);
  g_assert_true (clip_store_is_overwriting (shelf->hoard->store));
  shelf_wait_indexed (shelf->hoard->store);
  g_assert_cmpuint (count_secret (dir), ==, 0);
  g_assert_false (hoard_holds (dir, SECRET));
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM search_segment"), ==, 2);
  shelf_check (shelf);
}

/* a writer that is not the session's builds nothing, but it drops */
static void
test_any_writer_drops (void)
{
  g_autoptr (Shelf) shelf = shelf_new (17000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;

  shelf_wait_indexed (shelf->hoard->store);
  hoard_reopen (shelf->hoard, 0);
  shelf_delete (shelf, 5000);
  shelf_wait_indexed (shelf->hoard->store);
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM search_segment"), ==, 1);
  g_assert_cmpint (shelf_get_number (dir,
                                     "SELECT count(*) FROM search_row WHERE id >> 24 NOT"
                                     " IN (SELECT number FROM search_segment)"),
                   ==, 0);
  shelf_check (shelf);
  shelf_delete (shelf, 9000);
  hoard_reopen (shelf->hoard, 0);
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM search_row"), ==, 0);
  shelf_check (shelf);
}

/* trimming takes from the oldest segment with every copy: it is not built each time */
static void
test_oldest_not_built_again (void)
{
  g_autoptr (Shelf) shelf = shelf_new (25000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;

  shelf_wait_indexed (shelf->hoard->store);
  shelf_delete (shelf, 1);
  shelf_delete (shelf, 17000);
  shelf_wait_indexed (shelf->hoard->store);
  g_assert_cmpint (shelf_get_number (dir, "SELECT min(first) FROM search_segment"), ==,
                   8193);
  g_assert_cmpint (shelf_get_number (dir, "SELECT max(last) FROM search_segment"), ==,
                   24577);
  shelf_check (shelf);
}

static void
test_moved_found_once (void)
{
  g_autoptr (Shelf) shelf = shelf_new (10000, CLIP_STORE_SESSION);
  g_autofree char *text = g_strdup ("moved " SECRET);
  const char *words[] = { SECRET, NULL };
  g_autofree char *found = NULL;
  gint64 id;

  shelf_add (shelf, text);
  hoard_add_text (shelf->hoard->store, "between");
  id = hoard_add_text (shelf->hoard->store, text);
  shelf_wait_indexed (shelf->hoard->store);
  g_assert_cmpint (id, ==, shelf->texts->len + 2);
  found = shelf_search (shelf->hoard->dir, (ClipQuery){ .words = (char **) words });
  g_assert_cmpint (atoi (found), ==, id);
  g_assert_cmpstr (strchr (found, ' '), ==, " ");
}

static void
test_wiped (void)
{
  g_autoptr (Shelf) shelf = shelf_new (17000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;
  g_autofree char *found = NULL;

  shelf_wait_indexed (shelf->hoard->store);
  hoard_wipe (shelf->hoard->store, TRUE, 0);
  shelf_wait_indexed (shelf->hoard->store);
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM search_segment"), ==, 0);
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM search_row"), ==, 0);
  found = shelf_search (dir, (ClipQuery){ .regex = "." });
  g_assert_cmpstr (found, ==, "");
}

/* texts that are too long for the index are looked at by every search */
static void
test_long_texts_found (void)
{
  g_autoptr (Shelf) shelf = shelf_new (10000, CLIP_STORE_SESSION);

  shelf_wait_indexed (shelf->hoard->store);
  clip_store_set_index_bytes (shelf->hoard->store, 70);
  shelf_delete (shelf, 9500);
  shelf_delete (shelf, 100);
  shelf_wait_indexed (shelf->hoard->store);
  shelf_check (shelf);
}

static void
load_fixture (const char *dir)
{
  g_autofree char *sql = NULL;
  sqlite3 *db = shelf_open_database (dir);

  g_assert_true (
      g_file_get_contents (CLIP_TEST_HISTORIES "/history-001.sql", &sql, NULL, NULL));
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* one that no daemon has opened since is searched all the same */
static void
test_schema_1 (void)
{
  g_autofree char *dir = hoard_make_dir ();
  const char *words[] = { "KÖLN", NULL };
  ClipQuery query = { .words = (char **) words };
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *list = NULL;
  g_autoptr (GError) error = NULL;
  ClipStore *store;

  load_fixture (dir);
  before = shelf_search (dir, query);
  g_assert_cmpstr (before, ==, "2 ");
  g_assert_cmpint (shelf_get_number (dir, "PRAGMA user_version"), ==, 1);

  store = clip_store_open (dir, CLIP_STORE_SESSION, &error);
  g_assert_no_error (error);
  list = hoard_list (store);
  g_assert_cmpstr (list, ==,
                   "4 <b>bold</b>;3 needle in a haystack;2 Grüße aus Köln;"
                   "1 the oldest entry of schema 1;");
  g_assert_cmpint (hoard_add_text (store, "a new one"), ==, 5);
  shelf_wait_indexed (store);
  g_assert_cmpint (shelf_get_number (dir, "PRAGMA user_version"), ==,
                   CLIP_SCHEMA_VERSION);
  after = shelf_search (dir, query);
  g_assert_cmpstr (after, ==, "2 ");
  clip_store_close (store);
  g_object_unref (store);
  hoard_remove_dir (dir);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/built-behind-the-entries", test_built_behind);
  g_test_add_func ("/index/narrows", test_narrows);
  g_test_add_func ("/index/deleted-leaves-no-trigram", test_deleted_leaves_no_trigram);
  g_test_add_func ("/index/any-writer-drops", test_any_writer_drops);
  g_test_add_func ("/index/oldest-not-built-again", test_oldest_not_built_again);
  g_test_add_func ("/index/moved-is-found-once", test_moved_found_once);
  g_test_add_func ("/index/wiped", test_wiped);
  g_test_add_func ("/index/long-texts-found", test_long_texts_found);
  g_test_add_func ("/index/schema-1-searched-and-migrated", test_schema_1);
  return g_test_run ();
}

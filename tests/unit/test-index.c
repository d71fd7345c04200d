/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is found is what the texts say, whatever the index holds just then: every search
 * here is compared with looking at all of the texts. A process that is killed is this
 * program again.
 */
#include "clip-fd.h"
#include "clip-match.h"
#include "clip-postings.h"
#include "clip-trigrams.h"
#include "hoard.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define SECRET "Xq7-vZ!kW2#pLm9"
#define N_KILLS 8

/* -- a history with known texts -- */

typedef struct
{
  Hoard *hoard;
  GPtrArray *texts; /* of entry 1 and on; NULL = deleted */
} Shelf;

static guint32
next_number (guint32 *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static char *
make_text (guint32 *state)
{
  static const char *const words[] = {
    "the",       "Clipboard", "straße", "GRÜSSE", "привет",   "tion", "https://www.",
    "o\ufb03ce", "漢字",      "needle", "a.b*c",  "\xff\xfe", "ÀÉ",   "x",
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 12; i++)
    {
      guint32 number = next_number (state);

      if (number % 3 == 0)
        g_string_append_printf (text, "%x", next_number (state) % 65536);
      else
        g_string_append (text, words[number % G_N_ELEMENTS (words)]);
      g_string_append (text, number % 5 ? " " : "");
    }
  return g_string_free (text, FALSE);
}

static sqlite3 *
open_database (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 10000);
  return db;
}

/* those after the first @n, beside the store: a hundred thousand take a minute by the
 * front door */
static void
insert_texts (const char *dir, GPtrArray *texts, guint n)
{
  sqlite3 *db = open_database (dir);
  g_autofree char *totals = g_strdup_printf ("UPDATE totals SET count = %u, last_id = %u",
                                             texts->len, texts->len);
  sqlite3_stmt *insert = NULL;

  sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  sqlite3_prepare_v2 (db,
                      "INSERT INTO entry SELECT ?1, last_us, first_us, copies,"
                      " expires_us, pinned, kind, extras, ?3, mime, origin, blob, ?2,"
                      " NULL FROM entry WHERE id = 1",
                      -1, &insert, NULL);
  for (guint i = n; i < texts->len; i++)
    {
      const char *text = texts->pdata[i];

      sqlite3_bind_int (insert, 1, (int) i + 1);
      sqlite3_bind_blob (insert, 2, text, (int) strlen (text), SQLITE_STATIC);
      sqlite3_bind_int (insert, 3, (int) strlen (text));
      g_assert_cmpint (sqlite3_step (insert), ==, SQLITE_DONE);
      sqlite3_reset (insert);
    }
  sqlite3_finalize (insert);
  g_assert_cmpint (sqlite3_exec (db, totals, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "COMMIT", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

static void
wait_indexed (ClipStore *store)
{
  while (clip_store_is_indexing (store) || clip_store_is_overwriting (store))
    g_main_context_iteration (NULL, FALSE);
}

static void
add (Shelf *shelf, const char *text)
{
  g_ptr_array_add (shelf->texts, g_strdup (text));
  g_assert_cmpint (hoard_add_text (shelf->hoard->store, text), ==, shelf->texts->len);
}

static void delete (Shelf *shelf, gint64 id)
{
  g_assert_cmpint (hoard_delete (shelf->hoard->store, id), ==, 1);
  g_clear_pointer (&shelf->texts->pdata[id - 1], g_free);
}

/* entries 1 to @n + 1; the writer knows of them with the last one */
static Shelf *
shelf_new (guint n, ClipStoreFlags flags)
{
  Shelf *self = g_new0 (Shelf, 1);
  guint32 state = 1;

  self->hoard = hoard_new (flags);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  add (self, "the first one");
  while (self->texts->len < n)
    g_ptr_array_add (self->texts, make_text (&state));
  insert_texts (self->hoard->dir, self->texts, 1);
  add (self, "the last one");
  return self;
}

static void
shelf_free (Shelf *self)
{
  hoard_free (self->hoard);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Shelf, shelf_free)

/* -- searching it -- */

static gboolean
append_id (const ClipRow *row, gpointer user_data)
{
  g_string_append_printf (user_data, "%d ", (int) row->id);
  return TRUE;
}

static char *
search (const char *dir, ClipQuery query)
{
  GString *ids = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (dir, &error);
  gboolean more = TRUE;

  g_assert_no_error (error);
  while (more)
    {
      clip_reader_page (reader, &query, append_id, ids, &more, &error);
      g_assert_no_error (error);
    }
  return g_string_free (ids, FALSE);
}

/* by looking at all of the texts */
static char *
look_through (const GPtrArray *texts, const char *const *words, const char *regex)
{
  g_autoptr (ClipMatch) match = clip_match_new (words, regex, NULL);
  GString *ids = g_string_new (NULL);

  for (guint i = texts->len; i > 0; i--)
    {
      const char *text = texts->pdata[i - 1];

      if (text && clip_match_test (match, text, strlen (text)))
        g_string_append_printf (ids, "%u ", i);
    }
  return g_string_free (ids, FALSE);
}

static void
check_search (const char *dir,
              const GPtrArray *texts,
              const char *first,
              const char *second,
              const char *regex)
{
  const char *words[] = { first, first ? second : NULL, NULL };
  g_autofree char *expected = look_through (texts, words, regex);
  g_autofree char *found =
      search (dir, (ClipQuery){ .words = (char **) words, .regex = regex });

  if (strcmp (found, expected) != 0)
    {
      gsize i = 0;

      while (found[i] && found[i] == expected[i])
        i++;
      while (i > 0 && found[i - 1] != ' ')
        i--;
      g_error ("%s %s %s: found %.50s, not %.50s", first, second, regex, found + i,
               expected + i);
    }
}

static void
check_all (Shelf *shelf)
{
  static const char *const searches[][3] = {
    { "clipboard" },
    { "STRASSE" },
    { "Straße" },
    { "ПРИВЕТ" },
    { "office" },
    { "漢字" },
    { "漢" },
    { "needle", "the" },
    { "tion", "àé" },
    { "A.B*C" },
    { "zzqqzz" },
    { "x" },
    { "bead" },
    { "the last" },
    { "the first one" },
    { "tionneedle" },
    { "\xff\xfe"
      "needle" },
    { NULL, NULL, "needle|o.ce" },
    { NULL, NULL, "b[0-9]{4}\\b" },
    { NULL, NULL, "(?i)grüsse.+CLIP" },
    { "the", NULL, "f{3}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    check_search (shelf->hoard->dir, shelf->texts, searches[i][0], searches[i][1],
                  searches[i][2]);
}

static gint64
get_number (const char *dir, const char *sql)
{
  sqlite3 *db = open_database (dir);
  sqlite3_stmt *rows = NULL;
  gint64 number;

  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &rows, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  number = sqlite3_column_int64 (rows, 0);
  sqlite3_finalize (rows);
  sqlite3_close (db);
  return number;
}

/* how many segments say that they hold the trigram */
static guint
count_holding (const char *dir, guint32 trigram)
{
  sqlite3 *db = open_database (dir);
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

/* -- the facts -- */

static void
test_built_behind (void)
{
  g_autoptr (Shelf) shelf = shelf_new (17000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;

  check_all (shelf);
  wait_indexed (shelf->hoard->store);
  check_all (shelf);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_segment"), ==, 2);
  g_assert_cmpint (get_number (dir, "SELECT max(last) FROM search_segment"), ==, 16384);
  g_assert_cmpint (get_number (dir, "SELECT min_reader FROM totals"), ==, 1);
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

  wait_indexed (shelf->hoard->store);
  reader = clip_reader_open (shelf->hoard->dir, &error);
  for (n_pages = 0; more; n_pages++)
    g_assert_true (clip_reader_page (reader, &query, append_id, ids, &more, &error));
  g_assert_cmpuint (n_pages, <=, 4);
  g_assert_cmpstr (ids->str, ==, "");
}

static void
test_deleted_leaves_no_trigram (void)
{
  g_autoptr (Shelf) shelf = shelf_new (9000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;
  gint64 id = shelf->texts->len + 1;

  add (shelf, "a " SECRET);
  for (guint i = 0; i < 8000; i++)
    g_ptr_array_add (shelf->texts, g_strdup_printf ("filler %u", i));
  insert_texts (dir, shelf->texts, (guint) id);
  add (shelf, "the last of all");
  wait_indexed (shelf->hoard->store);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_segment"), ==, 2);
  g_assert_cmpuint (count_secret (dir), ==, strlen (SECRET) - 2);

  delete (shelf, id);
  g_assert_true (clip_store_is_overwriting (shelf->hoard->store));
  wait_indexed (shelf->hoard->store);
  g_assert_cmpuint (count_secret (dir), ==, 0);
  g_assert_false (hoard_holds (dir, SECRET));
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_segment"), ==, 2);
  check_all (shelf);
}

/* a writer that is not the session's builds nothing, but it drops */
static void
test_any_writer_drops (void)
{
  g_autoptr (Shelf) shelf = shelf_new (17000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;

  wait_indexed (shelf->hoard->store);
  hoard_reopen (shelf->hoard, 0);
  delete (shelf, 5000);
  wait_indexed (shelf->hoard->store);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_segment"), ==, 1);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_row WHERE id >> 24 NOT"
                                    " IN (SELECT number FROM search_segment)"),
                   ==, 0);
  check_all (shelf);
  delete (shelf, 9000);
  hoard_reopen (shelf->hoard, 0);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_row"), ==, 0);
  check_all (shelf);
}

/* trimming takes from the oldest segment with every copy: it is not built each time */
static void
test_oldest_not_built_again (void)
{
  g_autoptr (Shelf) shelf = shelf_new (25000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;

  wait_indexed (shelf->hoard->store);
  delete (shelf, 1);
  delete (shelf, 17000);
  wait_indexed (shelf->hoard->store);
  g_assert_cmpint (get_number (dir, "SELECT min(first) FROM search_segment"), ==, 8193);
  g_assert_cmpint (get_number (dir, "SELECT max(last) FROM search_segment"), ==, 24577);
  check_all (shelf);
}

static void
test_moved_found_once (void)
{
  g_autoptr (Shelf) shelf = shelf_new (10000, CLIP_STORE_SESSION);
  g_autofree char *text = g_strdup ("moved " SECRET);
  const char *words[] = { SECRET, NULL };
  g_autofree char *found = NULL;
  gint64 id;

  add (shelf, text);
  hoard_add_text (shelf->hoard->store, "between");
  id = hoard_add_text (shelf->hoard->store, text);
  wait_indexed (shelf->hoard->store);
  g_assert_cmpint (id, ==, shelf->texts->len + 2);
  found = search (shelf->hoard->dir, (ClipQuery){ .words = (char **) words });
  g_assert_cmpint (atoi (found), ==, id);
  g_assert_cmpstr (strchr (found, ' '), ==, " ");
}

static void
test_wiped (void)
{
  g_autoptr (Shelf) shelf = shelf_new (17000, CLIP_STORE_SESSION);
  const char *dir = shelf->hoard->dir;
  g_autofree char *found = NULL;

  wait_indexed (shelf->hoard->store);
  hoard_wipe (shelf->hoard->store, TRUE, 0);
  wait_indexed (shelf->hoard->store);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_segment"), ==, 0);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_row"), ==, 0);
  found = search (dir, (ClipQuery){ .regex = "." });
  g_assert_cmpstr (found, ==, "");
}

/* texts that are too long for the index are looked at by every search */
static void
test_long_texts_found (void)
{
  g_autoptr (Shelf) shelf = shelf_new (10000, CLIP_STORE_SESSION);

  wait_indexed (shelf->hoard->store);
  clip_store_set_index_bytes (shelf->hoard->store, 70);
  delete (shelf, 9500);
  delete (shelf, 100);
  wait_indexed (shelf->hoard->store);
  check_all (shelf);
}

/* more than one thread looks at much */
static void
test_two_threads (void)
{
  static const char *const searches[] = { "q", "5\xd0\xbf", "ti", NULL };
  g_autoptr (Shelf) shelf = shelf_new (70000, 0);
  const char *dir = shelf->hoard->dir;

  for (guint i = 0; searches[i]; i++)
    check_search (dir, shelf->texts, searches[i], NULL, NULL);
  check_search (dir, shelf->texts, NULL, NULL, "^[a-f]{3}[0-9]");
  check_search (dir, shelf->texts, NULL, NULL, "^the (first|last)");
}

typedef struct
{
  Hoard *hoard;
  guint n;
} Stop;

static gboolean
stop_at_third (const ClipRow *row G_GNUC_UNUSED, gpointer user_data)
{
  return ++((Stop *) user_data)->n < 3;
}

static void
test_stops (void)
{
  g_autoptr (Shelf) shelf = shelf_new (70000, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (shelf->hoard->dir, &error);
  ClipQuery query = { .regex = "^[a-f]{3}[0-9] 漢字" };
  Stop stop = { shelf->hoard, 0 };
  gboolean more = TRUE;

  while (more)
    g_assert_true (
        clip_reader_page (reader, &query, stop_at_third, &stop, &more, &error));
  g_assert_cmpuint (stop.n, ==, 3);
  g_assert_false (hoard_is_being_read (shelf->hoard));
}

/* an entry that a pattern costs too much for is left out; the rest is found */
static void
test_given_up (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *costly = g_strnfill (5000, 'a');
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (ClipReader) reader = NULL;
  ClipQuery query = { .regex = "^(([a-z])+.)+[A-Z]([a-z])+$" };
  gboolean more;

  hoard_add_text (hoard->store, "a.Aa");
  hoard_add_text (hoard->store, costly);
  hoard_add_text (hoard->store, "b.Bb");
  reader = clip_reader_open (hoard->dir, &error);
  g_assert_true (clip_reader_page (reader, &query, append_id, ids, &more, &error));
  g_assert_cmpstr (ids->str, ==, "3 1 ");
  g_assert_cmpuint (query.n_given_up, ==, 1);
}

static void
load_fixture (const char *dir)
{
  g_autofree char *sql = NULL;
  sqlite3 *db = open_database (dir);

  g_assert_true (g_file_get_contents (CLIP_TEST_HISTORY_001, &sql, NULL, NULL));
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
  before = search (dir, query);
  g_assert_cmpstr (before, ==, "2 ");
  g_assert_cmpint (get_number (dir, "PRAGMA user_version"), ==, 1);

  store = clip_store_open (dir, CLIP_STORE_SESSION, &error);
  g_assert_no_error (error);
  list = hoard_list (store);
  g_assert_cmpstr (list, ==,
                   "4 <b>bold</b>;3 needle in a haystack;2 Grüße aus Köln;"
                   "1 the oldest entry of schema 1;");
  g_assert_cmpint (hoard_add_text (store, "a new one"), ==, 5);
  wait_indexed (store);
  g_assert_cmpint (get_number (dir, "PRAGMA user_version"), ==, 2);
  after = search (dir, query);
  g_assert_cmpstr (after, ==, "2 ");
  clip_store_close (store);
  g_object_unref (store);
  hoard_remove_dir (dir);
}

/* -- killed -- */

/* deletes and adds for ever, and says what it was told is done */
static int G_GNUC_NORETURN
work_for_ever (const char *dir)
{
  g_autoptr (GError) error = NULL;
  ClipStore *store = clip_store_open (dir, CLIP_STORE_SESSION, &error);

  g_assert_no_error (error);
  for (guint32 state = (guint32) getpid ();;)
    {
      gint64 id = 1 + next_number (&state) % 20000;
      g_autofree char *line = NULL;

      hoard_delete (store, id);
      line = g_strdup_printf ("%d\n", (int) id);
      clip_write_all (STDOUT_FILENO, line, strlen (line), NULL);
      for (guint n = next_number (&state) % 2000; n > 0; n--)
        g_main_context_iteration (NULL, FALSE);
      if (state % 3 == 0)
        wait_indexed (store);
    }
}

static void
work_until_killed (Shelf *shelf, guint n_lines)
{
  const char *argv[] = { "/proc/self/exe", "work", shelf->hoard->dir, NULL };
  g_autoptr (GError) error = NULL;
  FILE *out;
  char line[32];
  GPid pid;
  int fd, status;

  g_spawn_async_with_pipes (NULL, (char **) argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL,
                            NULL, &pid, NULL, &fd, NULL, &error);
  g_assert_no_error (error);
  out = fdopen (fd, "r");
  for (guint n = 0; fgets (line, sizeof line, out); n++)
    {
      g_clear_pointer (&shelf->texts->pdata[atoi (line) - 1], g_free);
      if (n == n_lines)
        kill (pid, SIGKILL);
    }
  fclose (out);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
}

/* what was being deleted when it was killed may be gone or not: as the database says */
static void
forget_missing (Shelf *shelf)
{
  g_autofree char *ids = search (shelf->hoard->dir, (ClipQuery){ 0 });
  g_autofree gboolean *there = g_new0 (gboolean, shelf->texts->len + 1);

  for (char *id = ids; *id; id = strchr (id, ' ') + 1)
    there[atoi (id)] = TRUE;
  for (guint i = 0; i < shelf->texts->len; i++)
    if (!there[i + 1])
      g_clear_pointer (&shelf->texts->pdata[i], g_free);
    else
      g_assert_nonnull (shelf->texts->pdata[i]);
}

static void
test_killed (void)
{
  g_autoptr (Shelf) shelf = shelf_new (30000, 0);
  const char *dir = shelf->hoard->dir;
  guint32 state = 7;

  clip_store_close (shelf->hoard->store);
  for (guint i = 0; i < N_KILLS; i++)
    {
      work_until_killed (shelf, next_number (&state) % 12);
      forget_missing (shelf);
      check_search (dir, shelf->texts, "clipboard", NULL, NULL);
      check_search (dir, shelf->texts, "bead", NULL, NULL);
    }
  hoard_reopen (shelf->hoard, CLIP_STORE_SESSION);
  wait_indexed (shelf->hoard->store);
  check_all (shelf);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_row WHERE id >> 24 NOT"
                                    " IN (SELECT number FROM search_segment)"),
                   ==, 0);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM search_segment"), >=, 2);
  g_assert_cmpint (get_number (dir, "SELECT count(*) FROM pragma_integrity_check"
                                    " WHERE integrity_check = 'ok'"),
                   ==, 1);
}

int
main (int argc, char *argv[])
{
  if (argc == 3 && strcmp (argv[1], "work") == 0)
    return work_for_ever (argv[2]);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/built-behind-the-entries", test_built_behind);
  g_test_add_func ("/index/narrows", test_narrows);
  g_test_add_func ("/index/deleted-leaves-no-trigram", test_deleted_leaves_no_trigram);
  g_test_add_func ("/index/any-writer-drops", test_any_writer_drops);
  g_test_add_func ("/index/oldest-not-built-again", test_oldest_not_built_again);
  g_test_add_func ("/index/moved-is-found-once", test_moved_found_once);
  g_test_add_func ("/index/wiped", test_wiped);
  g_test_add_func ("/index/long-texts-found", test_long_texts_found);
  g_test_add_func ("/index/two-threads-find-the-same", test_two_threads);
  g_test_add_func ("/index/stops-when-told", test_stops);
  g_test_add_func ("/index/costly-entry-given-up", test_given_up);
  g_test_add_func ("/index/schema-1-searched-and-migrated", test_schema_1);
  g_test_add_func ("/index/killed-at-any-moment", test_killed);
  return g_test_run ();
}

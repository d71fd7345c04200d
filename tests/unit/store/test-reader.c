/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "clip-reader.h"
#include "hoard.h"
#include "kill-step.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT "text/plain;charset=utf-8"
#define NOBODY 65534

static gboolean
append_id (const ClipRow *row, gpointer user_data)
{
  g_string_append_printf (user_data, "%d ", (int) row->id);
  return TRUE;
}

/* (transfer full): the ids of all pages */
static char *
read_all (ClipReader *reader, ClipQuery query)
{
  GString *ids = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gboolean more = TRUE;

  while (more)
    {
      clip_reader_page (reader, &query, append_id, ids, &more, &error);
      g_assert_no_error (error);
    }
  return g_string_free (ids, FALSE);
}

static void
assert_found (ClipReader *reader, ClipQuery query, const char *expected)
{
  g_autofree char *ids = read_all (reader, query);

  g_assert_cmpstr (ids, ==, expected);
}

static ClipReader *
open_reader (const char *dir)
{
  g_autoptr (GError) error = NULL;
  ClipReader *reader = clip_reader_open (dir, &error);

  g_assert_no_error (error);
  return reader;
}

static void
add_many (ClipStore *store, guint n)
{
  g_autofree Answer *answers = g_new0 (Answer, n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("entry number %u", i);

      clip_store_change_async (
          store, clip_change_add (hoard_draft (store, TEXT, text, NULL), NULL), on_answer,
          &answers[i]);
    }
  for (guint i = 0; i < n; i++)
    g_object_unref (answer_wait (&answers[i]));
}

static void
test_nothing_there (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) empty_error = NULL;

  g_assert_null (clip_reader_open (dir, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY);
  /* looking does not make one */
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_file_set_contents (path, "", 0, NULL);
  g_assert_null (clip_reader_open (dir, &empty_error));
  g_assert_error (empty_error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY);
  hoard_remove_dir (dir);
}

static void
test_damaged_database (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, "no database, and no header of one either", -1, NULL);
  g_assert_null (clip_reader_open (dir, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  hoard_remove_dir (dir);
}

static void
test_limit_and_before (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  ClipQuery query = { .limit = 2 };
  gboolean more = TRUE;

  add_many (hoard->store, 5);
  reader = open_reader (hoard->dir);
  assert_found (reader, (ClipQuery){ 0 }, "5 4 3 2 1 ");
  assert_found (reader, (ClipQuery){ .before = 3 }, "2 1 ");
  assert_found (reader, (ClipQuery){ .before = 4, .brief = TRUE }, "3 2 1 ");
  assert_found (reader, (ClipQuery){ .until_us = 1, .brief = TRUE }, "");
  assert_found (reader, (ClipQuery){ .before = 5, .limit = 2 }, "4 3 ");
  assert_found (reader, (ClipQuery){ .before = 1 }, "");
  g_assert_true (clip_reader_page (reader, &query, append_id, ids, &more, &error));
  g_assert_cmpstr (ids->str, ==, "5 4 ");
  g_assert_cmpint (query.before, ==, 4);
  g_assert_false (more);
}

static gboolean
stop_at_third (const ClipRow *row G_GNUC_UNUSED, gpointer user_data)
{
  return ++*(guint *) user_data < 3;
}

static void
test_function_stops (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  ClipQuery query = { 0 };
  gboolean more = TRUE;
  guint n = 0;

  add_many (hoard->store, 5);
  reader = open_reader (hoard->dir);
  g_assert_true (clip_reader_page (reader, &query, stop_at_third, &n, &more, &error));
  g_assert_cmpuint (n, ==, 3);
  g_assert_false (more);
  g_assert_cmpint (query.before, ==, 3);
}

typedef struct
{
  gint64 last;
  guint n;
} Walk;

static gboolean
check_descends (const ClipRow *row, gpointer user_data)
{
  Walk *walk = user_data;
  g_autofree char *expected = g_strdup_printf ("entry number %d", (int) row->id - 1);

  g_assert_cmpint (row->id, <, walk->last);
  g_assert_cmpmem (row->preview, row->preview_length, expected, strlen (expected));
  walk->last = row->id;
  walk->n++;
  return TRUE;
}

/* whatever is deleted or added between two pages, each entry that stays is seen once */
static void
test_pages_while_it_changes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  Walk walk = { G_MAXINT64, 0 };
  ClipQuery query = { .brief = TRUE };
  gboolean more = TRUE;
  guint n_pages = 0;
  guint n_unseen = 0;

  add_many (hoard->store, 20000);
  reader = open_reader (hoard->dir);
  while (more)
    {
      g_assert_true (
          clip_reader_page (reader, &query, check_descends, &walk, &more, &error));
      if (!more)
        break;
      n_pages++;
      hoard_delete (hoard->store, query.before); /* where the page ended */
      n_unseen += (guint) hoard_delete (hoard->store, query.before - 1);
      hoard_add_text (hoard->store, n_pages % 2 ? "new" : "newer");
    }
  g_assert_cmpuint (n_pages, >, 3);
  g_assert_cmpuint (walk.n + n_unseen, ==, 20000);
  g_assert_cmpint (walk.last, ==, 1);
}

static void
test_long_previews_fill_pages (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autofree char *text = g_strnfill (5000, 'x');
  ClipQuery query = { 0 };
  gboolean more;

  for (guint i = 0; i < 100; i++)
    {
      text[0] = (char) (' ' + 1 + i % 90);
      text[1] = (char) (' ' + 1 + i / 90);
      hoard_add_text (hoard->store, text);
    }
  reader = open_reader (hoard->dir);
  g_assert_true (clip_reader_page (reader, &query, append_id, ids, &more, &error));
  g_assert_true (more);
  g_assert_cmpint (query.before, >, 20);
}

static ClipDraft *
draft_at (ClipStore *store, const char *mime, const char *text, gint64 us)
{
  ClipDraft *draft = hoard_draft (store, mime, text, NULL);

  clip_draft_set_times (draft, us, us);
  return draft;
}

static void
test_filters (void)
{
  static const char *const red[] = { "red", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };
  ClipStore *store = hoard->store;

  hoard_add (store, draft_at (store, TEXT, "text", 10), NULL);
  hoard_add (store, draft_at (store, "image/png", "no png, but called one", 20), NULL);
  hoard_add (store, draft_at (store, "text/uri-list", "file:///x\r\n", 30), NULL);
  hoard_add (store, draft_at (store, "application/x-test", "\x01\x02", 40), NULL);
  hoard_add (store,
             hoard_draft (store, TEXT, "rich text", "text/html", "<b>rich</b>", NULL),
             NULL);
  hoard_pin (store, 2, TRUE);
  hoard_pin (store, 4, TRUE);
  clip_store_change_async (store, clip_change_tag (4, red), on_answer, &answer);
  hoard_wait_n (store, &answer, &error);
  clip_store_change_async (store, clip_change_tag (1, red), on_answer, &answer);
  hoard_wait_n (store, &answer, &error);
  g_assert_no_error (error);

  reader = open_reader (hoard->dir);
  assert_found (reader, (ClipQuery){ .kind = CLIP_CLASS_TEXT }, "5 1 ");
  assert_found (reader, (ClipQuery){ .kind = CLIP_CLASS_IMAGE }, "2 ");
  assert_found (reader, (ClipQuery){ .kind = CLIP_CLASS_FILES }, "3 ");
  assert_found (reader, (ClipQuery){ .kind = CLIP_CLASS_OTHER }, "4 ");
  assert_found (reader, (ClipQuery){ .pinned = TRUE }, "4 2 ");
  assert_found (reader, (ClipQuery){ .pinned = TRUE, .before = 4 }, "2 ");
  assert_found (reader, (ClipQuery){ .tag = "red" }, "4 1 ");
  assert_found (reader, (ClipQuery){ .tag = "red", .before = 4 }, "1 ");
  assert_found (reader, (ClipQuery){ .tag = "Red" }, "4 1 ");
  assert_found (reader, (ClipQuery){ .tag = "blue" }, "");
  assert_found (reader, (ClipQuery){ .tag = "red", .pinned = TRUE }, "4 ");
  assert_found (reader, (ClipQuery){ .tag = "red", .kind = CLIP_CLASS_TEXT }, "1 ");
  assert_found (reader, (ClipQuery){ .mime = "image/png" }, "2 ");
  assert_found (reader, (ClipQuery){ .mime = "text/html" }, "5 ");
  assert_found (reader, (ClipQuery){ .mime = TEXT }, "5 1 ");
  assert_found (reader, (ClipQuery){ .mime = "image/gif" }, "");
  assert_found (reader, (ClipQuery){ .mime = "image/*" }, "2 ");
  assert_found (reader, (ClipQuery){ .mime = "text/*" }, "5 3 1 ");
  assert_found (reader, (ClipQuery){ .mime = "image" }, "");
  assert_found (reader, (ClipQuery){ .since_us = 20, .until_us = 30 }, "3 2 ");
  assert_found (reader, (ClipQuery){ .until_us = 10 }, "1 ");
  assert_found (reader, (ClipQuery){ .until_us = 40, .limit = 2 }, "4 3 ");
}

static void
test_search (void)
{
  char *rich[] = { (char *) "rich", NULL };
  char *both[] = { (char *) "STRASSE", (char *) "second", NULL };
  char *across[] = { (char *) "the\nsecond", NULL };
  char *picture[] = { (char *) "binary data", NULL };
  char *absent[] = { (char *) "absent", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  ClipStore *store = hoard->store;

  hoard_add_text (store, "plain");
  hoard_add_text (store, "in the Straße\nof the\nsecond line");
  hoard_add (store, hoard_draft (store, TEXT, "rich text", "text/html", "plain", NULL),
             NULL);
  hoard_add (store, hoard_draft (store, "image/png", "rich", NULL), NULL);

  reader = open_reader (hoard->dir);
  assert_found (reader, (ClipQuery){ .words = rich }, "3 ");
  assert_found (reader, (ClipQuery){ .words = both }, "2 ");
  assert_found (reader, (ClipQuery){ .words = across }, "2 ");
  assert_found (reader, (ClipQuery){ .words = picture }, "4 ");
  assert_found (reader, (ClipQuery){ .words = absent }, "");
  assert_found (reader, (ClipQuery){ .regex = "^(plain|of the)$" }, "2 1 ");
  assert_found (reader, (ClipQuery){ .regex = "plain", .words = rich }, "");
  assert_found (reader, (ClipQuery){ .regex = "i", .kind = CLIP_CLASS_IMAGE }, "4 ");
}

/* a long text is searched in its file, up to a limit; what is not text is not */
static void
test_search_in_files (void)
{
  char *needle[] = { (char *) "NEEDLE", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autofree char *text = g_strnfill (1500000, '.');
  static const struct
  {
    const char *mime;
    gsize offset;
  } cases[] = {
    { TEXT, 900000 }, { "application/x-test", 5000 }, { TEXT, 1200000 }, { TEXT, 70000 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ClipStage) stage = NULL;
      ClipDraft *draft = clip_draft_new ("");

      memcpy (text + cases[i].offset, "needle", 6);
      stage = hoard_stage (hoard->store, text, 1500000);
      memcpy (text + cases[i].offset, "......", 6);
      clip_draft_add (draft, cases[i].mime, stage, 1500000);
      hoard_add (hoard->store, draft, NULL);
    }
  reader = open_reader (hoard->dir);
  assert_found (reader, (ClipQuery){ .words = needle }, "4 1 ");
}

/* a search that finds nothing for long ends its page, too */
static void
test_vain_search_pages (void)
{
  char *needle[] = { (char *) "number 3", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) ids = g_string_new (NULL);
  ClipQuery query = { .words = needle, .before = 3 };
  gboolean more = FALSE;

  add_many (hoard->store, 6000);
  reader = open_reader (hoard->dir);
  query.before = 0;
  query.regex = "r 3$";
  g_assert_true (clip_reader_page (reader, &query, append_id, ids, &more, &error));
  g_assert_cmpstr (ids->str, ==, "");
  g_assert_true (more);
  g_assert_cmpint (query.before, >, 1000);
  assert_found (reader, query, "4 ");
}

static void
test_bad_regex_is_an_error (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = open_reader (hoard->dir);
  g_autoptr (GString) ids = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  ClipQuery query = { .regex = "(" };
  gboolean more = TRUE;

  g_assert_false (clip_reader_page (reader, &query, append_id, ids, &more, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
  g_assert_false (more);
}

/* Returns: the number of entries, or the code of the error and a hundred */
static int
read_without_rights (const char *dir)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = NULL;
  ClipTotals totals = { 0 };

  if (getuid () == 0 && setresuid (NOBODY, NOBODY, NOBODY) < 0)
    return 200;
  reader = clip_reader_open (dir, &error);
  if (reader && clip_reader_totals (reader, &totals, &error))
    {
      g_autoptr (GString) ids = g_string_new (NULL);
      ClipQuery query = { 0 };
      gboolean more;

      clip_reader_page (reader, &query, append_id, ids, &more, &error);
    }
  return error ? 100 + error->code : (int) totals.count;
}

/* in a child that can neither write the folder nor what is in it */
static int
read_as_stranger (const char *dir)
{
  pid_t pid = run_anew ("read", dir);
  int status;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static void
make_readable (const char *dir)
{
  static const char *const names[] = { "history.db", "history.db-wal", "history.db-shm" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (dir, names[i], NULL);

      g_chmod (path, 0444);
    }
  g_chmod (dir, 0555);
}

static void
remove_file (const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);

  g_unlink (path);
}

static char *
copy_store (const char *dir)
{
  static const char *const names[] = { "history.db", "history.db-wal", "history.db-shm" };
  char *copy = hoard_make_dir ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *from = g_build_filename (dir, names[i], NULL);
      g_autofree char *to = g_build_filename (copy, names[i], NULL);
      g_autofree char *data = NULL;
      gsize length;

      if (g_file_get_contents (from, &data, &length, NULL))
        g_file_set_contents (to, data, (gssize) length, NULL);
    }
  return copy;
}

/* a folder that cannot be written: closed or left by a crash, with and without side files
 */
static void
test_read_only_folder (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *crashed = NULL;
  g_autofree char *crashed_alone = NULL;
  g_autofree char *closed = NULL;
  g_autofree char *closed_alone = NULL;

  for (gint64 i = 1; i <= 3; i++)
    hoard_add_blob (hoard->store, 100, (guint) i);
  crashed = copy_store (hoard->dir);
  crashed_alone = copy_store (hoard->dir);
  remove_file (crashed_alone, "history.db-shm");
  hoard_reopen (hoard, 0);
  clip_store_close (hoard->store);
  closed = copy_store (hoard->dir);
  closed_alone = copy_store (hoard->dir);
  remove_file (closed_alone, "history.db-wal");
  remove_file (closed_alone, "history.db-shm");

  for (guint i = 0; i < 4; i++)
    {
      const char *dirs[] = { crashed, crashed_alone, closed, closed_alone };

      make_readable (dirs[i]);
      g_assert_cmpint (read_as_stranger (dirs[i]), ==, 3);
      g_chmod (dirs[i], 0755);
      hoard_remove_dir (dirs[i]);
    }
}

static void
test_forbidden_is_an_error (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_chmod (hoard->dir, 0);
  g_assert_cmpint (read_as_stranger (hoard->dir), ==, 100 + G_FILE_ERROR_ACCES);
  g_chmod (hoard->dir, 0700);
}

/* who opens a FIFO for reading waits for a writer */
static void
test_fifo_in_the_place_of_the_index (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autofree char *path = g_build_filename (dir, "history.db-shm", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_false (clip_reader_is_in_use (dir));
  g_assert_null (clip_store_open (dir, CLIP_STORE_SESSION, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  g_assert_nonnull (
      strstr (error->message, "history.db-shm' is refused: it is no plain"));
  hoard_remove_dir (dir);
}

/* what is held stays whole, whatever happens to the entry */
static void
test_payload_outlives_entry (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (ClipPayload) payload = NULL;
  g_autoptr (GError) error = NULL;
  char byte;

  hoard_add_blob (hoard->store, 100000, 1);
  reader = open_reader (hoard->dir);
  payload = clip_reader_open_content (reader, 1, NULL, &error);
  g_assert_no_error (error);
  hoard_delete (hoard->store, 1);
  g_assert_cmpint (pread (payload->fd, &byte, 1, 99999), ==, 1);
  g_assert_null (clip_reader_open_content (reader, 1, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

static void
test_wrong_size_is_corrupt (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *truncate = g_strdup_printf (
      "for f in '%s'/blobs/[0-9a-f]*/*; do chmod 600 $f; : >$f; done", hoard->dir);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;

  hoard_add_blob (hoard->store, 100000, 1);
  g_assert_cmpint (system (truncate), ==, 0);
  reader = open_reader (hoard->dir);
  g_assert_null (clip_reader_open_content (reader, 1, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
}

/* a reader that stands still in the middle of everything holds nothing up */
static gboolean
add_while_reading (const ClipRow *row G_GNUC_UNUSED, gpointer user_data)
{
  ClipStore *store = user_data;

  hoard_add_text (store, "while somebody reads");
  hoard_delete (store, clip_store_newest (store));
  return FALSE;
}

static void
test_reader_delays_nobody (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  ClipQuery query = { 0 };
  gboolean more;

  add_many (hoard->store, 3);
  reader = open_reader (hoard->dir);
  g_assert_true (
      clip_reader_page (reader, &query, add_while_reading, hoard->store, &more, &error));
  assert_found (reader, (ClipQuery){ 0 }, "3 2 1 ");
}

int
main (int argc, char *argv[])
{
  if (argc == 3 && g_str_equal (argv[1], "read"))
    _exit (read_without_rights (argv[2]));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reader/nothing-there", test_nothing_there);
  g_test_add_func ("/reader/damaged-database", test_damaged_database);
  g_test_add_func ("/reader/limit-and-before", test_limit_and_before);
  g_test_add_func ("/reader/function-stops", test_function_stops);
  g_test_add_func ("/reader/pages-while-it-changes", test_pages_while_it_changes);
  g_test_add_func ("/reader/long-previews-fill-pages", test_long_previews_fill_pages);
  g_test_add_func ("/reader/filters", test_filters);
  g_test_add_func ("/reader/search", test_search);
  g_test_add_func ("/reader/search-in-files", test_search_in_files);
  g_test_add_func ("/reader/vain-search-ends-its-page", test_vain_search_pages);
  g_test_add_func ("/reader/bad-expression", test_bad_regex_is_an_error);
  g_test_add_func ("/reader/folder-that-cannot-be-written", test_read_only_folder);
  g_test_add_func ("/reader/folder-that-cannot-be-read", test_forbidden_is_an_error);
  g_test_add_func ("/reader/fifo-in-the-place-of-the-index",
                   test_fifo_in_the_place_of_the_index);
  g_test_add_func ("/reader/payload-outlives-entry", test_payload_outlives_entry);
  g_test_add_func ("/reader/wrong-size-is-corrupt", test_wrong_size_is_corrupt);
  g_test_add_func ("/reader/reader-delays-nobody", test_reader_delays_nobody);
  return g_test_run ();
}

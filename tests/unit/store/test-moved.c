/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The folder of the history is taken away while the store is open. */
#include "clip-check.h"
#include "clip-connect.h"
#include "clip-directory.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-folder-lock.h"
#include "hoard.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define LARGE_BYTES 200000
#define DEADLINE_US (60 * G_USEC_PER_SEC)

typedef enum
{
  REMOVED,
  MOVED,
  MADE_AGAIN, /* removed, and an empty folder is there instead */
  WITHOUT_DATABASE,
  N_WAYS,
} Way;

static char *
new_name (const char *dir)
{
  return g_strconcat (dir, ".old", NULL);
}

/* at once: a store of the session begins anew as soon as its folder is gone */
static void
make_again (const char *dir)
{
  g_autofree char *other = new_name (dir);

  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  g_assert_cmpint (renameat2 (AT_FDCWD, other, AT_FDCWD, dir, RENAME_EXCHANGE), ==, 0);
  hoard_remove_dir (other);
}

static void
take_away (Hoard *hoard, Way way)
{
  g_autofree char *name = new_name (hoard->dir);
  g_autofree char *database = g_build_filename (hoard->dir, "history.db", NULL);

  if (way == MOVED)
    g_assert_cmpint (g_rename (hoard->dir, name), ==, 0);
  else if (way == WITHOUT_DATABASE)
    g_assert_cmpint (g_unlink (database), ==, 0);
  else if (way == MADE_AGAIN)
    make_again (hoard->dir);
  else
    hoard_remove_dir (hoard->dir);
}

static void
clean_up (Hoard *hoard)
{
  g_autofree char *name = new_name (hoard->dir);

  hoard_remove_dir (name);
}

static void
assert_large (ClipStore *store, gint64 id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hoard_bytes (store, id, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, LARGE_BYTES);
}

/* what is acknowledged from now on is there for whoever opens the folder next */
static void
assert_keeps (Hoard *hoard, guint n_before)
{
  struct stat status;
  ClipTotals totals;
  gint64 word = hoard_add_text (hoard->store, "a word");
  gint64 large = hoard_add_blob (hoard->store, LARGE_BYTES, 2);
  g_autofree char *list = hoard_list (hoard->store);
  g_autofree char *again = NULL;

  g_assert_cmpint (stat (hoard->dir, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
  assert_large (hoard->store, large);
  clip_store_get_totals (hoard->store, &totals);
  g_assert_cmpint (totals.count, ==, n_before + 2);
  g_assert_cmpint (word, ==, n_before + 1);
  hoard_reopen (hoard, 0);
  again = hoard_list (hoard->store);
  g_assert_cmpstr (again, ==, list);
  assert_large (hoard->store, large);
}

static void
test_taken_away (gconstpointer data)
{
  for (guint session = 0; session < 2; session++)
    {
      g_autoptr (Hoard) hoard = hoard_new (session ? CLIP_STORE_SESSION : 0);

      hoard_add_text (hoard->store, "before");
      hoard_add_blob (hoard->store, LARGE_BYTES, 1);
      take_away (hoard, GPOINTER_TO_UINT (data));
      assert_keeps (hoard, 0);
      clean_up (hoard);
    }
}

/* a content that has come by then, in memory or in a file of the folder that is gone */
static void
test_on_its_way (gconstpointer data)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStage) stage = hoard_stage_of (hoard->store, LARGE_BYTES, 3);
  g_autoptr (GError) error = NULL;
  ClipDraft *word = hoard_draft (hoard->store, "text/plain", "on its way", NULL);
  ClipDraft *large = clip_draft_new ("");

  g_assert_cmpint (clip_stage_spill (stage, &error), ==, LARGE_BYTES);
  clip_draft_add (large, "image/png", stage, LARGE_BYTES);
  take_away (hoard, GPOINTER_TO_UINT (data));
  g_assert_cmpint (hoard_add (hoard->store, large, NULL).id, ==, 1);
  g_assert_cmpint (hoard_add (hoard->store, word, NULL).id, ==, 2);
  assert_large (hoard->store, 1);
  assert_keeps (hoard, 2);
  clean_up (hoard);
}

/* the folder that was moved keeps what it had, whole */
static void
test_moved_is_whole (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  g_autofree char *name = new_name (hoard->dir);
  g_autofree char *before = NULL;
  g_autofree char *moved = NULL;
  g_autoptr (ClipStore) store = NULL;
  g_autoptr (GError) error = NULL;

  hoard_add_text (hoard->store, "before");
  hoard_add_blob (hoard->store, LARGE_BYTES, 1);
  before = hoard_list (hoard->store);
  take_away (hoard, MOVED);
  hoard_add_text (hoard->store, "after");
  store = clip_store_open (name, 0, &error);
  g_assert_no_error (error);
  moved = hoard_list (store);
  g_assert_cmpstr (moved, ==, before);
  assert_large (store, 2);
  clip_store_close (store);
  clean_up (hoard);
}

static void
test_reads_find_the_new_one (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *list = NULL;
  g_autofree char *empty = NULL;

  hoard_add_text (hoard->store, "before");
  list = hoard_list (hoard->store);
  take_away (hoard, REMOVED);
  empty = hoard_list (hoard->store);
  g_assert_cmpstr (list, !=, empty);
  g_assert_cmpstr (empty, ==, "");
}

static void
count_removed (ClipStore *store G_GNUC_UNUSED, GArray *ids, guint *n)
{
  g_assert_cmpuint (ids->len, ==, 0); /* whoever listens reads again */
  *n += 1;
}

static void
test_vanished_are_announced (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  ClipTotals totals;
  guint n = 0;

  g_signal_connect (hoard->store, "entries-removed", G_CALLBACK (count_removed), &n);
  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  take_away (hoard, REMOVED);
  while (n == 0)
    g_main_context_iteration (NULL, TRUE);
  clip_store_get_totals (hoard->store, &totals);
  g_assert_cmpint (totals.count, ==, 0);
  g_assert_false (g_file_test (hoard->dir, G_FILE_TEST_EXISTS));
  hoard_add_text (hoard->store, "three");
  g_assert_cmpuint (n, ==, 1);
}

/* nothing is acknowledged where there can be no history, and all is well once it can */
static void
test_nowhere_to_begin (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autofree char *expected = NULL;

  take_away (hoard, REMOVED);
  g_assert_true (g_file_set_contents (hoard->dir, "in the way", -1, NULL));
  g_assert_false (hoard_try_add (hoard->store,
                                 hoard_draft (hoard->store, "text/plain", "lost", NULL),
                                 NULL, NULL, &error));
  expected = g_strdup_printf ("history folder '%s' cannot be found: ", hoard->dir);
  g_assert_true (g_str_has_prefix (error->message, expected));
  g_assert_null (strchr (error->message, '\n'));
  g_unlink (hoard->dir);
  assert_keeps (hoard, 0);
}

/* only the files are gone: what is copied again is there again */
static void
test_blobs_alone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *blobs = g_build_filename (hoard->dir, "blobs", NULL);

  hoard_add_blob (hoard->store, LARGE_BYTES, 1);
  hoard_remove_dir (blobs);
  assert_large (hoard->store, hoard_add_blob (hoard->store, LARGE_BYTES, 1));
  assert_large (hoard->store, hoard_add_blob (hoard->store, LARGE_BYTES, 2));
}

static void
finish_add (ClipStore *store, Answer *answer)
{
  g_autoptr (GAsyncResult) result = answer_wait (answer);
  g_autoptr (GError) error = NULL;

  clip_store_change_finish (store, result, NULL, &error);
  g_assert_no_error (error);
}

static void
assert_whole (const char *dir, guint n_entries)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReport) report = clip_check (dir, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < report->findings->len; i++)
    g_error ("%s", ((ClipFinding *) report->findings->pdata[i])->text);
  g_assert_cmpuint (report->n_entries, ==, n_entries);
}

/* how many descriptors of the folder this process has */
static guint
count_open (const char *dir)
{
  clip_autodir DIR *fds = clip_directory_open (AT_FDCWD, "/proc/self/fd");
  struct stat wanted, status;
  const char *name;
  guint n = 0;

  g_assert_nonnull (fds);
  g_assert_cmpint (stat (dir, &wanted), ==, 0);
  while ((name = clip_directory_next (fds)))
    n += fstatat (dirfd (fds), name, &status, 0) == 0 && status.st_ino == wanted.st_ino &&
         status.st_dev == wanted.st_dev;
  return n;
}

/* the one that waits for the lock has it open, too */
static void
wait_until_waited_for (const char *dir, guint n_open)
{
  gint64 end_us = g_get_monotonic_time () + DEADLINE_US;

  while (count_open (dir) <= n_open)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (1000);
    }
}

static ino_t
inode_of (const char *path)
{
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_ino;
}

/* whoever begins anew does not take for the old log that of a database that is just
   made */
static void
test_two_begin_anew (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *log = g_build_filename (hoard->dir, "history.db-wal", NULL);
  g_autofree char *index = g_build_filename (hoard->dir, "history.db-shm", NULL);
  g_autoptr (ClipStatements) other = NULL;
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };
  clip_autofd int lock_fd =
      clip_folder_lock (hoard->dir, TRUE, CLIP_FOLDER_PATIENCE_US, &error);
  guint n_open = count_open (hoard->dir);
  ino_t inode;

  g_assert_no_error (error);
  take_away (hoard, WITHOUT_DATABASE);
  g_unlink (log);
  g_unlink (index);
  clip_store_change_async (
      hoard->store,
      clip_change_add (hoard_draft (hoard->store, "text/plain", "one", NULL), NULL),
      on_answer, &answer);
  wait_until_waited_for (hoard->dir, n_open);
  other = clip_connect_folder (hoard->dir, &error);
  g_assert_no_error (error);
  inode = inode_of (log);
  clip_fd_clear (&lock_fd);
  finish_add (hoard->store, &answer);
  g_assert_cmpuint (inode_of (log), ==, inode);
  assert_whole (hoard->dir, 1);
}

/* who may read the folder may lock it */
static void
test_open_to_read_is_closed (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  struct stat status;

  g_assert_cmpint (g_chmod (hoard->dir, 0755), ==, 0);
  hoard_reopen (hoard, 0);
  g_assert_cmpint (stat (hoard->dir, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
}

static void
test_locked_is_not_waited_for_without_end (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  clip_autofd int first = clip_folder_lock (hoard->dir, FALSE, 0, &error);
  clip_autofd int second = clip_folder_lock (hoard->dir, FALSE, 0, &error);

  g_assert_cmpint (first, >=, 0);
  g_assert_cmpint (second, >=, 0);
  g_assert_cmpint (clip_folder_lock (hoard->dir, TRUE, 0, &error), ==, -1);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_nonnull (strstr (error->message, hoard->dir));
}

int
main (int argc, char **argv)
{
  static const char *const ways[N_WAYS] = { "removed", "moved", "made-again",
                                            "without-database" };

  g_test_init (&argc, &argv, NULL);
  for (guint way = 0; way < N_WAYS; way++)
    {
      g_autofree char *after = g_strconcat ("/moved/kept-after/", ways[way], NULL);
      g_autofree char *meanwhile = g_strconcat ("/moved/on-its-way/", ways[way], NULL);

      g_test_add_data_func (after, GUINT_TO_POINTER (way), test_taken_away);
      g_test_add_data_func (meanwhile, GUINT_TO_POINTER (way), test_on_its_way);
    }
  g_test_add_func ("/moved/moved-is-whole", test_moved_is_whole);
  g_test_add_func ("/moved/reads-find-the-new-one", test_reads_find_the_new_one);
  g_test_add_func ("/moved/vanished-are-announced", test_vanished_are_announced);
  g_test_add_func ("/moved/nowhere-to-begin", test_nowhere_to_begin);
  g_test_add_func ("/moved/two-begin-anew", test_two_begin_anew);
  g_test_add_func ("/moved/blobs-alone", test_blobs_alone);
  g_test_add_func ("/folder-lock/open-to-read-is-closed", test_open_to_read_is_closed);
  g_test_add_func ("/folder-lock/locked-is-not-waited-for-without-end",
                   test_locked_is_not_waited_for_without_end);
  return g_test_run ();
}

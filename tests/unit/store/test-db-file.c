/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The file at db-path, where more than one process has to do with it; what one does is
 * told by transcripts. */
#include "clip-db-file.h"

#include "bolt-file.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-reader.h"
#include "hoard.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* how a database that was taken over gets its new name */
static enum { BY_RENAME, BY_LINK, BY_NOTHING } names;

/* these two in the place of the C library's */
int
renameat2 (int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
  if (names == BY_RENAME || !g_str_has_suffix (to, ".sentriz"))
    return (int) syscall (SYS_renameat2, from_fd, from, to_fd, to, flags);
  errno = names == BY_LINK ? EINVAL : EPERM;
  return -1;
}

int
link (const char *from, const char *to)
{
  if (names != BY_NOTHING)
    return linkat (AT_FDCWD, from, AT_FDCWD, to, 0);
  errno = EPERM;
  return -1;
}

/* how many entries that have expired a change removes at once */
#define EXPIRED_AT_ONCE 1000

/* a history that a -db-path leads to */
typedef struct
{
  char *root;
  char *path;
  char *dir;
} Place;

static Place
place_new (void)
{
  Place place = { .root = hoard_make_dir () };

  place.path = g_build_filename (place.root, "db", NULL);
  place.dir = g_strconcat (place.path, ".d", NULL);
  return place;
}

static void
place_clear (Place *place)
{
  hoard_remove_dir (place->root);
  g_free (place->root);
  g_free (place->path);
  g_free (place->dir);
}

static ClipStore *
open_store (const Place *place, ClipStoreFlags flags)
{
  g_autoptr (GError) error = NULL;
  ClipStore *store = clip_store_open (place->dir, flags, &error);

  g_assert_no_error (error);
  return store;
}

static void
close_store (ClipStore *store_take)
{
  clip_store_close (store_take);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_object_unref (store_take);
}

static void
assert_list (ClipStore *store, const char *expected)
{
  g_autofree char *list = hoard_list (store);

  g_assert_cmpstr (list, ==, expected);
}

static void
test_two_daemons_wipe_once (void)
{
  Place place = place_new ();
  ClipStore *one = open_store (&place, 0);
  ClipStore *two = open_store (&place, 0);
  gint64 id;

  hoard_add_text (one, "first");
  g_assert_cmpint (g_unlink (place.path), ==, 0);
  id = hoard_add_text (two, "second");
  g_assert_cmpint (id, ==, 1);
  /* as if the other one had looked before the file was there again */
  g_assert_cmpint (g_unlink (place.path), ==, 0);
  id = hoard_add_text (one, "third");
  g_assert_cmpint (id, ==, 1);
  id = hoard_add_text (two, "fourth");
  g_assert_cmpint (id, ==, 2);
  close_store (one);
  close_store (two);
  place_clear (&place);
}

/* between the wipe and the new file nothing is missing that anybody has removed */
static void
test_what_is_wiped_is_not_wiped_again (void)
{
  Place place = place_new ();
  ClipStore *store = open_store (&place, 0);
  Answer answer = { 0 };

  hoard_add_text (store, "first");
  g_assert_cmpint (g_unlink (place.path), ==, 0);
  g_assert_cmpint (g_mkdir (place.path, 0700), ==, 0);
  hoard_add_text (store, "second");
  assert_list (store, "2 second;1 first;");
  g_assert_cmpint (g_rmdir (place.path), ==, 0);
  clip_store_change_async (store, clip_change_touch (), on_answer, &answer);
  hoard_wait_n (store, &answer, NULL);
  assert_list (store, "");
  g_assert_cmpint (hoard_add_text (store, "third"), ==, 1);
  close_store (store);
  place_clear (&place);
}

/* a file system tells births apart by its clock, which ticks every few milliseconds */
static void
wait_for_tick (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *first = NULL;
  gboolean ticked = FALSE;

  while (!ticked)
    {
      g_autofree char *now = NULL;

      g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
      now = clip_db_file_folder (path);
      g_assert_cmpint (g_rmdir (folder), ==, 0);
      ticked = first && g_strcmp0 (now, first) != 0;
      if (!first)
        first = g_steal_pointer (&now);
    }
}

static void
test_another_folder_of_that_name_says_nothing (void)
{
  Place place = place_new ();
  g_autofree char *here = clip_db_file_folder (place.path);
  g_autofree char *elsewhere = g_build_filename (place.root, "folder", "db", NULL);
  g_autofree char *folder = g_path_get_dirname (elsewhere);
  g_autofree char *before = NULL;

  g_assert_nonnull (here);
  g_assert_true (clip_db_file_was_removed (place.path, here));
  g_assert_false (clip_db_file_was_removed (place.path, NULL));
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  before = clip_db_file_folder (elsewhere);
  g_assert_true (clip_db_file_was_removed (elsewhere, before));
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_false (clip_db_file_was_removed (elsewhere, before));
  wait_for_tick (elsewhere);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_false (clip_db_file_was_removed (elsewhere, before));
  place_clear (&place);
}

static void
test_a_history_that_was_moved_is_not_wiped (void)
{
  Place place = place_new ();
  ClipStore *store = open_store (&place, 0);
  g_autofree char *other = g_build_filename (place.root, "other", NULL);
  g_autofree char *moved = g_build_filename (other, "db.d", NULL);
  g_autoptr (GError) error = NULL;

  hoard_add_text (store, "first");
  close_store (store);
  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  g_assert_cmpint (g_rename (place.dir, moved), ==, 0);
  store = clip_store_open (moved, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hoard_add_text (store, "second"), ==, 2);
  close_store (store);
  place_clear (&place);
}

/* by a change that comes to nothing, as a daemon makes one when it starts, and when the
 * file is removed. @expected: what is there then */
static void
settle (const Place *place, const char *expected)
{
  ClipStore *store = open_store (place, 0);
  Answer answer = { 0 };

  clip_store_change_async (store, clip_change_move (99), on_answer, &answer);
  hoard_wait_n (store, &answer, NULL);
  assert_list (store, expected);
  close_store (store);
}

/* its note knows the folder of the file, as the one of the history that was wiped did */
static void
test_a_backup_put_back_after_a_wipe_stays (void)
{
  Place place = place_new ();
  g_autofree char *backup = g_build_filename (place.root, "backup", NULL);
  g_autofree char *copy = g_strdup_printf ("cp -a %s %s", place.dir, backup);
  ClipStore *store = open_store (&place, 0);

  hoard_add_text (store, "first");
  close_store (store);
  g_assert_true (g_spawn_command_line_sync (copy, NULL, NULL, NULL, NULL));
  g_assert_cmpint (g_unlink (place.path), ==, 0);
  settle (&place, "");
  hoard_remove_dir (place.dir);
  g_assert_cmpint (g_rename (backup, place.dir), ==, 0);
  settle (&place, "1 first;");
  place_clear (&place);
}

static void
on_removed (ClipStore *store G_GNUC_UNUSED, GArray *ids, gpointer user_data)
{
  *(guint *) user_data += ids->len;
}

static void
test_removal_is_told (void)
{
  Place place = place_new ();
  ClipStore *store = open_store (&place, CLIP_STORE_SESSION);
  guint n = 0;

  g_signal_connect (store, "entries-removed", G_CALLBACK (on_removed), &n);
  hoard_add_text (store, "first");
  hoard_add_text (store, "second");
  g_assert_cmpint (g_unlink (place.path), ==, 0);
  while (n < 2)
    g_main_context_iteration (NULL, TRUE);
  assert_list (store, "");
  close_store (store);
  place_clear (&place);
}

/* --- a database of the existing tool --- */

static void
write_bolt (const Place *place, guint n)
{
  g_autoptr (BoltFile) file = bolt_file_new ();

  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      bolt_file_add_text (file, i, text);
    }
  bolt_file_write (file, place->path);
}

static gboolean
is_aside (const Place *place)
{
  g_autofree char *aside = g_strconcat (place->path, ".sentriz", NULL);

  return g_file_test (aside, G_FILE_TEST_EXISTS);
}

static void
on_added (ClipStore *store G_GNUC_UNUSED,
          ClipEntry *entry G_GNUC_UNUSED,
          gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
test_many_entries_are_not_announced_one_by_one (void)
{
  Place place = place_new ();
  ClipStore *store;
  ClipTotals totals;
  guint n = 0;

  write_bolt (&place, 3000);
  store = open_store (&place, 0);
  g_signal_connect (store, "entry-added", G_CALLBACK (on_added), &n);
  g_assert_cmpint (hoard_add_text (store, "new"), ==, 3001);
  clip_store_get_totals (store, &totals);
  g_assert_cmpint (totals.count, ==, 3001);
  g_assert_cmpint (n, <=, 300);
  g_assert_true (is_aside (&place));
  close_store (store);
  place_clear (&place);
}

/* its clock was wrong */
static void
test_time_to_come_is_now (void)
{
  Place place = place_new ();
  const struct timespec times[2] = { { .tv_sec = G_GINT64_CONSTANT (4000000000) },
                                     { .tv_sec = G_GINT64_CONSTANT (4000000000) } };
  g_autoptr (ClipEntry) entry = NULL;
  g_autoptr (GError) error = NULL;
  ClipStore *store;

  write_bolt (&place, 1);
  g_assert_cmpint (utimensat (AT_FDCWD, place.path, times, 0), ==, 0);
  store = open_store (&place, 0);
  g_assert_cmpint (hoard_add_text (store, "new"), ==, 2);
  entry = hoard_lookup (store, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (entry->row.last_us, <=, g_get_real_time ());
  close_store (store);
  place_clear (&place);
}

/* the whole history has expired, while nobody was there to remove it */
static void
expire_all (const Place *place)
{
  g_autofree char *path = g_build_filename (place->dir, "history.db", NULL);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 10000);
  g_assert_cmpint (
      sqlite3_exec (db, "UPDATE entry SET expires_us = 1000", NULL, NULL, NULL), ==,
      SQLITE_OK);
  sqlite3_close (db);
}

/* more than a copy removes */
static void
test_many_that_have_expired_cost_it_no_entry (void)
{
  Place place = place_new ();
  ClipStore *store = open_store (&place, 0);
  ClipTotals totals;

  for (guint i = 0; i < 2 * EXPIRED_AT_ONCE; i++)
    {
      g_autofree char *text = g_strdup_printf ("expired %u", i);

      hoard_add_text (store, text);
    }
  close_store (store);
  expire_all (&place);
  g_assert_cmpint (g_unlink (place.path), ==, 0);
  write_bolt (&place, 50);
  store = open_store (&place, 0);
  hoard_add_text (store, "new");
  hoard_add_text (store, "newer");
  clip_store_get_totals (store, &totals);
  g_assert_cmpint (totals.count, ==, 52);
  g_assert_true (is_aside (&place));
  close_store (store);
  place_clear (&place);
}

/* @last: of two entries. Returns: (transfer full): the history when another was added */
static char *
adopt_two (guint64 last, guint64 sequence)
{
  Place place = place_new ();
  g_autoptr (BoltFile) file = bolt_file_new ();
  ClipStore *store;
  char *list;

  bolt_file_add_text (file, 5, "five");
  bolt_file_add_text (file, last, "last");
  file->sequence = sequence;
  bolt_file_write (file, place.path);
  store = open_store (&place, 0);
  hoard_add_text (store, "new");
  list = hoard_list (store);
  g_assert_true (is_aside (&place));
  close_store (store);
  place_clear (&place);
  return list;
}

/* up to where an id is found in a damaged history */
static void
test_ids_out_of_range_are_not_kept (void)
{
  const guint64 most = G_GUINT64_CONSTANT (1) << 39;
  g_autofree char *kept = adopt_two (most, most);
  g_autofree char *above = adopt_two (most + 1, most + 1);
  g_autofree char *far_above = adopt_two (most, G_MAXINT64 / 2);

  g_assert_cmpstr (kept, ==, "549755813889 new;549755813888 last;5 five;");
  g_assert_cmpstr (above, ==, "3 new;2 last;1 five;");
  g_assert_cmpstr (far_above, ==, "3 new;2 last;1 five;");
}

/* it was adopted, and then the daemon was killed before the file had its new name */
static void
test_what_is_adopted_again_is_there_once (void)
{
  Place place = place_new ();
  g_autofree char *aside = g_strconcat (place.path, ".sentriz", NULL);
  ClipStore *store;

  write_bolt (&place, 3);
  store = open_store (&place, 0);
  hoard_add_text (store, "new");
  g_assert_cmpint (g_rename (aside, place.path), ==, 0);
  hoard_add_text (store, "newer");
  assert_list (store, "8 newer;7 text 3;6 text 2;5 text 1;4 new;");
  g_assert_true (is_aside (&place));
  close_store (store);
  place_clear (&place);
}

/* NFS, and FUSE as a rule: no rename that refuses to replace */
static void
test_its_new_name_may_be_a_link (void)
{
  Place place = place_new ();
  ClipStore *store;

  names = BY_LINK;
  write_bolt (&place, 3);
  store = open_store (&place, 0);
  hoard_add_text (store, "new");
  assert_list (store, "4 new;3 text 3;2 text 2;1 text 1;");
  g_assert_true (is_aside (&place));
  names = BY_RENAME;
  close_store (store);
  place_clear (&place);
}

static void
test_without_a_new_name_it_comes_once (void)
{
  Place place = place_new ();
  ClipStore *store;

  names = BY_NOTHING;
  write_bolt (&place, 3);
  store = open_store (&place, 0);
  g_test_expect_message ("clip-store", G_LOG_LEVEL_WARNING,
                         "*is left as it is*rename it*");
  hoard_add_text (store, "new");
  hoard_add_text (store, "newer");
  g_test_assert_expected_messages ();
  assert_list (store, "5 newer;4 new;3 text 3;2 text 2;1 text 1;");
  g_assert_false (is_aside (&place));
  names = BY_RENAME;
  close_store (store);
  place_clear (&place);
}

static void
test_nothing_of_a_damaged_one_is_taken (void)
{
  Place place = place_new ();
  g_autoptr (BoltFile) file = bolt_file_new ();
  g_autoptr (GByteArray) image = NULL;
  ClipStore *store;

  bolt_file_add_text (file, 1, "one");
  bolt_file_add_text (file, 5, "five");
  bolt_file_add_text (file, 4, "four");
  image = bolt_file_make (file);
  g_assert_true (
      g_file_set_contents (place.path, (char *) image->data, (gssize) image->len, NULL));
  store = open_store (&place, 0);
  g_test_expect_message ("clip-store", G_LOG_LEVEL_WARNING,
                         "*is left as it is*its ids do not grow*");
  g_assert_cmpint (hoard_add_text (store, "new"), ==, 1);
  /* and it is not looked at again as long as it stays as it is */
  g_assert_cmpint (hoard_add_text (store, "newer"), ==, 2);
  g_test_assert_expected_messages ();
  g_assert_false (is_aside (&place));
  close_store (store);
  place_clear (&place);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/db-file/two-daemons-wipe-once", test_two_daemons_wipe_once);
  g_test_add_func ("/db-file/what-is-wiped-is-not-wiped-again",
                   test_what_is_wiped_is_not_wiped_again);
  g_test_add_func ("/db-file/another-folder-of-that-name-says-nothing",
                   test_another_folder_of_that_name_says_nothing);
  g_test_add_func ("/db-file/a-history-that-was-moved-is-not-wiped",
                   test_a_history_that_was_moved_is_not_wiped);
  g_test_add_func ("/db-file/a-backup-put-back-after-a-wipe-stays",
                   test_a_backup_put_back_after_a_wipe_stays);
  g_test_add_func ("/db-file/removal-is-told", test_removal_is_told);
  g_test_add_func ("/db-file/many-entries-are-not-announced-one-by-one",
                   test_many_entries_are_not_announced_one_by_one);
  g_test_add_func ("/db-file/time-to-come-is-now", test_time_to_come_is_now);
  g_test_add_func ("/db-file/many-that-have-expired-cost-it-no-entry",
                   test_many_that_have_expired_cost_it_no_entry);
  g_test_add_func ("/db-file/ids-out-of-range-are-not-kept",
                   test_ids_out_of_range_are_not_kept);
  g_test_add_func ("/db-file/what-is-adopted-again-is-there-once",
                   test_what_is_adopted_again_is_there_once);
  g_test_add_func ("/db-file/its-new-name-may-be-a-link",
                   test_its_new_name_may_be_a_link);
  g_test_add_func ("/db-file/without-a-new-name-it-comes-once",
                   test_without_a_new_name_it_comes_once);
  g_test_add_func ("/db-file/nothing-of-a-damaged-one-is-taken",
                   test_nothing_of_a_damaged_one_is_taken);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-fd.h"
#include "clip-sweep.h"
#include "hoard.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static char *
make_stray (const char *dir, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (dir, "blobs", folder, NULL);
  char *file = g_build_filename (path, name, NULL);

  g_mkdir_with_parents (path, 0700);
  g_assert_true (g_file_set_contents (file, "stray", -1, NULL));
  return file;
}

static void
wait_gone (const char *path)
{
  while (g_file_test (path, G_FILE_TEST_EXISTS))
    g_main_context_iteration (NULL, FALSE);
}

static void
test_strays_removed (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autofree char *first =
      make_stray (hoard->dir, "00", "00000000000000000000000000000000");
  g_autofree char *numbered =
      make_stray (hoard->dir, "ff", "00000000000000000000000000000000.1");
  g_autofree char *last = make_stray (hoard->dir, "ff", "ffffffffffffffffffffffffffffff");
  g_autoptr (GBytes) bytes = NULL;
  gint64 id = hoard_add_blob (hoard->store, 100000, 1);

  hoard_reopen (hoard, CLIP_STORE_SESSION);
  wait_gone (first);
  wait_gone (numbered);
  wait_gone (last);
  bytes = hoard_bytes (hoard->store, id, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 1);
}

/* more than one batch of them */
static void
test_many_swept (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  gint64 id = hoard_add_blob (hoard->store, 100000, 1);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *name = g_strdup_printf ("%030x", i);

      g_free (make_stray (hoard->dir, "7f", name));
    }
  hoard_reopen (hoard, CLIP_STORE_SESSION);
  while (hoard_count_files (hoard->dir, "blobs") > 1)
    g_main_context_iteration (NULL, FALSE);
  g_bytes_unref (hoard_bytes (hoard->store, id, NULL, &error));
  g_assert_no_error (error);
}

/* only the session's daemon sweeps */
static void
test_private_daemon_sweeps_nothing (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *stray =
      make_stray (hoard->dir, "00", "00000000000000000000000000000000");

  hoard_reopen (hoard, 0);
  hoard_add_blob (hoard->store, 100000, 1);
  hoard_reopen (hoard, 0);
  g_assert_true (g_file_test (stray, G_FILE_TEST_EXISTS));
}

typedef struct
{
  const char *path;
  gboolean pinned;
  gint64 since_us;
  guint n_stay;
} Wiping;

static const Wiping wipings[] = {
  { "/sweep/wipe-removes-strays", FALSE, 0, 0 },
  { "/sweep/wipe-beside-pinned-removes-strays", TRUE, 0, 1 },
  { "/sweep/wipe-of-nothing-removes-strays", FALSE, G_MAXINT64, 1 },
};

static void
test_wipe_removes_strays (gconstpointer data)
{
  const Wiping *wiping = data;
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *stray =
      make_stray (hoard->dir, "00", "00000000000000000000000000000000");
  g_autofree char *left = make_stray (hoard->dir, "tmp", "1-2-3");

  hoard_pin (hoard->store, hoard_add_blob (hoard->store, 100000, 1), wiping->pinned);
  hoard_wipe (hoard->store, FALSE, wiping->since_us);
  g_assert_false (g_file_test (stray, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, wiping->n_stay);
}

static gboolean
count_names (char **names_take, gpointer user_data)
{
  g_auto (GStrv) names = names_take;

  *(guint *) user_data += g_strv_length (names);
  return TRUE;
}

/* a file that somebody fills just now is locked; one that a crash left is not */
static void
test_leftovers_removed (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipBlobs) blobs = clip_blobs_open (dir, &error);
  g_autoptr (ClipStage) stage = NULL;
  g_autofree char *left = NULL;
  guint n = 0;

  clip_blobs_use_names (blobs);
  stage = clip_stage_new (blobs, &error);
  g_assert_cmpint (clip_stage_spill (stage, &error), ==, 0);
  g_assert_no_error (error);
  left = make_stray (dir, "tmp", "1-2-3");
  g_assert_cmpuint (hoard_count_files (dir, "blobs/tmp"), ==, 2);
  g_assert_true (clip_sweep (clip_blobs_fd (blobs), count_names, &n));
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (hoard_count_files (dir, "blobs/tmp"), ==, 1);
  g_assert_cmpuint (n, ==, 0);
  g_clear_pointer (&stage, clip_stage_unref);
  hoard_remove_dir (dir);
}

static void
test_one_sweeps_at_a_time (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autofree char *path = g_build_filename (dir, "blobs", NULL);
  g_autoptr (ClipBlobs) blobs = clip_blobs_open (dir, NULL);
  clip_autofd int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  guint n = 0;

  g_free (make_stray (dir, "00", "000000000000000000000000000000"));
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  g_assert_false (clip_sweep (clip_blobs_fd (blobs), count_names, &n));
  g_assert_cmpint (flock (fd, LOCK_UN), ==, 0);
  g_assert_true (clip_sweep (clip_blobs_fd (blobs), count_names, &n));
  g_assert_cmpuint (n, ==, 1);
  hoard_remove_dir (dir);
}

/* what is no blob's name is not ours to remove */
static void
test_other_files_stay (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *other = make_stray (hoard->dir, "notes", "mine");
  g_autofree char *stray =
      make_stray (hoard->dir, "00", "000000000000000000000000000000");

  hoard_reopen (hoard, CLIP_STORE_SESSION);
  wait_gone (stray);
  hoard_reopen (hoard, 0);
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
}

/* a history with a text and a blob, of which nothing is in the log, and nobody has it
   open */
static void
close_history (Hoard *hoard)
{
  hoard_add_text (hoard->store, "a text");
  hoard_add_blob (hoard->store, 100000, 1);
  clip_store_close (hoard->store);
  g_clear_object (&hoard->store);
}

/* by the sweep of the session's daemon, which has ended when this returns */
static void
assert_nothing_lost (Hoard *hoard)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gint64 id;

  hoard_reopen (hoard, CLIP_STORE_SESSION);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "damaged"), ==, 1);
  id = hoard_add_blob (hoard->store, 100000, 2);
  hoard_reopen (hoard, CLIP_STORE_SESSION);
  hoard_reopen (hoard, 0);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "damaged"), ==, 1);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 1);
  bytes = hoard_bytes (hoard->store, id, NULL, &error);
  g_assert_no_error (error);
}

/* @data: whether its file is there */
static void
test_database_lost (gconstpointer data)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *database = g_build_filename (hoard->dir, "history.db", NULL);

  close_history (hoard);
  g_assert_cmpint (data ? truncate (database, 0) : g_unlink (database), ==, 0);
  assert_nothing_lost (hoard);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/strays-removed", test_strays_removed);
  g_test_add_func ("/sweep/many-at-once", test_many_swept);
  g_test_add_func ("/sweep/private-daemon-sweeps-nothing",
                   test_private_daemon_sweeps_nothing);
  for (guint i = 0; i < G_N_ELEMENTS (wipings); i++)
    g_test_add_data_func (wipings[i].path, &wipings[i], test_wipe_removes_strays);
  g_test_add_func ("/sweep/leftovers-removed", test_leftovers_removed);
  g_test_add_func ("/sweep/one-at-a-time", test_one_sweeps_at_a_time);
  g_test_add_func ("/sweep/other-files-stay", test_other_files_stay);
  g_test_add_data_func ("/sweep/database-gone", NULL, test_database_lost);
  g_test_add_data_func ("/sweep/database-emptied", "emptied", test_database_lost);
  return g_test_run ();
}

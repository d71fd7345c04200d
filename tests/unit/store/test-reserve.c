/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The room that is kept for deleting; what it is good for on a full disk is asked in
   tests/faults. */
#include "clip-reserve.h"
#include "hoard.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

static goffset
kept_bytes (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, CLIP_RESERVE_NAME, NULL);
  struct stat status;

  return stat (path, &status) == 0 ? (goffset) status.st_blocks * 512 : 0;
}

static void
test_kept_from_the_start (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *path = g_build_filename (hoard->dir, CLIP_RESERVE_NAME, NULL);
  struct stat status;

  g_assert_cmpint (kept_bytes (hoard->dir), >=, CLIP_RESERVE_BYTES);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
}

static void
test_given_up_once (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autoptr (GError) error = NULL;

  g_assert_true (clip_reserve_keep (dir, &error));
  g_assert_no_error (error);
  g_assert_true (clip_reserve_release (dir));
  g_assert_cmpint (kept_bytes (dir), ==, 0);
  g_assert_false (clip_reserve_release (dir));
  g_assert_true (clip_reserve_keep (dir, &error));
  g_assert_cmpint (kept_bytes (dir), >=, CLIP_RESERVE_BYTES);
  hoard_remove_dir (dir);
}

/* what is small leaves room for a delete */
static void
test_given_up_by_parts (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autoptr (GError) error = NULL;
  guint n_parts = 0;

  g_assert_true (clip_reserve_keep (dir, &error));
  while (clip_reserve_release_part (dir))
    n_parts++;
  g_assert_cmpuint (n_parts, ==, 2);
  g_assert_true (clip_reserve_keep (dir, &error));
  g_assert_true (clip_reserve_release_part (dir));
  g_assert_true (clip_reserve_release (dir));
  g_assert_cmpint (kept_bytes (dir), ==, 0);
  hoard_remove_dir (dir);
}

/* whatever took it: an entry is there only together with it */
static void
test_comes_back_with_an_entry (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_true (clip_reserve_release (hoard->dir));
  hoard_delete (hoard->store, 1);
  g_assert_cmpint (kept_bytes (hoard->dir), ==, 0);
  hoard_add_text (hoard->store, "a text");
  g_assert_cmpint (kept_bytes (hoard->dir), >=, CLIP_RESERVE_BYTES);
}

/* no file that can be filled: one does without */
static void
test_not_to_be_had (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autofree char *path = g_build_filename (dir, CLIP_RESERVE_NAME, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_assert_true (clip_reserve_keep (dir, &error));
  g_assert_no_error (error);
  g_assert_false (clip_reserve_release (dir));
  hoard_remove_dir (dir);
}

/* who opens a FIFO for writing waits for a reader */
static void
test_fifo_in_its_place (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autofree char *path = g_build_filename (dir, CLIP_RESERVE_NAME, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_false (clip_reserve_release (dir));
  g_assert_true (clip_reserve_keep (dir, &error));
  g_assert_no_error (error);
  hoard_remove_dir (dir);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reserve/kept-from-the-start", test_kept_from_the_start);
  g_test_add_func ("/reserve/given-up-once", test_given_up_once);
  g_test_add_func ("/reserve/given-up-by-parts", test_given_up_by_parts);
  g_test_add_func ("/reserve/comes-back-with-an-entry", test_comes_back_with_an_entry);
  g_test_add_func ("/reserve/not-to-be-had", test_not_to_be_had);
  g_test_add_func ("/reserve/fifo-in-its-place", test_fifo_in_its_place);
  return g_test_run ();
}

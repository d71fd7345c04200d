/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-aside.h"
#include "hoard-aside.h"
#include "hoard.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* what a file system without hard links answers; 0 = this one has them */
static int no_links;

/* in the place of the C library's */
int
linkat (int from_fd, const char *from, int to_fd, const char *to, int flags)
{
  if (no_links == 0)
    return (int) syscall (SYS_linkat, from_fd, from, to_fd, to, flags);
  errno = no_links;
  return -1;
}

/* a folder with files, and what is set aside of them */
typedef struct
{
  char *dir;
  ClipAside *aside;
} Place;

static void
set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  place->dir = hoard_make_dir ();
  place->aside = clip_aside_new (place->dir);
}

static void
tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  clip_aside_free (place->aside);
  hoard_remove_dir (place->dir);
  g_free (place->dir);
}

static void
make (Place *place, const char *object, const char *text)
{
  g_autofree char *path = g_build_filename (place->dir, object, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (
      g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
move (Place *place, const char *object)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (clip_aside_move (place->aside, object, &error));
  g_assert_no_error (error);
}

static void
link_as (Place *place, const char *object, const char *name)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (clip_aside_link (place->aside, object, name, &error));
  g_assert_no_error (error);
}

static void
assert_aside (Place *place, const char *expected)
{
  g_autofree char *found = hoard_list_aside (place->dir);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_names_that_become_one (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  make (place, "blobs/ab/c-d", "first");
  make (place, "blobs/ab-c/d", "second");
  move (place, "blobs/ab/c-d");
  move (place, "blobs/ab-c/d");
  move (place, "blobs/ab-c/none");
  assert_aside (place, "first;second;");
}

static void
test_links_of_one_name (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  make (place, "a", "first");
  make (place, "b", "second");
  link_as (place, "a", "7.1");
  link_as (place, "b", "7.1");
  assert_aside (place, "first;second;");
}

static void
assert_still (Place *place, const char *object, const char *text)
{
  g_autofree char *path = g_build_filename (place->dir, object, NULL);
  g_autofree char *found = NULL;

  g_assert_true (g_file_get_contents (path, &found, NULL, NULL));
  g_assert_cmpstr (found, ==, text);
}

/* what another entry has, too, stays where it is */
static void
test_where_there_are_no_links (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const int codes[] = { EPERM, EOPNOTSUPP, ENOSYS, EMLINK };

  make (place, "a", "first");
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      no_links = codes[i];
      link_as (place, "a", "7.1");
      assert_still (place, "a", "first");
    }
  link_as (place, "gone", "7.2");
  assert_aside (place, "first;first;first;first;");
  no_links = 0;
}

static void
test_texts_of_one_name (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_true (clip_aside_write (place->aside, "7.1", "first", 5, NULL));
  g_assert_true (clip_aside_write (place->aside, "7.1", "second", 6, NULL));
  assert_aside (place, "first;second;");
}

static void
test_any_bytes_in_a_name (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  make (place, "blobs/ab/bad\377name", "odd");
  move (place, "blobs/ab/bad\377name");
  assert_aside (place, "odd;");
}

/* the folder's name and its own are too long for one */
static void
test_longest_names (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *name = g_strnfill (255, 'n');
  g_autofree char *a = g_strconcat ("blobs/ab/", name, NULL);
  g_autofree char *b = NULL;

  name[254] = 'm';
  b = g_strconcat ("blobs/ab/", name, NULL);
  make (place, a, "first");
  make (place, b, "second");
  move (place, a);
  move (place, b);
  assert_aside (place, "first;second;");
}

/* as many descriptors as there are, and @n more */
static void
limit_descriptors (int n)
{
  struct rlimit limit;
  int next = dup (STDERR_FILENO);

  g_assert_cmpint (next, >=, 0);
  close (next);
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  limit.rlim_cur = (rlim_t) (next + n);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
}

static void
test_folder_that_failed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  struct rlimit limit;

  make (place, "a", "first");
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  limit_descriptors (1);
  g_assert_false (clip_aside_move (place->aside, "a", &error));
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_MFILE);
  g_assert_cmpstr (clip_aside_path (place->aside), ==, "");
  move (place, "a");
  g_assert_cmpstr (clip_aside_path (place->aside), !=, "");
  assert_aside (place, "first;");
}

/* a repair would move the history there, and to wipe it would leave it there */
static void
test_link_in_the_place_of_the_folder (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (place->dir, "damaged", NULL);
  g_autoptr (GError) error = NULL;

  make (place, "a", "first");
  make (place, "elsewhere/own", "own");
  g_assert_cmpint (symlink ("elsewhere", path), ==, 0);
  g_assert_false (clip_aside_move (place->aside, "a", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  g_assert_nonnull (strstr (error->message, "damaged' is refused: it is a link"));
  g_assert_cmpuint (hoard_count_files (place->dir, "elsewhere"), ==, 1);
  g_assert_true (clip_aside_clear (place->dir, NULL));
  g_assert_false (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
  assert_still (place, "elsewhere/own", "own");
  move (place, "a");
  assert_aside (place, "first;");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Place, NULL, set_up, function, tear_down)
  ADD ("/aside/names-that-become-one", test_names_that_become_one);
  ADD ("/aside/links-of-one-name", test_links_of_one_name);
  ADD ("/aside/where-there-are-no-links", test_where_there_are_no_links);
  ADD ("/aside/texts-of-one-name", test_texts_of_one_name);
  ADD ("/aside/any-bytes-in-a-name", test_any_bytes_in_a_name);
  ADD ("/aside/longest-names", test_longest_names);
  ADD ("/aside/folder-that-failed", test_folder_that_failed);
  ADD ("/aside/link-in-the-place-of-the-folder", test_link_in_the_place_of_the_folder);
#undef ADD
  return g_test_run ();
}

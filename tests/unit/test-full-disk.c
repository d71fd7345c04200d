/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What goes and what is kept where a disk is full to the last block: a real one, of a few megabytes. */
#include "clip-error.h"
#include "clip-fd.h"
#include "hoard-check.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>

#define TEXT "text/plain;charset=utf-8"
#define MIB (1024 * 1024)

static char *disk;
static gboolean is_mounted;

/* in a namespace of this process */
static void
mount_disk (void)
{
  disk = hoard_make_dir ();
  is_mounted = (getuid () == 0 ? unshare (CLONE_NEWNS)
                               : unshare (CLONE_NEWUSER | CLONE_NEWNS)) == 0 &&
               mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
               mount ("tmpfs", disk, "tmpfs", 0, "size=16m") == 0;
}

static Hoard *
new_on_disk (void)
{
  g_autoptr (GError) error = NULL;
  Hoard *hoard = g_new0 (Hoard, 1);

  hoard->dir = g_build_filename (disk, "history", NULL);
  hoard->store = clip_store_open (hoard->dir, 0, &error);
  g_assert_no_error (error);
  return hoard;
}

/* to the last block, but for so many bytes */
static void
fill_disk (goffset but_bytes)
{
  g_autofree char *path = g_build_filename (disk, "other", NULL);
  clip_autofd int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  g_autofree char *block = g_malloc0 (4096);
  struct statvfs status;

  g_assert_cmpint (lseek (fd, 0, SEEK_END), >=, 0);
  while (fstatvfs (fd, &status) == 0 &&
         (goffset) (status.f_bavail * status.f_frsize) > but_bytes &&
         write (fd, block, 4096) > 0)
    continue;
}

static void
empty_disk (Hoard *hoard)
{
  g_autofree char *path = g_build_filename (disk, "other", NULL);

  hoard_free (hoard);
  g_assert_cmpint (unlink (path), ==, 0);
}

/* as the command and the daemon have it where nobody has chosen one */
static ClipLimits
unchosen_floor (void)
{
  ClipLimits limits = CLIP_NO_LIMITS;

  limits.min_free_percent = 5;
  limits.cautious = CLIP_LIMIT_SPACE;
  return limits;
}

static gint64
count_entries (Hoard *hoard)
{
  ClipTotals totals;

  clip_store_get_totals (hoard->store, &totals);
  return totals.count;
}

static gboolean
try_text (Hoard *hoard, const char *text, GError **error)
{
  ClipLimits limits = unchosen_floor ();
  ClipAdded added = { 0 };

  return hoard_try_add (hoard->store, hoard_draft (hoard->store, TEXT, text, NULL),
                        &limits, &added, error);
}

static void
add_words (Hoard *hoard, guint n, gsize length)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strnfill (length, 'a');
      g_autofree char *number = g_strdup_printf ("%05u", i);

      memcpy (text, number, strlen (number));
      hoard_add_text (hoard->store, text);
    }
}

static void
test_oldest_goes_for_a_copy (void)
{
  Hoard *hoard = new_on_disk ();
  g_autoptr (GError) error = NULL;

  for (guint32 seed = 1; seed <= 5; seed++)
    hoard_add_blob (hoard->store, 3 * MIB / 2, seed);
  hoard_pin (hoard->store, 1, TRUE);
  fill_disk (0);
  g_assert_true (try_text (hoard, "two", &error));
  g_assert_no_error (error);
  hoard_assert_totals (hoard->store, 5, 4 * (3 * MIB / 2) + 3, 1);
  /* what went has made up for the floor */
  g_assert_true (try_text (hoard, "three", &error));
  g_assert_cmpint (count_entries (hoard), ==, 6);
  empty_disk (hoard);
}

/* rows, whose pages are the database's until it gives them back */
static void
test_texts_go_for_a_text (void)
{
  Hoard *hoard = new_on_disk ();
  g_autoptr (GError) error = NULL;

  add_words (hoard, 100, 50000);
  fill_disk (0);
  g_assert_true (try_text (hoard, "two", &error));
  g_assert_no_error (error);
  /* what is kept for deleting, and the log */
  g_assert_cmpint (count_entries (hoard), >=, 75);
  g_assert_true (try_text (hoard, "three", &error));
  g_assert_no_error (error);
  empty_disk (hoard);
}

/* an entry for an entry: others may have filled the disk for an hour */
static void
test_no_more_goes_than_comes (void)
{
  Hoard *hoard = new_on_disk ();
  g_autoptr (GError) error = NULL;

  add_words (hoard, 60, 10000);
  fill_disk (6 * MIB / 10);
  g_assert_true (try_text (hoard, "two", &error));
  g_assert_no_error (error);
  g_assert_cmpint (count_entries (hoard), ==, 60);
  empty_disk (hoard);
}

static void
test_nothing_goes_in_vain (void)
{
  Hoard *hoard = new_on_disk ();
  g_autoptr (GError) error = NULL;

  add_words (hoard, 5, 10000);
  fill_disk (0);
  g_assert_false (try_text (hoard, "two", &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_nonnull (strstr (error->message, "the disk is full"));
  g_assert_cmpint (count_entries (hoard), ==, 5);
  empty_disk (hoard);
}

/* the same number before and after, and none where it would be in vain */
static void
test_trim_makes_room (void)
{
  Hoard *hoard = new_on_disk ();
  ClipLimits limits = CLIP_NO_LIMITS;

  for (guint32 seed = 1; seed <= 5; seed++)
    hoard_add_blob (hoard->store, 3 * MIB / 2, seed);
  hoard_pin (hoard->store, 1, TRUE);
  fill_disk (MIB);
  limits.min_free_bytes = 3 * MIB;
  g_assert_cmpint (hoard_trim (hoard->store, limits, TRUE).n, ==, 0);
  limits.thorough = TRUE;
  g_assert_cmpint (hoard_trim (hoard->store, limits, TRUE).n, ==, 2);
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 2);
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 0);
  hoard_assert_totals (hoard->store, 3, 3 * (3 * MIB / 2), 1);
  limits.min_free_bytes = 8 * MIB;
  g_assert_cmpuint (hoard_trim (hoard->store, limits, TRUE).spared, ==, CLIP_LIMIT_SPACE);
  g_assert_cmpuint (hoard_trim (hoard->store, limits, FALSE).spared, ==,
                    CLIP_LIMIT_SPACE);
  /* what goes for another limit counts */
  limits.min_free_bytes = 5 * MIB;
  limits.max_items = 1;
  g_assert_cmpint (hoard_trim (hoard->store, limits, FALSE).n, ==, 1);
  g_assert_cmpint (count_entries (hoard), ==, 2);
  empty_disk (hoard);
}

static void
add_fact (const char *name, GTestFunc test)
{
  g_autofree char *path = g_strconcat ("/full-disk/", name, NULL);

  g_test_add_func (path, test);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  mount_disk ();
  if (!is_mounted)
    {
      g_printerr ("no file system can be mounted here: %s\n", g_strerror (errno));
      hoard_remove_dir (disk);
      return 77;
    }
  add_fact ("oldest-goes-for-a-copy", test_oldest_goes_for_a_copy);
  add_fact ("texts-go-for-a-text", test_texts_go_for_a_text);
  add_fact ("no-more-goes-than-comes", test_no_more_goes_than_comes);
  add_fact ("nothing-goes-in-vain", test_nothing_goes_in_vain);
  add_fact ("trim-makes-room", test_trim_makes_room);
  status = g_test_run ();
  umount2 (disk, MNT_DETACH);
  hoard_remove_dir (disk);
  return status;
}

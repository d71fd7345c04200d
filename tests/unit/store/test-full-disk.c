/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What goes and what is kept where a disk is full to the last block: a real one, of a few
   megabytes. */
#include "clip-error.h"
#include "hoard-check.h"
#include "small-disk.h"

#include <glib/gstdio.h>
#include <sys/mount.h>

#define TEXT "text/plain;charset=utf-8"
#define MIB (1024 * 1024)

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
  ClipLimits limits = small_disk_limits ();
  ClipOutcome added = { 0 };

  return hoard_try_add (hoard->store, hoard_draft (hoard->store, TEXT, text, NULL),
                        &limits, &added, error);
}

static void
test_oldest_goes_for_a_copy (void)
{
  Hoard *hoard = small_disk_hoard ();
  g_autoptr (GError) error = NULL;

  for (guint32 seed = 1; seed <= 5; seed++)
    hoard_add_blob (hoard->store, 3 * MIB / 2, seed);
  hoard_pin (hoard->store, 1, TRUE);
  small_disk_fill (0);
  g_assert_true (try_text (hoard, "two", &error));
  g_assert_no_error (error);
  hoard_assert_totals (hoard->store, 5, 4 * (3 * MIB / 2) + 3, 1);
  /* what went has made up for the floor */
  g_assert_true (try_text (hoard, "three", &error));
  g_assert_cmpint (count_entries (hoard), ==, 6);
  small_disk_empty (hoard);
}

/* rows, whose pages are the database's until it gives them back */
static void
test_texts_go_for_a_text (void)
{
  Hoard *hoard = small_disk_hoard ();
  g_autoptr (GError) error = NULL;

  small_disk_add_words (hoard, 120, 50000);
  small_disk_fill (0);
  g_assert_true (try_text (hoard, "two", &error));
  g_assert_no_error (error);
  /* what is kept for deleting, and the log */
  g_assert_cmpint (count_entries (hoard), >=, 95);
  g_assert_true (try_text (hoard, "three", &error));
  g_assert_no_error (error);
  small_disk_empty (hoard);
}

/* an entry for an entry: others may have filled the disk for an hour */
static void
test_no_more_goes_than_comes (void)
{
  Hoard *hoard = small_disk_hoard ();
  g_autoptr (GError) error = NULL;

  small_disk_add_words (hoard, 60, 10000);
  small_disk_fill (6 * MIB / 10);
  g_assert_true (try_text (hoard, "two", &error));
  g_assert_no_error (error);
  g_assert_cmpint (count_entries (hoard), ==, 60);
  small_disk_empty (hoard);
}

/* what a change needs to be written may be all that a thousand texts have */
static void
test_no_thousand_go_for_one (void)
{
  Hoard *hoard = small_disk_hoard ();
  g_autoptr (GError) error = NULL;

  small_disk_add_words (hoard, 1500, 1000);
  small_disk_fill (0);
  g_assert_false (try_text (hoard, "two", &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_cmpint (count_entries (hoard), ==, 1500);
  small_disk_empty (hoard);
}

static void
test_nothing_goes_in_vain (void)
{
  Hoard *hoard = small_disk_hoard ();
  g_autoptr (GError) error = NULL;

  small_disk_add_words (hoard, 5, 10000);
  small_disk_fill (0);
  g_assert_false (try_text (hoard, "two", &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_nonnull (strstr (error->message, "bytes are missing"));
  g_assert_cmpint (count_entries (hoard), ==, 5);
  small_disk_empty (hoard);
}

/* the same number before and after, and none where it would be in vain */
static void
test_trim_makes_room (void)
{
  Hoard *hoard = small_disk_hoard ();
  ClipLimits limits = CLIP_NO_LIMITS;

  for (guint32 seed = 1; seed <= 5; seed++)
    hoard_add_blob (hoard->store, 3 * MIB / 2, seed);
  hoard_pin (hoard->store, 1, TRUE);
  small_disk_fill (MIB);
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
  small_disk_empty (hoard);
}

static void
until_added (Hoard *hoard, const char *text)
{
  gint64 latest_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (!try_text (hoard, text, NULL))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, latest_us);
      g_usleep (1000);
    }
}

/* the history is larger than what is left: a few rows at a time */
static void
test_wipe_needs_no_room (void)
{
  static const goffset left[] = { 4 * MIB, MIB / 2, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (left); i++)
    {
      Hoard *hoard = small_disk_hoard ();

      small_disk_add_words (hoard, 160, 50000);
      hoard_pin (hoard->store, 1, TRUE);
      small_disk_fill (left[i]);
      g_assert_cmpint (hoard_wipe (hoard->store, TRUE, 0), ==, 160);
      hoard_assert_totals (hoard->store, 0, 0, 0);
      /* the file gives its pages back, a few at a time */
      until_added (hoard, "two");
      small_disk_empty (hoard);
    }
}

static void
count_message (const char *domain G_GNUC_UNUSED,
               GLogLevelFlags level G_GNUC_UNUSED,
               const char *message G_GNUC_UNUSED,
               gpointer user_data)
{
  g_atomic_int_inc ((gint *) user_data);
}

/* what has failed once would write all that there is room for, again and again */
static void
test_wipe_is_not_begun_anew (void)
{
  Hoard *hoard = small_disk_hoard ();
  gint n_full = 0;
  guint handler =
      g_log_set_handler ("clip-store", G_LOG_LEVEL_MESSAGE, count_message, &n_full);

  small_disk_add_words (hoard, 2000, 4000);
  small_disk_fill (4 * MIB);
  g_assert_cmpint (hoard_wipe (hoard->store, TRUE, 0), ==, 2000);
  hoard_assert_totals (hoard->store, 0, 0, 0);
  g_assert_cmpint (g_atomic_int_get (&n_full), <=, 2);
  g_log_remove_handler ("clip-store", handler);
  small_disk_empty (hoard);
}

/* the wipe of those who know only the file */
static void
test_removed_file_needs_no_room (void)
{
  Hoard *hoard = small_disk_hoard ();
  g_autofree char *disk = g_path_get_dirname (hoard->dir);
  g_autofree char *path = g_build_filename (disk, "db", NULL);
  g_autofree char *dir = g_strconcat (path, ".d", NULL);
  g_autoptr (GError) error = NULL;
  const ClipLimits limits = CLIP_NO_LIMITS;
  Hoard beside = { .dir = dir, .store = clip_store_open (dir, 0, &error) };

  g_assert_no_error (error);
  small_disk_add_words (&beside, 160, 50000);
  small_disk_fill (0);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (hoard_trim (beside.store, limits, FALSE).n, ==, 0);
  hoard_assert_totals (beside.store, 0, 0, 0);
  clip_store_close (beside.store);
  g_object_unref (beside.store);
  hoard_remove_dir (dir);
  g_unlink (path);
  small_disk_empty (hoard);
}

/* which has no blocks, and none that are free */
static void
test_ramfs_is_not_full (void)
{
  g_autofree char *dir = hoard_make_dir ();
  ClipLimits limits = CLIP_NO_LIMITS;
  g_autoptr (GError) error = NULL;
  ClipOutcome added = { 0 };
  Hoard hoard = { .dir = dir };

  g_assert_cmpint (mount ("ramfs", dir, "ramfs", 0, "mode=0700"), ==, 0);
  hoard.store = clip_store_open (dir, 0, &error);
  g_assert_no_error (error);
  small_disk_add_words (&hoard, 20, 50000);
  limits.min_free_bytes = MIB;
  g_assert_true (hoard_try_add (hoard.store, hoard_draft (hoard.store, TEXT, "two", NULL),
                                &limits, &added, &error));
  g_assert_no_error (error);
  g_assert_cmpint (count_entries (&hoard), ==, 21);
  clip_store_close (hoard.store);
  g_object_unref (hoard.store);
  umount2 (dir, MNT_DETACH);
  hoard_remove_dir (dir);
}

static void
note (Hoard *hoard, const char *value)
{
  Answer answer = { NULL };
  g_autoptr (GError) error = NULL;

  clip_store_change_async (hoard->store, clip_change_note ("unwanted", value), on_answer,
                           &answer);
  hoard_wait_n (hoard->store, &answer, &error);
  g_assert_no_error (error);
}

/* others take each block that is given up: there is enough to delete something, still */
static void
test_notes_need_no_room (void)
{
  Hoard *hoard = small_disk_hoard ();

  small_disk_add_words (hoard, 160, 50000);
  hoard_reopen (hoard, 0); /* without a log */
  small_disk_fill (0);
  for (guint i = 0; i < 500; i++)
    {
      g_autofree char *value = g_strdup_printf ("secret %u", i);

      note (hoard, value);
      small_disk_fill (0);
    }
  g_assert_cmpint (hoard_wipe (hoard->store, TRUE, 0), ==, 160);
  small_disk_empty (hoard);
}

/* each start begins the log anew, and what a note was given is gone */
static void
test_notes_leave_room_to_delete (void)
{
  Hoard *hoard = small_disk_hoard ();

  small_disk_add_words (hoard, 160, 50000);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *value = g_strdup_printf ("secret %u", i);
      Answer answer = { NULL };

      hoard_reopen (hoard, 0);
      small_disk_fill (0);
      clip_store_change_async (hoard->store, clip_change_note ("unwanted", value),
                               on_answer, &answer);
      hoard_wait_n (hoard->store, &answer, NULL);
      small_disk_fill (0);
    }
  hoard_reopen (hoard, 0);
  small_disk_fill (0);
  g_assert_cmpint (hoard_wipe (hoard->store, TRUE, 0), ==, 160);
  small_disk_empty (hoard);
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
  g_test_init (&argc, &argv, NULL);
  if (!small_disk_mount ())
    return 0;
  add_fact ("oldest-goes-for-a-copy", test_oldest_goes_for_a_copy);
  add_fact ("texts-go-for-a-text", test_texts_go_for_a_text);
  add_fact ("no-more-goes-than-comes", test_no_more_goes_than_comes);
  add_fact ("no-thousand-go-for-one", test_no_thousand_go_for_one);
  add_fact ("nothing-goes-in-vain", test_nothing_goes_in_vain);
  add_fact ("trim-makes-room", test_trim_makes_room);
  add_fact ("wipe-needs-no-room", test_wipe_needs_no_room);
  add_fact ("wipe-is-not-begun-anew", test_wipe_is_not_begun_anew);
  add_fact ("notes-need-no-room", test_notes_need_no_room);
  add_fact ("notes-leave-room-to-delete", test_notes_leave_room_to_delete);
  add_fact ("removed-file-needs-no-room", test_removed_file_needs_no_room);
  add_fact ("ramfs-is-not-full", test_ramfs_is_not_full);
  return small_disk_unmount (g_test_run ());
}

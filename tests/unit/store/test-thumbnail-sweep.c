/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thumbnails go with their images, whoever made them, and no other file does. */
#include "hoard-check.h"

#include "clip-fd.h"
#include "clip-payload.h"
#include "clip-thumbnail-name.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

#define PNG "image/png"
#define MARK G_GUINT64_CONSTANT (0x0123456789abcdef)
#define FIRST "\x89PNG\r\n\x1A\n first"
#define SECOND "\x89PNG\r\n\x1A\n second"

static void
name_of (Hoard *hoard, const char *image, ClipThumbnailKind kind, char *out_name)
{
  g_autofree char *folder = g_build_filename (hoard->dir, CLIP_THUMBNAILS_DIR, NULL);
  const ClipHash hash = clip_hash_of (image, strlen (image));
  clip_autofd int fd = -1;

  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  clip_thumbnail_name (fd, &hash, MARK, kind, out_name);
}

static char *
path_of (Hoard *hoard, const char *image)
{
  char name[CLIP_THUMBNAIL_NAME_BYTES];

  name_of (hoard, image, CLIP_THUMBNAIL_FILE, name);
  return g_build_filename (hoard->dir, CLIP_THUMBNAILS_DIR, name, NULL);
}

static char *
pixels_of (Hoard *hoard, const char *image)
{
  char name[CLIP_THUMBNAIL_NAME_BYTES];

  name_of (hoard, image, CLIP_THUMBNAIL_PIXELS, name);
  return g_build_filename (hoard->dir, CLIP_THUMBNAILS_DIR, name, NULL);
}

/* what somebody is at */
static char *
part_of (Hoard *hoard, const char *image)
{
  char name[CLIP_THUMBNAIL_NAME_BYTES];
  char part[CLIP_THUMBNAIL_PART_BYTES];

  name_of (hoard, image, CLIP_THUMBNAIL_PIXELS, name);
  clip_thumbnail_part_name (name, part);
  return g_build_filename (hoard->dir, CLIP_THUMBNAILS_DIR, part, NULL);
}

static void
put_file (const char *path)
{
  g_assert_true (g_file_set_contents (path, "thumbnail", -1, NULL));
}

static gboolean
has_thumbnail (Hoard *hoard, const char *image)
{
  g_autofree char *path = path_of (hoard, image);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gint64
add_image (Hoard *hoard, const char *image)
{
  g_autofree char *path = path_of (hoard, image);

  put_file (path);
  return hoard_add (hoard->store, hoard_draft (hoard->store, PNG, image, NULL), NULL).id;
}

static void
test_deleted (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  gint64 first = add_image (hoard, FIRST);

  add_image (hoard, SECOND);
  g_assert_cmpint (hoard_delete (hoard->store, first), ==, 1);
  g_assert_false (has_thumbnail (hoard, FIRST));
  g_assert_true (has_thumbnail (hoard, SECOND));
}

static gboolean
is_there (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_every_form (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *pixels = pixels_of (hoard, FIRST);
  gint64 first = add_image (hoard, FIRST);

  put_file (pixels);
  add_image (hoard, SECOND);
  hoard_delete (hoard->store, 2);
  g_assert_true (is_there (pixels));
  hoard_delete (hoard->store, first);
  g_assert_false (is_there (pixels));
}

static void
test_being_made (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *first = part_of (hoard, FIRST);
  g_autofree char *second = part_of (hoard, SECOND);
  gint64 kept = add_image (hoard, FIRST);

  add_image (hoard, SECOND);
  put_file (first);
  put_file (second);
  hoard_pin (hoard->store, kept, TRUE);
  hoard_wipe (hoard->store, FALSE, 0);
  g_assert_false (is_there (second));
  g_assert_true (is_there (first));
  hoard_delete (hoard->store, kept);
  g_assert_false (is_there (first));
}

static void
test_wiped (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  gint64 first = add_image (hoard, FIRST);

  add_image (hoard, SECOND);
  hoard_pin (hoard->store, first, TRUE);
  hoard_wipe (hoard->store, FALSE, 0);
  g_assert_true (has_thumbnail (hoard, FIRST));
  g_assert_false (has_thumbnail (hoard, SECOND));
  hoard_wipe (hoard->store, TRUE, 0);
  g_assert_false (has_thumbnail (hoard, FIRST));
}

static void
test_trimmed (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipLimits limits = CLIP_NO_LIMITS;

  add_image (hoard, FIRST);
  add_image (hoard, SECOND);
  limits.max_items = 1;
  hoard_trim (hoard->store, limits, FALSE);
  g_assert_false (has_thumbnail (hoard, FIRST));
  g_assert_true (has_thumbnail (hoard, SECOND));
}

static void
test_copied_again (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  add_image (hoard, FIRST);
  add_image (hoard, SECOND);
  g_assert_cmpint (add_image (hoard, FIRST), ==, 3);
  hoard_delete (hoard->store, 2);
  g_assert_true (has_thumbnail (hoard, FIRST));
}

/* by a process that was killed, or by one that looked elsewhere */
static void
test_left_behind (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *orphan = path_of (hoard, SECOND);
  g_autofree char *folder = g_path_get_dirname (orphan);
  g_autofree char *old = g_build_filename (folder, ".old.png.1", NULL);
  g_autofree char *made_now = g_build_filename (folder, ".new.png.2", NULL);
  const struct utimbuf long_ago = { 1, 1 };

  add_image (hoard, FIRST);
  put_file (orphan);
  put_file (old);
  put_file (made_now);
  g_assert_cmpint (utime (old, &long_ago), ==, 0);
  hoard_reopen (hoard, CLIP_STORE_SESSION);
  /* the writer does one thing after the other */
  hoard_add_text (hoard->store, "text");
  g_assert_false (has_thumbnail (hoard, SECOND));
  g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
  g_assert_true (has_thumbnail (hoard, FIRST));
  g_assert_true (g_file_test (made_now, G_FILE_TEST_EXISTS));
}

/* as in a history folder that one is given: what is in it may be no picture of ours */
static void
test_of_another_folder (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *folder = g_build_filename (hoard->dir, CLIP_THUMBNAILS_DIR, NULL);
  g_autofree char *before = g_strconcat (folder, "-before", NULL);
  g_autofree char *path = NULL;

  add_image (hoard, FIRST);
  path = path_of (hoard, FIRST);
  g_assert_no_errno (g_rename (folder, before));
  g_assert_false (has_thumbnail (hoard, FIRST));
  put_file (path);
  g_assert_false (has_thumbnail (hoard, FIRST));
  hoard_reopen (hoard, CLIP_STORE_SESSION);
  hoard_add_text (hoard->store, "text");
  g_assert_false (is_there (path));
  hoard_remove_dir (before);
}

/* a hash is easily made to be that of another image */
static void
test_of_one_hash (void)
{
  g_autoptr (GBytes) first = g_bytes_new_static (FIRST, strlen (FIRST));
  g_autoptr (GBytes) second = g_bytes_new_static (SECOND, strlen (SECOND));
  const ClipPayload images[] = { { .bytes = first },
                                 { .bytes = second },
                                 { .fd = 0, .state = { 1, 2 } },
                                 { .fd = 0, .state = { 1, 3 } } };
  g_autoptr (GBytes) first_again = g_bytes_new (FIRST, strlen (FIRST));
  const ClipPayload again = { .bytes = first_again };
  const ClipHash hash = clip_hash_of ("", 0);
  char names[G_N_ELEMENTS (images)][CLIP_THUMBNAIL_NAME_BYTES];

  g_assert_cmpuint (clip_payload_mark (&again), ==, clip_payload_mark (&images[0]));
  for (guint i = 0; i < G_N_ELEMENTS (images); i++)
    {
      ClipHash parsed;

      clip_thumbnail_name (AT_FDCWD, &hash, clip_payload_mark (&images[i]),
                           CLIP_THUMBNAIL_FILE, names[i]);
      g_assert_true (clip_thumbnail_name_parse (AT_FDCWD, names[i], &parsed));
      g_assert_cmpmem (&parsed, sizeof parsed, &hash, sizeof hash);
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (names[i], !=, names[j]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/thumbnail-sweep/deleted", test_deleted);
  g_test_add_func ("/thumbnail-sweep/in-every-form", test_every_form);
  g_test_add_func ("/thumbnail-sweep/being-made-goes-too", test_being_made);
  g_test_add_func ("/thumbnail-sweep/wiped-but-of-pinned", test_wiped);
  g_test_add_func ("/thumbnail-sweep/trimmed", test_trimmed);
  g_test_add_func ("/thumbnail-sweep/stays-when-copied-again", test_copied_again);
  g_test_add_func ("/thumbnail-sweep/left-behind", test_left_behind);
  g_test_add_func ("/thumbnail-sweep/of-one-hash", test_of_one_hash);
  g_test_add_func ("/thumbnail-sweep/of-another-folder", test_of_another_folder);
  return g_test_run ();
}

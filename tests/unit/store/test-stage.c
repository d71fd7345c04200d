/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-blobs.h"
#include "clip-draft-private.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"
#include "clip-stage.h"
#include "hoard.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <xxhash.h>

#define MIB (1024 * 1024)
#define OTHER_USER 65534

typedef struct
{
  char *dir;
  ClipBlobs *blobs;
} Place;

/* each fact holds with unnamed files, and on file systems that have none */
static void
set_up (Place *place, gconstpointer named)
{
  g_autoptr (GError) error = NULL;

  place->dir = g_dir_make_tmp ("clip-stage-XXXXXX", &error);
  place->blobs = clip_blobs_open (place->dir, &error);
  g_assert_no_error (error);
  if (named)
    clip_blobs_use_names (place->blobs);
}

static void
tear_down (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  clip_blobs_unref (place->blobs);
  hoard_remove_dir (place->dir);
  g_free (place->dir);
}

/* as one for a content that is large from the beginning */
static ClipStage *
make_stage (Place *place)
{
  g_autoptr (GError) error = NULL;
  ClipStage *stage = clip_stage_new (place->blobs, &error);

  g_assert_no_error (error);
  g_assert_cmpint (clip_stage_spill (stage, &error), ==, 0);
  g_assert_no_error (error);
  return stage;
}

/* written in pieces of an odd size, as a transfer does */
static ClipStage *
fill (Place *place, const char *data, gsize length)
{
  g_autoptr (GError) error = NULL;
  ClipStage *stage = make_stage (place);

  for (gsize done = 0; done < length;)
    {
      gsize n = MIN (length - done, 300007);

      g_assert_true (clip_write_all (clip_stage_fd (stage), data + done, n, &error));
      done += n;
      clip_stage_advance (stage, (goffset) done);
    }
  return stage;
}

static void
settle (ClipStage *stage)
{
  GError *error = NULL;

  g_assert_true (clip_stage_settle (stage, &error));
  g_assert_no_error (error);
}

static void
seal (ClipStage *stage, gsize length)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (clip_stage_seal (stage, (gint64) length, &error));
  g_assert_no_error (error);
  settle (stage);
}

static void
claim_and_link (ClipStage *stage)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (clip_stage_claim (stage, &error), ==, CLIP_CLAIM_READY);
  g_assert_true (clip_stage_link (stage, &error));
  g_assert_no_error (error);
}

static void
test_hash_of_any_length (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  static const gsize lengths[] = { 1,           65537,       4 * MIB - 1, 4 * MIB,
                                   4 * MIB + 1, 8 * MIB + 3, 21 * MIB };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *data = hoard_make_bytes (lengths[i], i);
      g_autoptr (ClipStage) stage = fill (place, data, lengths[i]);
      XXH128_canonical_t expected;
      g_autoptr (GString) name = g_string_new (NULL);

      seal (stage, lengths[i]);
      XXH128_canonicalFromHash (&expected, XXH3_128bits (data, lengths[i]));
      g_assert_cmpmem (clip_stage_hash (stage)->bytes, CLIP_HASH_BYTES, expected.digest,
                       sizeof expected.digest);
      for (guint b = 0; b < sizeof expected.digest; b++)
        g_string_append_printf (name, b ? "%02x" : "%02x/", expected.digest[b]);
      g_assert_cmpstr (clip_stage_name (stage), ==, name->str);
    }
}

static void
test_linked_under_its_hash (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (100000, 1);
  g_autoptr (ClipStage) stage = fill (place, data, 100000);
  g_autofree char *path = NULL;
  g_autofree char *back = NULL;
  struct stat status;
  gsize length;

  seal (stage, 100000);
  claim_and_link (stage);
  g_assert_true (clip_stage_is_linked (stage));
  path = g_build_filename (place->dir, "blobs", clip_stage_name (stage), NULL);
  g_assert_true (g_file_get_contents (path, &back, &length, NULL));
  g_assert_cmpmem (back, length, data, 100000);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0400);
  g_assert_cmpint (status.st_nlink, ==, 1);
  g_assert_cmpuint (hoard_count_files (place->dir, ""), ==, 1);
}

static void
test_dropped_leaves_nothing (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (9 * MIB, 1);
  ClipStage *half = fill (place, data, 9 * MIB);
  ClipStage *sealed = fill (place, data, 9 * MIB);

  seal (sealed, 9 * MIB);
  clip_stage_unref (half);
  clip_stage_unref (sealed);
  /* a helper may hold the last reference for a moment */
  while (hoard_count_files (place->dir, "") > 0)
    g_thread_yield ();
}

static void
test_equal_bytes_share_a_file (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (100000, 1);
  g_autoptr (ClipStage) first = fill (place, data, 100000);
  g_autoptr (ClipStage) second = fill (place, data, 100000);

  seal (first, 100000);
  claim_and_link (first);
  seal (second, 100000);
  claim_and_link (second);
  g_assert_false (clip_stage_is_linked (second));
  g_assert_cmpstr (clip_stage_name (first), ==, clip_stage_name (second));
}

/* both settled before either was linked, within one transaction */
static void
test_equal_bytes_at_once (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (100000, 1);
  g_autoptr (ClipStage) first = fill (place, data, 100000);
  g_autoptr (ClipStage) second = fill (place, data, 100000);
  g_autoptr (GError) error = NULL;

  seal (first, 100000);
  seal (second, 100000);
  g_assert_cmpint (clip_stage_claim (first, &error), ==, CLIP_CLAIM_READY);
  g_assert_cmpint (clip_stage_claim (second, &error), ==, CLIP_CLAIM_READY);
  g_assert_true (clip_stage_link (first, &error));
  g_assert_true (clip_stage_link (second, &error));
  g_assert_true (clip_stage_is_linked (first));
  g_assert_false (clip_stage_is_linked (second));
  g_assert_cmpstr (clip_stage_name (first), ==, clip_stage_name (second));
}

/* puts other bytes where the hash of @stage belongs */
static char *
occupy (Place *place, ClipStage *stage, const char *data, gsize length)
{
  char *path = g_build_filename (place->dir, "blobs", clip_stage_name (stage), NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL));
  return path;
}

static void
test_other_bytes_get_a_number (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (300000, 1);
  g_autofree char *other = hoard_make_bytes (300000, 1);
  g_autoptr (ClipStage) stage = fill (place, data, 300000);
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;

  seal (stage, 300000);
  name = g_strconcat (clip_stage_name (stage), ".1", NULL);
  other[299999] ^= 1; /* equal but for the last byte */
  path = occupy (place, stage, other, 300000);
  settle (stage);
  g_assert_cmpstr (clip_stage_name (stage), ==, name);
  claim_and_link (stage);
  g_assert_cmpuint (hoard_count_files (place->dir, ""), ==, 2);
}

/* Who makes contents with one hash on purpose has others wait for no more than a few. */
static void
test_few_of_a_hash_are_compared (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (100000, 1);
  g_autofree char *other = hoard_make_bytes (100000, 1);
  g_autoptr (ClipStage) stage = fill (place, data, 100000);
  g_autofree char *name = NULL;

  seal (stage, 100000);
  name = g_strconcat (clip_stage_name (stage), ".5", NULL);
  for (guint i = 0; i < 5; i++)
    {
      /* the last one has the bytes, and nobody looks there */
      other[99999] = i < 4 ? (char) ~data[99999] : data[99999];
      g_free (occupy (place, stage, other, 100000));
      settle (stage);
    }
  g_assert_cmpstr (clip_stage_name (stage), ==, name);
  claim_and_link (stage);
}

/* what has changed since it settled is found when it claims */
static void
test_claim_sees_changes (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (100000, 1);
  g_autoptr (ClipStage) stage = fill (place, data, 100000);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  seal (stage, 100000);
  path = occupy (place, stage, data, 100000);
  g_assert_cmpint (clip_stage_claim (stage, &error), ==, CLIP_CLAIM_AGAIN);
  settle (stage);
  g_assert_cmpint (clip_stage_claim (stage, &error), ==, CLIP_CLAIM_READY);
  g_unlink (path); /* its last reference has gone */
  g_assert_cmpint (clip_stage_claim (stage, &error), ==, CLIP_CLAIM_AGAIN);
  settle (stage);
  claim_and_link (stage);
  g_assert_true (clip_stage_is_linked (stage));
  g_assert_no_error (error);
}

static void
test_wrong_size_refused (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (100000, 1);
  g_autoptr (ClipStage) stage = fill (place, data, 100000);
  g_autoptr (GError) error = NULL;

  g_assert_false (clip_stage_seal (stage, 100001, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
}

static void
test_head (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autoptr (ClipStage) stage = fill (place, "some text", 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) all = clip_stage_head (stage, 4096, &error);
  g_autoptr (GBytes) some = clip_stage_head (stage, 4, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (all, NULL), g_bytes_get_size (all), "some text", 9);
  g_assert_cmpmem (g_bytes_get_data (some, NULL), g_bytes_get_size (some), "some", 4);
}

static guint64 failing; /* the folder that cannot be written; atomic, as the next */
static guint64 watched;
static gint n_synced; /* how often the watched one was; atomic */

/* in the place of the C library's */
int
fsync (int fd)
{
  struct stat status;

  g_assert_cmpint (fstat (fd, &status), ==, 0);
  if (__atomic_load_n (&watched, __ATOMIC_SEQ_CST) == status.st_ino)
    g_atomic_int_inc (&n_synced);
  if (__atomic_load_n (&failing, __ATOMIC_SEQ_CST) != status.st_ino)
    return (int) syscall (SYS_fsync, fd);
  errno = EIO;
  return -1;
}

/* @name: below the folder of the blobs */
static guint64
inode_of (Place *place, const char *name)
{
  struct stat status;

  g_assert_cmpint (fstatat (clip_blobs_fd (place->blobs), name, &status, 0), ==, 0);
  return status.st_ino;
}

static void
watch (guint64 inode)
{
  g_atomic_int_set (&n_synced, 0);
  __atomic_store_n (&watched, inode, __ATOMIC_SEQ_CST);
}

/* a name that a power cut may take is none: the next with these bytes links its own */
static void
test_unsynced_name_is_taken_back (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (100000, 1);
  g_autoptr (ClipStage) first = fill (place, data, 100000);
  g_autoptr (ClipStage) second = fill (place, data, 100000);
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;

  seal (first, 100000);
  folder = g_path_get_dirname (clip_stage_name (first));
  g_assert_cmpint (mkdirat (clip_blobs_fd (place->blobs), folder, 0700), ==, 0);
  g_assert_cmpint (clip_stage_claim (first, &error), ==, CLIP_CLAIM_READY);
  __atomic_store_n (&failing, inode_of (place, folder), __ATOMIC_SEQ_CST);
  g_assert_false (clip_stage_link (first, &error));
  __atomic_store_n (&failing, 0, __ATOMIC_SEQ_CST);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_IO);
  g_assert_false (clip_stage_is_linked (first));
  seal (second, 100000);
  claim_and_link (second);
  g_assert_true (clip_stage_is_linked (second));
}

/* as of a maker who was killed before he had synced it */
static void
test_name_without_a_row_is_synced (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (100000, 1);
  g_autoptr (ClipStage) left = fill (place, data, 100000);
  g_autofree char *folder = NULL;
  ClipStore *store = clip_store_open (place->dir, 0, NULL);

  g_assert_nonnull (store);
  seal (left, 100000);
  claim_and_link (left);
  folder = g_path_get_dirname (clip_stage_name (left));
  watch (inode_of (place, folder));
  hoard_add_blob (store, 100000, 1);
  g_assert_cmpint (n_synced, ==, 1);
  hoard_add_blob (store, 100000, 1);
  g_assert_cmpint (n_synced, ==, 1);
  watch (0);
  clip_store_close (store);
  g_object_unref (store);
}

/* as one that the disk does not give any more */
static void
test_page_that_is_gone (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = g_strnfill (100000, ' ');
  g_autoptr (ClipStage) stage = NULL;
  g_autoptr (GError) error = NULL;
  ClipDraft *draft = clip_draft_new ("");

  memcpy (data + 99996, "word", 4);
  stage = fill (place, data, 100000);
  seal (stage, 100000);
  g_assert_cmpint (ftruncate (clip_stage_fd (stage), 70000), ==, 0);
  clip_draft_add (draft, "text/plain", stage, 100000);
  g_assert_true (clip_draft_prepare (draft, &error));
  g_assert_no_error (error);
  g_assert_null (strstr (draft->preview, "word"));
  clip_draft_free (draft);
}

static gpointer
advance_much (gpointer data)
{
  ClipStage *stage = data;

  for (goffset total = 0; total <= 32 * MIB; total += MIB)
    clip_stage_advance (stage, total);
  return NULL;
}

static void
test_advanced_from_any_thread (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (32 * MIB, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) stage = make_stage (place);
  XXH128_canonical_t expected;
  GThread *threads[3];

  g_assert_true (clip_write_all (clip_stage_fd (stage), data, 32 * MIB, &error));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("advance", advance_much, stage);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  seal (stage, 32 * MIB);
  XXH128_canonicalFromHash (&expected, XXH3_128bits (data, 32 * MIB));
  g_assert_cmpmem (clip_stage_hash (stage)->bytes, CLIP_HASH_BYTES, expected.digest,
                   sizeof expected.digest);
}

static void
test_no_folder_is_an_error (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (place->dir, "blobs", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) stage = clip_stage_new (place->blobs, &error);

  hoard_remove_dir (path);
  g_assert_true (g_file_set_contents (path, "in the way", -1, NULL));
  g_assert_cmpint (clip_stage_spill (stage, &error), ==, -1);
  g_assert_cmpint (error->domain, ==, G_FILE_ERROR);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (clip_stage_spill (stage, NULL), ==, 0);
}

static void
test_small_one_touches_no_disk (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) stage = clip_stage_new (place->blobs, &error);
  struct statfs system;

  g_assert_no_error (error);
  g_assert_true (clip_write_all (clip_stage_fd (stage), "a word", 6, &error));
  g_assert_cmpint (fstatfs (clip_stage_fd (stage), &system), ==, 0);
  g_assert_cmpint (system.f_type, ==, TMPFS_MAGIC);
  g_assert_cmpuint (hoard_count_files (place->dir, ""), ==, 0);
}

/* what was in memory comes first, and the rest is written behind it */
static void
test_spilled_keeps_what_was_there (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *data = hoard_make_bytes (3 * MIB, 4);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) stage = clip_stage_new (place->blobs, &error);
  XXH128_canonical_t expected;

  g_assert_true (clip_write_all (clip_stage_fd (stage), data, MIB + 1, &error));
  g_assert_cmpint (clip_stage_spill (stage, &error), ==, MIB + 1);
  g_assert_cmpint (clip_stage_spill (stage, &error), ==, MIB + 1);
  g_assert_true (
      clip_write_all (clip_stage_fd (stage), data + MIB + 1, 2 * MIB - 1, &error));
  seal (stage, 3 * MIB);
  XXH128_canonicalFromHash (&expected, XXH3_128bits (data, 3 * MIB));
  g_assert_cmpmem (clip_stage_hash (stage)->bytes, CLIP_HASH_BYTES, expected.digest,
                   sizeof expected.digest);
}

/* a repair would set its mode, and move what lies there */
static void
test_link_in_the_place_of_the_folder (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (place->dir, CLIP_BLOBS_NAME, NULL);
  g_autofree char *elsewhere = g_build_filename (place->dir, "elsewhere", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_rename (path, elsewhere), ==, 0);
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  g_assert_null (clip_blobs_open (place->dir, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  g_assert_nonnull (strstr (error->message, "it is a link"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rename (elsewhere, path), ==, 0);
}

static void
assert_refused (Place *place, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clip_blobs_open (place->dir, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  g_assert_nonnull (strstr (error->message, why));
}

/* what lies there another user could remove, and we would move */
static void
test_inner_folder_that_is_not_ours (Place *place, gconstpointer named G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (place->dir, CLIP_BLOBS_NAME, "ab", NULL);
  g_autofree char *elsewhere = g_build_filename (place->dir, "elsewhere", NULL);

  g_assert_cmpint (g_mkdir (elsewhere, 0700), ==, 0);
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  assert_refused (place, "blobs/ab' is refused: it is a link");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rename (elsewhere, path), ==, 0);
  g_assert_cmpint (g_chmod (path, 0770), ==, 0);
  assert_refused (place, "blobs/ab' is refused: other users may write to it");
  if (geteuid () != 0)
    return;
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
  g_assert_cmpint (chown (path, OTHER_USER, OTHER_USER), ==, 0);
  assert_refused (place, "blobs/ab' is refused: it belongs to another user (65534)");
}

static void
add (const char *name, void (*function) (Place *, gconstpointer))
{
  g_autofree char *unnamed = g_strconcat ("/stage/", name, NULL);
  g_autofree char *named = g_strconcat ("/stage/named/", name, NULL);

  g_test_add (unnamed, Place, NULL, set_up, function, tear_down);
  g_test_add (named, Place, "named", set_up, function, tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("hash-of-any-length", test_hash_of_any_length);
  add ("link-in-the-place-of-the-folder", test_link_in_the_place_of_the_folder);
  add ("inner-folder-that-is-not-ours", test_inner_folder_that_is_not_ours);
  add ("linked-under-its-hash", test_linked_under_its_hash);
  add ("dropped-leaves-nothing", test_dropped_leaves_nothing);
  add ("equal-bytes-share-a-file", test_equal_bytes_share_a_file);
  add ("equal-bytes-at-once", test_equal_bytes_at_once);
  add ("other-bytes-get-a-number", test_other_bytes_get_a_number);
  add ("few-of-a-hash-are-compared", test_few_of_a_hash_are_compared);
  add ("unsynced-name-is-taken-back", test_unsynced_name_is_taken_back);
  add ("name-without-a-row-is-synced", test_name_without_a_row_is_synced);
  add ("page-that-is-gone-ends-no-process", test_page_that_is_gone);
  add ("claim-sees-changes", test_claim_sees_changes);
  add ("wrong-size-refused", test_wrong_size_refused);
  add ("head-is-what-was-asked-for", test_head);
  add ("advanced-from-any-thread", test_advanced_from_any_thread);
  add ("small-one-touches-no-disk", test_small_one_touches_no_disk);
  add ("spilled-keeps-what-was-there", test_spilled_keeps_what_was_there);
  add ("no-folder-is-an-error", test_no_folder_is_an_error);
  return g_test_run ();
}

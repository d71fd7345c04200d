/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a disk, or somebody, has changed below the store is never served as if it were
 * whole: a reader gets the bytes that were stored, or an error.
 */
#include "clip-error.h"
#include "clip-fd.h"
#include "hoard.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define N_ROWS 60
#define N_FLIPS 600
#define BLOB_BYTES (300 * 1024)

typedef struct
{
  Hoard *hoard;
  GPtrArray *contents; /* GBytes: of entry 1, 2, … */
  char *blob;          /* the path of the only one */
} Place;

/* @n_types contents of noise, all the same but for the first byte */
static void
add (Place *place, gsize length, guint n_types)
{
  static const char *const mimes[] = { "application/x-noise", "application/x-other" };
  g_autofree char *bytes = hoard_make_bytes (length, place->contents->len + 1);
  ClipDraft *draft = clip_draft_new ("");

  g_ptr_array_add (place->contents, g_bytes_new (bytes, length));
  for (guint i = 0; i < n_types; i++)
    {
      g_autoptr (ClipStage) stage = NULL;

      bytes[0] = (char) (bytes[0] + i);
      stage = hoard_stage (place->hoard->store, bytes, length);
      clip_draft_add (draft, mimes[i], stage, (gint64) length);
    }
  hoard_add (place->hoard->store, draft, NULL);
}

static void
set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  place->hoard = hoard_new (0);
  place->contents = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  for (guint i = 0; i < N_ROWS; i++)
    add (place, i % 7 == 0 ? 9000 + i : 20 + i, i % 5 == 0 ? 2 : 1);
  add (place, BLOB_BYTES, 1);
  place->blob = hoard_find_blob (place->hoard->dir);
  g_assert_nonnull (place->blob);
}

static void
tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_free (place->hoard);
  g_ptr_array_unref (place->contents);
  g_free (place->blob);
}

static void
close_store (Place *place)
{
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
}

/* NULL: an error, which is %CLIP_ERROR where it is not NULL */
static GBytes *
read_content (ClipReader *reader, gint64 id, const char *mime, GError **error)
{
  g_autoptr (ClipPayload) payload = clip_reader_open_content (reader, id, mime, error);

  if (!payload)
    return NULL;
  return payload->bytes
             ? g_bytes_ref (payload->bytes)
             : clip_read_to_end (payload->fd, (gsize) payload->size + 1, error);
}

/* how many contents cannot be read; what can must be what was stored */
static guint
count_damaged (Place *place)
{
  g_autoptr (ClipReader) reader = clip_reader_open (place->hoard->dir, NULL);
  guint n_damaged = 0;

  if (!reader)
    return place->contents->len;
  for (guint i = 0; i < place->contents->len; i++)
    {
      GBytes *expected = place->contents->pdata[i];
      g_autoptr (GBytes) primary = read_content (reader, i + 1, NULL, NULL);
      g_autoptr (GBytes) second =
          read_content (reader, i + 1, "application/x-other", NULL);

      n_damaged += !primary;
      if (primary)
        g_assert_true (g_bytes_equal (primary, expected));
      if (second)
        {
          gsize length;
          const char *data = g_bytes_get_data (second, &length);
          const char *first = g_bytes_get_data (expected, NULL);

          g_assert_cmpuint (length, ==, g_bytes_get_size (expected));
          g_assert_cmpint (data[0], ==, (char) (first[0] + 1));
          g_assert_cmpmem (data + 1, length - 1, first + 1, length - 1);
        }
    }
  return n_damaged;
}

/* a blob has mode 0400, which only root ignores */
static int
open_to_write (const char *path)
{
  struct stat status;
  int fd;

  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (chmod (path, 0600), ==, 0);
  fd = open (path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (fchmod (fd, status.st_mode), ==, 0);
  return fd;
}

static void
change_byte (const char *path, goffset offset, guint8 mask)
{
  clip_autofd int fd = open_to_write (path);
  guint8 byte;

  g_assert_true (clip_read_exactly (fd, &byte, 1, offset, NULL));
  byte ^= mask;
  g_assert_cmpint (pwrite (fd, &byte, 1, offset), ==, 1);
}

static void
test_one_bit_anywhere (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (place->hoard->dir, "history.db", NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  struct stat status;
  guint n_noticed = 0;

  close_store (place);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpuint (count_damaged (place), ==, 0);
  for (guint i = 0; i < N_FLIPS; i++)
    {
      goffset offset = g_rand_int_range (random, 0, (gint32) status.st_size);
      guint8 mask = (guint8) (1u << g_rand_int_range (random, 0, 8));

      change_byte (path, offset, mask);
      n_noticed += count_damaged (place) > 0;
      change_byte (path, offset, mask);
    }
  g_assert_cmpuint (n_noticed, >, N_FLIPS / 4);
  g_assert_cmpuint (count_damaged (place), ==, 0);
}

static void
assert_blob_corrupt (Place *place)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) direct_error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (place->hoard->dir, NULL);

  g_assert_null (hoard_bytes (place->hoard->store, N_ROWS + 1, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_assert_null (read_content (reader, N_ROWS + 1, NULL, &direct_error));
  g_assert_error (direct_error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
}

static void
test_blob_bit_flipped (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  change_byte (place->blob, BLOB_BYTES / 2, 1);
  assert_blob_corrupt (place);
}

static void
test_blob_zeroed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = open_to_write (place->blob);

  g_assert_cmpint (ftruncate (fd, 4096), ==, 0);
  g_assert_cmpint (ftruncate (fd, BLOB_BYTES), ==, 0);
  assert_blob_corrupt (place);
}

static void
test_blob_truncated (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = open_to_write (place->blob);

  g_assert_cmpint (ftruncate (fd, BLOB_BYTES - 1), ==, 0);
  assert_blob_corrupt (place);
}

static void
test_blob_missing (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpint (g_unlink (place->blob), ==, 0);
  assert_blob_corrupt (place);
}

static void
assert_noted (Place *place)
{
  g_autoptr (ClipReader) reader = clip_reader_open (place->hoard->dir, NULL);
  g_autoptr (ClipPayload) payload =
      clip_reader_open_content (reader, N_ROWS + 1, NULL, NULL);

  g_assert_nonnull (payload);
  g_assert_cmpint (payload->rehashed, ==, 0);
}

/* a history that was copied here: its files are others, with the same bytes */
static void
test_copied_blob_served (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *copy = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (place->blob, &copy, &length, NULL));
  g_assert_cmpint (g_unlink (place->blob), ==, 0);
  g_assert_true (g_file_set_contents (place->blob, copy, (gssize) length, NULL));
  bytes = hoard_bytes (place->hoard->store, N_ROWS + 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, place->contents->pdata[N_ROWS]));
  /* the owner takes note: from then on nobody reads all of it first */
  hoard_add_text (place->hoard->store, "behind the note");
  assert_noted (place);
}

/* the sum is of the entry, too: it follows when that moves */
static void
test_moved_entry_served (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GBytes) expected = g_bytes_ref (place->contents->pdata[0]);
  g_autoptr (GBytes) moved = NULL;
  g_autoptr (GBytes) second = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  const char *bytes = g_bytes_get_data (expected, &length);
  g_autoptr (ClipStage) stage = hoard_stage (place->hoard->store, bytes, length);
  ClipDraft *draft = clip_draft_new ("");
  ClipOutcome added;

  clip_draft_add (draft, "application/x-noise", stage, (gint64) length);
  added = hoard_add (place->hoard->store, draft, NULL);
  g_assert_cmpint (added.moved_from, ==, 1);
  moved = hoard_bytes (place->hoard->store, added.id, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (moved, expected));
  second = hoard_bytes (place->hoard->store, added.id, "application/x-other", &error);
  g_assert_no_error (error);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Place, NULL, set_up, function, tear_down)
  ADD ("/damage/one-bit-anywhere-never-served", test_one_bit_anywhere);
  ADD ("/damage/blob-bit-flipped", test_blob_bit_flipped);
  ADD ("/damage/blob-zeroed", test_blob_zeroed);
  ADD ("/damage/blob-truncated", test_blob_truncated);
  ADD ("/damage/blob-missing", test_blob_missing);
  ADD ("/damage/copied-blob-served", test_copied_blob_served);
  ADD ("/damage/moved-entry-served", test_moved_entry_served);
#undef ADD
  return g_test_run ();
}

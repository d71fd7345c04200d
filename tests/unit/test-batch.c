/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much an import holds at a time. */
#include "clip-batch.h"
#include "hoard.h"

#define BLOB_BYTES (CLIP_INLINE_BYTES + 1)

/* more than anything that is to be in a batch */
#define MANY 100000

/* @blob: (nullable): what lies in a file */
static ClipDraft *
make_draft (ClipStage *blob, guint n_inline, GBytes *bytes)
{
  ClipDraft *draft = clip_draft_new ("");

  if (blob)
    clip_draft_add (draft, "image/png", blob, BLOB_BYTES);
  for (guint i = 0; i < n_inline; i++)
    {
      g_autofree char *mime = g_strdup_printf ("application/x-%u", i);

      clip_draft_add_bytes (draft, mime, bytes);
    }
  return draft;
}

/* Returns: how many entries of this kind go into a batch */
static guint
fill (Hoard *hoard, gboolean has_blob, guint n_inline, gsize size)
{
  g_autoptr (ClipBatch) batch = clip_batch_new ();
  g_autofree char *data = g_malloc0 (size);
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  const ClipCourse course = { .copies = 1 };

  while (!clip_batch_is_full (batch) && clip_batch_length (batch) < MANY)
    {
      g_autoptr (ClipStage) blob =
          has_blob ? hoard_stage_of (hoard->store, BLOB_BYTES, 1) : NULL;

      clip_batch_add (batch, make_draft (blob, n_inline, bytes), &course);
    }
  return clip_batch_length (batch);
}

static void
test_bytes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpuint (fill (hoard, FALSE, 8, CLIP_INLINE_BYTES), ==, 1);
  g_assert_cmpuint (fill (hoard, FALSE, 1, CLIP_INLINE_BYTES), ==, 8);
  g_assert_cmpuint (fill (hoard, TRUE, 8, CLIP_INLINE_BYTES), ==, 1);
  g_assert_cmpuint (fill (hoard, TRUE, 1, CLIP_INLINE_BYTES), ==, 8);
}

static void
test_files (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpuint (fill (hoard, TRUE, 0, 0), <=, 100);
  g_assert_cmpuint (fill (hoard, TRUE, 1, 1), <=, 100);
}

static void
test_entries (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpuint (fill (hoard, FALSE, 1, 1), ==, 2048);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/batch/so-many-bytes-whatever-lies-in-files", test_bytes);
  g_test_add_func ("/batch/so-many-open-files", test_files);
  g_test_add_func ("/batch/so-many-entries", test_entries);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of an import: how much it holds at a time, and which ids it keeps. */
#include "clip-import-batch.h"
#include "clip-store-private.h"
#include "hoard.h"

#include <glib/gstdio.h>
#include <string.h>

#define LOG_BYTES (4 * 1024 * 1024)
#define BLOB_BYTES (CLIP_INLINE_BYTES + 1)

#define MOST_TAGS 256

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
fill (Hoard *hoard, gboolean has_blob, guint n_inline, gsize size, guint n_tags)
{
  char name[] = "a tag";
  char *tags[MOST_TAGS + 1] = { NULL };
  g_autoptr (ClipImportBatch) batch = clip_import_batch_new ();
  g_autofree char *data = g_malloc0 (size);
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  const ClipCourse course = { .copies = 1, .tags = tags };

  for (guint i = 0; i < n_tags; i++)
    tags[i] = name;
  while (!clip_import_batch_is_full (batch) && clip_import_batch_length (batch) < MANY)
    {
      g_autoptr (ClipStage) blob =
          has_blob ? hoard_stage_of (hoard->store, BLOB_BYTES, 1) : NULL;

      clip_import_batch_add (batch, make_draft (blob, n_inline, bytes), &course);
    }
  return clip_import_batch_length (batch);
}

static void
test_bytes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpuint (fill (hoard, FALSE, 8, CLIP_INLINE_BYTES, 0), ==, 8);
  g_assert_cmpuint (fill (hoard, FALSE, 1, CLIP_INLINE_BYTES, 0), ==, 64);
  g_assert_cmpuint (fill (hoard, TRUE, 8, CLIP_INLINE_BYTES, 0), ==, 8);
  g_assert_cmpuint (fill (hoard, TRUE, 1, CLIP_INLINE_BYTES, 0), ==, 64);
}

static void
test_files (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpuint (fill (hoard, TRUE, 0, 0, 0), <=, 100);
  g_assert_cmpuint (fill (hoard, TRUE, 1, 1, 0), <=, 100);
}

static void
test_entries (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpuint (fill (hoard, FALSE, 1, 1, 0), ==, 16384);
}

/* which cost memory, too */
static void
test_pieces (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpuint (fill (hoard, FALSE, 256, 0, 0), <=, 100);
  g_assert_cmpuint (fill (hoard, FALSE, 1, 0, MOST_TAGS), <=, 100);
}

static ClipImported
import (Hoard *hoard, ClipImportBatch *batch_take)
{
  const ClipLimits limits = CLIP_NO_LIMITS;
  const ClipImported before = { 0 };
  g_autoptr (GError) error = NULL;
  ClipOutcome outcome;

  g_assert_true (clip_import_batch_prepare (batch_take, &error));
  clip_store_change_wait (hoard->store, clip_change_import (batch_take, &before, &limits),
                          &outcome, &error);
  g_assert_no_error (error);
  return outcome.imported;
}

/* none of them was there when the batch was prepared */
static void
test_shared (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipImportBatch) batch = clip_import_batch_new ();
  const ClipCourse course = { .copies = 1 };
  ClipImported imported;

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("entry %u", i);
      g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
      g_autoptr (ClipStage) blob = hoard_stage_of (hoard->store, BLOB_BYTES, i % 2);
      ClipDraft *draft = clip_draft_new ("");

      clip_draft_add_bytes (draft, "text/plain", bytes);
      clip_draft_add (draft, "image/png", blob, BLOB_BYTES);
      clip_import_batch_add (batch, draft, &course);
    }
  imported = import (hoard, g_steal_pointer (&batch));
  g_assert_cmpint (imported.n_added, ==, 5);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 2);
}

static goffset
log_size (Hoard *hoard)
{
  g_autofree char *path = g_build_filename (hoard->dir, "history.db-wal", NULL);
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  return info.st_size;
}

/* while another connection reads, nothing of the log is given back */
static void
test_log (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *path = g_build_filename (hoard->dir, "history.db", NULL);
  g_autoptr (ClipImportBatch) batch = clip_import_batch_new ();
  const ClipCourse course = { .copies = 1 };
  const gint64 latest_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  sqlite3 *reader;

  hoard_add_text (hoard->store, "first");
  /* a log that holds what was deleted, of the index, is emptied once it has been
     carried */
  while (log_size (hoard) > 0 && g_get_monotonic_time () < latest_us)
    g_thread_yield ();
  for (guint i = 0; !clip_import_batch_is_full (batch); i++)
    {
      g_autofree char *data = g_malloc0 (CLIP_INLINE_BYTES);
      g_autoptr (GBytes) bytes = NULL;

      memcpy (data, &i, sizeof i);
      bytes = g_bytes_new_take (g_steal_pointer (&data), CLIP_INLINE_BYTES);
      clip_import_batch_add (batch, make_draft (NULL, 1, bytes), &course);
    }
  g_assert_cmpint (sqlite3_open (path, &reader), ==, SQLITE_OK);
  hoard_exec (reader, "BEGIN; SELECT * FROM totals");
  import (hoard, g_steal_pointer (&batch));
  g_assert_cmpint (log_size (hoard), >, LOG_BYTES);
  sqlite3_close (reader);
  while (log_size (hoard) > LOG_BYTES && g_get_monotonic_time () < latest_us)
    hoard_add_text (hoard->store, "a word");
  g_assert_cmpint (log_size (hoard), <=, LOG_BYTES);
}

/* an id that would not be found in a damaged history */
static void
test_ids (void)
{
  const gint64 most = G_GINT64_CONSTANT (1) << 39;
  const gint64 ids[] = { 7, most, most + 1, (G_GINT64_CONSTANT (1) << 53) - 1 };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipImportBatch) batch = clip_import_batch_new ();
  g_autofree char *list = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const ClipCourse course = { .id = ids[i], .copies = 1 };
      g_autofree char *text = g_strdup_printf ("entry %u", i);

      clip_import_batch_add (batch, hoard_draft (hoard->store, "text/plain", text, NULL),
                             &course);
    }
  import (hoard, g_steal_pointer (&batch));
  list = hoard_list (hoard->store);
  g_assert_cmpstr (list, ==,
                   "549755813890 entry 3;549755813889 entry 2;549755813888 entry 1;"
                   "7 entry 0;");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import-batch/so-many-bytes-whatever-lies-in-files", test_bytes);
  g_test_add_func ("/import-batch/so-many-open-files", test_files);
  g_test_add_func ("/import-batch/so-many-contents-and-tags-however-short", test_pieces);
  g_test_add_func ("/import-batch/so-many-entries", test_entries);
  g_test_add_func ("/import-batch/ids-out-of-range-are-not-kept", test_ids);
  g_test_add_func ("/import-batch/a-commit-gives-back-what-the-log-had-grown-to",
                   test_log);
  g_test_add_func ("/import-batch/one-file-for-all-that-have-it", test_shared);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A database whose pages lead to each other, so that a few of them have more rows than
 * can ever be read: each fact here ends, and without a limit none of them would.
 */
#include "clip-check.h"
#include "clip-error.h"
#include "clip-export.h"
#include "clip-fd.h"
#include "clip-salvage.h"
#include "salvage-rig.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAP_PAGE 1 /* of which page leads to which: five bytes each, from the third on */
#define TABLE_LEAF 13
#define LEAF_TO_INNER 8 /* 13 to 5, 10 to 2 */
#define N_PAGES_OFFSET 28
#define CHANGE_OFFSET 24
#define VALID_FOR_OFFSET 92

/* so wide that SQLite's check gives up, and so that it does not find enough to */
typedef struct
{
  guint width, depth;
} Shape;

static const Shape wide = { 100, 5 }, narrow = { 5, 17 };

static const char *const trees[] = {
  "sqlite_sequence",
  "sqlite_autoindex_name_1",
  "totals",
  "name",
  "tag",
  "tag_name",
  "dup",
  "note",
  "content",
  "journal",
  "entry_pinned",
};

static void
put (guint8 *to, guint value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++)
    to[i] = (guint8) (value >> 8 * (n_bytes - 1 - i));
}

/* @leaf: a page whose first row is the key of each branch in an index */
static void
make_inner (guint8 *page, const guint8 *leaf, guint child, guint width)
{
  gboolean is_table = *leaf == TABLE_LEAF;
  const guint8 *row = leaf + (leaf[8] << 8 | leaf[9]);
  guint length = is_table ? 2 : row[0] + 1, begin = PAGE_BYTES;

  memset (page, 0, PAGE_BYTES);
  for (guint i = 0; i < width; i++)
    {
      begin -= 4 + length;
      put (page + begin, child, 4);
      if (is_table)
        put (page + begin + 4, 0x8100 + i, 2); /* 128 and more, as SQLite writes it */
      else
        memcpy (page + begin + 4, row, length);
      put (page + 12 + 2 * i, begin, 2);
    }
  *page = *leaf - LEAF_TO_INNER;
  put (page + 3, width, 2);
  put (page + 5, begin, 2);
  put (page + 8, child, 4);
}

/* @tree: of a page, with a row or more */
static void
weave (const char *path, const char *tree, const Shape *shape)
{
  const guint root = (guint) find_root (path, tree);
  clip_autofd int fd = open (path, O_RDWR | O_CLOEXEC);
  guint8 leaf[PAGE_BYTES], page[PAGE_BYTES], map[PAGE_BYTES], first[PAGE_BYTES];
  guint n, child;
  struct stat status;

  g_assert_cmpint (fstat (fd, &status), ==, 0);
  n = (guint) (status.st_size / PAGE_BYTES);
  clip_read_exactly (fd, first, PAGE_BYTES, 0, NULL);
  clip_read_exactly (fd, map, PAGE_BYTES, MAP_PAGE * PAGE_BYTES, NULL);
  clip_read_exactly (fd, leaf, PAGE_BYTES, (root - 1) * PAGE_BYTES, NULL);
  g_assert_cmpint (leaf[0], >, LEAF_TO_INNER);
  g_assert_cmpint (leaf[3] | leaf[4], >, 0);
  child = n + 1;
  g_assert_cmpint (pwrite (fd, leaf, PAGE_BYTES, n++ * PAGE_BYTES), ==, PAGE_BYTES);
  for (guint i = 0; i < shape->depth; i++, child++)
    {
      make_inner (page, leaf, child, shape->width);
      g_assert_cmpint (pwrite (fd, page, PAGE_BYTES, n++ * PAGE_BYTES), ==, PAGE_BYTES);
      map[5 * (child - 3)] = 5;
      put (map + 5 * (child - 3) + 1, n, 4);
    }
  make_inner (page, leaf, child, shape->width);
  g_assert_cmpint (pwrite (fd, page, PAGE_BYTES, (root - 1) * PAGE_BYTES), ==,
                   PAGE_BYTES);
  map[5 * (child - 3)] = 5;
  put (map + 5 * (child - 3) + 1, root, 4);
  put (first + N_PAGES_OFFSET, n, 4);
  memcpy (first + VALID_FOR_OFFSET, first + CHANGE_OFFSET, 4);
  g_assert_cmpint (pwrite (fd, first, PAGE_BYTES, 0), ==, PAGE_BYTES);
  g_assert_cmpint (pwrite (fd, map, PAGE_BYTES, MAP_PAGE * PAGE_BYTES), ==, PAGE_BYTES);
}

/* a row in each tree that has any: a pin, a term, a tag, a file */
static void
fill (Place *place)
{
  hoard_run_sql (place->hoard->dir,
                 "INSERT INTO note VALUES ('a', 'b');"
                 "INSERT INTO journal (kind, entry, was) VALUES (4, 1, 0);"
                 "UPDATE entry SET pinned = 1, expires_us = 9000000000000000"
                 " WHERE id = 1;"
                 "INSERT INTO name (id, text, tag_only) VALUES (99, 'word', 1);"
                 "INSERT INTO tag VALUES (1, 99)");
}

/* it opens, or says that it is damaged */
static void
try_open (Place *place)
{
  g_autoptr (GError) error = NULL;

  place->hoard->store = clip_store_open (place->hoard->dir, 0, &error);
  if (place->hoard->store)
    clip_store_close (place->hoard->store);
  else
    g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_clear_object (&place->hoard->store);
}

static void
salvage_each (Place *place, gconstpointer shape)
{
  g_autofree char *whole = NULL;
  gsize length;

  fill (place);
  g_assert_true (g_file_get_contents (place->database, &whole, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (trees); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClipReport) report = NULL;

      g_assert_true (g_file_set_contents (place->database, whole, (gssize) length, NULL));
      weave (place->database, trees[i], shape);
      g_test_message ("%s", trees[i]);
      try_open (place);
      report = clip_check (place->hoard->dir, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (clip_report_has (report, CLIP_FINDING_DATABASE));
      salvage (place);
      g_assert_cmpuint (count_texts (place), >=, N_TEXTS - 1);
      assert_whole (place);
      clip_store_close (place->hoard->store);
      g_clear_object (&place->hoard->store);
    }
}

static void
test_export (Place *place G_GNUC_UNUSED, gconstpointer shape)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *database = g_build_filename (hoard->dir, "history.db", NULL);
  g_autoptr (ClipReader) reader = NULL;
  const ClipExportFilter all = { 0 };
  g_autoptr (ClipExport) export = clip_export_new (&all, 0);
  g_autoptr (GError) error = NULL;
  gboolean more = TRUE, done = TRUE;

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  clip_store_close (hoard->store);
  g_clear_object (&hoard->store);
  weave (database, "entry", shape);
  reader = clip_reader_open (hoard->dir, &error);
  g_assert_no_error (error);
  while (done && more)
    {
      g_auto (ClipPart) part = { .fd = -1 };

      done = clip_export_next (export, reader, &part, &more, &error);
    }
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
}

/* what it was asked to stop leaves the damaged one where it is */
static void
test_stopped (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ClipAside) aside = clip_aside_new (place->hoard->dir);
  g_autoptr (GError) error = NULL;
  const gint stops = TRUE;

  weave (place->database, "totals", &wide);
  g_assert_false (clip_salvage (place->hoard->dir, &stops, aside, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  g_assert_cmpstr (clip_aside_path (aside), ==, "");
  g_assert_true (g_file_test (place->database, G_FILE_TEST_IS_REGULAR));
}

static void
add (const char *name, const void *data, void (*test) (Place *, gconstpointer))
{
  g_autofree char *path = g_strconcat ("/endless-pages/", name, NULL);

  g_test_add (path, Place, data, place_set_up, test, place_tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("wide-are-salvaged", &wide, salvage_each);
  add ("narrow-are-salvaged", &narrow, salvage_each);
  add ("an-export-ends", &narrow, test_export);
  add ("a-salvage-stops", NULL, test_stopped);
  return g_test_run ();
}

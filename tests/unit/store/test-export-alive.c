/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which entries an archive has: those that every other read finds, too. */
#include "clip-export.h"
#include "clip-reader.h"
#include "hoard.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

/* a history with a file at its db-path */
typedef struct
{
  char *root;
  char *path;
  char *dir;
} Place;

/* "one", "two" that is pinned, "three" */
static void
setup (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  ClipStore *store;

  self->root = hoard_make_dir ();
  self->path = g_build_filename (self->root, "db", NULL);
  self->dir = g_strconcat (self->path, ".d", NULL);
  store = clip_store_open (self->dir, 0, &error);
  g_assert_no_error (error);
  hoard_add_text (store, "one");
  hoard_add_text (store, "two");
  hoard_add_text (store, "three");
  hoard_pin (store, 2, TRUE);
  clip_store_close (store);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_object_unref (store);
}

static void
teardown (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  hoard_remove_dir (self->root);
  g_free (self->root);
  g_free (self->path);
  g_free (self->dir);
}

static void
append_if_there (GString *found, const GString *archive, const char *text)
{
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", text);

  if (memmem (archive->str, archive->len, quoted, strlen (quoted)))
    g_string_append_printf (found, "%s;", text);
}

static void
assert_exported (const Place *self, ClipExportFilter filter, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (self->dir, &error);
  g_autoptr (ClipExport) export = clip_export_new (&filter, 0);
  g_autoptr (GString) archive = g_string_new (NULL);
  g_autoptr (GString) found = g_string_new (NULL);
  gboolean more = TRUE;

  g_assert_no_error (error);
  g_assert_true (clip_reader_heed_db_file (reader, self->path, &error));
  while (more)
    {
      g_auto (ClipPart) part = { .fd = -1 };

      g_assert_true (clip_export_next (export, reader, &part, &more, &error));
      g_string_append_len (archive, part.data, more ? (gssize) part.length : 0);
    }
  append_if_there (found, archive, "one");
  append_if_there (found, archive, "two");
  append_if_there (found, archive, "three");
  g_assert_cmpstr (found->str, ==, expected);
  g_assert_cmpuint (clip_export_left_out (export)->len, ==, 0);
}

static void
test_expired (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 ids[] = { 1, 2, 3 };
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_array_append_vals (wanted, ids, G_N_ELEMENTS (ids));
  assert_exported (self, (ClipExportFilter){ 0 }, "one;two;three;");
  g_assert_cmpint (
      hoard_run_sql (self->dir, "UPDATE entry SET expires_us = 1000 WHERE id < 3"), >, 0);
  assert_exported (self, (ClipExportFilter){ 0 }, "two;three;");
  assert_exported (self, (ClipExportFilter){ .ids = wanted }, "two;three;");
}

static void
test_too_old (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpint (
      hoard_run_sql (
          self->dir,
          "INSERT OR REPLACE INTO note (key, value) VALUES ('max-age', 3600000000)"),
      >, 0);
  assert_exported (self, (ClipExportFilter){ 0 }, "one;two;three;");
  g_assert_cmpint (
      hoard_run_sql (self->dir,
                     "UPDATE entry SET first_us = 1000, last_us = 1000 WHERE id < 3"),
      >, 0);
  assert_exported (self, (ClipExportFilter){ 0 }, "two;three;");
}

/* its file was removed, and nobody has written to it since */
static void
test_wiped (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpint (g_unlink (self->path), ==, 0);
  assert_exported (self, (ClipExportFilter){ 0 }, "two;");
}

#define ADD(path, function) g_test_add (path, Place, NULL, setup, function, teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/export/not-what-has-expired", test_expired);
  ADD ("/export/not-what-is-too-old", test_too_old);
  ADD ("/export/not-what-was-wiped", test_wiped);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which entries get into an archive. */
#include "hoard-export.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

typedef struct
{
  Hoard *hoard;
} Place;

static void
set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  place->hoard = hoard_new (0);
}

static void
tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_free (place->hoard);
}

static guint
count_entries (GString *archive_take)
{
  guint n = 0;

  for (const char *at = archive_take->str;
       (at = memmem (at, (gsize) (archive_take->str + archive_take->len - at),
                     "{\"id\":", 6));
       at++)
    n++;
  g_string_free (archive_take, TRUE);
  return n;
}

static void
test_filters (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 wanted[] = { 2, 4, 99 };
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_array_append_vals (ids, wanted, G_N_ELEMENTS (wanted));
  hoard_fill_variously (place->hoard);
  g_assert_cmpuint (
      count_entries (hoard_export (place->hoard, (ClipExportFilter){ .ids = ids }, NULL)),
      ==, 2);
  g_assert_cmpuint (count_entries (hoard_export (
                        place->hoard, (ClipExportFilter){ .pinned = TRUE }, NULL)),
                    ==, 1);
  g_assert_cmpuint (count_entries (hoard_export (
                        place->hoard, (ClipExportFilter){ .tag = "work" }, NULL)),
                    ==, 1);
  g_assert_cmpuint (count_entries (hoard_export (
                        place->hoard, (ClipExportFilter){ .since_us = 2001 }, NULL)),
                    ==, 3);
}

static void
remove_blobs (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, "blobs", NULL);

  hoard_remove_dir (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
}

static void
test_left_out (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  guint n_left_out = 0;
  GString *archive;

  hoard_fill_variously (place->hoard);
  remove_blobs (place->hoard->dir);
  archive = hoard_export (place->hoard, (ClipExportFilter){ 0 }, &n_left_out);
  g_assert_cmpuint (n_left_out, ==, 2);
  g_assert_cmpuint (count_entries (archive), ==, 2);
}

/* what a disk has changed below the history is in no archive */
static void
test_changed_bytes (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const changes[] = {
    ("UPDATE entry SET body = zeroblob (length (body)), preview = CASE typeof (preview)"
     " WHEN 'blob' THEN zeroblob (length (preview)) ELSE preview END WHERE id = 5"),
    "UPDATE content SET body = zeroblob (length (body)) WHERE entry = 2",
    "UPDATE blob SET inode = 1, hash = zeroblob (16)",
  };
  g_autofree char *path = g_build_filename (place->hoard->dir, "history.db", NULL);

  hoard_fill_variously (place->hoard);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      guint n_left_out = 0;
      sqlite3 *db;

      g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
      sqlite3_busy_timeout (db, 10000); /* the writer carries its log meanwhile */
      g_assert_cmpint (sqlite3_exec (db, changes[i], NULL, NULL, NULL), ==, SQLITE_OK);
      g_assert_cmpint (sqlite3_changes (db), >, 0);
      sqlite3_close (db);
      g_string_free (hoard_export (place->hoard, (ClipExportFilter){ 0 }, &n_left_out),
                     TRUE);
      g_assert_cmpuint (n_left_out, >, i);
    }
}

#define ADD(path, function) g_test_add (path, Place, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/export/some-entries", test_filters);
  ADD ("/export/damaged-entries-are-left-out-and-named", test_left_out);
  ADD ("/export/changed-bytes-are-left-out", test_changed_bytes);
  return g_test_run ();
}

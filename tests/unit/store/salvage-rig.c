/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A history of which the tests damage the database, and how much of it is there then. */
#include "salvage-rig.h"

#include "clip-aside.h"
#include "clip-check.h"
#include "clip-fd.h"
#include "clip-salvage.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char *
make_text (gint64 id)
{
  g_autofree char *word = g_strdup_printf ("%d ", (int) id);
  GString *text = g_string_new (NULL);

  while (text->len < 300)
    g_string_append (text, word);
  return g_string_free (text, FALSE);
}

void
place_set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  place->hoard = hoard_new (0);
  place->database = g_build_filename (place->hoard->dir, "history.db", NULL);
  for (gint64 id = 1; id <= N_TEXTS; id++)
    {
      g_autofree char *text = make_text (id);

      g_assert_cmpint (hoard_add_text (place->hoard->store, text), ==, id);
    }
  hoard_add (place->hoard->store,
             hoard_draft (place->hoard->store, "text/plain", "plain", "text/html",
                          "<b>rich</b>", NULL),
             NULL);
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
}

void
place_tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_free (place->hoard);
  g_free (place->database);
}

void
zero_page (const char *path, goffset number)
{
  g_autofree guint8 *zeros = g_malloc0 (PAGE_BYTES);
  clip_autofd int fd = open (path, O_RDWR | O_CLOEXEC);

  g_assert_cmpint (pwrite (fd, zeros, PAGE_BYTES, number * PAGE_BYTES), ==, PAGE_BYTES);
}

/* the page of a table or an index */
goffset
find_root (const char *path, const char *table)
{
  g_autofree char *find =
      g_strdup_printf ("SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table);
  sqlite3_stmt *rows = NULL;
  sqlite3 *db = NULL;
  goffset root;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_prepare_v2 (db, find, -1, &rows, NULL);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  root = sqlite3_column_int64 (rows, 0);
  sqlite3_finalize (rows);
  sqlite3_close (db);
  return root;
}

void
salvage (Place *place)
{
  g_autoptr (ClipAside) aside = clip_aside_new (place->hoard->dir);
  g_autoptr (GError) error = NULL;
  g_autofree char *old = NULL;

  g_assert_true (clip_salvage (place->hoard->dir, NULL, aside, &error));
  g_assert_no_error (error);
  old = g_build_filename (place->hoard->dir, clip_aside_path (aside), NULL);
  g_assert_cmpuint (hoard_count_files (old, NULL), >, 0);
}

/* how many texts are there; each is what was stored */
guint
count_texts (Place *place)
{
  guint n = 0;

  hoard_reopen (place->hoard, 0);
  for (gint64 id = 1; id <= N_TEXTS; id++)
    {
      g_autofree char *expected = make_text (id);
      g_autoptr (GBytes) bytes = hoard_bytes (place->hoard->store, id, NULL, NULL);

      if (!bytes)
        continue;
      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected,
                       strlen (expected));
      n++;
    }
  return n;
}

void
assert_whole (Place *place)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReport) report = clip_check (place->hoard->dir, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < report->findings->len; i++)
    g_error ("%s", ((ClipFinding *) report->findings->pdata[i])->text);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "shelf.h"

#include "clip-match.h"
#include "clip-sql-functions.h"

#include <string.h>

guint32
shelf_next_number (guint32 *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static char *
make_text (guint32 *state)
{
  static const char *const words[] = {
    "the",       "Clipboard", "straße", "GRÜSSE", "привет",   "tion", "https://www.",
    "o\ufb03ce", "漢字",      "needle", "a.b*c",  "\xff\xfe", "ÀÉ",   "x",
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 12; i++)
    {
      guint32 number = shelf_next_number (state);

      if (number % 3 == 0)
        g_string_append_printf (text, "%x", shelf_next_number (state) % 65536);
      else
        g_string_append (text, words[number % G_N_ELEMENTS (words)]);
      g_string_append (text, number % 5 ? " " : "");
    }
  return g_string_free (text, FALSE);
}

sqlite3 *
shelf_open_database (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 10000);
  return db;
}

/* those after the first @n, beside the store: a hundred thousand take a minute by the
 * front door */
void
shelf_insert_texts (const char *dir, GPtrArray *texts, guint n)
{
  sqlite3 *db = shelf_open_database (dir);
  g_autofree char *totals = g_strdup_printf ("UPDATE totals SET count = %u, last_id = %u",
                                             texts->len, texts->len);
  sqlite3_stmt *insert = NULL;

  g_assert_true (clip_sql_functions_register (db, NULL));
  sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  sqlite3_prepare_v2 (db,
                      "INSERT INTO entry SELECT ?1, last_us, first_us, copies,"
                      " expires_us, pinned, kind, extras, ?3, mime, origin, blob, ?2,"
                      " NULL, clip_sum(?1, 0, text, ?3, NULL, ?2, NULL) FROM entry"
                      " JOIN name ON name.id = mime WHERE entry.id = 1",
                      -1, &insert, NULL);
  for (guint i = n; i < texts->len; i++)
    {
      const char *text = texts->pdata[i];

      sqlite3_bind_int (insert, 1, (int) i + 1);
      sqlite3_bind_blob (insert, 2, text, (int) strlen (text), SQLITE_STATIC);
      sqlite3_bind_int (insert, 3, (int) strlen (text));
      g_assert_cmpint (sqlite3_step (insert), ==, SQLITE_DONE);
      sqlite3_reset (insert);
    }
  sqlite3_finalize (insert);
  g_assert_cmpint (sqlite3_exec (db, totals, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "COMMIT", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

void
shelf_wait_overwritten (ClipStore *store)
{
  while (clip_store_is_overwriting (store))
    g_main_context_iteration (NULL, FALSE);
}

void
shelf_add (Shelf *shelf, const char *text)
{
  g_ptr_array_add (shelf->texts, g_strdup (text));
  g_assert_cmpint (hoard_add_text (shelf->hoard->store, text), ==, shelf->texts->len);
}

void
shelf_delete (Shelf *shelf, gint64 id)
{
  g_assert_cmpint (hoard_delete (shelf->hoard->store, id), ==, 1);
  g_clear_pointer (&shelf->texts->pdata[id - 1], g_free);
}

/* entries 1 to @n + 1; the writer knows of them with the last one */
Shelf *
shelf_new (guint n, ClipStoreFlags flags)
{
  Shelf *self = g_new0 (Shelf, 1);
  guint32 state = 1;

  self->hoard = hoard_new (flags);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  shelf_add (self, "the first one");
  while (self->texts->len < n)
    g_ptr_array_add (self->texts, make_text (&state));
  shelf_insert_texts (self->hoard->dir, self->texts, 1);
  shelf_add (self, "the last one");
  return self;
}

void
shelf_free (Shelf *self)
{
  hoard_free (self->hoard);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

gboolean
shelf_append_id (const ClipRow *row, gpointer user_data)
{
  g_string_append_printf (user_data, "%d ", (int) row->id);
  return TRUE;
}

char *
shelf_search (const char *dir, ClipQuery query)
{
  GString *ids = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (dir, &error);
  gboolean more = TRUE;

  g_assert_no_error (error);
  while (more)
    {
      clip_reader_page (reader, &query, shelf_append_id, ids, &more, &error);
      g_assert_no_error (error);
    }
  return g_string_free (ids, FALSE);
}

/* by looking at all of the texts */
static char *
look_through (const GPtrArray *texts, const char *const *words, const char *regex)
{
  g_autoptr (ClipMatch) match = clip_match_new (words, regex, NULL);
  GString *ids = g_string_new (NULL);

  for (guint i = texts->len; i > 0; i--)
    {
      const char *text = texts->pdata[i - 1];

      if (text && clip_match_test (match, text, strlen (text)))
        g_string_append_printf (ids, "%u ", i);
    }
  return g_string_free (ids, FALSE);
}

void
shelf_check_search (const char *dir,
                    const GPtrArray *texts,
                    const char *first,
                    const char *second,
                    const char *regex)
{
  const char *words[] = { first, first ? second : NULL, NULL };
  g_autofree char *expected = look_through (texts, words, regex);
  g_autofree char *found =
      shelf_search (dir, (ClipQuery){ .words = (char **) words, .regex = regex });

  if (strcmp (found, expected) != 0)
    {
      gsize i = 0;

      while (found[i] && found[i] == expected[i])
        i++;
      while (i > 0 && found[i - 1] != ' ')
        i--;
      g_error ("%s %s %s: found %.50s, not %.50s", first, second, regex, found + i,
               expected + i);
    }
}

void
shelf_check (Shelf *shelf)
{
  static const char *const searches[][3] = {
    { "clipboard" },
    { "STRASSE" },
    { "Straße" },
    { "ПРИВЕТ" },
    { "office" },
    { "漢字" },
    { "漢" },
    { "needle", "the" },
    { "tion", "àé" },
    { "A.B*C" },
    { "zzqqzz" },
    { "x" },
    { "bead" },
    { "the last" },
    { "the first one" },
    { "tionneedle" },
    { "\xff\xfe"
      "needle" },
    { NULL, NULL, "needle|o.ce" },
    { NULL, NULL, "b[0-9]{4}\\b" },
    { NULL, NULL, "(?i)grüsse.+CLIP" },
    { "the", NULL, "f{3}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    shelf_check_search (shelf->hoard->dir, shelf->texts, searches[i][0], searches[i][1],
                        searches[i][2]);
}

gint64
shelf_get_number (const char *dir, const char *sql)
{
  sqlite3 *db = shelf_open_database (dir);
  sqlite3_stmt *rows = NULL;
  gint64 number;

  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &rows, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  number = sqlite3_column_int64 (rows, 0);
  sqlite3_finalize (rows);
  sqlite3_close (db);
  return number;
}

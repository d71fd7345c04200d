/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-connect.h"
#include "clip-fd.h"
#include "clip-leaves.h"
#include "clip-read-sql.h"
#include "hoard.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BYTES CLIP_LEAF_PAGE_BYTES
#define N_ROWS 9000
#define N_LOOKS 24
#define N_DAMAGES 160
#define N_BYTES 150
#define LONG_PAGES 1500

#define PUT \
  "INSERT OR REPLACE INTO entry VALUES (?1, 5, NULL, 1, NULL, 0, 1 + abs (?1) % 4, 0, " \
  "?3," \
  " 1, NULL, CASE WHEN ?1 % 97 = 0 THEN 7 END," \
  " CASE WHEN ?1 % 5 = 0 THEN CAST (?2 AS TEXT) ELSE CAST (?2 AS BLOB) END," \
  " CASE WHEN ?1 % 3 = 0 THEN zeroblob (?3) END, ?1 * 12345)"

typedef struct
{
  char *dir;
  char *path;
  sqlite3 *writer;
  sqlite3_stmt *put;
  ClipDatabase *database; /* that reads */
  ClipLeaves *leaves;
  guint n_asked;
  guint n_passed; /* pages */
  guint n_compared;
  guint n_damaged;
  gint is_long; /* atomic: whoever reads lets the log begin anew */
  gint stops;   /* atomic */
} Table;

static void
run_sql (sqlite3 *db, const char *sql)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("'%s': %s", sql, sqlite3_errmsg (db));
}

/* most are short, some go on in other pages */
static void
put_row (Table *self, GRand *rand, gint64 id)
{
  int length = g_rand_int_range (rand, 0, 50) == 0 ? g_rand_int_range (rand, 0, 9000)
                                                   : g_rand_int_range (rand, 0, 180);
  g_autofree char *text = hoard_make_bytes ((gsize) length, g_rand_int (rand));

  for (int i = 0; i < length; i++)
    text[i] = (char) ('a' + (guint8) text[i] % 26);
  sqlite3_bind_int64 (self->put, 1, id);
  sqlite3_bind_text (self->put, 2, text, length, SQLITE_STATIC);
  sqlite3_bind_int (self->put, 3, length);
  g_assert_cmpint (sqlite3_step (self->put), ==, SQLITE_DONE);
  sqlite3_reset (self->put);
}

static void
open_reader (Table *self, const char *options)
{
  g_autofree char *uri = g_strconcat ("file:", self->path, options, NULL);
  sqlite3 *db = NULL;

  g_assert_cmpint (
      sqlite3_open_v2 (uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL), ==,
      SQLITE_OK);
  sqlite3_busy_timeout (db, 10000);
  self->database = clip_database_new (db, clip_reads, CLIP_N_READS);
  self->leaves = clip_leaves_new (self->database);
}

static void
close_reader (Table *self)
{
  g_clear_pointer (&self->leaves, clip_leaves_free);
  g_clear_pointer (&self->database, clip_database_free);
}

static void
set_up (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  self->dir = hoard_make_dir ();
  self->path = g_build_filename (self->dir, "history.db", NULL);
  clip_database_free (clip_connect_folder (self->dir, &error));
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (self->path, &self->writer), ==, SQLITE_OK);
  sqlite3_busy_timeout (self->writer, 10000);
  run_sql (self->writer, "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
  g_assert_cmpint (sqlite3_prepare_v2 (self->writer, PUT, -1, &self->put, NULL), ==,
                   SQLITE_OK);
  run_sql (self->writer, "BEGIN");
  for (gint64 id = 1; id <= N_ROWS; id++)
    put_row (self, rand, id);
  run_sql (self->writer, "DELETE FROM entry WHERE id % 11 = 0; COMMIT;"
                         "PRAGMA wal_checkpoint (TRUNCATE)");
  open_reader (self, "");
}

static void
tear_down (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  close_reader (self);
  sqlite3_finalize (self->put);
  sqlite3_close (self->writer);
  hoard_remove_dir (self->dir);
  g_free (self->path);
  g_free (self->dir);
}

static gint64
hash_of (const void *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (length > 0 ? data : "", length);

  return g_bytes_hash (bytes);
}

/* what a list and a search take of a row */
static void
append_row (GString *out, gint64 id, gint64 kind, gint64 preview, gint64 rest)
{
  g_string_append_printf (out,
                          "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                          " %" G_GINT64_FORMAT "\n",
                          id, kind, preview, rest);
}

/* Returns: whether SQLite found no damage */
static gboolean
ask (Table *self, const ClipStretch *stretch, GString *out)
{
  sqlite3_stmt *rows = NULL;
  sqlite3 *db = clip_database_handle (self->database);
  int code;

  g_assert_cmpint (sqlite3_prepare_v2 (db,
                                       "SELECT id, kind, preview, body FROM entry"
                                       " WHERE id >= ?1 AND id <= ?2 ORDER BY id DESC",
                                       -1, &rows, NULL),
                   ==, SQLITE_OK);
  sqlite3_bind_int64 (rows, 1, stretch->first);
  sqlite3_bind_int64 (rows, 2, stretch->last);
  while ((code = sqlite3_step (rows)) == SQLITE_ROW)
    append_row (
        out, sqlite3_column_int64 (rows, 0), sqlite3_column_int64 (rows, 1),
        hash_of (sqlite3_column_blob (rows, 2), (gsize) sqlite3_column_bytes (rows, 2)),
        hash_of (sqlite3_column_blob (rows, 3), (gsize) sqlite3_column_bytes (rows, 3)));
  sqlite3_finalize (rows);
  return code == SQLITE_DONE;
}

/* whatever it lets through, nothing may be lost of it */
static gboolean
is_wanted (const guint8 *page, gsize length, gpointer data G_GNUC_UNUSED)
{
  return page[length - 1] % 3 != 0;
}

/* Returns: as ask(); nor anything odd */
static gboolean
take (Table *self, const ClipStretch *stretch, GString *out)
{
  gboolean is_whole = TRUE;
  ClipLeavesStep step;
  ClipStretch asked;
  ClipLeafRow row;

  clip_leaves_set_sieve (self->leaves, is_wanted, NULL);
  clip_leaves_seek (self->leaves, stretch);
  while ((step = clip_leaves_next (self->leaves, &row, &asked)) != CLIP_LEAVES_END)
    if (step == CLIP_LEAVES_ROW)
      append_row (out, row.id, row.kind, hash_of (row.preview, row.preview_bytes),
                  hash_of (row.preview + row.preview_bytes, row.body_bytes));
    else
      {
        self->n_asked += step == CLIP_LEAVES_ASK;
        self->n_passed += step == CLIP_LEAVES_PASSED;
        is_whole = ask (self, &asked, out) && is_whole && step != CLIP_LEAVES_ODD;
      }
  return is_whole;
}

/* in one read, by the pages and by SQLite; where the log is long, the pages are not read */
static void
compare (Table *self, gint64 first, gint64 last)
{
  g_autoptr (GString) taken = g_string_new (NULL);
  g_autoptr (GString) asked = g_string_new (NULL);
  const ClipStretch stretch = { first, last };

  g_assert_true (clip_database_run (self->database, CLIP_READ_BEGIN, NULL, ""));
  if (clip_leaves_begin (self->leaves))
    {
      g_assert_true (take (self, &stretch, taken));
      g_assert_true (ask (self, &stretch, asked));
      self->n_compared++;
    }
  g_assert_true (clip_database_run (self->database, CLIP_READ_END, NULL, ""));
  g_assert_cmpstr (taken->str, ==, asked->str);
}

static void
test_as_sqlite_has_them (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  compare (self, 1, G_MAXINT64 - 1);
  g_assert_cmpuint (self->n_compared, ==, 1);
  g_assert_cmpuint (self->n_asked, <, N_ROWS / 10);
  g_assert_cmpuint (self->n_passed, >, 5);
  for (guint i = 0; i < 100; i++)
    {
      gint64 first = g_rand_int_range (rand, -5, N_ROWS + 100);

      compare (self, first, first + g_rand_int_range (rand, -2, 200));
    }
}

static void
carry (Table *self, int mode)
{
  int n_pages = 0;

  sqlite3_wal_checkpoint_v2 (self->writer, NULL, mode, &n_pages, NULL);
  if (n_pages < LONG_PAGES)
    return;
  g_atomic_int_set (&self->is_long, TRUE);
  while (sqlite3_wal_checkpoint_v2 (self->writer, NULL, SQLITE_CHECKPOINT_RESTART, NULL,
                                    NULL) != SQLITE_OK)
    continue;
  g_atomic_int_set (&self->is_long, FALSE);
}

/* whatever lies in the log, and wherever it is carried meanwhile */
static gpointer
change (gpointer data)
{
  static const int modes[] = { SQLITE_CHECKPOINT_PASSIVE, SQLITE_CHECKPOINT_PASSIVE,
                               SQLITE_CHECKPOINT_FULL, SQLITE_CHECKPOINT_RESTART };
  Table *self = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree char *sql = NULL;

  for (guint i = 0; !g_atomic_int_get (&self->stops); i++)
    {
      run_sql (self->writer, "BEGIN IMMEDIATE");
      for (guint j = 0; j < 20; j++)
        put_row (self, rand, g_rand_int_range (rand, 1, 2 * N_ROWS));
      g_free (sql);
      sql = g_strdup_printf ("DELETE FROM entry WHERE id > %d AND id %% 3 = 0 LIMIT 30;"
                             "COMMIT",
                             g_rand_int_range (rand, 1, 2 * N_ROWS));
      run_sql (self->writer, sql);
      if (i % 3 == 0)
        carry (self, modes[i / 3 % G_N_ELEMENTS (modes)]);
    }
  return NULL;
}

static void
test_while_others_change_them (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  GThread *thread;

  sqlite3_busy_timeout (self->writer, 5);
  thread = g_thread_new ("changer", change, self);
  for (guint i = 0; i < N_LOOKS; i++)
    {
      while (g_atomic_int_get (&self->is_long))
        g_thread_yield ();
      compare (self, i % 4 ? N_ROWS - 1000 : 1, 3 * N_ROWS);
    }
  g_atomic_int_set (&self->stops, 1);
  g_thread_join (thread);
  g_assert_cmpuint (self->n_compared, >, N_LOOKS / 2);
  g_assert_cmpuint (self->n_asked, >, N_LOOKS);
}

static gint64
root_of (Table *self)
{
  gint64 root;

  g_assert_cmpint (clip_database_number (self->database, CLIP_READ_ROOT, &root, NULL, ""),
                   ==, CLIP_ROWS_ROW);
  return root;
}

/* what is read goes down, and comes to an end */
static void
take_damaged (Table *self)
{
  const ClipStretch stretch = { 1, G_MAXINT64 - 1 };
  gint64 last = G_MAXINT64;
  ClipLeavesStep step;
  ClipStretch asked;
  ClipLeafRow row;

  if (!clip_leaves_begin (self->leaves))
    return;
  clip_leaves_seek (self->leaves, &stretch);
  while ((step = clip_leaves_next (self->leaves, &row, &asked)) != CLIP_LEAVES_END)
    {
      if (step == CLIP_LEAVES_ROW)
        asked = (ClipStretch){ row.id, row.id };
      g_assert_true (asked.first <= asked.last || step == CLIP_LEAVES_ODD);
      g_assert_cmpint (asked.last, <, last);
      last = asked.first;
    }
}

static void
test_damaged_pages (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = open (self->path, O_RDWR | O_CLOEXEC);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  gint64 root = root_of (self);
  struct stat status;

  close_reader (self);
  g_assert_cmpint (fstat (fd, &status), ==, 0);
  for (guint i = 0; i < N_DAMAGES; i++)
    {
      gint64 page =
          i % 2 ? root : g_rand_int_range (rand, 2, (gint) (status.st_size / PAGE_BYTES));
      gint64 offset = (page - 1) * PAGE_BYTES +
                      g_rand_int_range (rand, 0, i % 4 < 2 ? 40 : PAGE_BYTES);
      guint8 was, is = (guint8) g_rand_int (rand);

      g_assert_cmpint (pread (fd, &was, 1, offset), ==, 1);
      g_assert_cmpint (pwrite (fd, &is, 1, offset), ==, 1);
      if (i % 8)
        continue;
      open_reader (self, "?immutable=1");
      take_damaged (self);
      close_reader (self);
      if (page == root)
        g_assert_cmpint (pwrite (fd, &was, 1, offset), ==, 1);
    }
}

static void
write_byte (int fd, gint64 offset, guint8 byte)
{
  g_assert_cmpint (pwrite (fd, &byte, 1, offset), ==, 1);
}

/* What the pages are taken for whole with is what SQLite reads. Returns: whether it is damage to
 * SQLite, too */
static gboolean
compare_damaged (Table *self, gint64 page, gint64 at)
{
  const ClipStretch stretch = { 1, G_MAXINT64 - 1 };
  const ClipStretch all = { G_MININT64, G_MAXINT64 - 1 }; /* as a list has it */
  g_autoptr (GString) taken = g_string_new (NULL);
  g_autoptr (GString) asked = g_string_new (NULL);
  gboolean is_whole, was_whole;

  open_reader (self, "?immutable=1");
  was_whole = ask (self, &all, asked);
  is_whole = was_whole;
  if (clip_leaves_begin (self->leaves))
    is_whole = take (self, &stretch, taken);
  else
    g_string_assign (taken, asked->str);
  if (is_whole && (!was_whole || strcmp (taken->str, asked->str) != 0))
    g_error ("byte %d of page %d: SQLite %s, %d bytes; the pages %s, %d bytes", (int) at,
             (int) page, was_whole ? "whole" : "damaged", (int) asked->len,
             is_whole ? "whole" : "damaged", (int) taken->len);
  close_reader (self);
  return !was_whole;
}

/* Returns: the offset of the id, of two bytes, of a short row in the midst of a page */
static gint64
find_id (const char *bytes, gsize length)
{
  for (gsize offset = 0; offset < length; offset += PAGE_BYTES)
    {
      const guint8 *page = (const guint8 *) bytes + offset;
      const guint index = clip_leaf_n_rows (page) / 2;
      const guint8 *id_at;
      guint64 row_bytes;
      ClipLeafRow row;

      if (page[0] == CLIP_LEAF_MARK && index > 2 && index < CLIP_LEAF_MAX_CELLS &&
          clip_leaf_read (page, index, &row) == CLIP_LEAF_WHOLE && row.id > 200 &&
          row.preview_bytes + row.body_bytes < 60 &&
          clip_leaf_number (page + clip_leaf_get_16 (page + 8 + 2 * index),
                            page + PAGE_BYTES, &row_bytes, &id_at))
        return (gint64) offset + (id_at - page);
    }
  g_assert_not_reached ();
}

/* what follows it would be missing without a word */
static void
test_an_id_below_all_is_damaged (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 none_and_a_long_header[] = { 0x80, 0, 0x7F };
  const ClipStretch all = { 1, G_MAXINT64 - 1 };
  clip_autofd int fd = open (self->path, O_RDWR | O_CLOEXEC);
  g_autoptr (GString) taken = g_string_new (NULL);
  g_autofree char *bytes = NULL;
  gsize length;
  gint64 at;

  close_reader (self);
  g_assert_true (g_file_get_contents (self->path, &bytes, &length, NULL));
  at = find_id (bytes, length);
  g_assert_cmpint (pwrite (fd, none_and_a_long_header, 3, at), ==, 3);
  open_reader (self, "?immutable=1");
  g_assert_true (clip_leaves_begin (self->leaves));
  g_assert_false (take (self, &all, taken));
}

static void
damage_count (Table *self, int fd, gint64 page, const char *was)
{
  /* none, and more than a page can hold */
  static const guint8 counts[][2] = { { 0, 0 }, { 2, 170 }, { 255, 255 } };
  gint64 offset = (page - 1) * PAGE_BYTES;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      write_byte (fd, offset + 3, counts[i][0]);
      write_byte (fd, offset + 4, counts[i][1]);
      self->n_damaged += compare_damaged (self, page, 3) ? 1 : 0;
    }
  write_byte (fd, offset + 3, (guint8) was[offset + 3]);
  write_byte (fd, offset + 4, (guint8) was[offset + 4]);
}

static void
test_a_page_without_rows_is_damaged (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = open (self->path, O_RDWR | O_CLOEXEC);
  g_autofree char *bytes = NULL;
  gint64 root = root_of (self);
  gsize length;

  close_reader (self);
  g_assert_true (g_file_get_contents (self->path, &bytes, &length, NULL));
  damage_count (self, fd, root, bytes);
  g_assert_cmpuint (self->n_damaged, ==, 3);
  for (gint64 page = 2; page <= (gint64) length / PAGE_BYTES; page += 64)
    if (page != root && bytes[(page - 1) * PAGE_BYTES] == CLIP_LEAF_MARK)
      damage_count (self, fd, page, bytes);
  g_assert_cmpuint (self->n_damaged, >, 12);
}

static void
test_damage_is_as_sqlite_has_it (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = open (self->path, O_RDWR | O_CLOEXEC);
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autofree char *bytes = NULL;
  gint64 root = root_of (self);
  gsize length;

  close_reader (self);
  g_assert_true (g_file_get_contents (self->path, &bytes, &length, NULL));
  for (guint i = 0; i < N_BYTES; i++)
    {
      gint64 page = root;
      gint64 at = g_rand_int_range (rand, 0, i % 4 < 2 ? 60 : PAGE_BYTES);
      gint64 offset;

      while (i % 2 && (page == root || bytes[(page - 1) * PAGE_BYTES] != CLIP_LEAF_MARK))
        page = g_rand_int_range (rand, 2, (gint) (length / PAGE_BYTES));
      offset = (page - 1) * PAGE_BYTES + at;
      write_byte (fd, offset, (guint8) g_rand_int (rand));
      compare_damaged (self, page, at);
      write_byte (fd, offset, (guint8) bytes[offset]);
    }
}

/* a page of its own, so that whatever is read behind it is seen */
static void
test_a_damaged_row_stays_in_its_page (Table *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree guint8 *page = g_malloc (PAGE_BYTES);
  g_autofree char *bytes = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  gsize length;

  g_assert_true (g_file_get_contents (self->path, &bytes, &length, NULL));
  for (gsize at = PAGE_BYTES; at < length; at += 5 * PAGE_BYTES)
    {
      if (bytes[at] != CLIP_LEAF_MARK)
        continue;
      memcpy (page, bytes + at, PAGE_BYTES);
      for (guint i = 0; i < 40; i++)
        page[g_rand_int_range (rand, 1, PAGE_BYTES)] = (guint8) g_rand_int (rand);
      for (guint i = 0; i < 100; i++)
        {
          ClipLeafRow row;

          if (clip_leaf_read (page, i, &row) != CLIP_LEAF_WHOLE)
            continue;
          g_assert_true (row.preview >= page);
          g_assert_true (row.preview_bytes + row.body_bytes <=
                         (gsize) (page + PAGE_BYTES - row.preview));
        }
    }
}

#define ADD(name, function) \
  g_test_add ("/leaves/" name, Table, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("rows-are-as-sqlite-has-them", test_as_sqlite_has_them);
  ADD ("rows-are-those-of-one-moment-while-others-change-them",
       test_while_others_change_them);
  ADD ("damaged-pages-end", test_damaged_pages);
  ADD ("a-page-without-rows-is-damaged", test_a_page_without_rows_is_damaged);
  ADD ("an-id-below-all-is-damaged", test_an_id_below_all_is_damaged);
  ADD ("damage-is-as-sqlite-has-it", test_damage_is_as_sqlite_has_it);
  ADD ("a-damaged-row-stays-in-its-page", test_a_damaged_row_stays_in_its_page);
  return g_test_run ();
}

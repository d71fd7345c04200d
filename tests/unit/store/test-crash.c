/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writers that end at any moment, and several of them at once. A writer is this program
 * again, in a process of its own: it says on its standard output what it was told is
 * done, and is killed.
 */
#include "clip-fd.h"
#include "clip-hash.h"
#include "hoard.h"
#include "small-disk.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MIME "application/x-test"
#define N_KILLS 10

/* -- what runs in the other process -- */

static ClipStore *
open_store (const char *dir)
{
  g_autoptr (GError) error = NULL;
  ClipStore *store = clip_store_open (dir, 0, &error);

  g_assert_no_error (error);
  return store;
}

static gint64
add_seed (ClipStore *store, gsize length, guint32 seed)
{
  g_autoptr (ClipStage) stage = hoard_stage_of (store, length, seed);
  ClipDraft *draft = clip_draft_new ("");

  clip_draft_add (draft, MIME, stage, (gint64) length);
  return hoard_add (store, draft, NULL).id;
}

static void say (const char *format, ...) G_GNUC_PRINTF (1, 2);

static void
say (const char *format, ...)
{
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  clip_write_all (STDOUT_FILENO, line, strlen (line), NULL);
}

/* adds for ever, small and large, and deletes some of what it added */
static int G_GNUC_NORETURN
write_for_ever (const char *dir, guint32 seed)
{
  static const gsize lengths[] = { 50, 5000, 60000, 70000, 300000, 50, 5000000 };
  ClipStore *store = open_store (dir);

  for (guint32 i = 0;; i++)
    {
      gsize length = lengths[i % G_N_ELEMENTS (lengths)] + i;
      gint64 id = add_seed (store, length, seed + i);

      say ("+ %" G_GINT64_FORMAT " %" G_GSIZE_FORMAT " %u\n", id, length, seed + i);
      if (i % 4 != 3)
        continue;
      say ("- %" G_GINT64_FORMAT "\n", id);
      hoard_delete (store, id);
    }
}

/* adds what others add, too, and deletes what may be the last reference to it */
static int
share (const char *dir, guint32 seed)
{
  ClipStore *store = open_store (dir);

  for (guint32 i = 0; i < 60; i++)
    {
      gint64 id = add_seed (store, 70000, (seed + i) % 3);

      if (i % 2)
        hoard_delete (store, id);
    }
  for (guint32 i = 0; i < 3; i++)
    add_seed (store, 70000, i);
  clip_store_close (store);
  g_object_unref (store);
  return 0;
}

/* one of many that store one thing each, as a command does */
static int
add_some (const char *dir, guint32 seed)
{
  ClipStore *store = open_store (dir);

  for (guint32 i = 0; i < 5; i++)
    add_seed (store, i == 2 ? 80000 : 100, seed * 1000 + i);
  clip_store_close (store);
  g_object_unref (store);
  return 0;
}

/* a file system of 3 MiB, where that can be had; else files of 1 MiB at most */
static void
get_little_room (const char *dir)
{
  const struct rlimit limit = { 1024 * 1024, 1024 * 1024 };

  if (small_disk_mount_at (dir, 3 * 1024 * 1024))
    return;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* adds until there is no room, then looks at what was said to be there */
static int
fill_up (const char *dir, guint32 seed)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) error = NULL;
  g_autofree char *other = g_build_filename (dir, "other", NULL);
  g_autofree char *fill = g_malloc0 (500000);
  ClipStore *store;

  get_little_room (dir);
  g_assert_true (g_file_set_contents (other, fill, 500000, NULL));
  store = open_store (dir);
  while (!error && ids->len < 1000)
    {
      gsize length = ids->len % 2 ? 50000 : 90000;
      g_autofree char *data = hoard_make_bytes (length, seed + ids->len);
      g_autoptr (ClipStage) stage = clip_store_stage (store, &error);
      ClipDraft *draft = clip_draft_new ("");
      ClipOutcome added;

      if (stage && clip_write_all (clip_stage_fd (stage), data, length, &error))
        {
          clip_draft_add (draft, MIME, stage, (gint64) length);
          if (hoard_try_add (store, g_steal_pointer (&draft), NULL, &added, &error))
            g_array_append_val (ids, added.id);
        }
      clip_draft_free (draft);
    }
  g_assert_nonnull (error);
  g_assert_cmpuint (ids->len, >, 5);
  for (guint i = 0; i < ids->len; i++)
    {
      g_autoptr (GBytes) back = NULL;
      g_autofree char *data = hoard_make_bytes (i % 2 ? 50000 : 90000, seed + i);
      g_autoptr (GError) read_error = NULL;

      back = hoard_bytes (store, g_array_index (ids, gint64, i), NULL, &read_error);
      g_assert_no_error (read_error);
      g_assert_cmpmem (g_bytes_get_data (back, NULL), g_bytes_get_size (back), data,
                       i % 2 ? 50000 : 90000);
    }
  /* and goes on by itself when there is room again */
  g_unlink (other);
  add_seed (store, 100, seed + 5000);
  clip_store_close (store);
  g_object_unref (store);
  return 0;
}

/* deletes while somebody reads, so that the log goes on holding what is deleted, and is
 * killed once it has said so */
static int G_GNUC_NORETURN
delete_one (const char *dir, guint32 seed G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  ClipStore *store = open_store (dir);
  sqlite3_stmt *stalled = NULL;
  sqlite3 *foreign = NULL;

  hoard_add_text (store, "before");
  hoard_add_text (store, "a very SECRET thing");
  g_assert_cmpint (sqlite3_open (path, &foreign), ==, SQLITE_OK);
  sqlite3_prepare_v2 (foreign, "SELECT id FROM entry", -1, &stalled, NULL);
  g_assert_cmpint (sqlite3_step (stalled), ==, SQLITE_ROW);
  hoard_delete (store, 2);
  say ("done");
  for (;;)
    pause ();
}

/* -- what starts them -- */

typedef struct
{
  pid_t pid;
  int fd; /* what it says */
} Writer;

static Writer
start (const char *what, const char *dir, guint32 seed)
{
  Writer writer = { -1, -1 };
  g_autofree char *number = g_strdup_printf ("%u", seed);
  g_autoptr (GError) error = NULL;
  int fds[2];

  g_assert_true (clip_pipe (fds, &error));
  writer.pid = fork ();
  if (writer.pid == 0)
    {
      dup2 (fds[1], STDOUT_FILENO);
      execl ("/proc/self/exe", "test-crash", what, dir, number, NULL);
      _exit (127);
    }
  close (fds[1]);
  writer.fd = fds[0];
  return writer;
}

static void
wait_success (Writer *writer)
{
  int status;

  g_assert_cmpint (waitpid (writer->pid, &status, 0), ==, writer->pid);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  clip_fd_clear (&writer->fd);
}

static guint
count_rows (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *rows = NULL;
  guint n;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==,
                   SQLITE_OK);
  sqlite3_prepare_v2 (db, "SELECT count(*) FROM blob", -1, &rows, NULL);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  n = (guint) sqlite3_column_int (rows, 0);
  sqlite3_finalize (rows);
  sqlite3_close (db);
  return n;
}

/* each file has the hash that its name says, and a row; each row has a file */
static void
check_files (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *rows = NULL;
  guint n = 0;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==,
                   SQLITE_OK);
  sqlite3_prepare_v2 (db, "SELECT name FROM blob", -1, &rows, NULL);
  for (; sqlite3_step (rows) == SQLITE_ROW; n++)
    {
      const char *name = (const char *) sqlite3_column_text (rows, 0);
      g_autofree char *file = g_build_filename (dir, "blobs", name, NULL);
      g_autoptr (ClipHasher) hasher = clip_hasher_new ();
      g_autofree char *data = NULL;
      g_autofree char *expected = NULL;
      g_autoptr (GError) error = NULL;
      gsize length;
      ClipHash hash;

      g_file_get_contents (file, &data, &length, &error);
      g_assert_no_error (error);
      clip_hasher_add (hasher, data, length);
      hash = clip_hasher_end (hasher);
      expected = clip_blob_name (&hash, 0);
      g_assert_cmpstr (name, ==, expected);
    }
  sqlite3_finalize (rows);
  g_assert_cmpuint (hoard_count_files (dir, "blobs"), ==, n);
  sqlite3_prepare_v2 (db, "PRAGMA integrity_check", -1, &rows, NULL);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  g_assert_cmpstr ((const char *) sqlite3_column_text (rows, 0), ==, "ok");
  sqlite3_finalize (rows);
  sqlite3_prepare_v2 (db,
                      "SELECT count = (SELECT count(*) FROM entry) AND"
                      " bytes = ifnull((SELECT sum(size) FROM entry), 0) AND"
                      " count = (SELECT count(*) FROM dup) FROM totals",
                      -1, &rows, NULL);
  g_assert_cmpint (sqlite3_step (rows), ==, SQLITE_ROW);
  g_assert_true (sqlite3_column_int (rows, 0));
  sqlite3_finalize (rows);
  sqlite3_close (db);
}

typedef struct
{
  gsize length;
  guint32 seed;
} Told;

/* what the writer said before it was killed; after "-" the entry may be there or not */
static void
collect (GHashTable *told, char *said)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);

  for (char **line = lines; *line && line[1]; line++)
    {
      gint64 id;
      gsize length;
      guint32 seed;

      if (sscanf (*line, "+ %" G_GINT64_FORMAT " %" G_GSIZE_FORMAT " %u", &id, &length,
                  &seed) == 3)
        {
          Told *entry = g_new (Told, 1);

          entry->length = length;
          entry->seed = seed;
          g_hash_table_insert (told, GSIZE_TO_POINTER ((gsize) id), entry);
        }
      else if (sscanf (*line, "- %" G_GINT64_FORMAT, &id) == 1)
        g_hash_table_remove (told, GSIZE_TO_POINTER ((gsize) id));
    }
}

static void
check_told (ClipStore *store, GHashTable *told)
{
  GHashTableIter iter;
  gpointer id, value;

  g_hash_table_iter_init (&iter, told);
  while (g_hash_table_iter_next (&iter, &id, &value))
    {
      const Told *entry = value;
      g_autofree char *data = hoard_make_bytes (entry->length, entry->seed);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) back =
          hoard_bytes (store, (gint64) GPOINTER_TO_SIZE (id), NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpmem (g_bytes_get_data (back, NULL), g_bytes_get_size (back), data,
                       entry->length);
    }
}

/* writes for a moment, and is killed at any point of it */
static void
kill_one (const char *dir, guint32 seed, gulong delay_us, GHashTable *told)
{
  Writer writer = start ("write-for-ever", dir, seed);
  g_autoptr (GBytes) rest = NULL;
  g_autofree char *said = NULL;
  char first[1];
  gsize length;

  g_assert_cmpint (read (writer.fd, first, 1), ==, 1);
  g_usleep (delay_us);
  kill (writer.pid, SIGKILL);
  waitpid (writer.pid, NULL, 0);
  rest = clip_read_to_end (writer.fd, 1 << 20, NULL);
  length = g_bytes_get_size (rest);
  said = g_malloc (length + 2);
  said[0] = first[0];
  if (length)
    memcpy (said + 1, g_bytes_get_data (rest, NULL), length);
  said[length + 1] = '\0';
  collect (told, said);
  clip_fd_clear (&writer.fd);
}

static void
test_killed (void)
{
  g_autofree char *dir = hoard_make_dir ();
  g_autoptr (GHashTable) told = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GError) error = NULL;
  ClipStore *store;

  for (guint32 i = 0; i < N_KILLS; i++)
    kill_one (dir, 1000000 * (i + 1), (gulong) g_test_rand_int_range (0, 60000), told);
  g_test_message ("%u entries were acknowledged", g_hash_table_size (told));
  g_assert_cmpuint (g_hash_table_size (told), >, N_KILLS);

  store = clip_store_open (dir, CLIP_STORE_SESSION, &error);
  g_assert_no_error (error);
  check_told (store, told);
  /* the sweep goes on beside */
  while (hoard_count_files (dir, "blobs") > count_rows (dir))
    g_main_context_iteration (NULL, FALSE);
  clip_store_close (store);
  g_object_unref (store);
  check_files (dir);
  hoard_remove_dir (dir);
}

static void
test_shared_blobs (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  Writer writers[3];

  for (guint32 i = 0; i < G_N_ELEMENTS (writers); i++)
    writers[i] = start ("share", hoard->dir, i);
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    wait_success (&writers[i]);
  check_files (hoard->dir);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 3);
}

static void
test_many_writers (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  Writer writers[12];
  ClipTotals totals;

  for (guint32 i = 0; i < G_N_ELEMENTS (writers); i++)
    writers[i] = start ("add-some", hoard->dir, i + 1);
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    wait_success (&writers[i]);
  hoard_add_text (hoard->store, "one more");
  clip_store_get_totals (hoard->store, &totals);
  g_assert_cmpint (totals.count, ==, 12 * 5 + 1);
  g_assert_cmpint (totals.last_id, ==, 12 * 5 + 1);
  check_files (hoard->dir);
}

/* by a process that is killed before it has emptied the log */
static void
delete_and_die (const char *dir)
{
  Writer writer = start ("delete-one", dir, 0);
  char said[4];
  int status;

  g_assert_cmpint (read (writer.fd, said, sizeof said), >, 0);
  kill (writer.pid, SIGKILL);
  g_assert_cmpint (waitpid (writer.pid, &status, 0), ==, writer.pid);
  clip_fd_clear (&writer.fd);
  g_assert_true (hoard_holds (dir, "SECRET"));
}

static void
assert_becomes_gone (Hoard *hoard)
{
  while (clip_store_is_overwriting (hoard->store))
    g_main_context_iteration (NULL, FALSE);
  g_assert_false (hoard_holds (hoard->dir, "SECRET"));
}

static void
test_deleted_is_gone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *list = NULL;

  clip_store_close (hoard->store);
  delete_and_die (hoard->dir);
  hoard_reopen (hoard, 0);
  assert_becomes_gone (hoard);
  list = hoard_list (hoard->store);
  g_assert_cmpstr (list, ==, "1 before;");
}

/* also where the history is put in the place of another that is open */
static void
test_deleted_elsewhere_is_gone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  g_autofree char *dir = hoard_make_dir ();

  delete_and_die (dir);
  hoard_remove_dir (hoard->dir);
  g_assert_cmpint (g_rename (dir, hoard->dir), ==, 0);
  hoard_add_text (hoard->store, "after");
  assert_becomes_gone (hoard);
}

/* and where it is open, and hears of it from the journal */
static void
test_deleted_by_another_is_gone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);

  /* the log of a new history is emptied first */
  assert_becomes_gone (hoard);
  delete_and_die (hoard->dir);
  hoard_add_text (hoard->store, "after");
  assert_becomes_gone (hoard);
}

static void
test_no_room (void)
{
  g_autofree char *dir = hoard_make_dir ();
  Writer writer = start ("fill-up", dir, 1);

  wait_success (&writer);
  hoard_remove_dir (dir);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    int (*run) (const char *dir, guint32 seed);
  } others[] = {
    { "write-for-ever", write_for_ever },
    { "share", share },
    { "add-some", add_some },
    { "fill-up", fill_up },
    { "delete-one", delete_one },
  };

  for (guint i = 0; argc == 4 && i < G_N_ELEMENTS (others); i++)
    if (strcmp (argv[1], others[i].name) == 0)
      return others[i].run (argv[2], (guint32) strtoul (argv[3], NULL, 10));

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crash/killed-at-any-moment", test_killed);
  g_test_add_func ("/crash/blobs-shared-by-processes", test_shared_blobs);
  g_test_add_func ("/crash/many-writers", test_many_writers);
  g_test_add_func ("/crash/deleted-is-gone", test_deleted_is_gone);
  g_test_add_func ("/crash/deleted-elsewhere-is-gone", test_deleted_elsewhere_is_gone);
  g_test_add_func ("/crash/deleted-by-another-is-gone", test_deleted_by_another_is_gone);
  g_test_add_func ("/crash/no-room", test_no_room);
  return g_test_run ();
}

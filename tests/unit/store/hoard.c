/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hoard.h"

#include "clip-fd.h"
#include "clip-sql-functions.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

char *
hoard_make_dir (void)
{
  g_autoptr (GError) error = NULL;
  char *dir = g_dir_make_tmp ("clip-history-XXXXXX", &error);

  g_assert_no_error (error);
  return dir;
}

void
hoard_remove_dir (const char *dir)
{
  GDir *folder = g_dir_open (dir, 0, NULL);
  const char *name;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR) &&
          !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        hoard_remove_dir (path);
      else
        g_unlink (path);
    }
  g_clear_pointer (&folder, g_dir_close);
  g_rmdir (dir);
}

static ClipStore *
open_store (const char *dir, ClipStoreFlags flags)
{
  g_autoptr (GError) error = NULL;
  ClipStore *store = clip_store_open (dir, flags, &error);

  g_assert_no_error (error);
  return store;
}

Hoard *
hoard_new (ClipStoreFlags flags)
{
  Hoard *self = g_new0 (Hoard, 1);

  self->dir = hoard_make_dir ();
  self->store = open_store (self->dir, flags);
  return self;
}

static void
close_store (Hoard *self)
{
  if (self->store)
    clip_store_close (self->store);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_clear_object (&self->store);
}

void
hoard_reopen (Hoard *self, ClipStoreFlags flags)
{
  close_store (self);
  self->store = open_store (self->dir, flags);
}

void
hoard_free (Hoard *self)
{
  close_store (self);
  hoard_remove_dir (self->dir);
  g_free (self->dir);
  g_free (self);
}

ClipStage *
hoard_stage (ClipStore *store, const void *data, gsize length)
{
  g_autoptr (GError) error = NULL;
  ClipStage *stage = clip_store_stage (store, &error);

  g_assert_no_error (error);
  g_assert_true (clip_write_all (clip_stage_fd (stage), data, length, &error));
  clip_stage_advance (stage, (goffset) length);
  return stage;
}

/* the same ones for the same seed */
char *
hoard_make_bytes (gsize length, guint32 seed)
{
  guint32 *words = g_malloc (length + sizeof (guint32));

  for (gsize i = 0; i <= length / sizeof (guint32); i++)
    words[i] = seed = seed * 1664525u + 1013904223u;
  return (char *) words;
}

/* bytes that are the same for the same seed */
ClipStage *
hoard_stage_of (ClipStore *store, gsize length, guint32 seed)
{
  g_autofree char *data = hoard_make_bytes (length, seed);

  return hoard_stage (store, data, length);
}

/* pairs of a MIME type and a text, up to NULL */
ClipDraft *
hoard_draft (ClipStore *store, ...)
{
  ClipDraft *draft = clip_draft_new ("test clipboard unit");
  const char *mime;
  va_list args;

  va_start (args, store);
  while ((mime = va_arg (args, const char *)))
    {
      const char *text = va_arg (args, const char *);
      g_autoptr (ClipStage) stage = hoard_stage (store, text, strlen (text));

      clip_draft_add (draft, mime, stage, (gint64) strlen (text));
    }
  va_end (args);
  return draft;
}

void
on_answer (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Answer *self = user_data;

  self->result = g_object_ref (result);
}

GAsyncResult *
answer_wait (Answer *self)
{
  while (!self->result)
    g_main_context_iteration (NULL, TRUE);
  return g_steal_pointer (&self->result);
}

gboolean
hoard_try_add (ClipStore *store,
               ClipDraft *draft_take,
               const ClipLimits *limits,
               ClipOutcome *out_added,
               GError **error)
{
  Answer answer = { NULL };
  g_autoptr (GAsyncResult) result = NULL;

  clip_store_change_async (store, clip_change_add (draft_take, limits), on_answer,
                           &answer);
  result = answer_wait (&answer);
  return clip_store_change_finish (store, result, out_added, error);
}

ClipOutcome
hoard_add (ClipStore *store, ClipDraft *draft_take, const ClipLimits *limits)
{
  g_autoptr (GError) error = NULL;
  ClipOutcome added = { 0 };

  hoard_try_add (store, draft_take, limits, &added, &error);
  g_assert_no_error (error);
  return added;
}

gint64
hoard_add_text (ClipStore *store, const char *text)
{
  return hoard_add (store, hoard_draft (store, "text/plain;charset=utf-8", text, NULL),
                    NULL)
      .id;
}

gint64
hoard_add_blob (ClipStore *store, gsize length, guint32 seed)
{
  g_autoptr (ClipStage) stage = hoard_stage_of (store, length, seed);
  ClipDraft *draft = clip_draft_new ("");

  clip_draft_add (draft, "application/octet-stream", stage, (gint64) length);
  return hoard_add (store, draft, NULL).id;
}

/* (transfer full) (nullable): the path of one, where there is any */
char *
hoard_find_blob (const char *dir)
{
  g_autofree char *blobs = g_build_filename (dir, "blobs", NULL);
  g_autoptr (GDir) shards = g_dir_open (blobs, 0, NULL);
  const char *shard;

  while (shards && (shard = g_dir_read_name (shards)))
    {
      g_autofree char *path = g_build_filename (blobs, shard, NULL);
      g_autoptr (GDir) files = g_dir_open (path, 0, NULL);
      const char *name = files ? g_dir_read_name (files) : NULL;

      if (name)
        return g_build_filename (path, name, NULL);
    }
  return NULL;
}

/* one that is refused fails the test */
void
hoard_exec (sqlite3 *db, const char *sql)
{
  sqlite3_busy_timeout (db, 10000); /* a store may be at its upkeep */
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
}

/* runs SQL beside the store, as another process might. Returns: how many rows it
   changed */
int
hoard_run_sql (const char *dir, const char *sql)
{
  g_autofree char *path = g_build_filename (dir, "history.db", NULL);
  sqlite3 *db = NULL;
  int n_changed;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_true (clip_sql_functions_register (db, NULL));
  sqlite3_busy_timeout (db, 60 * 1000);
  hoard_exec (db, sql);
  n_changed = sqlite3_changes (db);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return n_changed;
}

/* (transfer full): the content of an entry that hoard_fill() made */
char *
hoard_word (gint64 id)
{
  return g_strdup_printf ("%0*d", HOARD_WORD_BYTES, (int) id);
}

/* fills an empty history with entries 1 to @n, of one word each: copies of a first one
 * that came in by the front door, as a hundred thousand take a minute there */
void
hoard_fill (Hoard *self, guint n)
{
  g_autofree char *word = hoard_word (1);
  g_autofree char *sql = g_strdup_printf (
      "BEGIN IMMEDIATE;"
      "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < %u)"
      " INSERT INTO entry SELECT i, last_us, first_us, copies, expires_us, pinned, kind,"
      " extras, size, mime, origin, blob, CAST(printf('%%0%dd', i) AS BLOB), NULL,"
      " clip_sum(i, 0, text, size, NULL, CAST(printf('%%0%dd', i) AS BLOB), NULL)"
      " FROM n JOIN entry ON entry.id = 1 JOIN name ON name.id = mime;"
      "UPDATE totals SET count = %u, bytes = bytes * %u, last_id = %u;"
      "COMMIT",
      n, HOARD_WORD_BYTES, HOARD_WORD_BYTES, n, n, n);

  g_assert_cmpint (hoard_add_text (self->store, word), ==, 1);
  hoard_run_sql (self->dir, sql);
}

/* whether a read is open somewhere: the log cannot be emptied then */
gboolean
hoard_is_being_read (Hoard *self)
{
  g_autofree char *path = g_build_filename (self->dir, "history.db", NULL);
  sqlite3 *db = NULL;
  int code;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  code = sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return code == SQLITE_BUSY;
}

gint64
hoard_wait_n (ClipStore *store, Answer *answer, GError **error)
{
  g_autoptr (GAsyncResult) result = answer_wait (answer);
  ClipOutcome outcome = { .n = -1 };

  clip_store_change_finish (store, result, &outcome, error);
  return outcome.n;
}

static gint64
wait_done (ClipStore *store, Answer *answer)
{
  g_autoptr (GError) error = NULL;
  gint64 n = hoard_wait_n (store, answer, &error);

  g_assert_no_error (error);
  return n;
}

gint64
hoard_delete (ClipStore *store, gint64 id)
{
  Answer answer = { NULL };

  clip_store_change_async (store, clip_change_delete (&id, 1), on_answer, &answer);
  return wait_done (store, &answer);
}

gint64
hoard_wipe (ClipStore *store, gboolean pinned_too, gint64 since_us)
{
  Answer answer = { NULL };

  clip_store_change_async (store, clip_change_wipe (pinned_too, since_us), on_answer,
                           &answer);
  return wait_done (store, &answer);
}

ClipOutcome
hoard_trim (ClipStore *store, ClipLimits limits, gboolean pretends)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  ClipOutcome trimmed = { 0 };
  Answer answer = { NULL };

  clip_store_change_async (store, clip_change_trim (&limits, pretends), on_answer,
                           &answer);
  result = answer_wait (&answer);
  clip_store_change_finish (store, result, &trimmed, &error);
  g_assert_no_error (error);
  return trimmed;
}

gint64
hoard_pin (ClipStore *store, gint64 id, gboolean pinned)
{
  Answer answer = { NULL };

  clip_store_change_async (store, clip_change_pin (id, pinned), on_answer, &answer);
  return wait_done (store, &answer);
}

ClipEntry *
hoard_lookup (ClipStore *store, gint64 id, GError **error)
{
  Answer answer = { NULL };
  g_autoptr (GAsyncResult) result = NULL;

  clip_store_lookup_async (store, id, on_answer, &answer);
  result = answer_wait (&answer);
  return clip_store_lookup_finish (store, result, error);
}

GBytes *
hoard_bytes (ClipStore *store, gint64 id, const char *mime, GError **error)
{
  Answer answer = { NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (ClipPayload) payload = NULL;

  clip_store_open_content_async (store, id, mime, on_answer, &answer);
  result = answer_wait (&answer);
  payload = clip_store_open_content_finish (store, result, error);
  if (!payload)
    return NULL;
  if (payload->bytes)
    return g_bytes_ref (payload->bytes);
  return clip_read_to_end (payload->fd, (gsize) payload->size, error);
}

/* (transfer full): "ID preview;" of each entry, newest first */
char *
hoard_list (ClipStore *store)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GString *list = g_string_new (NULL);
  Answer answer = { NULL };

  clip_store_list_async (store, &(const ClipQuery){ 0 }, NULL, on_answer, &answer);
  result = answer_wait (&answer);
  entries = clip_store_list_finish (store, result, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    {
      const ClipEntry *entry = entries->pdata[i];

      g_string_append_printf (list, "%" G_GINT64_FORMAT " %s;", entry->row.id,
                              entry->row.preview);
    }
  return g_string_free (list, FALSE);
}

/* how many regular files there are, in all folders below */
guint
hoard_count_files (const char *dir, const char *below)
{
  g_autofree char *path = g_build_filename (dir, below, NULL);
  GDir *folder = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *item = g_build_filename (path, name, NULL);

      n += g_file_test (item, G_FILE_TEST_IS_DIR) ? hoard_count_files (path, name) : 1;
    }
  g_clear_pointer (&folder, g_dir_close);
  return n;
}

/* whether the bytes are in one of the files, free pages and the log included */
gboolean
hoard_holds (const char *dir, const char *needle)
{
  GDir *folder = g_dir_open (dir, 0, NULL);
  gboolean found = FALSE;
  const char *name;

  while (folder && !found && (name = g_dir_read_name (folder)))
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);
      g_autofree char *data = NULL;
      gsize length = 0;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        found = hoard_holds (path, needle);
      else if (g_file_get_contents (path, &data, &length, NULL))
        found = memmem (data, length, needle, strlen (needle)) != NULL;
    }
  g_clear_pointer (&folder, g_dir_close);
  return found;
}

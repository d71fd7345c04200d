/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Adding, reading and changing entries, and what the store says of it. */
#include "clip-error.h"
#include "hoard-check.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT "text/plain;charset=utf-8"
#define HTML "text/html"

static void
test_text_comes_back (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  gint64 id = hoard_add_text (hoard->store, "hello\n");
  g_autoptr (ClipEntry) entry = hoard_lookup (hoard->store, id, &error);

  g_assert_no_error (error);
  g_assert_cmpint (id, ==, 1);
  hoard_assert_bytes (hoard->store, id, NULL, "hello\n");
  hoard_assert_bytes (hoard->store, id, "", "hello\n");
  hoard_assert_bytes (hoard->store, id, TEXT, "hello\n");
  g_assert_cmpstr (entry->row.preview, ==, "hello");
  g_assert_cmpstr (entry->row.mime, ==, TEXT);
  g_assert_cmpstr (entry->row.origin, ==, "test clipboard unit");
  g_assert_cmpint (entry->row.kind, ==, CLIP_CLASS_TEXT);
  g_assert_cmpint (entry->row.size, ==, 6);
  g_assert_cmpint (entry->row.copies, ==, 1);
  g_assert_cmpint (clip_store_newest (hoard->store), ==, 1);
  hoard_assert_totals (hoard->store, 1, 6, 0);
}

/* inline and in a file, at the sizes where one becomes the other, with and without a
 * preview that the content begins with */
static void
test_every_size_comes_back (void)
{
  static const gsize sizes[] = { 0,     1,     100,   3000,   4096,   4097,
                                 65535, 65536, 65537, 200000, 5000000 };
  g_autoptr (Hoard) hoard = hoard_new (0);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint binary = 0; binary < 2; binary++)
      {
        g_autoptr (ClipStage) stage = NULL;
        g_autoptr (GBytes) sent = NULL;
        g_autoptr (GBytes) back = NULL;
        g_autoptr (GError) error = NULL;
        g_autofree char *text = g_malloc (sizes[i] + 1);
        ClipDraft *draft = clip_draft_new ("");
        ClipOutcome added;

        memset (text, 'a' + (int) i, sizes[i]);
        stage = binary ? hoard_stage_of (hoard->store, sizes[i], i)
                       : hoard_stage (hoard->store, text, sizes[i]);
        clip_draft_add (draft, binary ? "application/x-test" : TEXT, stage,
                        (gint64) sizes[i]);
        sent = clip_stage_head (stage, sizes[i], &error);
        added = hoard_add (hoard->store, draft, NULL);
        back = hoard_bytes (hoard->store, added.id, NULL, &error);
        g_assert_no_error (error);
        g_assert_true (g_bytes_equal (sent, back));
      }
}

static mode_t
mode_of (const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_mode & 0777;
}

static void
test_modes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *blobs = g_build_filename (hoard->dir, "blobs", NULL);
  g_autofree char *shard = NULL;
  GDir *folder;

  hoard_add_blob (hoard->store, 100000, 1);
  folder = g_dir_open (blobs, 0, NULL);
  shard = g_build_filename (blobs, g_dir_read_name (folder), NULL);
  g_dir_close (folder);
  folder = g_dir_open (shard, 0, NULL);
  g_assert_cmpint (mode_of (shard, g_dir_read_name (folder)), ==, 0400);
  g_dir_close (folder);
  g_assert_cmpint (mode_of (shard, "."), ==, 0700);
  g_assert_cmpint (mode_of (blobs, "."), ==, 0700);
  g_assert_cmpint (mode_of (hoard->dir, "history.db"), ==, 0600);
  g_assert_cmpint (mode_of (hoard->dir, "history.db-wal"), ==, 0600);
}

static void
test_several_contents (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) missing = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  ClipOutcome added =
      hoard_add (hoard->store,
                 hoard_draft (hoard->store, TEXT, "plain", HTML, "<b>rich</b>",
                              "x-special/other", "more", NULL),
                 NULL);

  entry = hoard_lookup (hoard->store, added.id, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entry->contents->len, ==, 3);
  g_assert_cmpstr (((ClipContent *) entry->contents->pdata[1])->mime, ==, HTML);
  g_assert_cmpint (((ClipContent *) entry->contents->pdata[2])->size, ==, 4);
  hoard_assert_bytes (hoard->store, added.id, HTML, "<b>rich</b>");
  hoard_assert_bytes (hoard->store, added.id, "x-special/other", "more");
  hoard_assert_bytes (hoard->store, added.id, "UTF8_STRING", "plain");
  g_assert_null (hoard_bytes (hoard->store, added.id, "image/png", &missing));
  g_assert_error (missing, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT);
  hoard_assert_totals (hoard->store, 1, 20, 0);
}

static void
test_missing_entry (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) bytes_error = NULL;

  g_assert_null (hoard_lookup (hoard->store, 99, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "id 99 not found");
  g_assert_null (hoard_bytes (hoard->store, 99, NULL, &bytes_error));
  g_assert_error (bytes_error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

static void
test_burst_keeps_order (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = hoard_listen (hoard->store);
  g_autoptr (GString) expected = g_string_new (NULL);
  Answer answers[50] = { { NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      ClipDraft *draft = clip_draft_new ("");
      gsize length = i % 5 == 0 ? 100000 + i : 10 + i;
      g_autoptr (ClipStage) stage = hoard_stage_of (hoard->store, length, i);

      clip_draft_add (draft, "application/x-test", stage, (gint64) length);
      clip_store_change_async (hoard->store, clip_change_add (draft, NULL), on_answer,
                               &answers[i]);
      g_string_append_printf (expected, "+%u ", i + 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GAsyncResult) result = answer_wait (&answers[i]);
      g_autoptr (GError) error = NULL;
      ClipOutcome added;

      g_assert_true (clip_store_change_finish (hoard->store, result, &added, &error));
      g_assert_cmpint (added.id, ==, i + 1);
    }
  g_assert_cmpstr (heard->str, ==, expected->str);
  hoard_assert_totals (hoard->store, 50, 10 * 100000 + 40 * 10 + 49 * 25, 0);
}

/* one that fails takes nothing of those with it that are committed together */
static void
test_failure_stays_alone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  Answer answers[9] = { { NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);
      ClipDraft *draft = hoard_draft (hoard->store, TEXT, text, NULL);
      g_autoptr (ClipStage) stage = hoard_stage_of (hoard->store, 100000, i);
      ClipLimits limits = CLIP_NO_LIMITS;

      clip_draft_add (draft, "application/x-test", stage, i == 4 ? 99999 : 100000);
      limits.min_free_bytes = i == 6 ? G_MAXINT64 : 0;
      clip_store_change_async (hoard->store, clip_change_add (draft, &limits), on_answer,
                               &answers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GAsyncResult) result = answer_wait (&answers[i]);
      g_autoptr (GError) error = NULL;

      clip_store_change_finish (hoard->store, result, NULL, &error);
      if (i == 4)
        g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
      else if (i == 6)
        g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
      else
        g_assert_no_error (error);
    }
  hoard_assert_list (hoard->store, "7 8;6 7;5 5;4 3;3 2;2 1;1 0;");
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 7);
}

static void
test_set_on_missing (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_change_async (hoard->store, clip_change_pin (5, TRUE), on_answer, &answer);
  hoard_wait_n (hoard->store, &answer, &error);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

static void
test_pin_twice_is_once (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add_text (hoard->store, "one");
  g_assert_cmpint (hoard_pin (hoard->store, 1, TRUE), ==, 1);
  g_assert_cmpint (hoard_pin (hoard->store, 1, TRUE), ==, 0);
  hoard_assert_totals (hoard->store, 1, 3, 1);
}

static void
set_note (ClipStore *store, const char *key, const char *value)
{
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_change_async (store, clip_change_note (key, value), on_answer, &answer);
  hoard_wait_n (store, &answer, &error);
  g_assert_no_error (error);
}

static void
test_notes_outlive (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *before = clip_store_get_note (hoard->store, "paused");
  g_autofree char *set = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *gone = NULL;

  g_assert_null (before);
  set_note (hoard->store, "paused", "-1");
  set = clip_store_get_note (hoard->store, "paused");
  g_assert_cmpstr (set, ==, "-1");
  hoard_reopen (hoard, 0);
  kept = clip_store_get_note (hoard->store, "paused");
  g_assert_cmpstr (kept, ==, "-1");
  set_note (hoard->store, "paused", NULL);
  gone = clip_store_get_note (hoard->store, "paused");
  g_assert_null (gone);
}

static void
wait_heard (const GString *heard, const char *expected)
{
  while (strlen (heard->str) < strlen (expected))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (heard->str, ==, expected);
}

static void
test_hears_of_other_writers (void)
{
  g_autoptr (Hoard) hoard = hoard_new (CLIP_STORE_SESSION);
  g_autoptr (GString) heard = hoard_listen (hoard->store);
  g_autoptr (GError) error = NULL;
  ClipStore *other = clip_store_open (hoard->dir, 0, &error);
  g_autofree char *note = NULL;

  g_assert_no_error (error);
  hoard_add_text (other, "one");
  wait_heard (heard, "+1 ");
  hoard_add_text (other, "one");
  wait_heard (heard, "+1 1>2 ");
  hoard_pin (other, 2, TRUE);
  wait_heard (heard, "+1 1>2 *2 ");
  hoard_delete (other, 2);
  wait_heard (heard, "+1 1>2 *2 -2 ");
  hoard_assert_totals (hoard->store, 0, 0, 0);
  set_note (other, "key", "value");
  while (!(note = clip_store_get_note (hoard->store, "key")))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (note, ==, "value");
  clip_store_close (other);
  g_object_unref (other);
  /* and says nothing twice */
  hoard_add_text (hoard->store, "two");
  g_assert_cmpstr (heard->str, ==, "+1 1>2 *2 -2 +3 ");
}

static void
test_dropped_stage_leaves_nothing (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  clip_stage_unref (hoard_stage_of (hoard->store, 9000000, 3));
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
}

/* what was asked for is done before the store is closed, and what comes later is not */
static void
test_close_finishes (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = hoard_listen (hoard->store);
  g_autoptr (GAsyncResult) first = NULL;
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) late = hoard_stage (hoard->store, "late", 4);
  ClipDraft *draft = clip_draft_new ("");
  Answer answers[2] = { { NULL } };

  clip_store_change_async (
      hoard->store, clip_change_add (hoard_draft (hoard->store, TEXT, "one", NULL), NULL),
      on_answer, &answers[0]);
  clip_store_close (hoard->store);
  clip_draft_add (draft, TEXT, late, 4);
  clip_store_change_async (hoard->store, clip_change_add (draft, NULL), on_answer,
                           &answers[1]);
  first = answer_wait (&answers[0]);
  g_assert_true (clip_store_change_finish (hoard->store, first, NULL, &error));
  second = answer_wait (&answers[1]);
  g_assert_false (clip_store_change_finish (hoard->store, second, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  g_assert_cmpstr (heard->str, ==, "+1 ");
  hoard_reopen (hoard, 0);
  hoard_assert_list (hoard->store, "1 one;");
}

/* what is removed drops the readers, which are there until then */
static void
test_close_tells_of_removals (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = hoard_listen (hoard->store);
  g_autoptr (GAsyncResult) result = NULL;
  Answer answer = { NULL };
  gint64 id = hoard_add_text (hoard->store, "one");

  clip_store_change_async (hoard->store, clip_change_delete (&id, 1), on_answer, &answer);
  clip_store_close (hoard->store);
  result = answer_wait (&answer);
  g_assert_cmpstr (heard->str, ==, "+1 -1 ");
}

static void
test_draft_needs_content (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;

  g_assert_false (hoard_try_add (hoard->store, clip_draft_new (""), NULL, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
}

static void
test_damaged_blob_is_not_served (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *remove_all =
      g_strdup_printf ("rm -r '%s/blobs'/[0-9a-f]*", hoard->dir);
  g_autoptr (GError) error = NULL;
  gint64 id = hoard_add_blob (hoard->store, 100000, 1);

  g_assert_true (g_spawn_command_line_sync ("true", NULL, NULL, NULL, NULL));
  g_assert_cmpint (system (remove_all), ==, 0);
  g_assert_null (hoard_bytes (hoard->store, id, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  /* the same, copied again, is whole again */
  g_assert_cmpint (hoard_add_blob (hoard->store, 100000, 1), ==, 2);
  g_clear_error (&error);
  g_bytes_unref (hoard_bytes (hoard->store, 2, NULL, &error));
  g_assert_no_error (error);
}

/* --- what the main loop asks while the writer reads --- */

#define PATIENCE_US (10 * G_USEC_PER_SEC)

typedef struct
{
  GThread *tester;
  ClipStore *store; /* set before anything is added */
  GMutex mutex;
  GCond answered;
  gboolean has_answer; /* guarded by mutex */
  guint n_asked;       /* the writer's, until the store is closed */
  guint n_answered;
} Question;

static Question question;

static gpointer
ask (gpointer data G_GNUC_UNUSED)
{
  ClipTotals totals;

  clip_store_get_totals (question.store, &totals);
  g_mutex_lock (&question.mutex);
  question.has_answer = TRUE;
  g_cond_signal (&question.answered);
  g_mutex_unlock (&question.mutex);
  return NULL;
}

/* on the writer's thread, where it reads the entry that it is to tell of */
static int
on_statement (unsigned what G_GNUC_UNUSED,
              void *user_data G_GNUC_UNUSED,
              void *statement G_GNUC_UNUSED,
              void *sql)
{
  const gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  GThread *asker;
  gboolean waits = TRUE;

  if (!question.store || g_thread_self () == question.tester ||
      !strstr (sql, "FROM entry WHERE id = ?1"))
    return 0;
  question.n_asked++;
  question.has_answer = FALSE;
  asker = g_thread_new ("ask", ask, NULL);
  g_mutex_lock (&question.mutex);
  while (!question.has_answer && waits)
    waits = g_cond_wait_until (&question.answered, &question.mutex, end_us);
  question.n_answered += question.has_answer;
  g_mutex_unlock (&question.mutex);
  if (waits)
    g_thread_join (asker);
  else
    g_thread_unref (asker);
  return 0;
}

static int
watch_connection (sqlite3 *db,
                  char **message G_GNUC_UNUSED,
                  const struct sqlite3_api_routines *routines G_GNUC_UNUSED)
{
  return sqlite3_trace_v2 (db, SQLITE_TRACE_STMT, on_statement, NULL);
}

static void
test_answers_while_the_writer_reads (void)
{
  g_autoptr (Hoard) hoard = NULL;

  question.tester = g_thread_self ();
  sqlite3_auto_extension ((void (*) (void)) watch_connection);
  hoard = hoard_new (0);
  sqlite3_cancel_auto_extension ((void (*) (void)) watch_connection);
  question.store = hoard->store;
  hoard_add_text (hoard->store, "a word");
  g_clear_pointer (&hoard, hoard_free);
  question.store = NULL;
  g_assert_cmpuint (question.n_asked, >, 0);
  g_assert_cmpuint (question.n_answered, ==, question.n_asked);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/text-comes-back", test_text_comes_back);
  g_test_add_func ("/store/every-size-comes-back", test_every_size_comes_back);
  g_test_add_func ("/store/files-are-the-users-alone", test_modes);
  g_test_add_func ("/store/several-contents", test_several_contents);
  g_test_add_func ("/store/missing-entry", test_missing_entry);
  g_test_add_func ("/store/burst-keeps-order", test_burst_keeps_order);
  g_test_add_func ("/store/failure-stays-alone", test_failure_stays_alone);
  g_test_add_func ("/store/set-on-missing-entry", test_set_on_missing);
  g_test_add_func ("/store/pinned-twice-is-once", test_pin_twice_is_once);
  g_test_add_func ("/store/notes-outlive", test_notes_outlive);
  g_test_add_func ("/store/hears-of-other-writers", test_hears_of_other_writers);
  g_test_add_func ("/store/dropped-stage-leaves-nothing",
                   test_dropped_stage_leaves_nothing);
  g_test_add_func ("/store/answers-while-the-writer-reads",
                   test_answers_while_the_writer_reads);
  g_test_add_func ("/store/close-finishes", test_close_finishes);
  g_test_add_func ("/store/close-tells-of-removals", test_close_tells_of_removals);
  g_test_add_func ("/store/draft-needs-content", test_draft_needs_content);
  g_test_add_func ("/store/damaged-blob-is-not-served", test_damaged_blob_is_not_served);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histories out of one store and into another. */
#include "clip-archive-writer.h"
#include "clip-call-store.h"
#include "clip-error.h"
#include "clip-export.h"
#include "clip-fd.h"
#include "clip-ignore.h"
#include "clip-import.h"
#include "clip-tar.h"
#include "hoard-export.h"
#include "later-clock.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define TEXT "text/plain;charset=utf-8"
#define BLOB_BYTES 200000

/* two histories, and somebody who takes archives in for the second one */
typedef struct
{
  Hoard *from;
  Hoard *to;
  ClipSettings *settings;
  ClipHistory *history;
  gint64 n_announced;
  guint n_signals;
} Pair;

static void
on_imported (ClipStore *store G_GNUC_UNUSED, gint64 n, gpointer user_data)
{
  Pair *self = user_data;

  self->n_announced += n;
}

static void
on_added (Pair *self)
{
  self->n_signals++;
}

static void
setup (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  self->from = hoard_new (0);
  self->to = hoard_new (0);
  self->settings = clip_settings_new ();
  clip_settings_set (self->settings, CLIP_SETTING_MIN_FREE_SPACE, "0", CLIP_FROM_FLAG,
                     NULL);
  self->history = clip_history_new (self->to->store, self->settings);
  g_signal_connect (self->to->store, "entries-imported", G_CALLBACK (on_imported), self);
  g_signal_connect_swapped (self->to->store, "entry-added", G_CALLBACK (on_added), self);
}

static void
teardown (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_history_close (self->history);
  g_clear_object (&self->history);
  hoard_free (self->from);
  hoard_free (self->to);
  clip_settings_free (self->settings);
}

static GString *
export_all (Hoard *hoard)
{
  return hoard_export (hoard, (ClipExportFilter){ 0 }, NULL);
}

static gboolean
try_import_fd (Pair *self, int fd_take, ClipImportResult *out, GError **error)
{
  Answer answer = { NULL };
  g_autoptr (GAsyncResult) result = NULL;

  *out = (ClipImportResult){ 0 };
  clip_import_async (self->history, fd_take, self->settings, NULL, NULL, on_answer,
                     &answer);
  result = answer_wait (&answer);
  return clip_import_finish (result, out, error);
}

static gboolean
try_import (Pair *self, const GString *archive, ClipImportResult *out, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (archive->str, archive->len);

  return try_import_fd (self, clip_memfd (bytes, NULL), out, error);
}

static ClipImportResult
import (Pair *self, const GString *archive)
{
  g_autoptr (GError) error = NULL;
  ClipImportResult result;

  try_import (self, archive, &result, &error);
  g_assert_no_error (error);
  return result;
}

static void
check_equal (Hoard *hoard, const GString *archive)
{
  GString *other = export_all (hoard);

  g_assert_cmpmem (other->str, other->len, archive->str, archive->len);
  g_string_free (other, TRUE);
}

static void
test_round_trip (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  GString *archive;
  ClipImportResult result;

  hoard_fill_variously (self->from);
  archive = export_all (self->from);
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 4);
  g_assert_cmpint (result.n_known, ==, 0);
  check_equal (self->to, archive);
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 0);
  g_assert_cmpint (result.n_known, ==, 4);
  check_equal (self->to, archive);
  g_assert_cmpuint (hoard_count_files (self->to->dir, "blobs"), ==, 1);
  while (self->n_announced < 4)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (self->n_announced, ==, 4);
  g_assert_cmpuint (self->n_signals, ==, 0);
  g_string_free (archive, TRUE);
}

typedef struct
{
  const GString *archive;
  int fd;
} Feeder;

static gpointer
feed (gpointer data)
{
  Feeder *self = data;

  clip_write_all (self->fd, self->archive->str, self->archive->len, NULL);
  clip_fd_clear (&self->fd);
  return NULL;
}

static void
test_pipe (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  Feeder feeder = { 0 };
  ClipImportResult result;
  GString *archive;
  GThread *thread;
  int fds[2];

  hoard_fill_variously (self->from);
  archive = export_all (self->from);
  g_assert_true (clip_pipe (fds, NULL));
  feeder = (Feeder){ archive, fds[1] };
  thread = g_thread_new ("feed", feed, &feeder);
  try_import_fd (self, fds[0], &result, &error);
  g_assert_no_error (error);
  g_thread_join (thread);
  g_assert_cmpint (result.n_added, ==, 4);
  check_equal (self->to, archive);
  g_string_free (archive, TRUE);
}

/* who wipes means what is still to come of it, too */
static void
test_wiped_meanwhile (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };
  ClipImportResult imported;
  GString *archive;
  ClipTotals totals;
  Feeder feeder = { 0 };
  GThread *thread;
  int fds[2];

  hoard_fill_variously (self->from);
  archive = export_all (self->from);
  g_assert_true (clip_pipe (fds, NULL));
  clip_import_async (self->history, fds[0], self->settings, NULL, NULL, on_answer,
                     &answer);
  hoard_wipe (self->to->store, FALSE, 0);
  feeder = (Feeder){ archive, fds[1] };
  thread = g_thread_new ("feed", feed, &feeder);
  result = answer_wait (&answer);
  g_thread_join (thread);
  g_assert_false (clip_import_finish (result, &imported, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  clip_store_get_totals (self->to->store, &totals);
  g_assert_cmpint (totals.count, ==, 0);
  g_string_free (archive, TRUE);
}

static void
test_order (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *list = NULL;
  GString *archive;

  hoard_add_text (self->from->store, "one");
  hoard_add_text (self->from->store, "two");
  hoard_delete (self->from->store, 1);
  hoard_add_text (self->from->store, "three");
  archive = export_all (self->from);
  hoard_add_text (self->to->store, "there");
  hoard_add_text (self->to->store, "three");
  import (self, archive);
  list = hoard_list (self->to->store);
  g_assert_cmpstr (list, ==, "3 two;2 three;1 there;");
  g_string_free (archive, TRUE);
}

static void
set_tags (Hoard *hoard, gint64 id, const char *const *tags)
{
  Answer answer = { NULL };

  clip_store_change_async (hoard->store, clip_change_tag (id, tags), on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, NULL), ==, 1);
}

static void
assert_tags (Hoard *hoard, gint64 id, const char *tags)
{
  g_autoptr (ClipEntry) entry = hoard_lookup (hoard->store, id, NULL);
  g_autofree char *joined = g_strjoinv (" ", entry->tags);

  g_assert_cmpstr (joined, ==, tags);
}

/* the archive of somebody else takes over no name that a key pastes by */
static void
test_own_tags (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  GString *archive;
  ClipImportResult result;

  hoard_add_text (self->from->store, "theirs");
  hoard_add_text (self->from->store, "another of theirs");
  set_tags (self->from, 1, (const char *const[]){ "sig", "work", NULL });
  set_tags (self->from, 2, (const char *const[]){ "work", NULL });
  archive = export_all (self->from);
  hoard_add_text (self->to->store, "mine");
  set_tags (self->to, 1, (const char *const[]){ "sig", NULL });
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 2);
  g_assert_cmpint (result.n_tags_left, ==, 1);
  assert_tags (self->to, 1, "sig");
  assert_tags (self->to, 2, "work");
  assert_tags (self->to, 3, "work");
  g_string_free (archive, TRUE);
}

/* more than one batch, some of which are there already */
static void
test_many (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  ClipImportResult result;
  GString *archive;

  hoard_fill (self->from, 5000);
  archive = export_all (self->from);
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 5000);
  check_equal (self->to, archive);
  hoard_delete (self->to->store, 77);
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 1);
  g_assert_cmpint (result.n_known, ==, 4999);
  g_string_free (archive, TRUE);
}

static void
test_never_trims (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  GString *archive;

  clip_settings_set (self->settings, CLIP_SETTING_MAX_ITEMS, "1", CLIP_FROM_FLAG, &error);
  g_assert_no_error (error);
  hoard_fill_variously (self->from);
  archive = export_all (self->from);
  import (self, archive);
  check_equal (self->to, archive);
  g_string_free (archive, TRUE);
}

static void
test_enriched (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GBytes) html = NULL;
  g_autofree char *list = NULL;
  ClipImportResult result;
  GString *archive;

  hoard_fill_variously (self->from);
  archive = export_all (self->from);
  hoard_add_text (self->to->store, "bold");
  hoard_add_text (self->to->store, "newer");
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 3);
  g_assert_cmpint (result.n_known, ==, 1);
  html = hoard_bytes (self->to->store, 1, "text/html", NULL);
  g_assert_nonnull (html);
  list = hoard_list (self->to->store);
  g_assert_true (g_str_has_suffix (list, "2 newer;1 bold;"));
  g_string_free (archive, TRUE);
}

static void
append_member (GString *archive, const char *name, const char *text)
{
  clip_tar_append_header (archive, name, (gint64) strlen (text), 0);
  g_string_append (archive, text);
  clip_tar_append_padding (archive, (gint64) strlen (text));
}

/* (transfer full): of an entry with these */
static GString *
archive_of (const char *contents)
{
  g_autofree char *line = g_strdup_printf ("{\"last\":5,\"contents\":[%s]}\n", contents);
  GString *archive = g_string_new (NULL);

  append_member (archive, "0.json", "{\"cliphist-export\":1}\n");
  append_member (archive, "1.jsonl", line);
  clip_tar_append_end (archive);
  return archive;
}

/* a list shows it by the text */
static void
test_second_text (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  GString *archive =
      archive_of ("{\"type\":\"text/html\",\"text\":\"<b>one</b>\"},"
                  "{\"type\":\"text/plain;charset=utf-8\",\"text\":\"one\"},"
                  "{\"type\":\"UTF8_STRING\",\"text\":\"another\"}");

  hoard_add_text (self->to->store, "one");
  g_assert_cmpint (import (self, archive).n_known, ==, 1);
  entry = hoard_lookup (self->to->store, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entry->contents->len, ==, 2);
  g_assert_cmpstr (((ClipContent *) entry->contents->pdata[1])->mime, ==, "text/html");
  g_string_free (archive, TRUE);
}

/* an archive adds nothing to what pastes by name, or was pinned */
static void
test_pinned_is_not_enriched (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  ClipImportResult result;
  GString *archive;

  hoard_fill_variously (self->from);
  archive = export_all (self->from);
  hoard_add_text (self->to->store, "bold");
  hoard_pin (self->to->store, 1, TRUE);
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 4);
  g_assert_cmpint (result.n_known, ==, 0);
  entry = hoard_lookup (self->to->store, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entry->contents->len, ==, 1);
  g_string_free (archive, TRUE);
}

/* of one text, as cells have it, each formatted in its own way */
static void
test_many_of_one_text (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  ClipImportResult result;
  GString *archive;

  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *html = g_strdup_printf ("<b>%u</b>", i);

      hoard_add (self->from->store,
                 hoard_draft (self->from->store, TEXT, "0", "text/html", html, NULL),
                 NULL);
    }
  archive = export_all (self->from);
  g_assert_cmpint (import (self, archive).n_added, ==, 40);
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 0);
  g_assert_cmpint (result.n_known, ==, 40);
  g_string_free (archive, TRUE);
}

static void
append_manifold (ClipArchiveWriter *writer, guint n)
{
  const ClipRow row = { .id = n, .copies = 1, .kind = CLIP_CLASS_TEXT, .origin = "" };
  g_autofree char *text = g_strdup_printf ("%04u", n);

  clip_archive_writer_begin_entry (writer, &row, NULL);
  clip_archive_writer_add_bytes (writer, TEXT, "0", 1);
  for (guint i = 0; i < 255; i++)
    {
      g_autofree char *mime = g_strdup_printf ("application/x-%u", i);

      clip_archive_writer_add_bytes (writer, mime, text, strlen (text));
    }
  clip_archive_writer_end_entry (writer);
}

/* of which the newest seventeen have 4,335 further contents */
static void
test_many_of_many_types (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ClipArchiveWriter) writer = clip_archive_writer_new (0);
  GString *archive = g_string_new (NULL);
  ClipImportResult result;

  clip_archive_writer_begin (writer, archive);
  for (guint i = 1; i <= 20; i++)
    append_manifold (writer, i);
  append_manifold (writer, 20);
  append_manifold (writer, 4);
  append_manifold (writer, 3);
  clip_archive_writer_flush (writer, archive);
  clip_archive_writer_end (writer, archive);
  result = import (self, archive);
  g_assert_cmpint (result.n_known, ==, 2);
  g_assert_cmpint (result.n_added, ==, 21);
  g_string_free (archive, TRUE);
}

/* --- beside others --- */

static ClipImportBatch *
make_batch (guint n)
{
  ClipImportBatch *batch = clip_import_batch_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("entry %u", i);
      g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
      ClipDraft *draft = clip_draft_new ("");
      const ClipCourse course = { .copies = 1 };

      clip_draft_add_bytes (draft, TEXT, bytes);
      clip_import_batch_add (batch, draft, &course);
    }
  g_assert_true (clip_import_batch_prepare (batch, NULL));
  return batch;
}

/* While all of them wait for another process, an entry queues up behind an import: it
 * comes when the time of a transaction is over, which here is that of one entry. */
static void
test_others_first (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (self->to->dir, "history.db", NULL);
  const ClipLimits limits = CLIP_NO_LIMITS;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) import_result = NULL;
  g_autoptr (GError) error = NULL;
  const ClipImported before = { 0 };
  ClipOutcome outcome;
  Answer answer = { NULL }, import_answer = { NULL };
  ClipTotals totals;
  ClipOutcome added;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 10000);
  hoard_exec (db, "BEGIN IMMEDIATE");
  g_atomic_int_set (&later_s_per_look, 1);
  clip_store_change_async (self->to->store,
                           clip_change_import (make_batch (20), &before, &limits),
                           on_answer, &import_answer);
  clip_store_change_async (
      self->to->store,
      clip_change_add (hoard_draft (self->to->store, TEXT, "urgent", NULL), NULL),
      on_answer, &answer);
  hoard_exec (db, "COMMIT");
  sqlite3_close (db);
  import_result = answer_wait (&import_answer);
  g_assert_true (
      clip_store_change_finish (self->to->store, import_result, &outcome, &error));
  result = answer_wait (&answer);
  g_assert_true (clip_store_change_finish (self->to->store, result, &added, &error));
  g_atomic_int_set (&later_s_per_look, 0);
  g_assert_cmpint (added.id, ==, 2);
  g_assert_cmpint (outcome.imported.n_added, ==, 20);
  clip_store_get_totals (self->to->store, &totals);
  g_assert_cmpint (totals.count, ==, 21);
}

static void
on_step (guint *n_steps)
{
  ++*n_steps;
}

/* whether or not an entry waits here */
static void
test_others_elsewhere (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  const ClipLimits limits = CLIP_NO_LIMITS;
  const ClipImported before = { 0 };
  g_autoptr (GAsyncResult) result = NULL;
  Answer answer = { NULL };
  guint n_steps = 0;

  g_signal_connect_swapped (self->to->store, "entries-imported", G_CALLBACK (on_step),
                            &n_steps);
  g_atomic_int_set (&later_s_per_look, 1);
  clip_store_change_async (self->to->store,
                           clip_change_import (make_batch (20), &before, &limits),
                           on_answer, &answer);
  result = answer_wait (&answer);
  g_atomic_int_set (&later_s_per_look, 0);
  g_assert_true (clip_store_change_finish (self->to->store, result, NULL, NULL));
  g_assert_cmpint (self->n_announced, ==, 20);
  g_assert_cmpuint (n_steps, ==, 20);
}

/* --- what is not taken in --- */

static void
append_entry (ClipArchiveWriter *writer,
              const char *mime,
              const char *text,
              gint64 expires)
{
  const ClipRow row = {
    .id = 1, .copies = 1, .kind = CLIP_CLASS_TEXT, .origin = "", .expires_us = expires
  };

  clip_archive_writer_begin_entry (writer, &row, NULL);
  clip_archive_writer_add_bytes (writer, TEXT, text, strlen (text));
  if (mime)
    clip_archive_writer_add_bytes (writer, mime, "secret", 6);
  clip_archive_writer_end_entry (writer);
}

static void
test_secrets (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ClipArchiveWriter) writer = clip_archive_writer_new (0);
  GString *archive = g_string_new (NULL);
  g_autofree char *list = NULL;
  ClipImportResult result;

  clip_archive_writer_begin (writer, archive);
  append_entry (writer, NULL, "word", 0);
  append_entry (writer, "x-kde-passwordManagerHint", "hunter2", 0);
  append_entry (writer, "application/x-nspasteboard-concealed-type", "hunter3", 0);
  append_entry (writer, NULL, "old", 5);
  append_entry (writer, NULL, "", 0);
  append_entry (writer, NULL, "words", 0);
  clip_archive_writer_flush (writer, archive);
  clip_archive_writer_end (writer, archive);
  result = import (self, archive);
  list = hoard_list (self->to->store);
  g_assert_cmpstr (list, ==, "2 words;1 word;");
  g_assert_cmpint (result.n_skipped, ==, 4);
  g_assert_false (hoard_holds (self->to->dir, "hunter"));
  g_string_free (archive, TRUE);
}

/* a caller has stored @text, and marked it */
static void
mark (Pair *self, const char *text)
{
  static const char *const mimes[] = { TEXT, "x-kde-passwordManagerHint" };
  const char *const values[] = { text, "secret" };
  Answer answer = { NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *inputs = clip_inputs_new ();
  ClipStored stored = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (mimes); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (values[i], strlen (values[i]));

      clip_inputs_add (inputs, mimes[i], clip_memfd (bytes, NULL));
    }
  clip_call_store_async (self->history, inputs, self->settings, FALSE, 0, NULL, NULL,
                         NULL, on_answer, &answer);
  result = answer_wait (&answer);
  clip_call_store_finish (result, &stored, &error);
  g_assert_no_error (error);
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_SECRET);
}

/* as other managers may have kept it, and given it to us */
static void
test_known_secrets (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *large = g_strnfill (BLOB_BYTES, 'x');
  g_autofree char *list = NULL;
  GString *archive;
  ClipImportResult result;

  memcpy (large, "hunter3", 7);
  mark (self, "hunter2");
  mark (self, large);
  hoard_add_text (self->from->store, "one");
  hoard_add_text (self->from->store, "hunter2\n");
  hoard_add_text (self->from->store, large);
  hoard_add (self->from->store,
             hoard_draft (self->from->store, TEXT, "two", "text/html", "hunter2", NULL),
             NULL);
  hoard_add_text (self->from->store, "hunter");
  archive = export_all (self->from);
  result = import (self, archive);
  list = hoard_list (self->to->store);
  g_assert_cmpstr (list, ==, "5 hunter;1 one;");
  g_assert_cmpint (result.n_skipped, ==, 3);
  g_assert_cmpuint (hoard_count_files (self->to->dir, "blobs"), ==, 0);
  g_string_free (archive, TRUE);
}

/* an archive that is still coming */
static void
test_marked_meanwhile (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *list = NULL;
  GString *archive;
  g_autoptr (GAsyncResult) result = NULL;
  Answer answer = { NULL };
  Feeder feeder = { 0 };
  int fds[2];

  hoard_add_text (self->from->store, "hunter2");
  archive = export_all (self->from);
  g_assert_true (clip_pipe (fds, NULL));
  feeder = (Feeder){ archive, fds[1] };
  clip_import_async (self->history, fds[0], self->settings, NULL, NULL, on_answer,
                     &answer);
  mark (self, "hunter2");
  feed (&feeder);
  result = answer_wait (&answer);
  list = hoard_list (self->to->store);
  g_assert_cmpstr (list, ==, "");
  g_string_free (archive, TRUE);
}

static void
add_rule (Pair *self, ClipSetting setting, const char *value)
{
  g_autoptr (GError) error = NULL;

  clip_settings_set (self->settings, setting, value, CLIP_FROM_FLAG, &error);
  g_assert_no_error (error);
}

/* what the user does not want to have kept holds for every way in; so much of a text is
 * looked at as of a copy */
static void
test_ignored (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *large = g_strnfill (CLIP_IGNORE_TEXT_BYTES * 2, 'x');
  g_autofree char *list = NULL;
  g_autoptr (ClipStage) image = hoard_stage_of (self->from->store, BLOB_BYTES, 1);
  ClipDraft *draft = clip_draft_new ("x11 clipboard KeePassXC");
  GString *archive;
  ClipImportResult result;

  hoard_add_text (self->from->store, "one");
  hoard_add_text (self->from->store, "hunter2");
  memcpy (large, "hunter3", 7);
  hoard_add_text (self->from->store, large);
  hoard_add (self->from->store,
             hoard_draft (self->from->store, "application/x-key", "hunter4", NULL), NULL);
  clip_draft_add (draft, "image/png", image, BLOB_BYTES);
  hoard_add (self->from->store, draft, NULL);
  hoard_add (self->from->store,
             hoard_draft (self->from->store, TEXT, "two", "text/html", "<b>", NULL),
             NULL);
  archive = export_all (self->from);
  add_rule (self, CLIP_SETTING_IGNORE_PATTERN, "^hunter[0-9]");
  add_rule (self, CLIP_SETTING_IGNORE_MIME, "text/html");
  add_rule (self, CLIP_SETTING_IGNORE_APP, "keepass*");
  result = import (self, archive);
  list = hoard_list (self->to->store);
  g_assert_cmpstr (list, ==, "6 two;1 one;");
  g_assert_null (hoard_bytes (self->to->store, 6, "text/html", NULL));
  g_assert_cmpint (result.n_skipped, ==, 4);
  g_assert_false (hoard_holds (self->to->dir, "hunter"));
  g_assert_cmpuint (hoard_count_files (self->to->dir, "blobs"), ==, 0);
  g_string_free (archive, TRUE);
}

/* as other programs kept them: the order is theirs, one is in a member of its own, some
 * are of no use or empty; a note stays beside them */
static void
test_offered (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char lines[] =
      "{\"last\":5,\"contents\":["
      "{\"type\":\"text/html\",\"offered\":true,\"text\":\"<b>one</b>\"},"
      "{\"type\":\"x-kde-passwordManagerHint\",\"offered\":true,\"text\":\"public\"},"
      "{\"type\":\"image/png\",\"offered\":true,\"size\":3,\"member\":\"2.bin\"},"
      "{\"type\":\"text/plain;charset=utf-8\",\"offered\":true,\"text\":\"\"},"
      "{\"type\":\"STRING\",\"offered\":true,\"size\":3,\"member\":\"3.bin\"},"
      "{\"type\":\"application/x-note\",\"text\":\"mine\"}]}\n";
  static const char useless[] = "{\"last\":6,\"contents\":["
                                "{\"type\":\"TARGETS\",\"offered\":true,\"text\":\"a\"},"
                                "{\"type\":\"a/note\",\"text\":\"b\"}]}\n";
  static const char kept[] =
      "\"contents\":[{\"type\":\"text/plain;charset=utf-8\",\"text\":\"one\"},"
      "{\"type\":\"text/html\",\"text\":\"<b>one</b>\"},"
      "{\"type\":\"application/x-note\",\"text\":\"mine\"}]";
  GString *archive = g_string_new (NULL);
  ClipImportResult result;
  GString *there;

  append_member (archive, "0.json", "{\"cliphist-export\":1}\n");
  append_member (archive, "1.jsonl", lines);
  append_member (archive, "2.bin", "png");
  append_member (archive, "3.bin", "one");
  append_member (archive, "4.jsonl", useless);
  clip_tar_append_end (archive);
  result = import (self, archive);
  g_assert_cmpint (result.n_added, ==, 1);
  g_assert_cmpint (result.n_skipped, ==, 1);
  there = export_all (self->to);
  g_assert_nonnull (memmem (there->str, there->len, kept, strlen (kept)));
  g_string_free (there, TRUE);
  g_string_free (archive, TRUE);
}

/* which of the contents is the primary one is counted by those that come in */
static void
test_second_texts_in_any_order (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const orders[] = {
    "{\"type\":\"text/plain;charset=utf-8\",\"text\":\"one\"},"
    "{\"type\":\"STRING\",\"offered\":true,\"text\":\"two\"}",
    "{\"type\":\"text/plain;charset=utf-8\",\"text\":\"three\"},"
    "{\"type\":\"UTF8_STRING\",\"text\":\"four\"},"
    "{\"type\":\"application/x-note\",\"text\":\"mine\"},"
    "{\"type\":\"image/png\",\"offered\":true,\"text\":\"png\"}",
    "{\"type\":\"text/markdown\",\"text\":\"five\"},"
    "{\"type\":\"text/plain;charset=utf-8\",\"text\":\"six\"}",
  };
  static const char *const primaries[] = { TEXT, "image/png", TEXT };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (ClipEntry) entry = NULL;
      GString *archive = archive_of (orders[i]);

      g_assert_cmpint (import (self, archive).n_added, ==, 1);
      entry = hoard_lookup (self->to->store, i + 1, NULL);
      g_assert_cmpstr (((ClipContent *) entry->contents->pdata[0])->mime, ==,
                       primaries[i]);
      g_string_free (archive, TRUE);
    }
}

/* made where the clock was wrong, or so that no limit of age ever concerns it */
static void
test_copied_in_the_future (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char lines[] =
      "{\"first\":4102444800000000,\"last\":4102444800000001,\"contents\":["
      "{\"type\":\"text/plain;charset=utf-8\",\"text\":\"one\"}]}\n"
      "{\"first\":5,\"last\":4102444800000001,\"contents\":["
      "{\"type\":\"text/plain;charset=utf-8\",\"text\":\"two\"}]}\n";
  const gint64 before_us = g_get_real_time ();
  GString *archive = g_string_new (NULL);

  append_member (archive, "0.json", "{\"cliphist-export\":1}\n");
  append_member (archive, "1.jsonl", lines);
  clip_tar_append_end (archive);
  g_assert_cmpint (import (self, archive).n_added, ==, 2);
  for (gint64 id = 1; id <= 2; id++)
    {
      g_autoptr (ClipEntry) entry = hoard_lookup (self->to->store, id, NULL);

      g_assert_cmpint (entry->row.last_us, >=, before_us);
      g_assert_cmpint (entry->row.last_us, <=, g_get_real_time ());
      g_assert_cmpint (entry->row.first_us, ==, id == 1 ? entry->row.last_us : 5);
    }
  g_string_free (archive, TRUE);
}

/* @archive: damaged. Returns: the message of the error */
static char *
import_damaged (Pair *self, const GString *archive, ClipError code)
{
  g_autoptr (GError) error = NULL;
  ClipImportResult result;

  g_assert_false (try_import (self, archive, &result, &error));
  g_assert_error (error, CLIP_ERROR, (int) code);
  return g_strdup (error->message);
}

static void
test_damage (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *message = NULL;
  g_autofree char *list = NULL;
  GString *archive;
  char *blob;

  hoard_add_text (self->from->store, "one");
  hoard_add_blob (self->from->store, BLOB_BYTES, 7);
  hoard_add_text (self->from->store, "two");
  archive = export_all (self->from);
  blob = memmem (archive->str, archive->len, "2.bin", 5);
  blob = memmem (blob + 5, archive->len - (gsize) (blob + 5 - archive->str), "2.bin", 5);
  blob[100000] ^= 1;
  message = import_damaged (self, archive, CLIP_ERROR_CORRUPT);
  g_assert_cmpstr (message, ==,
                   "1 were added before: archive, at byte 2048, member "
                   "'0000000002.bin': its bytes are not those that its line speaks of");
  list = hoard_list (self->to->store);
  g_assert_cmpstr (list, ==, "1 one;");
  g_assert_cmpuint (hoard_count_files (self->to->dir, "blobs"), ==, 0);
  blob[100000] ^= 1;
  import (self, archive);
  g_clear_pointer (&list, g_free);
  list = hoard_list (self->to->store);
  g_assert_true (g_str_has_prefix (list, "3 two;2 "));
  g_string_free (archive, TRUE);
}

/* wherever it breaks off, there are no parts of entries, and the rest comes later */
static void
test_breaking_off (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  GString *archive;
  gint64 n = 0;

  hoard_fill_variously (self->from);
  archive = export_all (self->from);
  for (gsize length = 0; length < archive->len - 1024; length += archive->len / 23)
    {
      GString *part = g_string_new_len (archive->str, (gssize) length);
      g_autofree char *message G_GNUC_UNUSED =
          import_damaged (self, part, CLIP_ERROR_CORRUPT);
      ClipTotals totals;

      clip_store_get_totals (self->to->store, &totals);
      g_assert_cmpint (totals.count, >=, n);
      n = totals.count;
      g_string_free (part, TRUE);
    }
  import (self, archive);
  check_equal (self->to, archive);
  g_string_free (archive, TRUE);
}

static void
test_no_archive (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;
  GString *text = g_string_new ("no archive\n");
  ClipImportResult result;
  int fds[2];

  message = import_damaged (self, text, CLIP_ERROR_CORRUPT);
  g_assert_cmpstr (message, ==, "archive, at byte 0: it is too short to be an archive");
  g_assert_true (clip_pipe (fds, NULL));
  g_assert_false (try_import_fd (self, fds[1], &result, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
  clip_fd_clear (&fds[0]);
  g_string_free (text, TRUE);
}

static void
test_closed_meanwhile (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };
  ClipImportResult imported;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  clip_import_async (self->history, fds[0], self->settings, NULL, NULL, on_answer,
                     &answer);
  clip_history_close (self->history);
  result = answer_wait (&answer);
  g_assert_false (clip_import_finish (result, &imported, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  clip_fd_clear (&fds[1]);
}

/* before its bytes come: here most of them never do */
static void
test_large_content_stops_at_the_floor (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  ClipImportResult imported;
  g_autoptr (GError) error = NULL;
  GString *archive;
  int fds[2];

  hoard_add_blob (self->from->store, BLOB_BYTES, 1);
  archive = export_all (self->from);
  clip_settings_set (self->settings, CLIP_SETTING_MIN_FREE_SPACE, "100%", CLIP_FROM_FLAG,
                     NULL);
  g_assert_true (clip_pipe (fds, NULL));
  g_assert_true (clip_write_all (fds[1], archive->str, BLOB_BYTES / 8, NULL));
  g_assert_false (try_import_fd (self, fds[0], &imported, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  clip_fd_clear (&fds[1]);
  g_string_free (archive, TRUE);
}

#define ADD(path, function) g_test_add (path, Pair, NULL, setup, function, teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/import/everything-as-it-was-and-again-nothing", test_round_trip);
  ADD ("/import/from-a-pipe", test_pipe);
  ADD ("/import/in-order-behind-what-is-there", test_order);
  ADD ("/import/one-s-own-tags-stay-where-they-are", test_own_tags);
  ADD ("/import/many-at-once", test_many);
  ADD ("/import/trims-nothing", test_never_trims);
  ADD ("/import/what-has-more-keeps-its-place", test_enriched);
  ADD ("/import/a-text-is-brought-once", test_second_text);
  ADD ("/import/what-is-pinned-gets-nothing-more", test_pinned_is_not_enriched);
  ADD ("/import/many-of-one-text-are-known-the-next-time", test_many_of_one_text);
  ADD ("/import/of-many-with-very-many-types-the-newest-are-compared",
       test_many_of_many_types);
  ADD ("/import/others-come-first", test_others_first);
  ADD ("/import/others-elsewhere-come-in-between", test_others_elsewhere);
  ADD ("/import/no-secret-comes-in", test_secrets);
  ADD ("/import/what-is-known-as-a-secret-stays-out", test_known_secrets);
  ADD ("/import/what-becomes-known-as-a-secret-stays-out", test_marked_meanwhile);
  ADD ("/import/what-is-ignored-stays-out", test_ignored);
  ADD ("/import/of-what-was-offered-that-is-kept-which-is-kept-of-a-copy", test_offered);
  ADD ("/import/of-texts-in-any-order-one-comes-in", test_second_texts_in_any_order);
  ADD ("/import/what-was-copied-in-the-future-was-copied-now", test_copied_in_the_future);
  ADD ("/import/damage-ends-it-and-what-came-before-stays", test_damage);
  ADD ("/import/breaking-off-leaves-whole-entries", test_breaking_off);
  ADD ("/import/a-large-content-stops-at-the-floor",
       test_large_content_stops_at_the_floor);
  ADD ("/import/what-is-no-archive", test_no_archive);
  ADD ("/import/wiped-meanwhile-nothing-comes-in", test_wiped_meanwhile);
  ADD ("/import/history-closes-meanwhile", test_closed_meanwhile);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The conductor with a real store and real pipes; the display is played by the fake. */
#include "clip-backend-fake.h"
#include "clip-call.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-history.h"
#include "clip-restore.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"
#define DEADLINE_S 20

typedef struct
{
  char *dir;
  ClipStore *store;
  ClipSettings *settings;
  ClipHistory *history;
  ClipBackendFake *display;
  int last_drop;
  guint n_drops;
  guint n_added;
  guint n_moved;
} Fixture;

static void
on_dropped (Fixture *self, int drop)
{
  self->last_drop = drop;
  self->n_drops++;
}

static void
on_added (Fixture *self)
{
  self->n_added++;
}

static void
on_moved (Fixture *self)
{
  self->n_moved++;
}

static void
open_history (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  self->store = clip_store_open (self->dir, CLIP_STORE_SESSION, &error);
  g_assert_no_error (error);
  self->history = clip_history_new (self->store, self->settings);
  self->display = clip_backend_fake_new ();
  clip_history_add_backend (self->history, CLIP_BACKEND (self->display));
  g_signal_connect_swapped (self->history, "dropped", G_CALLBACK (on_dropped), self);
  g_signal_connect_swapped (self->store, "entry-added", G_CALLBACK (on_added), self);
  g_signal_connect_swapped (self->store, "entry-moved", G_CALLBACK (on_moved), self);
}

static void
close_history (Fixture *self)
{
  g_signal_handlers_disconnect_by_data (self->store, self);
  clip_history_close (self->history);
  g_clear_object (&self->history);
  g_clear_object (&self->display);
  clip_store_close (self->store);
  g_clear_object (&self->store);
}

static void
setup (Fixture *self, gconstpointer data)
{
  self->dir = g_dir_make_tmp ("clip-history-XXXXXX", NULL);
  self->settings = clip_settings_new ();
  clip_settings_set (self->settings, CLIP_SETTING_MIN_FREE_SPACE, "0", CLIP_FROM_FLAG,
                     NULL);
  open_history (self);
}

static void
teardown (Fixture *self, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", self->dir);

  close_history (self);
  g_assert_cmpint (system (command), ==, 0);
  clip_settings_free (self->settings);
  g_free (self->dir);
}

/* iterates until the fact is true; a fact that never comes fails the test */
#define wait_until(fact) \
  G_STMT_START \
  { \
    gint64 deadline = g_get_monotonic_time () + DEADLINE_S * G_USEC_PER_SEC; \
    guint wake = g_timeout_add (20, on_wake, NULL); \
    while (!(fact) && g_get_monotonic_time () < deadline) \
      g_main_context_iteration (NULL, TRUE); \
    g_source_remove (wake); \
    g_assert_true (fact); \
  } \
  G_STMT_END

static gboolean
on_wake (gpointer user_data G_GNUC_UNUSED)
{
  return G_SOURCE_CONTINUE;
}

static void
keep_result (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static ClipEntry *
lookup (Fixture *self, gint64 id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  clip_store_lookup_async (self->store, id, keep_result, &result);
  wait_until (result);
  return clip_store_lookup_finish (self->store, result, error);
}

static char *
read_text (Fixture *self, gint64 id, const char *mime)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (ClipPayload) payload = NULL;
  g_autoptr (GError) error = NULL;

  clip_store_open_content_async (self->store, id, mime, keep_result, &result);
  wait_until (result);
  payload = clip_store_open_content_finish (self->store, result, &error);
  g_assert_no_error (error);
  g_assert_nonnull (payload->bytes);
  return g_strndup (g_bytes_get_data (payload->bytes, NULL), (gsize) payload->size);
}

static gint64
count (Fixture *self)
{
  ClipTotals totals;

  clip_store_get_totals (self->store, &totals);
  return totals.count;
}

static void
test_copy_is_captured (Fixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *html = NULL;
  g_autoptr (ClipEntry) entry = NULL;

  clip_backend_fake_copy (self->display, "text/html", "<b>word</b>", TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  entry = lookup (self, 1, NULL);
  g_assert_cmpuint (entry->contents->len, ==, 2);
  g_assert_cmpint (entry->row.kind, ==, CLIP_CLASS_TEXT);
  g_assert_cmpstr (entry->row.origin, ==, "fake clipboard");
  text = read_text (self, 1, "");
  html = read_text (self, 1, "text/html");
  g_assert_cmpstr (text, ==, "word");
  g_assert_cmpstr (html, ==, "<b>word</b>");
}

static void
test_hinted_secret_dropped (Fixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SENSITIVE);
  g_assert_cmpint (count (self), ==, 0);
}

static void
test_public_hint_kept (Fixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", "x-kde-passwordManagerHint",
                          "public", NULL);
  wait_until (self->n_added == 1);
}

/* what refuses to say whether it is a secret is one */
static void
test_unanswered_hint_is_secret (Fixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          NULL, NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SENSITIVE);
  g_assert_cmpint (count (self), ==, 0);
}

static void
test_blank_dropped (Fixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, " \n\t", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_BLANK);
}

static void
test_too_large_dropped (Fixture *self, gconstpointer data)
{
  clip_settings_set (self->settings, CLIP_SETTING_MAX_STORE_SIZE, "4", CLIP_FROM_FLAG,
                     NULL);
  clip_history_set_settings (self->history, self->settings);
  clip_backend_fake_copy (self->display, TEXT, "12345", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_TOO_LARGE);
  g_assert_cmpint (count (self), ==, 0);
}

static void
test_paused_captures_nothing (Fixture *self, gconstpointer data)
{
  clip_history_pause (self->history, -1);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_drops == 1);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_PAUSED);
  clip_history_pause (self->history, 0);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
}

static void
test_pause_survives_restart (Fixture *self, gconstpointer data)
{
  clip_history_pause (self->history, -1);
  close_history (self);
  open_history (self);
  g_assert_cmpint (clip_history_paused_until (self->history), ==, -1);
}

static void
test_own_offer_not_read (Fixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  clip_backend_fake_copy (self->display, TEXT, "one", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "two", NULL);
  wait_until (self->n_added == 2);
  clip_history_select_async (self->history, 1, keep_result, &result);
  wait_until (result);
  g_assert_true (clip_history_select_finish (self->history, result, &error));
  g_assert_no_error (error);
  g_assert_cmpint (clip_history_current (self->history), ==, 1);
  g_assert_cmpint (count (self), ==, 2);
  g_assert_cmpuint (self->n_moved, ==, 0);
}

static char *
paste (Fixture *self, const char *mime)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = clip_backend_fake_paste (self->display, mime, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
test_owner_gone_is_replaced (Fixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *html = NULL;

  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", "<i>word</i>", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  text = paste (self, "UTF8_STRING");
  html = paste (self, "text/html");
  g_assert_cmpstr (text, ==, "word");
  g_assert_cmpstr (html, ==, "<i>word</i>");
  g_assert_cmpint (clip_history_current (self->history), ==, 1);
}

/* cleared on purpose while it is ours: it stays empty */
static void
test_own_clip_cleared_stays_empty (Fixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 2);
  g_assert_null (clip_backend_fake_owned (self->display));
}

static gboolean
on_time (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* longer than history waits before it fills an empty clipboard */
static void
let_fill_time_pass (void)
{
  gboolean passed = FALSE;

  g_timeout_add (400, on_time, &passed);
  wait_until (passed);
}

static void
test_secret_never_restored (Fixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  clip_backend_fake_clear (self->display);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

static void
test_persist_never (Fixture *self, gconstpointer data)
{
  clip_settings_set (self->settings, CLIP_SETTING_PERSIST, "never", CLIP_FROM_FLAG, NULL);
  clip_history_set_settings (self->history, self->settings);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* a part of what was offered is not offered again as if it were the whole */
static void
test_partial_copy_not_restored (Fixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "word", "text/html", NULL, NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_clear (self->display);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* a source that hangs costs its own copy, and not the next one */
static void
test_stalled_source_left_behind (Fixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;

  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "never answered", NULL);
  g_main_context_iteration (NULL, FALSE);
  clip_backend_fake_stall (self->display, FALSE);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 1);
  text = read_text (self, 1, "");
  g_assert_cmpstr (text, ==, "next");
  g_assert_cmpint (count (self), ==, 1);
}

static void
test_copies_in_a_row_all_kept (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *text = g_strdup_printf ("copy number %u", i);

      clip_backend_fake_copy (self->display, TEXT, text, NULL);
      wait_until (clip_history_current (self->history) == (gint64) i + 1);
    }
  g_assert_cmpint (count (self), ==, 200);
}

static void
test_deleted_entry_given_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) selected = NULL;
  gint64 id = 1;

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_history_select_async (self->history, 1, keep_result, &selected);
  wait_until (selected);
  g_assert_nonnull (clip_backend_fake_owned (self->display));
  clip_store_delete_async (self->store, &id, 1, NULL, NULL);
  wait_until (!clip_backend_fake_owned (self->display));
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
}

/* a secret stays one while we are paused: what is stored after resuming may still be it */
static void
test_secret_while_paused_is_one_after (Fixture *self, gconstpointer data)
{
  clip_history_pause (self->history, -1);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  clip_history_pause (self->history, 0);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SENSITIVE);
}

/* somebody copies while we look up what we were about to own */
static void
test_cancelled_claim_owns_nothing (Fixture *self, gconstpointer data)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (ClipRestore) restore = clip_restore_new (self->store, transfers);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  clip_restore_own_async (restore, CLIP_BACKEND (self->display), 1, CLIP_RESTORE_FILL,
                          cancellable, keep_result, &result);
  g_cancellable_cancel (cancellable);
  wait_until (result);
  g_assert_false (clip_restore_own_finish (restore, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (clip_backend_fake_owned (self->display));
}

static void
fill_pipe (int fd)
{
  char block[4096] = { 0 };

  fcntl (fd, F_SETFL, O_NONBLOCK);
  while (write (fd, block, sizeof block) > 0)
    ;
  fcntl (fd, F_SETFL, 0);
}

/* whoever asks for the flag with a full pipe waits for itself, not we for it */
static void
test_full_pipe_keeps_nobody_waiting (Fixture *self, gconstpointer data)
{
  g_autoptr (ClipRequest) request = NULL;
  clip_autofd int read_fd = -1;
  int fds[2];

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  clip_backend_fake_clear (self->display);
  wait_until (clip_backend_fake_owned (self->display));
  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  fill_pipe (fds[1]);
  request = clip_request_new ("application/x-kde-onlyReplaceEmpty", fds[1], NULL, NULL);
  clip_source_request (clip_backend_fake_owned (self->display), request);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 2);
}

/* an owner that does not say what it has: what was there before is not put back after it */
static void
test_silent_owner_ends_what_was (Fixture *self, gconstpointer data)
{
  g_autoptr (ClipOffer) silent = clip_offer_new (CLIP_SELECTION_CLIPBOARD, FALSE);

  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  g_signal_emit_by_name (self->display, "offered", silent);
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
  clip_backend_fake_clear (self->display);
  let_fill_time_pass ();
  g_assert_null (clip_backend_fake_owned (self->display));
  g_assert_cmpuint (self->n_drops, ==, 0);
}

/* --- what callers store --- */

static gboolean
store_text (Fixture *self, const char *text, ClipStored *out_stored, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  GPtrArray *inputs = clip_inputs_new ();

  clip_inputs_add (inputs, "", clip_memfd (bytes, NULL));
  clip_call_store_async (self->history, inputs, self->settings, FALSE, NULL, NULL,
                         keep_result, &result);
  wait_until (result);
  return clip_call_store_finish (result, out_stored, error);
}

static void
test_caller_stores (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  ClipStored stored = { 0 };

  g_assert_true (store_text (self, "first", &stored, &error));
  g_assert_no_error (error);
  g_assert_cmpint (stored.added.id, ==, 1);
  g_assert_true (store_text (self, "second", &stored, &error));
  g_assert_true (store_text (self, "first", &stored, &error));
  g_assert_cmpint (stored.added.id, ==, 3);
  g_assert_cmpint (stored.added.moved_from, ==, 1);
  g_assert_cmpint (count (self), ==, 2);
}

/* an older watcher beside us says nothing about secrets: what it stores meanwhile is
 * dropped */
static void
test_store_beside_secret_dropped (Fixture *self, gconstpointer data)
{
  ClipStored stored = { 0 };

  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  g_assert_true (store_text (self, "hunter2", &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_SENSITIVE);
  wait_until (self->n_drops == 1);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  g_assert_true (store_text (self, "hunter2", &stored, NULL));
  g_assert_cmpint (stored.drop, ==, CLIP_DROP_SENSITIVE);
  g_assert_cmpint (count (self), ==, 1);
}

/* who asks for it on the clipboard is no watcher */
static void
test_asked_for_beside_secret_kept (Fixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("important", 9);
  GPtrArray *inputs = clip_inputs_new ();
  ClipStored stored = { 0 };

  clip_backend_fake_copy (self->display, TEXT, "hunter2", "x-kde-passwordManagerHint",
                          "secret", NULL);
  wait_until (self->n_drops == 1);
  clip_inputs_add (inputs, TEXT, clip_memfd (bytes, NULL));
  clip_call_store_async (self->history, inputs, self->settings, TRUE, NULL, NULL,
                         keep_result, &result);
  wait_until (result);
  g_assert_true (clip_call_store_finish (result, &stored, NULL));
  g_assert_cmpint (stored.added.id, ==, 1);
}

static void
test_bad_descriptors_refused (Fixture *self, gconstpointer data)
{
  static const int modes[] = { O_WRONLY, O_PATH };

  for (guint i = 0; i < G_N_ELEMENTS (modes) + 1; i++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;
      GPtrArray *inputs = clip_inputs_new ();
      ClipStored stored;

      clip_inputs_add (inputs, TEXT,
                       i < G_N_ELEMENTS (modes)
                           ? g_open ("/dev/null", modes[i] | O_CLOEXEC)
                           : g_open (self->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      clip_call_store_async (self->history, inputs, self->settings, FALSE, NULL, NULL,
                             keep_result, &result);
      wait_until (result);
      g_assert_false (clip_call_store_finish (result, &stored, &error));
      g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_cancelled_store_leaves_nothing (Fixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GPtrArray *inputs = clip_inputs_new ();
  clip_autofd int write_fd = -1;
  ClipStored stored;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  write_fd = fds[1];
  g_assert_true (clip_write_all (write_fd, "half a co", 9, NULL));
  clip_inputs_add (inputs, TEXT, fds[0]);
  clip_call_store_async (self->history, inputs, self->settings, FALSE, NULL, cancellable,
                         keep_result, &result);
  g_main_context_iteration (NULL, FALSE);
  g_cancellable_cancel (cancellable);
  wait_until (result);
  g_assert_false (clip_call_store_finish (result, &stored, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (count (self), ==, 0);
}

#define add(path, function) \
  g_test_add ("/history/" path, Fixture, NULL, setup, function, teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("copy-is-captured", test_copy_is_captured);
  add ("hinted-secret-dropped", test_hinted_secret_dropped);
  add ("public-hint-kept", test_public_hint_kept);
  add ("unanswered-hint-is-secret", test_unanswered_hint_is_secret);
  add ("blank-dropped", test_blank_dropped);
  add ("too-large-dropped", test_too_large_dropped);
  add ("paused-captures-nothing", test_paused_captures_nothing);
  add ("pause-survives-restart", test_pause_survives_restart);
  add ("own-offer-not-read", test_own_offer_not_read);
  add ("owner-gone-is-replaced", test_owner_gone_is_replaced);
  add ("own-clip-cleared-stays-empty", test_own_clip_cleared_stays_empty);
  add ("secret-never-restored", test_secret_never_restored);
  add ("persist-never", test_persist_never);
  add ("partial-copy-not-restored", test_partial_copy_not_restored);
  add ("stalled-source-left-behind", test_stalled_source_left_behind);
  add ("copies-in-a-row-all-kept", test_copies_in_a_row_all_kept);
  add ("deleted-entry-given-up", test_deleted_entry_given_up);
  add ("secret-while-paused-is-one-after", test_secret_while_paused_is_one_after);
  add ("cancelled-claim-owns-nothing", test_cancelled_claim_owns_nothing);
  add ("full-pipe-keeps-nobody-waiting", test_full_pipe_keeps_nobody_waiting);
  add ("silent-owner-ends-what-was", test_silent_owner_ends_what_was);
  add ("caller-stores", test_caller_stores);
  add ("store-beside-secret-dropped", test_store_beside_secret_dropped);
  add ("asked-for-beside-secret-kept", test_asked_for_beside_secret_kept);
  add ("bad-descriptors-refused", test_bad_descriptors_refused);
  add ("cancelled-store-leaves-nothing", test_cancelled_store_leaves_nothing);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program does with an entry: reading it, changing it, making one. */
#include "bus-fixture.h"
#include "clip-fd.h"
#include "cliphist.h"

#include <gio/gunixinputstream.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* starts with @history, and ends with one callback: this is the time between */
#define WAIT(result) wait_until (result != NULL)

static CliphistHistory *
open_history (BusFixture *self)
{
  return cliphist_history_new_for_connection (self->connection);
}

static GBytes *
load (CliphistHistory *history,
      guint64 id,
      const char *mime,
      gsize limit,
      guint64 *out_size,
      GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  cliphist_history_load_bytes_async (history, id, mime, limit, NULL, keep_result,
                                     &result);
  WAIT (result);
  return cliphist_history_load_bytes_finish (history, result, out_size, error);
}

static void
assert_text (CliphistHistory *history, guint64 id, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = load (history, id, NULL, G_MAXSIZE, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), text,
                   strlen (text));
}

static void
test_bytes (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  guint64 id = bus_fixture_store_text (self, "a word");
  g_autoptr (GBytes) part = NULL, none = NULL;
  guint64 size = 0;

  assert_text (history, id, "a word");
  assert_text (history, 0, "a word");
  part = load (history, id, "text/plain;charset=utf-8", 3, &size, NULL);
  g_assert_cmpmem (g_bytes_get_data (part, NULL), g_bytes_get_size (part), "a w", 3);
  g_assert_cmpuint (size, ==, 6);
  none = load (history, id, NULL, 0, &size, NULL);
  g_assert_cmpuint (g_bytes_get_size (none), ==, 0);
}

static void
test_beginning_of_much (BusFixture *self, gconstpointer data)
{
  const guint before = bus_fixture_count_ends (self);
  g_autoptr (CliphistHistory) history = open_history (self);
  guint64 id = bus_fixture_store_big (self), size;
  g_autoptr (GBytes) bytes = load (history, id, NULL, 65536, &size, NULL);

  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 65536);
  g_assert_cmpuint (size, ==, BUS_FIXTURE_BIG_BYTES);
  wait_until (bus_fixture_count_ends (self) <= before);
}

static GInputStream *
open_stream (CliphistHistory *history, guint64 id, guint64 *out_size)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GInputStream *stream;

  cliphist_history_open_async (history, id, NULL, NULL, keep_result, &result);
  WAIT (result);
  stream = cliphist_history_open_finish (history, result, out_size, &error);
  g_assert_no_error (error);
  return stream;
}

static void
test_stream (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  guint64 size;
  g_autoptr (GInputStream) stream =
      open_stream (history, bus_fixture_store_big (self), &size);
  g_autofree char *bytes = g_malloc (BUS_FIXTURE_BIG_BYTES + 1);
  g_autoptr (GError) error = NULL;
  gsize n;

  g_assert_cmpuint (size, ==, BUS_FIXTURE_BIG_BYTES);
  g_assert_true (G_IS_UNIX_INPUT_STREAM (stream));
  g_input_stream_read_all (stream, bytes, BUS_FIXTURE_BIG_BYTES + 1, &n, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, BUS_FIXTURE_BIG_BYTES);
}

/* whoever has a stream has all of it, also where nothing else is left of the history: the
 * daemon ends what a caller asked for who has left the bus */
static void
test_stream_alone (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint64 id = bus_fixture_store_big (self), size;
  GDBusConnection *connection = bus_fixture_connect (self);
  CliphistHistory *history = cliphist_history_new_for_connection (connection);
  GInputStream *stream = open_stream (history, id, &size);
  g_autofree char *bytes = g_malloc (BUS_FIXTURE_BIG_BYTES);
  gsize n;

  g_object_add_weak_pointer (G_OBJECT (connection), (gpointer *) &connection);
  g_object_unref (connection);
  g_object_unref (history);
  g_input_stream_read_all (stream, bytes, BUS_FIXTURE_BIG_BYTES, &n, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, BUS_FIXTURE_BIG_BYTES);
  g_assert_nonnull (connection);
  g_object_unref (stream);
  wait_until (!connection);
}

/* what ends early is not taken for whole */
static void
test_broken_stream (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GInputStream) stream =
      open_stream (history, bus_fixture_store_big (self), NULL);
  g_autofree char *bytes = g_malloc (BUS_FIXTURE_BIG_BYTES);
  g_autoptr (GError) error = NULL;
  gsize n;

  bus_fixture_end_daemon (self, SIGKILL);
  g_assert_false (
      g_input_stream_read_all (stream, bytes, BUS_FIXTURE_BIG_BYTES, &n, NULL, &error));
  g_assert_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_CORRUPT);
  g_assert_cmpuint (n, <, BUS_FIXTURE_BIG_BYTES);
}

static void
assert_in_file (int fd, const char *text)
{
  char bytes[100];
  ssize_t n = pread (fd, bytes, sizeof bytes, 0);

  g_assert_cmpmem (bytes, n, text, strlen (text));
}

static void
test_send (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GAsyncResult) result = NULL;
  clip_autofd int fd = bus_fixture_memfd ("", 0);

  bus_fixture_store_text (self, "a word");
  cliphist_history_send_async (history, 1, NULL, fd, NULL, keep_result, &result);
  WAIT (result);
  g_assert_cmpuint (cliphist_history_send_finish (history, result, NULL), ==, 6);
  assert_in_file (fd, "a word");
}

static void
test_join (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GAsyncResult) result = NULL;
  clip_autofd int fd = bus_fixture_memfd ("", 0);
  const guint64 ids[] = { 2, 1, 2 };

  bus_fixture_store_text (self, "one");
  bus_fixture_store_text (self, "two");
  cliphist_history_join_async (history, ids, 3, NULL, ", ", fd, NULL, keep_result,
                               &result);
  WAIT (result);
  g_assert_cmpuint (cliphist_history_join_finish (history, result, NULL), ==, 13);
  assert_in_file (fd, "two, one, two");
}

/* --- making --- */

static guint64
store (CliphistHistory *history, const char *text, char **out_dropped)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  guint64 id;

  cliphist_history_store_bytes_async (history, NULL, bytes, FALSE, NULL, keep_result,
                                      &result);
  WAIT (result);
  id = cliphist_history_store_bytes_finish (history, result, out_dropped, &error);
  g_assert_no_error (error);
  return id;
}

static void
test_store (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autofree char *dropped = NULL;

  g_assert_cmpuint (store (history, "a word", &dropped), ==, 1);
  g_assert_null (dropped);
  assert_text (history, 1, "a word");
  g_assert_cmpuint (store (history, "  ", &dropped), ==, 0);
  g_assert_cmpstr (dropped, ==, "blank");
}

static CliphistEntry *
look_up (CliphistHistory *history, guint64 id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  cliphist_history_lookup_async (history, id, NULL, keep_result, &result);
  WAIT (result);
  return cliphist_history_lookup_finish (history, result, error);
}

static void
test_store_types (BusFixture *self, gconstpointer data)
{
  static const char *const types[] = { "text/html", "text/plain;charset=utf-8", NULL };
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (CliphistEntry) entry = NULL;
  g_auto (GStrv) found = NULL;
  const int fds[] = { bus_fixture_memfd ("<b>a</b>", 8), bus_fixture_memfd ("a", 1) };
  guint64 id;

  cliphist_history_store_async (history, types, fds, 2, FALSE, NULL, keep_result,
                                &result);
  close (fds[0]);
  close (fds[1]);
  WAIT (result);
  id = cliphist_history_store_finish (history, result, NULL, NULL);
  entry = look_up (history, id, NULL);
  g_object_get (entry, "mime-types", &found, NULL);
  g_assert_cmpuint (g_strv_length (found), ==, 2);
  g_assert_true (g_strv_contains ((const char *const *) found, types[0]));
}

/* --- changing --- */

static guint64
set_text (CliphistHistory *history, guint64 id, const char *text, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  cliphist_history_set_text_async (history, id, text, NULL, keep_result, &result);
  WAIT (result);
  return cliphist_history_set_text_finish (history, result, error);
}

static void
test_set_text (BusFixture *self, gconstpointer data)
{
  static const char *const tags[] = { "one", "two", NULL };
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GAsyncResult) tagged = NULL, pinned = NULL;
  g_autoptr (CliphistEntry) entry = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) kept = NULL;
  gboolean is_pinned;
  guint64 id;

  bus_fixture_store_text (self, "before");
  cliphist_history_set_tags_async (history, 1, tags, NULL, keep_result, &tagged);
  cliphist_history_set_pinned_async (history, 1, TRUE, NULL, keep_result, &pinned);
  WAIT (tagged);
  WAIT (pinned);
  g_assert_true (cliphist_history_set_tags_finish (history, tagged, NULL));
  g_assert_true (cliphist_history_set_pinned_finish (history, pinned, NULL));
  id = set_text (history, 1, "after", &error);
  g_assert_no_error (error);
  assert_text (history, id, "after");
  entry = look_up (history, id, NULL);
  g_object_get (entry, "tags", &kept, "pinned", &is_pinned, NULL);
  g_assert_cmpstrv (kept, tags);
  g_assert_true (is_pinned);
  g_assert_null (look_up (history, 1, &error));
  g_assert_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_NOT_FOUND);
}

static void
test_blank_text (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GError) error = NULL;

  bus_fixture_store_text (self, "before");
  g_assert_cmpuint (set_text (history, 1, " ", &error), ==, 0);
  g_assert_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_FAILED);
  assert_text (history, 1, "before");
}

static void
test_pause (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autofree char *dropped = NULL;
  gint64 until = 0;

  cliphist_history_pause_async (history, -1, NULL, NULL, NULL);
  wait_until ((g_object_get (history, "paused-until", &until, NULL), until == -1));
  g_assert_cmpuint (store (history, "a word", &dropped), ==, 0);
  g_assert_cmpstr (dropped, ==, "paused");
  cliphist_history_pause_async (history, 0, NULL, NULL, NULL);
  wait_until ((g_object_get (history, "paused-until", &until, NULL), until == 0));
}

static void
test_expiry (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GAsyncResult) result = NULL;

  bus_fixture_store_text (self, "short of life");
  wait_until (g_list_model_get_n_items (G_LIST_MODEL (history)) == 1);
  cliphist_history_set_expiry_async (history, 1, g_get_real_time () + 1000, NULL,
                                     keep_result, &result);
  WAIT (result);
  g_assert_true (cliphist_history_set_expiry_finish (history, result, NULL));
  wait_until (g_list_model_get_n_items (G_LIST_MODEL (history)) == 0);
}

/* --- what fails --- */

static void
test_errors (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GAsyncResult) selected = NULL;
  g_autoptr (GError) missing = NULL, format = NULL, display = NULL;

  g_assert_null (load (history, 77, NULL, 1, NULL, &missing));
  g_assert_error (missing, CLIPHIST_ERROR, CLIPHIST_ERROR_NOT_FOUND);
  bus_fixture_store_text (self, "a word");
  g_assert_null (load (history, 1, "image/png", 1, NULL, &format));
  g_assert_error (format, CLIPHIST_ERROR, CLIPHIST_ERROR_NO_SUCH_FORMAT);
  cliphist_history_select_async (history, 1, CLIPHIST_SELECT_PLAIN, NULL, keep_result,
                                 &selected);
  WAIT (selected);
  g_assert_false (cliphist_history_select_finish (history, selected, &display));
  g_assert_error (display, CLIPHIST_ERROR, CLIPHIST_ERROR_NO_BACKEND);
}

static void
test_no_thumbnail (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  bus_fixture_store_text (self, "a word");
  cliphist_history_thumbnail_async (history, 1, 0, NULL, keep_result, &result);
  WAIT (result);
  g_assert_null (cliphist_history_thumbnail_finish (history, result, &error));
  g_assert_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_NO_SUCH_FORMAT);
}

static void
test_cancelled (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  bus_fixture_store_text (self, "a word");
  cliphist_history_lookup_async (history, 1, cancellable, keep_result, &result);
  g_cancellable_cancel (cancellable);
  WAIT (result);
  g_assert_null (cliphist_history_lookup_finish (history, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_not_as_many_types (BusFixture *self, gconstpointer data)
{
  static const char *const types[] = { "text/plain", NULL };
  g_autoptr (CliphistHistory) history = open_history (self);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  const int fds[] = { 0, 0 };

  cliphist_history_store_async (history, types, fds, 2, FALSE, NULL, keep_result,
                                &result);
  WAIT (result);
  g_assert_cmpuint (cliphist_history_store_finish (history, result, NULL, &error), ==, 0);
  g_assert_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_INVALID_ARGUMENT);
}

#define add(path, function) bus_fixture_add ("/library/" path, function)

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  add ("bytes", test_bytes);
  add ("the-beginning-of-much", test_beginning_of_much);
  add ("stream", test_stream);
  add ("a-stream-outlives-its-history", test_stream_alone);
  add ("a-stream-that-breaks-off", test_broken_stream);
  add ("send", test_send);
  add ("join", test_join);
  add ("store", test_store);
  add ("store-several-types", test_store_types);
  add ("not-as-many-types", test_not_as_many_types);
  add ("another-text", test_set_text);
  add ("a-text-that-is-dropped", test_blank_text);
  add ("pause", test_pause);
  add ("expiry", test_expiry);
  add ("errors-are-typed", test_errors);
  add ("no-thumbnail-of-a-text", test_no_thumbnail);
  add ("cancelled", test_cancelled);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>

#define NO_OPTIONS g_variant_new ("a{sv}", NULL)
#define FLAGS G_DBUS_CALL_FLAGS_NONE

/* the name of a remote error, which is what the contract promises */
static void
assert_remote (GError *error, const char *name)
{
  g_autofree char *remote = NULL;

  g_assert_nonnull (error);
  remote = g_dbus_error_get_remote_error (error);
  g_assert_cmpstr (remote, ==, name);
}

#define OURS(name) "org.cliphist.History1.Error." name

static GVariant *
one_option (const char *key, GVariant *value)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&builder, "{sv}", key, value);
  return g_variant_builder_end (&builder);
}

static char *
open_and_read (BusFixture *self, guint64 id, const char *mime, GError **error)
{
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) handle = NULL;
  g_autofree char *format = NULL;
  g_autoptr (GBytes) bytes = NULL;
  clip_autofd int fd = -1;
  guint64 size;

  if (!clip_dbus_history_call_open_sync (self->proxy, id, mime, NO_OPTIONS, FLAGS, -1,
                                         NULL, &handle, &size, &format, &fds, NULL,
                                         error))
    return NULL;
  fd = g_unix_fd_list_get (fds, g_variant_get_handle (handle), NULL);
  bytes = clip_read_to_end (fd, BUS_FIXTURE_BIG_BYTES * 2, error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, size);
  return g_strndup (g_bytes_get_data (bytes, NULL), size);
}

static void
test_stored_is_opened (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint64 id = bus_fixture_store_text (self, "a word");
  g_autofree char *text = open_and_read (self, id, "", &error);
  g_autofree char *alias = open_and_read (self, 0, "UTF8_STRING", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "a word");
  g_assert_cmpstr (alias, ==, "a word");
}

static void
test_lookup_describes (BusFixture *self, gconstpointer data)
{
  g_autoptr (GVariant) entry = NULL;
  g_autoptr (GVariant) contents = NULL;
  g_autoptr (GError) error = NULL;
  const char *preview, *kind;
  guint64 size;

  bus_fixture_store_text (self, "two\nlines");
  clip_dbus_history_call_lookup_sync (self->proxy, 1, FLAGS, -1, &entry, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_variant_lookup (entry, "preview", "&s", &preview));
  g_assert_true (g_variant_lookup (entry, "class", "&s", &kind));
  g_assert_true (g_variant_lookup (entry, "size", "t", &size));
  g_assert_cmpstr (preview, ==, "two lines");
  g_assert_cmpstr (kind, ==, "text");
  g_assert_cmpuint (size, ==, 9);
  contents = g_variant_lookup_value (entry, "contents", G_VARIANT_TYPE ("a(st)"));
  g_assert_cmpuint (g_variant_n_children (contents), ==, 1);
}

static void
test_list_pages (BusFixture *self, gconstpointer data)
{
  guint64 before = 0;
  guint n_pages = 0;
  guint64 expected = 25;

  for (guint i = 1; i <= 25; i++)
    {
      g_autofree char *text = g_strdup_printf ("entry %u", i);

      bus_fixture_store_text (self, text);
    }
  for (;;)
    {
      g_autoptr (GVariant) page = NULL;
      GVariantBuilder query;
      g_autoptr (GError) error = NULL;

      g_variant_builder_init (&query, G_VARIANT_TYPE_VARDICT);
      g_variant_builder_add (&query, "{sv}", "limit", g_variant_new_uint32 (10));
      g_variant_builder_add (&query, "{sv}", "before", g_variant_new_uint64 (before));
      clip_dbus_history_call_list_sync (self->proxy, g_variant_builder_end (&query),
                                        FLAGS, -1, &page, NULL, &error);
      g_assert_no_error (error);
      if (g_variant_n_children (page) == 0)
        break;
      n_pages++;
      for (gsize i = 0; i < g_variant_n_children (page); i++)
        {
          g_autoptr (GVariant) entry = g_variant_get_child_value (page, i);

          g_assert_true (g_variant_lookup (entry, "id", "t", &before));
          g_assert_cmpuint (before, ==, expected--);
        }
    }
  g_assert_cmpuint (n_pages, ==, 3);
  g_assert_cmpuint (expected, ==, 0);
}

static void
test_send_into_pipe (BusFixture *self, gconstpointer data)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GBytes) read_back = NULL;
  g_autoptr (GError) error = NULL;
  clip_autofd int read_fd = -1;
  guint64 bytes;
  int pipe_fds[2];

  bus_fixture_store_text (self, "into a pipe");
  g_assert_true (clip_pipe (pipe_fds, NULL));
  read_fd = pipe_fds[0];
  g_unix_fd_list_append (fds, pipe_fds[1], NULL);
  close (pipe_fds[1]);
  clip_dbus_history_call_send_sync (self->proxy, 1, "", g_variant_new_handle (0),
                                    NO_OPTIONS, FLAGS, -1, fds, &bytes, NULL, NULL,
                                    &error);
  g_assert_no_error (error);
  g_assert_cmpuint (bytes, ==, 11);
  g_clear_object (&fds);
  read_back = clip_read_to_end (read_fd, 100, &error);
  g_assert_cmpmem (g_bytes_get_data (read_back, NULL), g_bytes_get_size (read_back),
                   "into a pipe", 11);
}

static void
test_errors_are_typed (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) missing = NULL;
  g_autoptr (GError) format = NULL;
  g_autoptr (GError) backend = NULL;
  g_autoptr (GError) other = NULL;
  g_autoptr (GError) needle = NULL;
  g_autoptr (GError) option = NULL;

  bus_fixture_store_text (self, "word");
  g_assert_null (open_and_read (self, 99, "", &missing));
  assert_remote (missing, OURS ("NotFound"));
  g_assert_null (open_and_read (self, 1, "image/png", &format));
  assert_remote (format, OURS ("NoSuchFormat"));
  clip_dbus_history_call_select_sync (self->proxy, 1, NO_OPTIONS, FLAGS, -1, NULL,
                                      &backend);
  assert_remote (backend, OURS ("NoBackend"));
  clip_dbus_history_call_wipe_sync (
      self->proxy, one_option ("store", g_variant_new_string ("/elsewhere")), FLAGS, -1,
      NULL, NULL, &other);
  assert_remote (other, OURS ("OtherStore"));
  clip_dbus_history_call_delete_matching_sync (self->proxy, g_variant_new_bytestring (""),
                                               NO_OPTIONS, FLAGS, -1, NULL, NULL,
                                               &needle);
  g_clear_error (&needle);
  clip_dbus_history_call_delete_matching_sync (
      self->proxy,
      g_variant_new_from_data (G_VARIANT_TYPE_BYTESTRING, "", 0, TRUE, NULL, NULL),
      NO_OPTIONS, FLAGS, -1, NULL, NULL, &needle);
  assert_remote (needle, OURS ("InvalidArgument"));
  clip_dbus_history_call_list_sync (self->proxy,
                                    one_option ("limit", g_variant_new_string ("ten")),
                                    FLAGS, -1, NULL, NULL, &option);
  assert_remote (option, OURS ("InvalidArgument"));
}

/* an entry would be offered otherwise than it was asked for */
static void
test_bad_option_of_select_refused (BusFixture *self, gconstpointer data)
{
  static const char *const keys[] = { "plain", "primary", "store" };

  bus_fixture_store_text (self, "word");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GError) error = NULL;

      clip_dbus_history_call_select_sync (self->proxy, 1,
                                          one_option (keys[i], g_variant_new_uint32 (1)),
                                          FLAGS, -1, NULL, &error);
      assert_remote (error, OURS ("InvalidArgument"));
    }
}

/* a slip in `since` takes nothing; with the settings that the command sends with every
   call all goes */
static void
test_wipe_with_a_slip_refused (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) slip = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  g_assert_cmpuint (bus_fixture_store_text (self, "one"), ==, 1);
  clip_dbus_history_call_wipe_sync (self->proxy,
                                    one_option ("sinse", g_variant_new_int64 (1)), FLAGS,
                                    -1, &n, NULL, &slip);
  assert_remote (slip, OURS ("InvalidArgument"));
  clip_dbus_history_call_wipe_sync (self->proxy,
                                    one_option ("max-items", g_variant_new_int64 (1)),
                                    FLAGS, -1, &n, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_empty_tag_refused (BusFixture *self, gconstpointer data)
{
  static const char *const tags[] = { "work", "", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (bus_fixture_store_text (self, "one"), ==, 1);
  clip_dbus_history_call_set_tags_sync (self->proxy, 1, tags, NO_OPTIONS, FLAGS, -1, NULL,
                                        &error);
  assert_remote (error, OURS ("InvalidArgument"));
}

static void
test_bad_descriptors_refused (BusFixture *self, gconstpointer data)
{
  clip_autofd int folder = open (self->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  clip_autofd int write_only = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  clip_autofd int path = open (self->dir, O_PATH | O_CLOEXEC);
  const int fds[] = { folder, write_only, path };

  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (bus_fixture_store (self, "", fds[i], NULL, NULL, &error), ==, 0);
      assert_remote (error, OURS ("InvalidArgument"));
    }
  g_assert_cmpuint (bus_fixture_store_text (self, "still alive"), ==, 1);
}

static void
test_missing_descriptor_refused (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GVariantBuilder contents;

  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  g_variant_builder_add (&contents, "(sh)", "text/plain", 5);
  clip_dbus_history_call_store_sync (self->proxy, g_variant_builder_end (&contents),
                                     NO_OPTIONS, FLAGS, -1, NULL, NULL, NULL, NULL, NULL,
                                     &error);
  assert_remote (error, OURS ("InvalidArgument"));
}

static void
test_dropped_is_no_error (BusFixture *self, gconstpointer data)
{
  clip_autofd int blank = bus_fixture_memfd ("  \n", 3);
  clip_autofd int large = bus_fixture_memfd ("12345", 5);
  g_autoptr (GError) error = NULL;
  g_autofree char *why_blank = NULL;
  g_autofree char *why_large = NULL;

  g_assert_cmpuint (bus_fixture_store (self, "", blank, NULL, &why_blank, &error), ==, 0);
  g_assert_no_error (error);
  g_assert_cmpstr (why_blank, ==, "blank");
  g_assert_cmpuint (
      bus_fixture_store (self, "", large,
                         one_option ("max-store-size", g_variant_new_int64 (4)),
                         &why_large, &error),
      ==, 0);
  g_assert_no_error (error);
  g_assert_cmpstr (why_large, ==, "too-large");
}

typedef struct
{
  guint n_added;
  guint64 moved_from;
  guint64 moved_to;
  guint n_removed;
  char *printed;
} Heard;

static void
on_added (Heard *heard, guint64 id G_GNUC_UNUSED, GVariant *details)
{
  heard->n_added++;
  heard->printed = g_variant_print (details, FALSE);
}

static void
on_moved (Heard *heard, guint64 old_id, guint64 new_id)
{
  heard->moved_from = old_id;
  heard->moved_to = new_id;
}

static void
on_removed (Heard *heard, GVariant *ids)
{
  heard->n_removed += (guint) g_variant_n_children (ids);
}

static void
test_signals_tell_no_content (BusFixture *self, gconstpointer data)
{
  Heard heard = { 0 };
  guint32 n = 0;

  g_signal_connect_swapped (self->proxy, "entry-added", G_CALLBACK (on_added), &heard);
  g_signal_connect_swapped (self->proxy, "entry-moved", G_CALLBACK (on_moved), &heard);
  g_signal_connect_swapped (self->proxy, "entries-removed", G_CALLBACK (on_removed),
                            &heard);
  bus_fixture_store_text (self, "canary");
  wait_until (heard.n_added == 1);
  g_assert_null (strstr (heard.printed, "canary"));
  g_free (heard.printed);
  bus_fixture_store_text (self, "canary");
  wait_until (heard.moved_to == 2);
  g_assert_cmpuint (heard.moved_from, ==, 1);
  clip_dbus_history_call_wipe_sync (self->proxy, NO_OPTIONS, FLAGS, -1, &n, NULL, NULL);
  g_assert_cmpuint (n, ==, 1);
  wait_until (heard.n_removed == 1);
}

static void
test_pinned_survives_wipe (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint32 n = 0;

  bus_fixture_store_text (self, "kept");
  bus_fixture_store_text (self, "gone");
  clip_dbus_history_call_set_pinned_sync (self->proxy, 1, TRUE, NO_OPTIONS, FLAGS, -1,
                                          NULL, &error);
  g_assert_no_error (error);
  clip_dbus_history_call_wipe_sync (self->proxy, NO_OPTIONS, FLAGS, -1, &n, NULL, &error);
  g_assert_cmpuint (n, ==, 1);
  text = open_and_read (self, 1, "", &error);
  g_assert_cmpstr (text, ==, "kept");
  clip_dbus_history_call_wipe_sync (self->proxy,
                                    one_option ("all", g_variant_new_boolean (TRUE)),
                                    FLAGS, -1, &n, NULL, &error);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_deleted (BusFixture *self, gconstpointer data)
{
  const guint64 ids[] = { 1, 77 };
  g_autoptr (GError) error = NULL;
  guint32 n = 0;

  bus_fixture_store_text (self, "one");
  bus_fixture_store_text (self, "two");
  bus_fixture_store_text (self, "three");
  clip_dbus_history_call_delete_sync (
      self->proxy,
      g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, ids, 2, sizeof ids[0]),
      NO_OPTIONS, FLAGS, -1, &n, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1);
  clip_dbus_history_call_delete_matching_sync (
      self->proxy, g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, "hre", 3, 1),
      NO_OPTIONS, FLAGS, -1, &n, NULL, &error);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (bus_fixture_store_text (self, "four"), ==, 4);
}

static void
test_paused_drops (BusFixture *self, gconstpointer data)
{
  clip_autofd int fd = bus_fixture_memfd ("word", 4);
  g_autofree char *why = NULL;

  clip_dbus_history_call_pause_sync (self->proxy, -1, NO_OPTIONS, FLAGS, -1, NULL, NULL);
  g_assert_cmpuint (bus_fixture_store (self, "", fd, NULL, &why, NULL), ==, 0);
  g_assert_cmpstr (why, ==, "paused");
  bus_fixture_end_daemon (self, SIGTERM);
  bus_fixture_start_daemon (self, NULL);
  wait_until (clip_dbus_history_get_paused_until (self->proxy) == -1);
  clip_dbus_history_call_pause_sync (self->proxy, 0, NO_OPTIONS, FLAGS, -1, NULL, NULL);
  g_assert_cmpuint (bus_fixture_store_text (self, "word"), ==, 1);
}

/* it would be in force until told, which somebody who got his sums wrong did not ask
   for */
static void
test_pause_until_no_time_refused (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  clip_dbus_history_call_pause_sync (self->proxy, -5, NO_OPTIONS, FLAGS, -1, NULL,
                                     &error);
  assert_remote (error, OURS ("InvalidArgument"));
  g_assert_cmpuint (bus_fixture_store_text (self, "word"), ==, 1);
}

static void
test_killed_keeps_what_it_acknowledged (BusFixture *self, gconstpointer data)
{
  g_autofree char *text = NULL;

  bus_fixture_store_text (self, "acknowledged");
  bus_fixture_end_daemon (self, SIGKILL);
  bus_fixture_start_daemon (self, NULL);
  text = open_and_read (self, 1, "", NULL);
  g_assert_cmpstr (text, ==, "acknowledged");
}

static void
test_second_daemon_leaves (BusFixture *self, gconstpointer data)
{
  g_autoptr (GSubprocess) second = bus_fixture_spawn (self, NULL);

  g_assert_true (g_subprocess_wait_check (second, NULL, NULL));
  g_assert_cmpuint (bus_fixture_store_text (self, "first still serves"), ==, 1);
}

static gboolean
has_other_owner (BusFixture *self, const char *than)
{
  g_autofree char *owner = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy));

  return owner && !g_str_equal (owner, than);
}

static void
test_replaced_daemon_leaves (BusFixture *self, gconstpointer data)
{
  g_autoptr (GSubprocess) first = g_steal_pointer (&self->daemon);
  g_autofree char *owner = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy));

  self->daemon = bus_fixture_spawn (self, "--replace");
  g_assert_true (g_subprocess_wait_check (first, NULL, NULL));
  wait_until (has_other_owner (self, owner));
  g_assert_cmpuint (bus_fixture_store_text (self, "second serves"), ==, 1);
}

#define add(path, function) bus_fixture_add ("/bus/" path, function)

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  add ("stored-is-opened", test_stored_is_opened);
  add ("lookup-describes", test_lookup_describes);
  add ("list-pages", test_list_pages);
  add ("send-into-pipe", test_send_into_pipe);
  add ("errors-are-typed", test_errors_are_typed);
  add ("bad-option-of-select-refused", test_bad_option_of_select_refused);
  add ("wipe-with-a-slip-is-refused", test_wipe_with_a_slip_refused);
  add ("empty-tag-refused", test_empty_tag_refused);
  add ("bad-descriptors-refused", test_bad_descriptors_refused);
  add ("missing-descriptor-refused", test_missing_descriptor_refused);
  add ("dropped-is-no-error", test_dropped_is_no_error);
  add ("signals-tell-no-content", test_signals_tell_no_content);
  add ("pinned-survives-wipe", test_pinned_survives_wipe);
  add ("deleted-ids-do-not-come-back", test_deleted);
  add ("paused-drops", test_paused_drops);
  add ("pause-until-no-time-is-refused", test_pause_until_no_time_refused);
  add ("killed-keeps-what-it-acknowledged", test_killed_keeps_what_it_acknowledged);
  add ("second-daemon-leaves", test_second_daemon_leaves);
  add ("replaced-daemon-leaves", test_replaced_daemon_leaves);
  return g_test_run ();
}

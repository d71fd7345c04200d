/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What of a copy and a paste is said on the screen: a real history, a display and a
 * notification server that the test plays. */
#include "clip-fd.h"
#include "clip-notifier.h"
#include "clip-paths.h"
#include "clip-pushed-out.h"
#include "history-fixture.h"
#include "notify-server.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"

/* one for all tests: libnotify keeps to the bus that it has found */
static GTestDBus *bus;

typedef struct
{
  HistoryFixture base;
  NotifyServer *server;
  ClipNotifier *notifier;
} Rig;

static void
set_up (Rig *rig, gconstpointer capabilities)
{
  history_fixture_setup (&rig->base, NULL);
  rig->server = notify_server_new (g_test_dbus_get_bus_address (bus), capabilities);
  rig->notifier = clip_notifier_new (rig->base.history);
}

static void
tear_down (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  clip_notifier_free (rig->notifier);
  notify_server_free (rig->server);
  history_fixture_teardown (&rig->base, NULL);
}

#define last(rig) notify_server_last ((rig)->server)
#define assert_hint(rig, key, wanted) \
  G_STMT_START \
  { \
    g_autofree char *hint = notify_server_hint ((rig)->server, key); \
    g_assert_cmpstr (hint, ==, wanted); \
  } \
  G_STMT_END

static gboolean
says (Rig *rig, const char *summary)
{
  const ServerNote *note = last (rig);

  return note && g_str_equal (note->summary, summary);
}

static void
set (Rig *rig, ClipSetting setting, const char *value)
{
  clip_settings_set (rig->base.settings, setting, value, CLIP_FROM_FLAG, NULL);
  clip_history_set_settings (rig->base.history, rig->base.settings);
}

/* whatever was said before this is there by then */
static void
say_something (Rig *rig)
{
  guint n = rig->server->notes->len;

  clip_history_pause (rig->base.history, -1);
  wait_until (rig->server->notes->len > n &&
              says (rig, "The clipboard history is paused"));
}

/* --- no room --- */

#define NO_ROOM "The clipboard history has no room for a copy"

/* once there is room again it is kept as ever */
static void
test_no_room (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  set (rig, CLIP_SETTING_MIN_FREE_SPACE, "1000000TiB");
  clip_backend_fake_copy (rig->base.display, TEXT, "word", NULL);
  wait_until (says (rig, NO_ROOM));
  g_assert_null (strstr (last (rig)->body, "word"));
  assert_hint (rig, "urgency", "0x01");
  assert_hint (rig, "category", "'device.error'");
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 0);
  set (rig, CLIP_SETTING_MIN_FREE_SPACE, "0");
  clip_backend_fake_copy (rig->base.display, TEXT, "word", NULL);
  wait_until (rig->base.n_added == 1);
}

/* a pipe that broke says nothing of the history */
static void
test_no_descriptor (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error =
      g_error_new_literal (G_FILE_ERROR, G_FILE_ERROR_MFILE, "pipe");
  guint n = rig->server->notes->len;

  g_signal_emit_by_name (rig->base.history, "trouble", error);
  say_something (rig);
  g_assert_cmpuint (rig->server->notes->len, ==, n + 1);
}

/* once it can be written again it is kept as ever */
static void
test_no_right (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (rig->base.dir, "blobs", NULL);
  g_autofree char *command =
      g_strdup_printf ("cd '%s' && rm -r blobs && : >blobs", rig->base.dir);

  g_assert_cmpint (system (command), ==, 0);
  clip_backend_fake_copy (rig->base.display, TEXT, "word", NULL);
  wait_until (says (rig, "The copy could not be kept"));
  g_assert_nonnull (strstr (last (rig)->body, "cannot be written"));
  g_assert_nonnull (strstr (last (rig)->body, "cliphist doctor"));
  assert_hint (rig, "category", "'device.error'");
  g_assert_cmpint (g_unlink (path), ==, 0);
  clip_backend_fake_copy (rig->base.display, TEXT, "word", NULL);
  wait_until (rig->base.n_added == 1);
}

static void
copy (Rig *rig, const char *text)
{
  guint n = rig->base.n_added;

  clip_backend_fake_copy (rig->base.display, TEXT, text, NULL);
  wait_until (rig->base.n_added == n + 1);
}

/* on a disk that stays full it would be said of each copy */
static void
test_old_ones_go (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  copy (rig, "one");
  copy (rig, "two");
  set (rig, CLIP_SETTING_MIN_FREE_SPACE, "1000000TiB");
  copy (rig, "six");
  wait_until (says (rig, "Old entries of the clipboard history are deleted"));
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 2);
  copy (rig, "ten");
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 2);
  say_something (rig);
  g_assert_cmpuint (rig->server->notes->len, ==, 2);
}

/* --- a copy that is too large --- */

#define TOO_LARGE "A copy was too large for the clipboard history"
#define NOT_KEPT "The copy could not be kept"

static void
copy_too_large (Rig *rig)
{
  set (rig, CLIP_SETTING_MAX_STORE_SIZE, "4");
  clip_backend_fake_copy (rig->base.display, TEXT, "12345", NULL);
  wait_until (says (rig, TOO_LARGE));
  g_assert_nonnull (strstr (last (rig)->body, "Copies of more than 4 bytes are"));
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 0);
}

static void
test_kept_anyway (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = NULL;

  copy_too_large (rig);
  g_assert_cmpstr (last (rig)->actions[1], ==, "Keep anyway");
  g_assert_null (strstr (last (rig)->body, "12345"));
  assert_hint (rig, "urgency", "0x01");
  assert_hint (rig, "category", "'transfer.error'");
  notify_server_click (rig->server);
  wait_until (rig->base.n_added == 1);
  text = history_fixture_text (&rig->base, 1, "");
  g_assert_cmpstr (text, ==, "12345");
  wait_until (clip_history_current (rig->base.history) == 1);
  /* and it outlives its owner, as any copy does */
  clip_backend_fake_clear (rig->base.display);
  wait_until (clip_backend_fake_owned (rig->base.display));
}

static void
test_only_that_one (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  copy_too_large (rig);
  notify_server_click (rig->server);
  wait_until (rig->base.n_added == 1);
  clip_backend_fake_copy (rig->base.display, TEXT, "67890", NULL);
  wait_until (rig->base.n_drops == 2);
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 1);
}

/* it would push out all others */
static void
test_larger_than_all (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  set (rig, CLIP_SETTING_MAX_TOTAL_SIZE, "4");
  clip_backend_fake_copy (rig->base.display, TEXT, "12345", NULL);
  wait_until (says (rig, TOO_LARGE));
  g_assert_null (last (rig)->actions[0]);
  g_assert_nonnull (strstr (last (rig)->body, "max-total-size"));
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 0);
}

/* nor is it kept by a click then, which is said with the limit that it is */
static void
test_larger_than_all_anyway (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  set (rig, CLIP_SETTING_MAX_TOTAL_SIZE, "5");
  set (rig, CLIP_SETTING_MAX_STORE_SIZE, "4");
  clip_backend_fake_copy (rig->base.display, TEXT, "123456", NULL);
  wait_until (says (rig, TOO_LARGE));
  g_assert_nonnull (strstr (last (rig)->body, "more than 4 bytes"));
  notify_server_click (rig->server);
  wait_until (strstr (last (rig)->body, "more than 5 bytes"));
  g_assert_null (last (rig)->actions[0]);
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 0);
}

static void
assert_not_kept (Rig *rig)
{
  wait_until (says (rig, NOT_KEPT));
  g_assert_cmpuint (last (rig)->replaces, ==, 1);
  g_assert_null (last (rig)->actions[0]);
}

static void
test_owner_gone (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  copy_too_large (rig);
  clip_backend_fake_clear (rig->base.display);
  notify_server_click (rig->server);
  assert_not_kept (rig);
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 0);
}

static void
test_another_copy (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  copy_too_large (rig);
  clip_backend_fake_copy (rig->base.display, TEXT, "abc", NULL);
  wait_until (rig->base.n_added == 1);
  notify_server_click (rig->server);
  assert_not_kept (rig);
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 1);
}

static void
test_stalled_owner (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  copy_too_large (rig);
  clip_backend_fake_set_silent (rig->base.display, TEXT);
  notify_server_click (rig->server);
  assert_not_kept (rig);
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 0);
}

/* --- a copy that a program does not hand over --- */

static void
test_not_handed_over (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  clip_backend_fake_set_silent (rig->base.display, TEXT);
  for (guint i = 1; i <= 2; i++)
    {
      clip_backend_fake_copy (rig->base.display, TEXT, "", NULL);
      wait_until (rig->server->notes->len == i);
      g_assert_true (says (rig, NOT_KEPT));
      g_assert_cmpuint (last (rig)->replaces, ==, i - 1);
    }
  assert_hint (rig, "category", "'transfer.error'");
}

/* as on X11, where it was asked for its types alone */
static void
test_not_told (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  clip_history_pause (rig->base.history, -1);
  wait_until (rig->server->notes->len == 1);
  g_signal_emit_by_name (rig->base.display, "stalled", CLIP_SELECTION_CLIPBOARD);
  clip_history_pause (rig->base.history, 0);
  wait_until (rig->server->notes->len == 2);
  g_signal_emit_by_name (rig->base.display, "stalled", CLIP_SELECTION_PRIMARY);
  g_signal_emit_by_name (rig->base.display, "stalled", CLIP_SELECTION_CLIPBOARD);
  wait_until (rig->server->notes->len == 3);
  g_assert_true (says (rig, NOT_KEPT));
}

static void
test_paused (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  copy_too_large (rig);
  clip_history_pause (rig->base.history, -1);
  wait_until (rig->server->notes->len == 2);
  rig->server->notes->len--; /* the server clicks on the last one */
  notify_server_click (rig->server);
  rig->server->notes->len++;
  wait_until (rig->server->notes->len == 3);
  g_assert_true (says (rig, "The clipboard history is paused"));
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 0);
}

/* one that nobody has given an end has no date */
static void
test_end_of_pause (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  clip_history_pause (rig->base.history, -1);
  wait_until (rig->server->notes->len == 1);
  g_assert_cmpstr (
      last (rig)->body, ==,
      "Nothing that you copy is kept until you resume it. The command “cliphist "
      "resume” ends the pause.");
  clip_history_pause (rig->base.history, g_get_real_time () + 2 * G_TIME_SPAN_DAY);
  wait_until (rig->server->notes->len == 2);
  g_assert_true (g_regex_match_simple (
      "^Nothing that you copy is kept until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\. ",
      last (rig)->body, 0, 0));
  g_assert_cmpint (last (rig)->timeout_ms, ==, -1);
  assert_hint (rig, "urgency", "0x01");
  assert_hint (rig, "transient", NULL);
  clip_history_pause (rig->base.history, g_get_real_time () + G_TIME_SPAN_MINUTE);
  wait_until (rig->server->notes->len == 3);
  g_assert_true (g_regex_match_simple (" kept until \\d\\d:\\d\\d:\\d\\d\\. ",
                                       last (rig)->body, 0, 0));
  clip_history_pause (rig->base.history, 0);
  wait_until (says (rig, "The clipboard history is on again"));
  g_assert_cmpint (last (rig)->timeout_ms, >, 0);
  clip_history_pause (rig->base.history, -1);
  wait_until (says (rig, "The clipboard history is paused"));
  g_assert_cmpint (last (rig)->timeout_ms, ==, -1);
}

static void
test_no_action (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  copy_too_large (rig);
  g_assert_null (last (rig)->actions[0]);
  g_assert_nonnull (strstr (last (rig)->body, "max-store-size"));
}

/* --- what lasts long --- */

#define COMES_IN "A large copy is being received"
#define IS_PASTED "A large entry is being pasted"
#define CLIP_BYTES (60 * 1024)
#define PAGE_BYTES 4096
#define PAGES_READ 2

static void
on_pasted (gboolean whole, gpointer user_data)
{
  *(int *) user_data = whole;
}

/* the end to read from: it holds a page, and the rest waits for a reader, who takes
   two */
static int
paste_slowly (Rig *rig, int *out_whole)
{
  g_autoptr (ClipRequest) request = NULL;
  char page[PAGE_BYTES];
  gsize taken = 0;
  int fds[2];

  *out_whole = -1;
  g_assert_true (clip_pipe (fds, NULL));
  g_assert_cmpint (fcntl (fds[1], F_SETPIPE_SZ, PAGE_BYTES), ==, PAGE_BYTES);
  g_assert_cmpint (fcntl (fds[0], F_SETFL, O_NONBLOCK), ==, 0);
  request = clip_request_new (TEXT, fds[1], on_pasted, out_whole);
  clip_source_request (clip_backend_fake_owned (rig->base.display), request);
  while (taken < PAGES_READ * PAGE_BYTES)
    {
      gssize n = read (fds[0], page, MIN (sizeof page, PAGES_READ * PAGE_BYTES - taken));

      g_assert_cmpint (n, >=, -1);
      taken += (gsize) MAX (n, 0);
      g_main_context_iteration (NULL, FALSE);
    }
  return fds[0];
}

static void
select_large (Rig *rig)
{
  g_autofree char *text = g_strnfill (CLIP_BYTES, 'x');
  g_autoptr (GAsyncResult) selected = NULL;

  clip_backend_fake_copy (rig->base.display, TEXT, text, NULL);
  wait_until (rig->base.n_added == 1);
  clip_history_select_async (rig->base.history, 1, CLIP_SELECT_WHOLE, keep_result,
                             &selected);
  wait_until (selected);
}

static void
assert_closed (Rig *rig, guint32 id)
{
  wait_until (rig->server->closed->len == 1);
  g_assert_cmpuint (g_array_index (rig->server->closed, guint32, 0), ==, id);
}

static void
test_long_paste (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = -1;
  g_autoptr (GBytes) pasted = NULL;
  g_autofree char *value = NULL;
  int whole;

  select_large (rig);
  fd = paste_slowly (rig, &whole);
  wait_until (says (rig, IS_PASTED));
  g_assert_cmpint (whole, ==, -1);
  g_assert_nonnull (strstr (last (rig)->body, " of 60.0"));
  value = notify_server_hint (rig->server, "value");
  g_assert_cmpint (atoi (value), >, 0);
  g_assert_cmpint (atoi (value), <, 50);
  assert_hint (rig, "urgency", "0x00");
  assert_hint (rig, "transient", "true");
  assert_hint (rig, "category", "'transfer'");
  g_assert_cmpint (fcntl (fd, F_SETFL, 0), ==, 0);
  pasted = clip_read_to_end (fd, 1 << 20, NULL);
  g_assert_cmpuint (g_bytes_get_size (pasted), ==, CLIP_BYTES - PAGES_READ * PAGE_BYTES);
  wait_until (whole == 1);
  assert_closed (rig, last (rig)->id);
}

static gboolean
tells (Rig *rig, const char *body)
{
  return g_str_equal (last (rig)->body, body);
}

/* an owner may say how much will come at least: what is more than that is a part of
   nothing */
static void
test_long_copy (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  gint64 begun_us = g_get_monotonic_time ();
  g_autoptr (ClipOffer) offer = NULL;

  clip_backend_fake_stall (rig->base.display, TRUE);
  offer = g_object_ref (clip_backend_fake_copy (rig->base.display, TEXT, "any", NULL));
  clip_backend_fake_trickle (rig->base.display, "some of it");
  wait_until (says (rig, COMES_IN));
  g_assert_cmpint (g_get_monotonic_time () - begun_us, >=, 2 * G_USEC_PER_SEC);
  g_assert_true (tells (rig, "10 bytes so far"));
  assert_hint (rig, "value", NULL);
  clip_offer_announce (offer, 40);
  wait_until (tells (rig, "10 bytes of 40 bytes"));
  assert_hint (rig, "value", "25");
  clip_backend_fake_trickle (rig->base.display, "more of it than had been announced");
  wait_until (tells (rig, "44 bytes so far"));
  assert_hint (rig, "value", NULL);
  clip_backend_fake_stall (rig->base.display, FALSE);
  wait_until (rig->base.n_added == 1);
  assert_closed (rig, last (rig)->id);
}

/* --- copies that push out old ones --- */

#define PUSHED_OUT "Many old entries made room for new copies"

static void
test_burst (void)
{
  const gint64 second_us = G_USEC_PER_SEC;
  ClipPushedOut burst = { 0 };

  /* a full history, each copy pushes one out: an hour of a person, then a minute of a
     program */
  for (guint i = 0; i < 3600; i++)
    g_assert_false (clip_pushed_out_add (&burst, 1, 1000, i * second_us));
  for (guint i = 1; i <= 1000; i++)
    g_assert_cmpint (clip_pushed_out_add (&burst, 1, 1000, 3600 * second_us + i), ==,
                     i == 100);
  /* and again when that is over */
  g_assert_false (clip_pushed_out_add (&burst, 99, 901, 3661 * second_us));
  g_assert_true (clip_pushed_out_add (&burst, 1, 1000, 3662 * second_us));
  /* all at once, and the few of a small history */
  g_assert_true (clip_pushed_out_add (&burst, 900, 100, 3800 * second_us));
  g_assert_false (clip_pushed_out_add (&burst, 9, 1, 3900 * second_us));
  g_assert_false (
      clip_pushed_out_add (&burst, CLIP_PUSHED_OUT_LEAST - 10, 1, 3901 * second_us));
  g_assert_true (clip_pushed_out_add (&burst, 1, 1, 3902 * second_us));
}

static void
copy_number (Rig *rig, guint number)
{
  g_autofree char *text = g_strdup_printf ("text %u", number);

  clip_backend_fake_copy (rig->base.display, TEXT, text, NULL);
  wait_until (rig->base.n_added == number);
}

static void
test_pushed_out (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  guint number = 0;

  set (rig, CLIP_SETTING_MAX_ITEMS, "5");
  while (number < 5 + CLIP_PUSHED_OUT_LEAST - 1)
    copy_number (rig, ++number);
  say_something (rig);
  g_assert_cmpuint (rig->server->notes->len, ==, 1);
  clip_history_pause (rig->base.history, 0);
  wait_until (says (rig, "The clipboard history is on again"));
  copy_number (rig, ++number);
  wait_until (says (rig, PUSHED_OUT));
  assert_hint (rig, "urgency", "0x01");
  g_assert_null (strstr (last (rig)->body, "text"));
  g_assert_cmpstr (last (rig)->actions[1], ==, "Pause the history");
  notify_server_click (rig->server);
  wait_until (clip_history_paused_until (rig->base.history) == -1);
}

/* what a person removes is pushed out by nothing */
static void
test_removed (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  guint number = 0;

  while (number < CLIP_PUSHED_OUT_LEAST + 1)
    copy_number (rig, ++number);
  clip_history_clear_async (rig->base.history, NULL, NULL);
  wait_until (history_fixture_count (&rig->base) == 0);
  while (number < 2 * (CLIP_PUSHED_OUT_LEAST + 1))
    copy_number (rig, ++number);
  set (rig, CLIP_SETTING_MAX_ITEMS, "0");
  clip_history_trim_async (rig->base.history, rig->base.settings, FALSE, NULL, NULL);
  wait_until (history_fixture_count (&rig->base) == 0);
  say_something (rig);
  g_assert_cmpuint (rig->server->notes->len, ==, 1);
}

/* --- the file at db-path --- */

/* a history that a -db-path leads to */
static void
set_up_beside_file (Rig *rig, gconstpointer capabilities)
{
  g_autofree char *path = NULL;
  g_autofree char *command = NULL;

  history_fixture_setup (&rig->base, NULL);
  history_fixture_close (&rig->base);
  path = rig->base.dir;
  rig->base.dir = g_strconcat (path, ".d", NULL);
  command = g_strdup_printf ("rm -rf '%s'", path);
  g_assert_cmpint (system (command), ==, 0);
  history_fixture_open (&rig->base);
  rig->server = notify_server_new (g_test_dbus_get_bus_address (bus), capabilities);
  rig->notifier = clip_notifier_new (rig->base.history);
}

/* who empties a folder of caches has not thought of the history */
static void
test_wiped_by_removal (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = clip_paths_db_file (rig->base.dir);
  g_autofree char *words =
      g_strdup_printf ("1001 entries were deleted, as the file %s was removed.", path);
  g_autoptr (GAsyncResult) pinned = NULL;

  set (rig, CLIP_SETTING_MAX_ITEMS, "2000");
  /* one is pinned, and the others take more than a transaction */
  for (guint number = 1; number <= 1002; number++)
    copy_number (rig, number);
  clip_store_change_async (rig->base.store, clip_change_pin (1, TRUE), keep_result,
                           &pinned);
  wait_until (pinned);
  g_assert_cmpint (g_unlink (path), ==, 0);
  wait_until (says (rig, "The clipboard history was emptied"));
  g_assert_cmpstr (last (rig)->body, ==, words);
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 1);
  say_something (rig);
  g_assert_cmpuint (rig->server->notes->len, ==, 2);
  g_unlink (path);
}

/* --- a limit that would take many --- */

static void
test_spared (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  guint32 id;

  clip_history_keep_limits (rig->base.history);
  for (guint number = 1; number <= 20; number++)
    copy_number (rig, number);
  clip_settings_set (rig->base.settings, CLIP_SETTING_MAX_ITEMS, "3", CLIP_FROM_FILE,
                     NULL);
  clip_history_set_settings (rig->base.history, rig->base.settings);
  wait_until (says (rig, "The clipboard history is larger than its limits"));
  id = last (rig)->id;
  g_assert_nonnull (strstr (last (rig)->body, "max-items"));
  g_assert_nonnull (strstr (last (rig)->body, "cliphist trim"));
  /* a click beside the button deletes nothing */
  g_assert_cmpstr (last (rig)->actions[0], ==, "do");
  g_assert_null (last (rig)->actions[2]);
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 20);
  notify_server_click (rig->server);
  assert_closed (rig, id);
  g_assert_cmpint (history_fixture_count (&rig->base), ==, 3);
}

/* --- each copy --- */

static void
test_copies_silent (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  clip_backend_fake_copy (rig->base.display, TEXT, "a word", NULL);
  wait_until (clip_history_current (rig->base.history) == 1);
  say_something (rig);
  g_assert_cmpuint (rig->server->notes->len, ==, 1);
}

static void
test_copies_told (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  set (rig, CLIP_SETTING_NOTIFY_COPIES, "yes");
  clip_backend_fake_copy (rig->base.display, TEXT, "a word", NULL);
  wait_until (says (rig, "Copied"));
  g_assert_cmpstr (last (rig)->body, ==, "A text of 6 bytes");
  g_assert_cmpint (last (rig)->timeout_ms, >, 0);
  /* GNOME would show one that is low in its list alone */
  assert_hint (rig, "urgency", "0x01");
  assert_hint (rig, "transient", "true");
  clip_backend_fake_copy (rig->base.display, "image/png", "no image", NULL);
  wait_until (rig->server->notes->len == 2);
  g_assert_cmpstr (last (rig)->body, ==, "An image of 8 bytes");
  g_assert_cmpuint (last (rig)->replaces, ==, 1);
}

static void
test_switched_off (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  set (rig, CLIP_SETTING_NOTIFY_COPIES, "yes");
  set (rig, CLIP_SETTING_NOTIFY, "no");
  set (rig, CLIP_SETTING_MAX_STORE_SIZE, "4");
  clip_backend_fake_copy (rig->base.display, TEXT, "abc", NULL);
  wait_until (clip_history_current (rig->base.history) == 1);
  clip_backend_fake_copy (rig->base.display, TEXT, "12345", NULL);
  wait_until (rig->base.n_drops == 1);
  set (rig, CLIP_SETTING_NOTIFY, "yes");
  say_something (rig);
  g_assert_cmpuint (rig->server->notes->len, ==, 1);
}

static void
test_chosen (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  clip_notifier_say_chosen (rig->notifier, TRUE);
  wait_until (says (rig, "It is on the clipboard"));
  assert_hint (rig, "urgency", "0x01");
  clip_notifier_say_chosen (rig->notifier, FALSE);
  wait_until (says (rig, "Nothing was copied"));
}

/* somebody is gone before what was looked up is there */
static void
test_gone_meanwhile (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  set (rig, CLIP_SETTING_NOTIFY_COPIES, "yes");
  clip_backend_fake_copy (rig->base.display, TEXT, "a word", NULL);
  while (clip_history_current (rig->base.history) != 1)
    g_main_context_iteration (NULL, TRUE);
  clip_notifier_free (rig->notifier);
  rig->notifier = clip_notifier_new (rig->base.history);
  say_something (rig);
  g_assert_cmpuint (rig->server->notes->len, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GDBusConnection) connection = NULL;

  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  /* what is tested here makes the history warn, too */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_dbus_connection_set_exit_on_close (connection, FALSE);
#define ADD(name, capabilities, function) \
  g_test_add ("/notifier/" name, Rig, capabilities, set_up, function, tear_down)
  ADD ("a-disk-that-is-almost-full-is-told", notify_server_all, test_no_room);
  ADD ("a-history-that-cannot-be-written-is-told", notify_server_all, test_no_right);
  ADD ("a-pipe-that-fails-is-no-such-history", notify_server_all, test_no_descriptor);
  ADD ("that-old-entries-go-for-want-of-room-is-told-once", notify_server_all,
       test_old_ones_go);
  ADD ("what-was-too-large-is-kept-by-a-click", notify_server_all, test_kept_anyway);
  ADD ("what-is-larger-than-all-may-be-is-not-kept", notify_server_all,
       test_larger_than_all);
  ADD ("what-is-larger-than-all-may-be-is-not-kept-by-a-click", notify_server_all,
       test_larger_than_all_anyway);
  ADD ("the-next-one-is-too-large-again", notify_server_all, test_only_that_one);
  ADD ("an-owner-that-is-gone-is-told", notify_server_all, test_owner_gone);
  ADD ("another-copy-is-no-longer-that-one", notify_server_all, test_another_copy);
  ADD ("an-owner-that-does-not-answer-is-told", notify_server_all, test_stalled_owner);
  ADD ("a-copy-that-is-not-handed-over-is-told", notify_server_all, test_not_handed_over);
  ADD ("a-copy-that-is-not-described-is-told", notify_server_all, test_not_told);
  ADD ("while-paused-not-even-that-is-kept", notify_server_all, test_paused);
  ADD ("a-pause-without-an-end-has-no-date", notify_server_all, test_end_of_pause);
  ADD ("where-nothing-can-be-clicked-the-setting-is-named", notify_server_least,
       test_no_action);
  ADD ("a-long-paste-is-shown-and-goes-when-it-ends", notify_server_all, test_long_paste);
  ADD ("a-long-copy-is-shown-and-goes-when-it-ends", notify_server_all, test_long_copy);
  g_test_add_func ("/notifier/a-tenth-within-a-minute-is-a-burst", test_burst);
  ADD ("copies-that-push-out-a-tenth-are-told", notify_server_all, test_pushed_out);
  g_test_add ("/notifier/a-wipe-as-the-file-was-removed-is-told", Rig, notify_server_all,
              set_up_beside_file, test_wiped_by_removal, tear_down);
  ADD ("what-is-removed-is-not-pushed-out", notify_server_all, test_removed);
  ADD ("what-a-limit-would-take-goes-by-a-click", notify_server_all, test_spared);
  ADD ("copies-are-not-told", notify_server_all, test_copies_silent);
  ADD ("copies-are-told-to-who-asks-for-it", notify_server_all, test_copies_told);
  ADD ("what-the-search-found-is-told-to-be-there", notify_server_all, test_chosen);
  ADD ("switched-off-nothing-of-it-is-told", notify_server_all, test_switched_off);
  ADD ("an-end-does-not-wait-for-what-is-looked-up", notify_server_all,
       test_gone_meanwhile);
  return g_test_run ();
}

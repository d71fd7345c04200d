/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Wayland backend against a real compositor, the tests' own. What it announces is
 * kept as lines of text, in order, so that a test also sees what should not have come. */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-wayland.h"
#include "play.h"

#include <signal.h>
#include <string.h>

typedef struct
{
  Play *play;
  ClipBackend *backend;
  GQueue *events;
  ClipOffer *offer;   /* the last one */
  ClipSource *source; /* what own() made */
  GQueue *requests;   /* of ClipRequest, not answered */
  guint n_cancelled;
} Desk;

static void G_GNUC_PRINTF (2, 3) log_event (Desk *desk, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_queue_push_tail (desk->events, g_strdup_vprintf (format, args));
  va_end (args);
}

static const char *
kind (ClipSelection selection)
{
  return selection == CLIP_SELECTION_PRIMARY ? " primary" : "";
}

static void
on_offered (ClipBackend *backend, ClipOffer *offer, Desk *desk)
{
  g_autofree char *mimes =
      g_strjoinv (" ", (char **) (gpointer) clip_offer_mimes (offer));

  log_event (desk, "offered%s%s%s %s", kind (clip_offer_selection (offer)),
             clip_offer_is_initial (offer) ? " initial" : "",
             clip_offer_is_own (offer) ? " own" : "", mimes);
  g_set_object (&desk->offer, offer);
}

static void
on_cleared (ClipBackend *backend, int selection, Desk *desk)
{
  log_event (desk, "cleared%s", kind (selection));
}

static void
on_disconnected (ClipBackend *backend, const char *why, Desk *desk)
{
  log_event (desk, "disconnected: %s", why);
}

/* asks again until the answer begins as wanted */
static void
await_answer (Desk *desk, const char *command, const char *wanted)
{
  gboolean so = FALSE;

  while (!so)
    {
      g_autofree char *answer = play_tell (desk->play, "%s", command);

      so = g_str_has_prefix (answer, wanted);
    }
}

static void
sit_down (Desk *desk, gboolean primary)
{
  g_autoptr (GError) error = NULL;

  desk->backend = clip_wayland_new (play_display (desk->play), primary, &error);
  g_assert_no_error (error);
  g_signal_connect (desk->backend, "offered", G_CALLBACK (on_offered), desk);
  g_signal_connect (desk->backend, "cleared", G_CALLBACK (on_cleared), desk);
  g_signal_connect (desk->backend, "disconnected", G_CALLBACK (on_disconnected), desk);
  await_answer (desk, "stats", "devices=1");
}

static Desk *
desk_new (const char *protocol, int n_seats)
{
  Desk *desk = g_new0 (Desk, 1);

  desk->play = play_start (CLIP_TEST_COMPOSITOR, protocol, n_seats);
  desk->events = g_queue_new ();
  desk->requests = g_queue_new ();
  return desk;
}

static Desk *
desk_at (const char *protocol, int n_seats)
{
  Desk *desk = desk_new (protocol, n_seats);

  sit_down (desk, FALSE);
  return desk;
}

/* what was announced and not expected is a failure */
static void
desk_free (Desk *desk)
{
  g_assert_cmpstr (g_queue_peek_head (desk->events), ==, NULL);
  g_queue_free_full (desk->events, g_free);
  g_queue_free_full (desk->requests, g_object_unref);
  g_clear_object (&desk->backend);
  g_clear_object (&desk->offer);
  g_clear_object (&desk->source);
  play_end (desk->play);
  g_free (desk);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Desk, desk_free)

static void
expect (Desk *desk, const char *event)
{
  g_autofree char *next = NULL;

  while (g_queue_is_empty (desk->events))
    g_main_context_iteration (NULL, TRUE);
  next = g_queue_pop_head (desk->events);
  g_assert_cmpstr (next, ==, event);
}

static void
tell (Desk *desk, const char *command)
{
  g_free (play_tell (desk->play, "%s", command));
}

/* receiving */

static void
on_received (GObject *backend, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out_result = user_data;

  *out_result = g_object_ref (result);
}

static ClipVerdict
receive_into (Desk *desk, ClipOffer *offer, const char *mime, int fd_take, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  clip_backend_receive_async (desk->backend, offer, mime, fd_take, NULL, on_received,
                              &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  return clip_backend_receive_finish (desk->backend, result, error);
}

static GBytes *
receive (Desk *desk, const char *mime)
{
  g_autoptr (GError) error = NULL;
  clip_autofd int read_fd = -1;
  g_autoptr (GBytes) bytes = NULL;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  g_assert_cmpint (receive_into (desk, desk->offer, mime, fds[1], &error), ==,
                   CLIP_VERDICT_EOF);
  g_assert_no_error (error);
  bytes = clip_read_to_end (read_fd, 1 << 24, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&bytes);
}

static void
assert_receives (Desk *desk, const char *mime, const char *text)
{
  g_autoptr (GBytes) bytes = receive (desk, mime);

  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), text,
                   strlen (text));
}

/* owning */

static void
on_requested (ClipSource *source, ClipRequest *request, Desk *desk)
{
  g_queue_push_tail (desk->requests, g_object_ref (request));
}

static void
on_cancelled (ClipSource *source, Desk *desk)
{
  desk->n_cancelled++;
}

static gboolean
own (Desk *desk, ClipSelection selection, const char *const *mimes, GError **error)
{
  g_clear_object (&desk->source);
  desk->source = clip_source_new (mimes);
  g_signal_connect (desk->source, "requested", G_CALLBACK (on_requested), desk);
  g_signal_connect (desk->source, "cancelled", G_CALLBACK (on_cancelled), desk);
  return clip_backend_own (desk->backend, selection, desk->source, error);
}

static void
own_text (Desk *desk)
{
  static const char *const mimes[] = { "text/plain;charset=utf-8", "text/plain", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (own (desk, CLIP_SELECTION_CLIPBOARD, mimes, &error));
  g_assert_no_error (error);
}

#define OFFERED_OWN_TEXT "offered own text/plain;charset=utf-8 text/plain"

static ClipRequest *
next_request (Desk *desk)
{
  while (g_queue_is_empty (desk->requests))
    g_main_context_iteration (NULL, TRUE);
  return g_queue_pop_head (desk->requests);
}

static void
answer (ClipRequest *request, const char *text)
{
  clip_autofd int fd = clip_request_steal_fd (request);
  g_autoptr (GError) error = NULL;

  g_assert_true (clip_write_all (fd, text, strlen (text), &error));
  g_assert_no_error (error);
  clip_fd_clear (&fd);
  clip_request_finish (request, TRUE);
}

static void
assert_pasted (Desk *desk, const char *text)
{
  g_autofree char *path = g_build_filename (play_folder (desk->play), "pasted", NULL);
  g_autofree char *said = play_next_line (desk->play);
  g_autofree char *expected = g_strdup_printf ("pasted %s %zu", path, strlen (text));
  g_autofree char *content = NULL;

  g_assert_cmpstr (said, ==, expected);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, text);
}

static void
start_paste (Desk *desk, const char *command, const char *mime)
{
  g_free (
      play_tell (desk->play, "%s %s %s/pasted", command, mime, play_folder (desk->play)));
}

static void
paste (Desk *desk, const char *command, const char *mime, const char *text)
{
  g_autoptr (ClipRequest) request = NULL;

  start_paste (desk, command, mime);
  request = next_request (desk);
  g_assert_cmpstr (clip_request_mime (request), ==, mime);
  answer (request, text);
  assert_pasted (desk, text);
}

/* what is offered */

static void
test_first_offer_is_initial (const void *protocol)
{
  g_autoptr (Desk) desk = desk_new (protocol, 1);

  tell (desk, "offer text/html=a text/plain;charset=utf-8=b");
  sit_down (desk, FALSE);
  g_assert_cmpstr (clip_backend_name (desk->backend), ==, protocol);
  expect (desk, "offered initial text/html text/plain;charset=utf-8");
  tell (desk, "offer text/plain=c");
  expect (desk, "offered text/plain");
}

static void
test_empty_start_is_no_news (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "offer text/plain=a");
  expect (desk, "offered text/plain");
}

static void
test_cleared_once (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "offer text/plain=a");
  tell (desk, "clear");
  tell (desk, "clear");
  tell (desk, "offer text/plain=b");
  expect (desk, "offered text/plain");
  expect (desk, "cleared");
  expect (desk, "offered text/plain");
}

static void
test_quick_copies_are_all_seen (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (GString) commands = g_string_new (NULL);

  for (int i = 0; i < 200; i++)
    g_string_append_printf (commands, "offer text/x-%d=a text/plain=b\n", i);
  play_write (desk->play, commands->str);
  for (int i = 0; i < 200; i++)
    {
      g_autofree char *event = g_strdup_printf ("offered text/x-%d text/plain", i);

      expect (desk, event);
    }
  for (int i = 0; i < 200; i++)
    g_free (play_next_line (desk->play));
}

static void
test_more_types_are_counted (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "offer-many 300 100");
  while (!desk->offer)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_strv_length ((char **) (gpointer) clip_offer_mimes (desk->offer)),
                    ==, CLIP_OFFER_MAX_MIMES);
  g_assert_cmpuint (clip_offer_n_dropped (desk->offer), ==, 300 - CLIP_OFFER_MAX_MIMES);
  g_queue_clear_full (desk->events, g_free);
}

static void
test_huge_names_are_dropped (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "offer-many 20 4000");
  expect (desk, "offered ");
  g_assert_cmpuint (clip_offer_n_dropped (desk->offer), ==, 20);
}

static void
test_odd_names_are_dropped (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "offer text/caf%C3%A9=a text/a%0Ab=b text/%FF=c text/plain=d =e");
  expect (desk, "offered text/plain");
  g_assert_cmpuint (clip_offer_n_dropped (desk->offer), ==, 4);
}

/* the compositor counts the objects that we have not destroyed */
static void
test_old_offers_are_destroyed (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  for (int i = 0; i < 5; i++)
    {
      tell (desk, "offer text/plain=a");
      expect (desk, "offered text/plain");
    }
  await_answer (desk, "stats", "devices=1 offers=1");
  tell (desk, "clear");
  expect (desk, "cleared");
  await_answer (desk, "stats", "devices=1 offers=0");
}

static void
test_introduced_and_forgotten (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  for (int i = 0; i < 20; i++)
    tell (desk, "introduce text/plain=a");
  await_answer (desk, "stats", "devices=1 offers=4");
  tell (desk, "offer text/html=b");
  expect (desk, "offered text/html");
  await_answer (desk, "stats", "devices=1 offers=1");
}

/* receiving */

static void
test_receives_what_was_copied (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (GBytes) large = NULL;

  tell (desk, "offer text/plain=some%20text text/html=<b> application/x-zeros=*1000000");
  expect (desk, "offered text/plain text/html application/x-zeros");
  assert_receives (desk, "text/html", "<b>");
  assert_receives (desk, "text/plain", "some text");
  large = receive (desk, "application/x-zeros");
  g_assert_cmpuint (g_bytes_get_size (large), ==, 1000000);
}

static void
test_bad_sources_just_end (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "offer a/none=!close a/half=!close@3:abcdef");
  expect (desk, "offered a/none a/half");
  assert_receives (desk, "a/none", "");
  assert_receives (desk, "a/half", "abc");
  assert_receives (desk, "a/unknown", "");
}

static void
test_replaced_offer_is_refused (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (ClipOffer) first = NULL;
  g_autoptr (GError) error = NULL;
  clip_autofd int read_fd = -1;
  int fds[2];

  tell (desk, "offer text/plain=a");
  expect (desk, "offered text/plain");
  first = g_object_ref (desk->offer);
  tell (desk, "offer text/plain=b");
  expect (desk, "offered text/plain");
  g_assert_true (clip_offer_is_replaced (first));
  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  g_assert_cmpint (receive_into (desk, first, "text/plain", fds[1], &error), ==,
                   CLIP_VERDICT_BROKEN);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_cmpint (read (read_fd, &(char){ 0 }, 1), ==, 0);
}

static void
test_transfer_outlives_its_offer (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (GBytes) bytes = NULL;
  clip_autofd int read_fd = -1;
  int fds[2];

  tell (desk, "offer a/large=*1000000");
  expect (desk, "offered a/large");
  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  receive_into (desk, desk->offer, "a/large", fds[1], NULL);
  await_answer (desk, "types", "script a/large");
  tell (desk, "offer text/plain=b");
  expect (desk, "offered text/plain");
  bytes = clip_read_to_end (read_fd, 1 << 24, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 1000000);
}

/* a compositor that hangs is asked, and nobody waits for it */
static void
test_frozen_compositor_blocks_nobody (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  clip_autofd int read_fd = -1;
  g_autoptr (GBytes) bytes = NULL;
  int fds[2];

  tell (desk, "offer text/plain=a");
  expect (desk, "offered text/plain");
  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  play_signal (desk->play, SIGSTOP);
  g_assert_cmpint (receive_into (desk, desk->offer, "text/plain", fds[1], NULL), ==,
                   CLIP_VERDICT_EOF);
  own_text (desk);
  play_signal (desk->play, SIGCONT);
  bytes = clip_read_to_end (read_fd, 100, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 1);
  expect (desk, OFFERED_OWN_TEXT);
}

/* owning */

static void
test_own_offer_is_known (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autofree char *types = NULL;
  g_autofree char *expected = NULL;

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  expected = g_strdup_printf ("client text/plain;charset=utf-8 text/plain %s",
                              clip_source_token ());
  types = play_tell (desk->play, "types");
  g_assert_cmpstr (types, ==, expected);
}

static void
test_pastes_what_is_owned (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  paste (desk, "paste", "text/plain", "our text");
  paste (desk, "paste-socket", "text/plain;charset=utf-8", "again");
}

static void
test_token_is_never_served (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  start_paste (desk, "paste", clip_source_token ());
  assert_pasted (desk, "");
  start_paste (desk, "paste", "text/html");
  assert_pasted (desk, "");
  g_assert_true (g_queue_is_empty (desk->requests));
}

static void
test_cancelled_by_the_next_copy (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (ClipRequest) request = NULL;

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  start_paste (desk, "paste", "text/plain");
  request = next_request (desk);
  tell (desk, "offer text/html=a");
  expect (desk, "offered text/html");
  g_assert_cmpuint (desk->n_cancelled, ==, 1);
  answer (request, "asked for in time");
  assert_pasted (desk, "asked for in time");
}

static void
test_owned_again (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  own_text (desk);
  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  expect (desk, OFFERED_OWN_TEXT);
  g_assert_cmpuint (desk->n_cancelled, ==, 1);
  paste (desk, "paste", "text/plain", "newer");
}

static void
test_given_up (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  clip_backend_disown (desk->backend, CLIP_SELECTION_CLIPBOARD);
  expect (desk, "cleared");
  g_assert_cmpuint (desk->n_cancelled, ==, 1);
  await_answer (desk, "types", "none");
}

static void
test_lost_is_not_given_up (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  tell (desk, "offer text/html=a");
  expect (desk, "offered text/html");
  clip_backend_disown (desk->backend, CLIP_SELECTION_CLIPBOARD);
  own_text (desk); /* a point behind the one before */
  expect (desk, OFFERED_OWN_TEXT);
}

static void
test_name_too_long_to_send (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autofree char *name = g_strnfill (5000, 'x');
  const char *mimes[] = { name, "text/plain", NULL };

  g_assert_true (own (desk, CLIP_SELECTION_CLIPBOARD, mimes, NULL));
  expect (desk, "offered own text/plain");
}

static void
test_owns_hundreds_of_types (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) mimes = NULL;

  for (int i = 0; i < CLIP_OFFER_MAX_MIMES; i++)
    {
      g_autofree char *mime = g_strdup_printf ("test/%0250d", i);

      g_strv_builder_add (builder, mime);
    }
  mimes = g_strv_builder_end (builder);
  g_assert_true (own (desk, CLIP_SELECTION_CLIPBOARD, (const char *const *) mimes, NULL));
  while (!desk->offer)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (clip_offer_is_own (desk->offer));
  g_assert_cmpuint (g_strv_length ((char **) (gpointer) clip_offer_mimes (desk->offer)),
                    ==, CLIP_OFFER_MAX_MIMES);
  g_queue_clear_full (desk->events, g_free);
}

/* the primary selection */

static void
test_primary_is_followed_if_wanted (const void *protocol)
{
  g_autoptr (Desk) desk = desk_new (protocol, 1);
  static const char *const mimes[] = { "text/plain", NULL };

  tell (desk, "primary offer text/plain=a");
  sit_down (desk, TRUE);
  expect (desk, "offered primary initial text/plain");
  assert_receives (desk, "text/plain", "a");
  tell (desk, "primary offer text/html=b");
  expect (desk, "offered primary text/html");
  tell (desk, "primary clear");
  expect (desk, "cleared primary");
  g_assert_true (own (desk, CLIP_SELECTION_PRIMARY, mimes, NULL));
  expect (desk, "offered primary own text/plain");
  paste (desk, "primary paste", "text/plain", "selected");
  tell (desk, "offer text/plain=b");
  expect (desk, "offered text/plain");
}

static void
test_primary_is_ignored_otherwise (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "primary offer text/plain=a");
  tell (desk, "primary offer text/plain=b");
  tell (desk, "offer text/plain=c");
  expect (desk, "offered text/plain");
  await_answer (desk, "stats", "devices=1 offers=1");
}

/* the compositor ends the connection of whoever asks it for the primary selection */
static void
test_manager_without_primary (void)
{
  g_autoptr (Desk) desk = desk_new ("wlr1", 1);
  static const char *const mimes[] = { "text/plain", NULL };
  g_autoptr (GError) error = NULL;

  sit_down (desk, TRUE);
  g_assert_cmpstr (clip_backend_name (desk->backend), ==, "wlr");
  g_assert_false (own (desk, CLIP_SELECTION_PRIMARY, mimes, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  clip_backend_disown (desk->backend, CLIP_SELECTION_PRIMARY);
  tell (desk, "offer text/plain=a");
  expect (desk, "offered text/plain");
  assert_receives (desk, "text/plain", "a");
}

/* seats */

static void
test_seats_come_and_go (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "seat-add");
  await_answer (desk, "seat 2 stats", "devices=1");
  tell (desk, "seat 2 offer text/plain=a");
  expect (desk, "offered text/plain");
  assert_receives (desk, "text/plain", "a");
  tell (desk, "seat 2 seat-remove");
  expect (desk, "cleared");
  g_assert_true (clip_offer_is_replaced (desk->offer));
  tell (desk, "offer text/html=b");
  expect (desk, "offered text/html");
  tell (desk, "seat-remove");
  expect (desk, "cleared");
  tell (desk, "seat-add");
  await_answer (desk, "seat 3 stats", "devices=1");
  tell (desk, "seat 3 offer text/x-c=c");
  expect (desk, "offered text/x-c");
}

static void
test_cleared_when_no_seat_has_any (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 2);

  tell (desk, "seat 1 offer text/plain=a");
  expect (desk, "offered text/plain");
  tell (desk, "seat 2 offer text/html=b");
  expect (desk, "offered text/html");
  tell (desk, "seat 1 clear");
  tell (desk, "seat 2 clear");
  expect (desk, "cleared");
}

static void
test_owned_on_all_seats (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 2);

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  expect (desk, OFFERED_OWN_TEXT);
  paste (desk, "seat 1 paste", "text/plain", "first");
  paste (desk, "seat 2 paste", "text/plain", "second");
  tell (desk, "seat 1 offer text/html=a");
  expect (desk, "offered text/html");
  g_assert_cmpuint (desk->n_cancelled, ==, 0);
  paste (desk, "seat 2 paste", "text/plain", "still there");
  tell (desk, "seat 2 seat-remove");
  while (desk->n_cancelled == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_finished_device_is_dropped (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  static const char *const mimes[] = { "text/plain", NULL };
  g_autoptr (GError) error = NULL;

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  tell (desk, "finished");
  expect (desk, "cleared");
  g_assert_cmpuint (desk->n_cancelled, ==, 1);
  g_assert_true (clip_offer_is_replaced (desk->offer));
  g_assert_false (own (desk, CLIP_SELECTION_CLIPBOARD, mimes, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  tell (desk, "seat-add");
  await_answer (desk, "seat 2 stats", "devices=1");
  tell (desk, "seat 2 offer text/html=a");
  expect (desk, "offered text/html");
  tell (desk, "seat 1 seat-remove");
}

/* the end */

static void
assert_dead (Desk *desk)
{
  static const char *const mimes[] = { "text/plain", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) receive_error = NULL;
  clip_autofd int read_fd = -1;
  int fds[2];

  g_assert_false (own (desk, CLIP_SELECTION_CLIPBOARD, mimes, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  clip_backend_disown (desk->backend, CLIP_SELECTION_CLIPBOARD);
  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  receive_into (desk, desk->offer, "text/plain", fds[1], &receive_error);
  g_assert_error (receive_error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

static void
test_quit_disconnects (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  own_text (desk);
  expect (desk, OFFERED_OWN_TEXT);
  play_write (desk->play, "quit\n");
  expect (desk, "disconnected: compositor has gone");
  g_assert_cmpuint (desk->n_cancelled, ==, 0); /* nobody else owns it */
  assert_dead (desk);
}

static void
test_last_copy_before_the_end (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  play_write (desk->play, "offer text/plain=a\nquit\n");
  expect (desk, "offered text/plain");
  expect (desk, "disconnected: compositor has gone");
}

static void
test_error_disconnects (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autofree char *event = NULL;

  tell (desk, "offer text/plain=a");
  expect (desk, "offered text/plain");
  tell (desk, "error");
  while (!(event = g_queue_pop_head (desk->events)))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (
      g_str_has_prefix (event, "disconnected: compositor reported error 7 on "));
  g_assert_nonnull (strstr (event, "_data_control_manager_v1#"));
  assert_dead (desk);
}

static void
test_withdrawal_disconnects (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  tell (desk, "offer text/plain=a");
  expect (desk, "offered text/plain");
  tell (desk, "withdraw");
  expect (desk, "disconnected: compositor withdrew data control");
  assert_dead (desk);
}

static void
on_offered_let_go (ClipBackend *backend, ClipOffer *offer, Desk *desk)
{
  g_clear_object (&desk->backend);
}

/* no second offer: libwayland loses the object that an event brings when nobody hears it
 */
static void
test_let_go_in_its_own_signal (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  g_signal_connect (desk->backend, "offered", G_CALLBACK (on_offered_let_go), desk);
  play_write (desk->play, "offer text/plain=a\nclear\nfinished\n");
  expect (desk, "offered text/plain");
  await_answer (desk, "types", "");
  g_assert_null (desk->backend);
}

static void
assert_no_backend (const char *display, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clip_wayland_new (display, FALSE, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_nonnull (strstr (error->message, message));
}

static void
test_without_data_control (void)
{
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "none", 1);

  assert_no_backend (play_display (play), "compositor has no data-control protocol");
}

static void
test_without_compositor (void)
{
  assert_no_backend ("/nowhere/wayland-0", "/nowhere/wayland-0");
}

#define BOTH(name, test) \
  g_test_add_data_func ("/wayland/ext/" name, "ext", test); \
  g_test_add_data_func ("/wayland/wlr/" name, "wlr", test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  alarm (50); /* whatever is waited for in vain */
  BOTH ("first-offer-is-initial", test_first_offer_is_initial);
  BOTH ("empty-start-is-no-news", test_empty_start_is_no_news);
  BOTH ("cleared-once", test_cleared_once);
  BOTH ("quick-copies-are-all-seen", test_quick_copies_are_all_seen);
  BOTH ("more-types-are-counted", test_more_types_are_counted);
  BOTH ("huge-names-are-dropped", test_huge_names_are_dropped);
  BOTH ("odd-names-are-dropped", test_odd_names_are_dropped);
  BOTH ("old-offers-are-destroyed", test_old_offers_are_destroyed);
  BOTH ("introduced-and-forgotten", test_introduced_and_forgotten);
  BOTH ("receives-what-was-copied", test_receives_what_was_copied);
  BOTH ("bad-sources-just-end", test_bad_sources_just_end);
  BOTH ("replaced-offer-is-refused", test_replaced_offer_is_refused);
  BOTH ("transfer-outlives-its-offer", test_transfer_outlives_its_offer);
  BOTH ("frozen-compositor-blocks-nobody", test_frozen_compositor_blocks_nobody);
  BOTH ("own-offer-is-known", test_own_offer_is_known);
  BOTH ("pastes-what-is-owned", test_pastes_what_is_owned);
  BOTH ("token-is-never-served", test_token_is_never_served);
  BOTH ("cancelled-by-the-next-copy", test_cancelled_by_the_next_copy);
  BOTH ("owned-again", test_owned_again);
  BOTH ("given-up", test_given_up);
  BOTH ("lost-is-not-given-up", test_lost_is_not_given_up);
  BOTH ("name-too-long-to-send", test_name_too_long_to_send);
  BOTH ("owns-hundreds-of-types", test_owns_hundreds_of_types);
  BOTH ("primary-is-followed-if-wanted", test_primary_is_followed_if_wanted);
  BOTH ("primary-is-ignored-otherwise", test_primary_is_ignored_otherwise);
  g_test_add_func ("/wayland/manager-without-primary", test_manager_without_primary);
  BOTH ("seats-come-and-go", test_seats_come_and_go);
  BOTH ("cleared-when-no-seat-has-any", test_cleared_when_no_seat_has_any);
  BOTH ("owned-on-all-seats", test_owned_on_all_seats);
  BOTH ("finished-device-is-dropped", test_finished_device_is_dropped);
  BOTH ("quit-disconnects", test_quit_disconnects);
  BOTH ("last-copy-before-the-end", test_last_copy_before_the_end);
  BOTH ("error-disconnects", test_error_disconnects);
  BOTH ("withdrawal-disconnects", test_withdrawal_disconnects);
  BOTH ("let-go-in-its-own-signal", test_let_go_in_its_own_signal);
  g_test_add_func ("/wayland/without-data-control", test_without_data_control);
  g_test_add_func ("/wayland/without-compositor", test_without_compositor);
  return g_test_run ();
}

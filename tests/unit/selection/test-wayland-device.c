/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "clip-fd.h"
#include "desk.h"

#include <signal.h>

/* what is offered */

static void
test_first_offer_is_initial (const void *protocol)
{
  g_autoptr (Desk) desk = desk_new (protocol, 1);

  desk_tell (desk, "offer text/html=a text/plain;charset=utf-8=b");
  desk_sit_down (desk, FALSE);
  g_assert_cmpstr (clip_backend_name (desk->backend), ==, protocol);
  desk_expect (desk, "offered initial text/html text/plain;charset=utf-8");
  desk_tell (desk, "offer text/plain=c");
  desk_expect (desk, "offered text/plain");
}

static void
test_empty_start_is_no_news (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_tell (desk, "offer text/plain=a");
  desk_expect (desk, "offered text/plain");
}

static void
test_cleared_once (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_tell (desk, "offer text/plain=a");
  desk_tell (desk, "clear");
  desk_tell (desk, "clear");
  desk_tell (desk, "offer text/plain=b");
  desk_expect (desk, "offered text/plain");
  desk_expect (desk, "cleared");
  desk_expect (desk, "offered text/plain");
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

      desk_expect (desk, event);
    }
  for (int i = 0; i < 200; i++)
    g_free (play_next_line (desk->play));
}

static void
test_more_types_are_counted (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_tell (desk, "offer-many 300 100");
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

  desk_tell (desk, "offer-many 20 4000");
  desk_expect (desk, "offered ");
  g_assert_cmpuint (clip_offer_n_dropped (desk->offer), ==, 20);
}

static void
test_odd_names_are_dropped (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_tell (desk, "offer text/caf%C3%A9=a text/a%0Ab=b text/%FF=c text/plain=d =e");
  desk_expect (desk, "offered text/plain");
  g_assert_cmpuint (clip_offer_n_dropped (desk->offer), ==, 4);
}

/* the compositor counts the objects that we have not destroyed */
static void
test_old_offers_are_destroyed (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  for (int i = 0; i < 5; i++)
    {
      desk_tell (desk, "offer text/plain=a");
      desk_expect (desk, "offered text/plain");
    }
  desk_await_answer (desk, "stats", "devices=1 offers=1");
  desk_tell (desk, "clear");
  desk_expect (desk, "cleared");
  desk_await_answer (desk, "stats", "devices=1 offers=0");
}

static void
test_introduced_and_forgotten (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  for (int i = 0; i < 20; i++)
    desk_tell (desk, "introduce text/plain=a");
  desk_await_answer (desk, "stats", "devices=1 offers=4");
  desk_tell (desk, "offer text/html=b");
  desk_expect (desk, "offered text/html");
  desk_await_answer (desk, "stats", "devices=1 offers=1");
}

/* receiving */

static void
test_receives_what_was_copied (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (GBytes) large = NULL;

  desk_tell (desk,
             "offer text/plain=some%20text text/html=<b> application/x-zeros=*1000000");
  desk_expect (desk, "offered text/plain text/html application/x-zeros");
  desk_assert_receives (desk, "text/html", "<b>");
  desk_assert_receives (desk, "text/plain", "some text");
  large = desk_receive (desk, "application/x-zeros");
  g_assert_cmpuint (g_bytes_get_size (large), ==, 1000000);
}

static void
test_bad_sources_just_end (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_tell (desk, "offer a/none=!close a/half=!close@3:abcdef");
  desk_expect (desk, "offered a/none a/half");
  desk_assert_receives (desk, "a/none", "");
  desk_assert_receives (desk, "a/half", "abc");
  desk_assert_receives (desk, "a/unknown", "");
}

static void
test_replaced_offer_is_refused (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (ClipOffer) first = NULL;
  g_autoptr (GError) error = NULL;
  clip_autofd int read_fd = -1;

  desk_tell (desk, "offer text/plain=a");
  desk_expect (desk, "offered text/plain");
  first = g_object_ref (desk->offer);
  desk_tell (desk, "offer text/plain=b");
  desk_expect (desk, "offered text/plain");
  g_assert_true (clip_offer_is_replaced (first));
  g_assert_cmpint (desk_receive_from (desk, first, "text/plain", &read_fd, &error), ==,
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

  desk_tell (desk, "offer a/large=*1000000");
  desk_expect (desk, "offered a/large");
  desk_receive_from (desk, desk->offer, "a/large", &read_fd, NULL);
  desk_await_answer (desk, "types", "script a/large");
  desk_tell (desk, "offer text/plain=b");
  desk_expect (desk, "offered text/plain");
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

  desk_tell (desk, "offer text/plain=a");
  desk_expect (desk, "offered text/plain");
  play_signal (desk->play, SIGSTOP);
  g_assert_cmpint (desk_receive_from (desk, desk->offer, "text/plain", &read_fd, NULL),
                   ==, CLIP_VERDICT_EOF);
  desk_own_text (desk);
  play_signal (desk->play, SIGCONT);
  bytes = clip_read_to_end (read_fd, 100, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 1);
  desk_expect (desk, DESK_OWN_TEXT);
}

/* the primary selection */

static void
test_primary_is_followed_if_wanted (const void *protocol)
{
  g_autoptr (Desk) desk = desk_new (protocol, 1);
  static const char *const mimes[] = { "text/plain", NULL };

  desk_tell (desk, "primary offer text/plain=a");
  desk_sit_down (desk, TRUE);
  desk_expect (desk, "offered primary initial text/plain");
  desk_assert_receives (desk, "text/plain", "a");
  desk_tell (desk, "primary offer text/html=b");
  desk_expect (desk, "offered primary text/html");
  desk_tell (desk, "primary clear");
  desk_expect (desk, "cleared primary");
  g_assert_true (desk_own (desk, CLIP_SELECTION_PRIMARY, mimes, NULL));
  desk_expect (desk, "offered primary own text/plain");
  desk_paste (desk, "primary paste", "text/plain", "selected");
  desk_tell (desk, "offer text/plain=b");
  desk_expect (desk, "offered text/plain");
}

static void
test_primary_is_ignored_otherwise (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_tell (desk, "primary offer text/plain=a");
  desk_tell (desk, "primary offer text/plain=b");
  desk_tell (desk, "offer text/plain=c");
  desk_expect (desk, "offered text/plain");
  desk_await_answer (desk, "stats", "devices=1 offers=1");
}

/* the compositor ends the connection of whoever asks it for the primary selection */
static void
test_manager_without_primary (void)
{
  g_autoptr (Desk) desk = desk_new ("wlr1", 1);
  static const char *const mimes[] = { "text/plain", NULL };
  g_autoptr (GError) error = NULL;

  desk_sit_down (desk, TRUE);
  g_assert_cmpstr (clip_backend_name (desk->backend), ==, "wlr");
  g_assert_false (desk_own (desk, CLIP_SELECTION_PRIMARY, mimes, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  clip_backend_disown (desk->backend, CLIP_SELECTION_PRIMARY);
  desk_tell (desk, "offer text/plain=a");
  desk_expect (desk, "offered text/plain");
  desk_assert_receives (desk, "text/plain", "a");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  alarm (50); /* whatever is waited for in vain */
  DESK_TEST ("/wayland-device", "first-offer-is-initial", test_first_offer_is_initial);
  DESK_TEST ("/wayland-device", "empty-start-is-no-news", test_empty_start_is_no_news);
  DESK_TEST ("/wayland-device", "cleared-once", test_cleared_once);
  DESK_TEST ("/wayland-device", "quick-copies-are-all-seen",
             test_quick_copies_are_all_seen);
  DESK_TEST ("/wayland-device", "more-types-are-counted", test_more_types_are_counted);
  DESK_TEST ("/wayland-device", "huge-names-are-dropped", test_huge_names_are_dropped);
  DESK_TEST ("/wayland-device", "odd-names-are-dropped", test_odd_names_are_dropped);
  DESK_TEST ("/wayland-device", "old-offers-are-destroyed",
             test_old_offers_are_destroyed);
  DESK_TEST ("/wayland-device", "introduced-and-forgotten",
             test_introduced_and_forgotten);
  DESK_TEST ("/wayland-device", "receives-what-was-copied",
             test_receives_what_was_copied);
  DESK_TEST ("/wayland-device", "bad-sources-just-end", test_bad_sources_just_end);
  DESK_TEST ("/wayland-device", "replaced-offer-is-refused",
             test_replaced_offer_is_refused);
  DESK_TEST ("/wayland-device", "transfer-outlives-its-offer",
             test_transfer_outlives_its_offer);
  DESK_TEST ("/wayland-device", "frozen-compositor-blocks-nobody",
             test_frozen_compositor_blocks_nobody);
  DESK_TEST ("/wayland-device", "primary-is-followed-if-wanted",
             test_primary_is_followed_if_wanted);
  DESK_TEST ("/wayland-device", "primary-is-ignored-otherwise",
             test_primary_is_ignored_otherwise);
  g_test_add_func ("/wayland-device/manager-without-primary",
                   test_manager_without_primary);
  return g_test_run ();
}

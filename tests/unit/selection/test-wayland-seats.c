/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "desk.h"

#include <unistd.h>

static void
test_seats_come_and_go (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_tell (desk, "seat-add");
  desk_await_answer (desk, "seat 2 stats", "devices=1");
  desk_tell (desk, "seat 2 offer text/plain=a");
  desk_expect (desk, "offered text/plain");
  desk_assert_receives (desk, "text/plain", "a");
  desk_tell (desk, "seat 2 seat-remove");
  desk_expect (desk, "cleared");
  g_assert_true (clip_offer_is_replaced (desk->offer));
  desk_tell (desk, "offer text/html=b");
  desk_expect (desk, "offered text/html");
  desk_tell (desk, "seat-remove");
  desk_expect (desk, "cleared");
  desk_tell (desk, "seat-add");
  desk_await_answer (desk, "seat 3 stats", "devices=1");
  desk_tell (desk, "seat 3 offer text/x-c=c");
  desk_expect (desk, "offered text/x-c");
}

static void
test_cleared_when_no_seat_has_any (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 2);

  desk_tell (desk, "seat 1 offer text/plain=a");
  desk_expect (desk, "offered text/plain");
  desk_tell (desk, "seat 2 offer text/html=b");
  desk_expect (desk, "offered text/html");
  desk_tell (desk, "seat 1 clear");
  desk_tell (desk, "seat 2 clear");
  desk_expect (desk, "cleared");
}

static void
test_owned_on_all_seats (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 2);

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  desk_expect (desk, DESK_OWN_TEXT);
  desk_paste (desk, "seat 1 paste", "text/plain", "first");
  desk_paste (desk, "seat 2 paste", "text/plain", "second");
  desk_tell (desk, "seat 1 offer text/html=a");
  desk_expect (desk, "offered text/html");
  g_assert_cmpuint (desk->n_cancelled, ==, 0);
  desk_paste (desk, "seat 2 paste", "text/plain", "still there");
  desk_tell (desk, "seat 2 seat-remove");
  while (desk->n_cancelled == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_finished_device_is_dropped (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  static const char *const mimes[] = { "text/plain", NULL };
  g_autoptr (GError) error = NULL;

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  desk_tell (desk, "finished");
  desk_expect (desk, "cleared");
  g_assert_cmpuint (desk->n_cancelled, ==, 1);
  g_assert_true (clip_offer_is_replaced (desk->offer));
  g_assert_false (desk_own (desk, CLIP_SELECTION_CLIPBOARD, mimes, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  desk_tell (desk, "seat-add");
  desk_await_answer (desk, "seat 2 stats", "devices=1");
  desk_tell (desk, "seat 2 offer text/html=a");
  desk_expect (desk, "offered text/html");
  desk_tell (desk, "seat 1 seat-remove");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  alarm (50); /* whatever is waited for in vain */
  DESK_TEST ("/wayland-seats", "seats-come-and-go", test_seats_come_and_go);
  DESK_TEST ("/wayland-seats", "cleared-when-no-seat-has-any",
             test_cleared_when_no_seat_has_any);
  DESK_TEST ("/wayland-seats", "owned-on-all-seats", test_owned_on_all_seats);
  DESK_TEST ("/wayland-seats", "finished-device-is-dropped",
             test_finished_device_is_dropped);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "desk.h"

#include <unistd.h>

static void
test_own_offer_is_known (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autofree char *types = NULL;
  g_autofree char *expected = NULL;

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  expected = g_strdup_printf ("client text/plain;charset=utf-8 text/plain %s",
                              clip_source_token ());
  types = play_tell (desk->play, "types");
  g_assert_cmpstr (types, ==, expected);
}

static void
test_pastes_what_is_owned (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  desk_paste (desk, "paste", "text/plain", "our text");
  desk_paste (desk, "paste-socket", "text/plain;charset=utf-8", "again");
}

static void
test_token_is_never_served (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  desk_start_paste (desk, "paste", clip_source_token ());
  desk_assert_pasted (desk, "");
  desk_start_paste (desk, "paste", "text/html");
  desk_assert_pasted (desk, "");
  g_assert_true (g_queue_is_empty (desk->requests));
}

static void
test_cancelled_by_the_next_copy (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autoptr (ClipRequest) request = NULL;

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  desk_start_paste (desk, "paste", "text/plain");
  request = desk_next_request (desk);
  desk_tell (desk, "offer text/html=a");
  desk_expect (desk, "offered text/html");
  g_assert_cmpuint (desk->n_cancelled, ==, 1);
  desk_answer (request, "asked for in time");
  desk_assert_pasted (desk, "asked for in time");
}

static void
test_owned_again (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_own_text (desk);
  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  desk_expect (desk, DESK_OWN_TEXT);
  g_assert_cmpuint (desk->n_cancelled, ==, 1);
  desk_paste (desk, "paste", "text/plain", "newer");
}

static void
test_given_up (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  clip_backend_disown (desk->backend, CLIP_SELECTION_CLIPBOARD);
  desk_expect (desk, "cleared");
  g_assert_cmpuint (desk->n_cancelled, ==, 1);
  desk_await_answer (desk, "types", "none");
}

static void
test_lost_is_not_given_up (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  desk_tell (desk, "offer text/html=a");
  desk_expect (desk, "offered text/html");
  clip_backend_disown (desk->backend, CLIP_SELECTION_CLIPBOARD);
  desk_own_text (desk); /* a point behind the one before */
  desk_expect (desk, DESK_OWN_TEXT);
}

static void
test_name_too_long_to_send (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autofree char *name = g_strnfill (5000, 'x');
  const char *mimes[] = { name, "text/plain", NULL };

  g_assert_true (desk_own (desk, CLIP_SELECTION_CLIPBOARD, mimes, NULL));
  desk_expect (desk, "offered own text/plain");
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
  g_assert_true (
      desk_own (desk, CLIP_SELECTION_CLIPBOARD, (const char *const *) mimes, NULL));
  while (!desk->offer)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (clip_offer_is_own (desk->offer));
  g_assert_cmpuint (g_strv_length ((char **) (gpointer) clip_offer_mimes (desk->offer)),
                    ==, CLIP_OFFER_MAX_MIMES);
  g_queue_clear_full (desk->events, g_free);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  alarm (50); /* whatever is waited for in vain */
  DESK_TEST ("/wayland-owned", "own-offer-is-known", test_own_offer_is_known);
  DESK_TEST ("/wayland-owned", "pastes-what-is-owned", test_pastes_what_is_owned);
  DESK_TEST ("/wayland-owned", "token-is-never-served", test_token_is_never_served);
  DESK_TEST ("/wayland-owned", "cancelled-by-the-next-copy",
             test_cancelled_by_the_next_copy);
  DESK_TEST ("/wayland-owned", "owned-again", test_owned_again);
  DESK_TEST ("/wayland-owned", "given-up", test_given_up);
  DESK_TEST ("/wayland-owned", "lost-is-not-given-up", test_lost_is_not_given_up);
  DESK_TEST ("/wayland-owned", "name-too-long-to-send", test_name_too_long_to_send);
  DESK_TEST ("/wayland-owned", "owns-hundreds-of-types", test_owns_hundreds_of_types);
  return g_test_run ();
}

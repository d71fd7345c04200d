/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the X11 backend comes to own a selection, and how it loses it. */
#include "clip-error.h"
#include "clip-source.h"
#include "x11-owner-rig.h"

#define MIB ((gsize) 1 << 20)
#define CLIPBOARD "-selection clipboard"

static XServer *server;

static void
test_own_offer_is_flagged (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);

  g_assert_true (clip_offer_is_own (owner->ear->offer));
  g_assert_true (clip_offer_has_mime (owner->ear->offer, "image/png"));
  g_assert_cmpuint (owner->n_requests, ==, 0);
}

static void
test_another_connection_of_ours_knows_it (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 5);
  g_autoptr (Ear) other = ear_new (server, FALSE);

  /* the same process has the same token, whichever connection asks */
  until (other->n_offered == 1);
  g_assert_true (clip_offer_is_own (other->offer));
  g_assert_true (clip_offer_is_initial (other->offer));
}

static void
test_loss_is_told_and_what_runs_is_finished (void)
{
  g_autoptr (Owner) owner = owner_new (server, MIB);
  g_autoptr (X11Peer) reader = x11_peer_new (server->display);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) bytes = NULL;

  x11_peer_ask (reader, "image/png", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (reader) == 1);
  x11_peer_offer (peer, "text/plain", PEER_TELLS, "new");
  x11_peer_own (peer, "CLIPBOARD");
  until (owner->n_cancelled == 1);
  until (!clip_offer_is_own (owner->ear->offer));
  /* what runs is finished all the same */
  bytes = owner_read_incr (owner, reader, "P", x11_peer_changes (reader, "P"));
  owner_assert_bytes (bytes, "image/png", MIB);
}

/* by another program: pastes would find nothing */
static void
test_forged_loss_is_none (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_forge_loss (peer, "CLIPBOARD");
  x11_peer_ask (peer, "image/png", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  g_assert_cmpuint (owner->n_requests, ==, 1);
  g_assert_cmpuint (owner->n_cancelled, ==, 0);
}

/* it was on its way when the clipboard became somebody else's */
static void
test_request_after_the_loss_is_refused (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  const xcb_window_t ours = x11_peer_owner_of (peer, "CLIPBOARD");

  x11_peer_ask_window (peer, ours, "text/html", "P");
  until (x11_peer_answers (peer) == 1);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "P");
  x11_peer_grab (peer, TRUE);
  x11_peer_own (peer, "CLIPBOARD");
  x11_peer_ask_window (peer, ours, "text/html", "P");
  x11_peer_grab (peer, FALSE);
  until (x11_peer_answers (peer) == 2);
  g_assert_null (x11_peer_answer (peer));
  g_assert_cmpuint (owner->n_requests, ==, 1);
}

static void
test_xclip_takes_over (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (Program) program = xserver_run (server, "printf new | xclip -i " CLIPBOARD);

  until (owner->n_cancelled == 1);
  until (!clip_offer_is_own (owner->ear->offer));
  g_assert_true (program_wait (program));
}

static void
test_owning_again_replaces (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  ClipSource *first = owner->source;
  guint seen = owner->ear->n_offered;

  owner_offer (owner);
  until (owner->ear->n_offered > seen);
  until (owner->n_cancelled == 1);
  g_assert_true (clip_offer_is_own (owner->ear->offer));
  owner_assert_pastes (server, "xclip -o " CLIPBOARD " -t text/html", "text/html", 5);
  g_signal_handlers_disconnect_by_data (first, owner);
  g_assert_finalize_object (first);
}

static void
on_cancelled (ClipSource *source G_GNUC_UNUSED, guint *n_cancelled)
{
  ++*n_cancelled;
}

/* what is to be offered only where there is nothing */
static ClipSource *
fill (Ear *ear, guint *n_cancelled)
{
  static const char *const mimes[] = { "text/html", CLIP_SOURCE_FILLS, NULL };
  ClipSource *source = clip_source_new (mimes);
  g_autoptr (GError) error = NULL;

  g_signal_connect (source, "cancelled", G_CALLBACK (on_cancelled), n_cancelled);
  clip_backend_own (ear->backend, CLIP_SELECTION_CLIPBOARD, source, &error);
  g_assert_no_error (error);
  return source;
}

static void
test_filling_takes_what_is_empty (void)
{
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  guint n_cancelled = 0;
  g_autoptr (ClipSource) source = fill (ear, &n_cancelled);

  until (ear->offer && clip_offer_is_own (ear->offer));
  g_assert_cmpuint (n_cancelled, ==, 0);
  g_signal_handlers_disconnect_by_data (source, &n_cancelled);
}

/* we need not have heard of it yet */
static void
test_filling_replaces_no_copy (void)
{
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (ClipSource) source = NULL;
  guint counter = 0;
  const guint *n_cancelled = &counter;

  x11_peer_offer (peer, "text/plain", PEER_TELLS, "new");
  x11_peer_own (peer, "CLIPBOARD");
  g_assert_true (x11_peer_is_owner (peer, "CLIPBOARD"));
  source = fill (ear, &counter);
  until (*n_cancelled == 1);
  g_assert_true (x11_peer_is_owner (peer, "CLIPBOARD"));
}

/* its time is that of a key that was pressed before the last owner ended */
static void
test_filling_yields_to_a_slow_copy (void)
{
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (ClipSource) source = NULL;
  g_autoptr (X11Peer) leaving = x11_peer_new (server->display);
  g_autoptr (X11Peer) slow = x11_peer_new (server->display);
  xcb_timestamp_t pressed;
  guint counter = 0;
  const guint *n_cancelled = &counter;

  x11_peer_offer (leaving, "text/plain", PEER_TELLS, "old");
  x11_peer_own (leaving, "CLIPBOARD");
  until (ear->n_offered == 1);
  pressed = x11_peer_now (slow);
  /* a claim that is dated by the question for the owner has a later time */
  while (x11_peer_now (slow) - pressed < 3)
    ;
  g_clear_pointer (&leaving, x11_peer_free);
  until (ear->n_cleared == 1);
  source = fill (ear, &counter);
  until (clip_offer_is_own (ear->offer));
  x11_peer_offer (slow, "text/plain", PEER_TELLS, "new");
  x11_peer_own_as_of (slow, "CLIPBOARD", pressed);
  g_assert_true (x11_peer_is_owner (slow, "CLIPBOARD"));
  until (*n_cancelled == 1);
}

static void
test_disown_clears (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);

  clip_backend_disown (owner->ear->backend, CLIP_SELECTION_CLIPBOARD);
  until (owner->ear->n_cleared == 1);
  until (owner->n_cancelled == 1);
  clip_backend_disown (owner->ear->backend, CLIP_SELECTION_CLIPBOARD);
}

static void
test_disown_leaves_a_newer_owner_alone (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;
  const xcb_timestamp_t now = x11_peer_now (peer);

  x11_peer_offer (peer, "text/plain", PEER_TELLS, "new");
  /* within one millisecond the server cannot tell older from newer */
  while (x11_peer_now (peer) == now)
    ;
  x11_peer_grab (peer, TRUE);
  clip_backend_disown (owner->ear->backend, CLIP_SELECTION_CLIPBOARD);
  x11_peer_own (peer, "CLIPBOARD");
  x11_peer_grab (peer, FALSE);
  until (owner->n_cancelled == 1);
  until (clip_offer_has_mime (owner->ear->offer, "text/plain"));
  take = take_new (owner->ear, "text/plain");
  text = take_text (take);
  g_assert_cmpstr (text, ==, "new");
  g_assert_cmpuint (owner->ear->n_cleared, ==, 0);
}

static void
test_server_death_cancels (void)
{
  g_autoptr (XServer) dying = xserver_start (NULL);
  g_autoptr (Owner) owner = owner_new (dying, 5);
  g_autoptr (GError) error = NULL;

  program_kill (dying->program);
  until (owner->n_cancelled == 1);
  until (owner->ear->n_disconnected == 1);
  g_assert_false (clip_backend_own (owner->ear->backend, CLIP_SELECTION_CLIPBOARD,
                                    owner->source, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

static const RigTest tests[] = {
  { "/x11/own-offer-is-flagged", test_own_offer_is_flagged },
  { "/x11/another-connection-of-ours-knows-it",
    test_another_connection_of_ours_knows_it },
  { "/x11/loss-is-told-and-what-runs-is-finished",
    test_loss_is_told_and_what_runs_is_finished },
  { "/x11/forged-loss-is-none", test_forged_loss_is_none },
  { "/x11/request-after-the-loss-is-refused", test_request_after_the_loss_is_refused },
  { "/x11/xclip-takes-over", test_xclip_takes_over },
  { "/x11/owning-again-replaces", test_owning_again_replaces },
  { "/x11/filling-takes-what-is-empty", test_filling_takes_what_is_empty },
  { "/x11/filling-replaces-no-copy", test_filling_replaces_no_copy },
  { "/x11/filling-yields-to-a-slow-copy", test_filling_yields_to_a_slow_copy },
  { "/x11/disown-clears", test_disown_clears },
  { "/x11/disown-leaves-a-newer-owner-alone", test_disown_leaves_a_newer_owner_alone },
  { "/x11/server-death-cancels", test_server_death_cancels },
};

int
main (int argc, char *argv[])
{
  return rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program that ends gets of the clipboard manager, and how there comes to be
   one. */
#include "clip-source.h"
#include "x11-rig.h"

#define MANAGER "CLIPBOARD_MANAGER"

static XServer *server;

typedef struct
{
  Ear *ear;
  GPtrArray *requests;
  gboolean refuses;
} Keeper;

static void
on_save (ClipBackend *backend G_GNUC_UNUSED, ClipRequest *request, Keeper *self)
{
  if (!self->refuses)
    g_ptr_array_add (self->requests, g_object_ref (request));
}

static Keeper *
keeper_new (void)
{
  Keeper *self = g_new0 (Keeper, 1);

  self->ear = ear_new (xserver_empty (server), FALSE);
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
  g_signal_connect (self->ear->backend, "save", G_CALLBACK (on_save), self);
  return self;
}

static void
keeper_free (Keeper *self)
{
  g_signal_handlers_disconnect_by_data (self->ear->backend, self);
  g_ptr_array_unref (self->requests);
  ear_free (self->ear);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Keeper, keeper_free)

static void
ask_save (X11Peer *peer)
{
  x11_peer_ask_of (peer, MANAGER, "SAVE_TARGETS", "P");
}

static void
test_answered_when_all_is_kept (void)
{
  g_autoptr (Keeper) keeper = keeper_new ();
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) nothing = NULL;
  g_autofree char *type = NULL;

  until (x11_peer_has_owner (peer, MANAGER));
  ask_save (peer);
  until (keeper->requests->len == 1);
  x11_peer_now (peer);
  g_assert_cmpuint (x11_peer_answers (peer), ==, 0);
  clip_request_finish (g_ptr_array_index (keeper->requests, 0), TRUE);
  until (x11_peer_answers (peer) == 1);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "P");
  nothing = x11_peer_read (peer, "P", &type);
  g_assert_cmpstr (type, ==, "NULL");
  g_assert_cmpuint (g_bytes_get_size (nothing), ==, 0);
}

static void
test_what_is_not_kept_is_refused (void)
{
  g_autoptr (Keeper) keeper = keeper_new ();
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  until (x11_peer_has_owner (peer, MANAGER));
  ask_save (peer);
  until (keeper->requests->len == 1);
  clip_request_finish (g_ptr_array_index (keeper->requests, 0), FALSE);
  until (x11_peer_answers (peer) == 1);
  g_assert_null (x11_peer_answer (peer));
  /* and so it is where nobody listens */
  keeper->refuses = TRUE;
  ask_save (peer);
  until (x11_peer_answers (peer) == 2);
  g_assert_null (x11_peer_answer (peer));
}

static void
test_program_that_does_not_wait (void)
{
  g_autoptr (Keeper) keeper = keeper_new ();
  X11Peer *gone = x11_peer_new (server->display);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  until (x11_peer_has_owner (gone, MANAGER));
  ask_save (gone);
  until (keeper->requests->len == 1);
  x11_peer_free (gone);
  clip_request_finish (g_ptr_array_index (keeper->requests, 0), TRUE);
  ask_save (peer);
  until (keeper->requests->len == 2);
}

static void
test_targets_of_the_manager (void)
{
  g_autoptr (Keeper) keeper G_GNUC_UNUSED = keeper_new ();
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) targets = NULL;
  g_autofree char *type = NULL;

  until (x11_peer_has_owner (peer, MANAGER));
  x11_peer_ask_of (peer, MANAGER, "TARGETS", "P");
  until (x11_peer_answers (peer) == 1);
  targets = x11_peer_read (peer, "P", &type);
  g_assert_cmpstr (type, ==, "ATOM");
  g_assert_cmpuint (g_bytes_get_size (targets), ==, 3 * sizeof (guint32));
  x11_peer_ask_of (peer, MANAGER, "TIMESTAMP", "P");
  until (x11_peer_answers (peer) == 2);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "P");
  x11_peer_ask_of (peer, MANAGER, "UTF8_STRING", "P");
  until (x11_peer_answers (peer) == 3);
  g_assert_null (x11_peer_answer (peer));
}

/* the one that was there first stays; when it goes, its place is taken */
static void
test_other_manager_is_let_be (void)
{
  X11Peer *other = x11_peer_new (server->display);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (Keeper) keeper = NULL;

  x11_peer_own (other, MANAGER);
  keeper = keeper_new ();
  /* a copy is heard of after everything that was asked at the start */
  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "text");
  x11_peer_own (peer, "CLIPBOARD");
  until (keeper->ear->n_offered == 1);
  g_assert_true (x11_peer_is_owner (other, MANAGER));
  x11_peer_free (other);
  until (x11_peer_has_owner (peer, MANAGER));
  ask_save (peer);
  until (keeper->requests->len == 1);
  /* one that takes over is not fought */
  x11_peer_own (peer, MANAGER);
  x11_peer_own (peer, "CLIPBOARD");
  until (keeper->ear->n_offered == 2);
  g_assert_true (x11_peer_is_owner (peer, MANAGER));
}

static void
test_window_that_another_program_destroys (void)
{
  g_autoptr (Keeper) keeper = keeper_new ();
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  until (x11_peer_has_owner (peer, MANAGER));
  x11_peer_shut_owner (peer, MANAGER);
  until (x11_peer_has_owner (peer, MANAGER));
  ask_save (peer);
  until (keeper->requests->len == 1);
}

static const RigTest tests[] = {
  { "/x11-clipboard-manager/answered-when-all-is-kept", test_answered_when_all_is_kept },
  { "/x11-clipboard-manager/what-is-not-kept-is-refused",
    test_what_is_not_kept_is_refused },
  { "/x11-clipboard-manager/program-that-does-not-wait",
    test_program_that_does_not_wait },
  { "/x11-clipboard-manager/targets-of-the-manager", test_targets_of_the_manager },
  { "/x11-clipboard-manager/other-manager-is-let-be", test_other_manager_is_let_be },
  { "/x11-clipboard-manager/window-that-another-program-destroys",
    test_window_that_another_program_destroys },
};

int
main (int argc, char *argv[])
{
  return rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
}

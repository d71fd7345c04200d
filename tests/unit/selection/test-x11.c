/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the X11 backend hears on private servers, from real programs where they do what is
 * needed, and from a peer of our own where they do not. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clip-error.h"
#include "clip-x11-atoms.h"
#include "clip-x11.h"
#include "x11-peer.h"
#include "x11-rig.h"

#define CLIPBOARD "-selection clipboard"

static XServer *server;

static void
assert_mimes (ClipOffer *offer, const char *expected)
{
  g_autofree char *mimes = g_strjoinv (" ", (char **) clip_offer_mimes (offer));

  g_assert_cmpstr (mimes, ==, expected);
}

static void
test_targets_become_types (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);

  x11_peer_list (peer, "TARGETS");
  x11_peer_list (peer, "x-kde-passwordManagerHint");
  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "secret");
  x11_peer_list (peer, "DELETE");
  x11_peer_list (peer, "MULTIPLE");
  x11_peer_list (peer, "text/plain;charset=utf-8");
  x11_peer_list (peer, "UTF8_STRING");
  x11_peer_list (peer, "not\na type");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  assert_mimes (ear->offer,
                "x-kde-passwordManagerHint UTF8_STRING text/plain;charset=utf-8");
  g_assert_cmpuint (clip_offer_n_dropped (ear->offer), ==, 2);
  g_assert_false (clip_offer_is_initial (ear->offer));
  g_assert_false (clip_offer_is_own (ear->offer));
  /* a list of types is all that anybody asked for */
  g_assert_cmpuint (x11_peer_asked (peer, "UTF8_STRING"), ==, 0);
  g_assert_cmpuint (x11_peer_asked (peer, "x-kde-passwordManagerHint"), ==, 0);
  g_assert_cmpuint (x11_peer_asked (peer, "DELETE"), ==, 0);
}

/* what is behind them may be the mark of a secret */
static void
test_names_too_long_to_read_are_a_secret (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);

  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "text");
  for (int i = 0; i < 70; i++)
    {
      g_autofree char *tail = g_strnfill (60000, 'q');
      g_autofree char *name = g_strdup_printf ("long/%d%s", i, tail);

      x11_peer_list (peer, name);
    }
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  g_assert_cmpint (clip_offer_secrecy (ear->offer), ==, CLIP_SECRECY_SECRET);
  g_assert_cmpuint (clip_offer_n_dropped (ear->offer), <, 70);
}

static void
assert_asked_between (X11Peer *peer, xcb_timestamp_t before, xcb_timestamp_t after)
{
  g_assert_cmpuint (x11_peer_asked_when (peer), >=, before);
  g_assert_cmpuint (x11_peer_asked_when (peer), <=, after);
}

/* ICCCM 2.4: not as of whenever the question arrives */
static void
test_asked_as_of_the_copy (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;
  xcb_timestamp_t before;
  xcb_timestamp_t after;

  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "text");
  before = x11_peer_now (peer);
  x11_peer_own (peer, "CLIPBOARD");
  after = x11_peer_now (peer);
  until (ear->n_offered == 1);
  assert_asked_between (peer, before, after);
  while (x11_peer_now (peer) == after)
    ;
  take = take_new (ear, "UTF8_STRING");
  text = take_text (take);
  assert_asked_between (peer, before, after);
}

static void
test_xclip_is_received (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;

  xserver_run_to_end (server,
                      "printf 'some text' | xclip -i " CLIPBOARD " -t UTF8_STRING");
  until (ear->n_offered == 1);
  assert_mimes (ear->offer, "UTF8_STRING");
  take = take_new (ear, "UTF8_STRING");
  text = take_text (take);
  g_assert_cmpstr (text, ==, "some text");
}

static void
test_xsel_is_received (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;

  xserver_run_to_end (server, "printf 'other text' | xsel -i -b");
  until (ear->n_offered == 1);
  g_assert_true (clip_offer_has_mime (ear->offer, "UTF8_STRING"));
  take = take_new (ear, "UTF8_STRING");
  text = take_text (take);
  g_assert_cmpstr (text, ==, "other text");
}

static void
test_what_was_there_is_initial (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = NULL;
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;

  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "before");
  x11_peer_own (peer, "CLIPBOARD");
  ear = ear_new (server, FALSE);
  until (ear->n_offered == 1);
  g_assert_true (clip_offer_is_initial (ear->offer));
  take = take_new (ear, "UTF8_STRING");
  text = take_text (take);
  g_assert_cmpstr (text, ==, "before");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 2);
  g_assert_false (clip_offer_is_initial (ear->offer));
}

static void
test_old_program_has_text (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);

  x11_peer_hide_targets (peer, PEER_REFUSES);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  assert_mimes (ear->offer, "UTF8_STRING STRING");
}

static void
test_silent_owner_voids_the_offer (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new_hasty (server);

  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  x11_peer_hide_targets (peer, PEER_SILENT);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 2);
  g_assert_null (clip_offer_mimes (ear->offer)[0]);
}

/* as one that is at work for longer than anybody waits */
static void
test_silent_owner_is_heard_late (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new_hasty (server);
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;

  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "late");
  x11_peer_hold (peer, TRUE);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  g_assert_null (clip_offer_mimes (ear->offer)[0]);
  x11_peer_hold (peer, FALSE);
  until (ear->n_offered == 2);
  assert_mimes (ear->offer, "UTF8_STRING");
  take = take_new (ear, "UTF8_STRING");
  text = take_text (take);
  g_assert_cmpstr (text, ==, "late");
}

/* but what was there before us may be no copy of now */
static void
test_owner_that_never_tells_is_told_of (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = NULL;

  x11_peer_hide_targets (peer, PEER_SILENT);
  x11_peer_own (peer, "CLIPBOARD");
  ear = ear_new_rash (server);
  until (ear->n_offered == 1);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_stalled == 1);
  g_assert_cmpuint (ear->n_offered, ==, 2);
}

static void
test_newer_copy_supersedes_a_silent_one (void)
{
  g_autoptr (X11Peer) silent = xserver_new_peer (server);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (Ear) ear = ear_new (server, FALSE);

  x11_peer_hide_targets (silent, PEER_SILENT);
  x11_peer_own (silent, "CLIPBOARD");
  x11_peer_now (silent); /* the server has heard of it before the other */
  x11_peer_offer (peer, "text/html", PEER_TELLS, "new");
  x11_peer_own (peer, "CLIPBOARD");
  /* on a slow machine the silent one may have been told of */
  until (ear->n_offered > 0 && *clip_offer_mimes (ear->offer));
  assert_mimes (ear->offer, "text/html");
}

static void
test_owner_exit_clears (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  X11Peer *owner = x11_peer_new (server->display);
  g_autoptr (Ear) ear = ear_new (server, FALSE);

  x11_peer_own (owner, "CLIPBOARD");
  until (ear->n_offered == 1);
  x11_peer_free (owner);
  until (ear->n_cleared == 1);
  g_assert_true (clip_offer_is_replaced (ear->offer));
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 2);
  x11_peer_disown (peer, "CLIPBOARD");
  until (ear->n_cleared == 2);
}

static void
test_primary_only_on_request (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) both = ear_new (server, TRUE);
  g_autoptr (Ear) one = ear_new (server, FALSE);

  x11_peer_own (peer, "PRIMARY");
  until (both->n_offered == 1);
  g_assert_cmpint (clip_offer_selection (both->offer), ==, CLIP_SELECTION_PRIMARY);
  x11_peer_own (peer, "CLIPBOARD");
  until (both->n_offered == 2);
  until (one->n_offered == 1);
  g_assert_cmpint (clip_offer_selection (one->offer), ==, CLIP_SELECTION_CLIPBOARD);
  x11_peer_disown (peer, "PRIMARY");
}

static void
test_server_death_is_told_once (void)
{
  g_autoptr (XServer) dying = xserver_start (NULL);
  g_autoptr (X11Peer) peer = x11_peer_new (dying->display);
  g_autoptr (Ear) ear = ear_new (dying, FALSE);
  g_autoptr (Take) take = NULL;
  g_autoptr (Take) late = NULL;

  x11_peer_offer (peer, "text/html", PEER_SILENT, "");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  take = take_new (ear, "text/html");
  until (x11_peer_asked (peer, "text/html") == 1);
  program_kill (dying->program);
  until (ear->n_disconnected > 0 && take->done);
  g_assert_error (take->error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_true (clip_offer_is_replaced (ear->offer));
  late = take_new (ear, "text/html");
  until (late->done);
  g_assert_error (late->error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_cmpuint (ear->n_disconnected, ==, 1);
}

static void
test_server_without_xfixes_is_refused (void)
{
  static const char *const options[] = { "-extension", "XFIXES", NULL };
  g_autoptr (XServer) old = xserver_start (options);
  g_autoptr (GError) error = NULL;

  g_assert_null (clip_x11_new (old->display, FALSE, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_nonnull (strstr (error->message, "XFIXES"));
}

/* who runs it is told all that we offer; where no socket is there, libxcb tries TCP */
static void
test_server_of_another_user_is_refused (void)
{
  static const char *const as_nobody[] = { "setpriv",
                                           "--reuid=65534",
                                           "--regid=65534",
                                           "--clear-groups",
                                           "--pdeathsig",
                                           "KILL",
                                           "--",
                                           NULL };
  /* under a number that no other test has */
  g_autofree char *name = g_strdup_printf (":%d", 100 + getpid () % 50000);
  const char *const tcp[] = { name,        "-listen", "tcp", "-nolisten", "unix",
                              "-nolisten", "local",   "-ac", NULL };

  if (geteuid () != 0)
    {
      g_test_skip ("only root may start an X server of another user");
      return;
    }
  for (guint is_tcp = 0; is_tcp < 2; is_tcp++)
    {
      g_autoptr (XServer) other = xserver_start_by (as_nobody, is_tcp ? tcp : NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *expected = g_strdup_printf (
          "open X11 display '%s': neither you nor root runs it", other->display);

      g_test_expect_message ("clip-selection", G_LOG_LEVEL_MESSAGE, expected);
      g_assert_null (clip_x11_new (other->display, FALSE, &error));
      g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
      g_test_assert_expected_messages ();
    }
}

static void
test_missing_display_is_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clip_x11_new ("not a display", FALSE, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_clear_error (&error);
  g_assert_null (clip_x11_new (":4999", FALSE, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_cmpstr (error->message, ==, "open X11 display ':4999': cannot connect");
}

/* of more than are asked for at once */
static void
test_no_name_of_a_server_that_has_gone (void)
{
  xcb_connection_t *connection = xcb_connect (server->display, NULL);
  g_autoptr (ClipX11Atoms) atoms = clip_x11_atoms_new (connection);
  xcb_atom_t unknown[130];
  g_auto (GStrv) names = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    unknown[i] = 100000 + i;
  shutdown (xcb_get_file_descriptor (connection), SHUT_RDWR);
  names = clip_x11_atoms_names (atoms, unknown, G_N_ELEMENTS (unknown));
  g_assert_cmpuint (g_strv_length (names), ==, G_N_ELEMENTS (unknown));
  xcb_disconnect (connection);
}

/* some programs stop selecting when they are asked in the middle of it */
static void
test_selection_being_made_is_not_asked_for (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), TRUE);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "text");
  x11_peer_press_button (peer, TRUE);
  x11_peer_own (peer, "PRIMARY");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  g_assert_cmpint (clip_offer_selection (ear->offer), ==, CLIP_SELECTION_CLIPBOARD);
  x11_peer_press_button (peer, FALSE);
  until (ear->n_offered == 2);
  g_assert_cmpint (clip_offer_selection (ear->offer), ==, CLIP_SELECTION_PRIMARY);
}

static void
on_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (clip_backend_sync_finish (CLIP_BACKEND (source), result));
  *(guint *) user_data += 1;
}

static void
test_synced_once_the_owner_has_told (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  guint counter = 0;
  const guint *n_synced = &counter;

  clip_backend_sync_async (ear->backend, on_synced, &counter);
  until (*n_synced == 1);
  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "text");
  x11_peer_hold (peer, TRUE);
  x11_peer_own (peer, "CLIPBOARD");
  x11_peer_now (peer); /* from here on it has happened */
  clip_backend_sync_async (ear->backend, on_synced, &counter);
  until (x11_peer_held (peer) == 1);
  g_assert_cmpuint (*n_synced, ==, 1);
  x11_peer_hold (peer, FALSE);
  until (*n_synced == 2);
  g_assert_cmpuint (ear->n_offered, ==, 1);
}

static void
test_nothing_to_sync_without_a_server (void)
{
  g_autoptr (XServer) dying = xserver_start (NULL);
  g_autoptr (X11Peer) peer = x11_peer_new (dying->display);
  g_autoptr (Ear) ear = ear_new (dying, FALSE);
  guint counter = 0;
  const guint *n_synced = &counter;

  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "text");
  x11_peer_hold (peer, TRUE);
  x11_peer_own (peer, "CLIPBOARD");
  clip_backend_sync_async (ear->backend, on_synced, &counter);
  until (x11_peer_held (peer) == 1);
  program_kill (dying->program);
  until (*n_synced == 1);
  clip_backend_sync_async (ear->backend, on_synced, &counter);
  until (*n_synced == 2);
}

/* the window that asks for the selection, or owns it, says nothing of its program */
static void
test_program_is_known_by_another_window (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_offer (peer, "UTF8_STRING", PEER_TELLS, "text");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  g_assert_null (clip_offer_app (ear->offer));
  /* as the leader of its windows has it, with PyGTK */
  x11_peer_show_window (peer, "");
  x11_peer_show_window (peer, "Editor");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 2);
  g_assert_cmpstr (clip_offer_app (ear->offer), ==, "Editor");
  g_assert_false (clip_offer_is_bridged (ear->offer));
}

/* below a compositor that is the bridge */
static void
test_what_the_window_manager_owns_is_bridged (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) manager = x11_peer_new (server->display);

  x11_peer_manage (manager);
  x11_peer_offer (manager, "UTF8_STRING", PEER_TELLS, "text");
  x11_peer_own (manager, "CLIPBOARD");
  until (ear->n_offered == 1);
  g_assert_true (clip_offer_is_bridged (ear->offer));
}

static const RigTest tests[] = {
  { "/x11/targets-become-types", test_targets_become_types },
  { "/x11/names-too-long-to-read-are-a-secret",
    test_names_too_long_to_read_are_a_secret },
  { "/x11/asked-as-of-the-copy", test_asked_as_of_the_copy },
  { "/x11/xclip-is-received", test_xclip_is_received },
  { "/x11/xsel-is-received", test_xsel_is_received },
  { "/x11/what-was-there-is-initial", test_what_was_there_is_initial },
  { "/x11/old-program-has-text", test_old_program_has_text },
  { "/x11/silent-owner-voids-the-offer", test_silent_owner_voids_the_offer },
  { "/x11/silent-owner-is-heard-late", test_silent_owner_is_heard_late },
  { "/x11/owner-that-never-tells-is-told-of", test_owner_that_never_tells_is_told_of },
  { "/x11/newer-copy-supersedes-a-silent-one", test_newer_copy_supersedes_a_silent_one },
  { "/x11/owner-exit-clears", test_owner_exit_clears },
  { "/x11/primary-only-on-request", test_primary_only_on_request },
  { "/x11/synced-once-the-owner-has-told", test_synced_once_the_owner_has_told },
  { "/x11/nothing-to-sync-without-a-server", test_nothing_to_sync_without_a_server },
  { "/x11/program-is-known-by-another-window", test_program_is_known_by_another_window },
  { "/x11/what-the-window-manager-owns-is-bridged",
    test_what_the_window_manager_owns_is_bridged },
  { "/x11/selection-being-made-is-not-asked-for",
    test_selection_being_made_is_not_asked_for },
  { "/x11/server-death-is-told-once", test_server_death_is_told_once },
  { "/x11/no-name-of-a-server-that-has-gone", test_no_name_of_a_server_that_has_gone },
  { "/x11/server-without-xfixes-is-refused", test_server_without_xfixes_is_refused },
  { "/x11/server-of-another-user-is-refused", test_server_of_another_user_is_refused },
  { "/x11/missing-display-is-refused", test_missing_display_is_refused },
};

int
main (int argc, char *argv[])
{
  return rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
}

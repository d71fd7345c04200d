/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An X server whose memory is full answers a large property with BadAlloc: who pastes is
 * refused, who comes later, when there is room again, is served. The server has
 * short-memory loaded, which refuses it one property. */
#include <glib/gstdio.h>

#include "x11-owner-rig.h"

/* one property, not an INCR; and one of an INCR */
#define CLIP_BYTES (200 * 1024)
#define CHUNK_BYTES (256 * 1024)

static XServer *server;
static char *sign; /* while it is there, no property of CLIP_BYTES is made */

static void
fill_server (void)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (sign, "", 0, &error);
  g_assert_no_error (error);
}

static void
empty_server (void)
{
  g_assert_no_errno (g_unlink (sign));
}

static void
assert_refused (X11Peer *peer, const char *target)
{
  const guint n = x11_peer_answers (peer);

  x11_peer_ask (peer, target, "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == n + 1);
  g_assert_null (x11_peer_answer (peer));
}

static void
test_property_that_does_not_fit_is_refused (void)
{
  g_autoptr (Owner) owner = owner_new (server, CLIP_BYTES);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) bytes = NULL;

  fill_server ();
  assert_refused (peer, "text/html");
  assert_refused (peer, "image/png");
  until (owner->n_answered == 2);
  empty_server ();
  x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 3);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "P");
  bytes = x11_peer_read (peer, "P", NULL);
  owner_assert_bytes (bytes, "text/html", CLIP_BYTES);
  g_assert_cmpuint (owner->ear->n_disconnected, ==, 0);
}

/* of two chunks there is no room for the last: what was begun has broken off, and nobody
   waits */
static void
test_incr_that_does_not_fit_ends (void)
{
  g_autoptr (Owner) owner = owner_new (server, CHUNK_BYTES + CLIP_BYTES);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  guint n_seen;

  x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  n_seen = x11_peer_changes (peer, "P");
  g_bytes_unref (x11_peer_read (peer, "P", NULL)); /* asks for the first chunk */
  until (x11_peer_changes (peer, "P") == n_seen + 1);
  until (owner->n_answered == 1);
  /* two turns later the backend knows that, and has all that is left in its hands */
  assert_refused (peer, "image/gif");
  assert_refused (peer, "image/gif");
  fill_server ();
  g_bytes_unref (x11_peer_read (peer, "P", NULL)); /* and this for the last */
  assert_refused (peer, "image/gif");
  empty_server ();
  g_assert_cmpuint (x11_peer_changes (peer, "P"), ==, n_seen + 1);
  owner_assert_pastes (server, "xclip -o -selection clipboard -t image/png", "image/png",
                       CHUNK_BYTES + CLIP_BYTES);
  g_assert_cmpuint (owner->ear->n_disconnected, ==, 0);
}

static const RigTest tests[] = {
  { "/x11/property-that-does-not-fit-is-refused",
    test_property_that_does_not_fit_is_refused },
  { "/x11/incr-that-does-not-fit-ends", test_incr_that_does_not_fit_ends },
};

int
main (int argc, char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("clip-x11-memory-XXXXXX", NULL);
  g_autofree char *bytes = g_strdup_printf ("%d", CLIP_BYTES);
  int status;

  sign = g_build_filename (folder, "full", NULL);
  /* for what this program starts; itself it goes on as it is */
  g_setenv ("LD_PRELOAD", CLIP_TEST_SHORT_MEMORY, TRUE);
  g_setenv ("CLIP_SHORT_MEMORY_BYTES", bytes, TRUE);
  g_setenv ("CLIP_SHORT_MEMORY_WHILE", sign, TRUE);
  status = rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
  g_rmdir (folder);
  g_free (sign);
  return status;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What who pastes from us on an X server gets: real programs, and a peer of our own that
 * pastes as no real one does. */
#include <dlfcn.h>
#include <string.h>

#include "clip-source.h"
#include "x11-owner-rig.h"

#define MIB ((gsize) 1 << 20)
#define CLIPBOARD "-selection clipboard"

static XServer *server;

static void
test_xclip_lists_targets (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 5);
  g_autofree char *text = xserver_read (
      server, "xclip -o " CLIPBOARD " -t TARGETS | grep -v org.cliphist | xargs");

  g_assert_cmpstr (text, ==,
                   "TARGETS TIMESTAMP MULTIPLE text/html UTF8_STRING TEXT image/png\n");
}

static void
test_small_content_is_pasted (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 5);

  owner_assert_pastes (server, "xclip -o " CLIPBOARD " -t UTF8_STRING", "UTF8_STRING", 5);
  owner_assert_pastes (server, "xsel -o -b", "UTF8_STRING", 5);
}

static void
test_empty_content_is_pasted (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 0);

  owner_assert_pastes (server, "xclip -o " CLIPBOARD " -t UTF8_STRING", "UTF8_STRING", 0);
}

static void
test_one_byte_around_a_chunk (void)
{
  for (gsize size = 256 * 1024 - 1; size <= 256 * 1024 + 1; size++)
    {
      g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, size);

      owner_assert_pastes (server, "xclip -o " CLIPBOARD " -t text/html", "text/html",
                           size);
    }
}

static void
test_large_content_is_pasted (void)
{
  g_autoptr (Owner) owner = owner_new (server, 64 * MIB);
  gsize before = rig_memory ();

  owner_assert_pastes (server, "xclip -o " CLIPBOARD " -t image/png", "image/png",
                       64 * MIB);
  until (owner->n_answered == 1);
  g_assert_cmpuint (owner->most_memory, >, 0);
  g_assert_cmpuint (owner->most_memory, <, before + 4 * MIB);
}

static void
test_requestors_are_interleaved (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 4 * MIB);
  g_autofree char *html = owner_expected_hash ("text/html", 4 * MIB);
  g_autofree char *png = owner_expected_hash ("image/png", 4 * MIB);
  g_autofree char *hashes =
      xserver_read (server, "for t in text/html image/png text/html image/png; do"
                            " xclip -o " CLIPBOARD " -t $t | sha256sum & done; wait");

  g_assert_cmpuint (strlen (hashes), ==, 4 * 68);
  for (int i = 0; i < 4; i++)
    g_assert_true (g_str_has_prefix (hashes + i * 68, html) ||
                   g_str_has_prefix (hashes + i * 68, png));
}

/* one at a standstill, another one served */
static void
test_stalled_requestor_stalls_nobody (void)
{
  g_autoptr (Owner) owner = owner_new_for (ear_new_hasty (server), MIB);
  g_autoptr (X11Peer) stalled = x11_peer_new (server->display);

  x11_peer_ask (stalled, "image/png", "P", x11_peer_now (stalled));
  until (x11_peer_answers (stalled) == 1);
  owner_assert_pastes (server, "xclip -o " CLIPBOARD " -t text/html", "text/html", MIB);
  /* its deadline passes, and the writer is told */
  until (owner->n_answered == 2);
}

static void
test_vanished_requestor_is_forgotten (void)
{
  g_autoptr (Owner) owner = owner_new (server, MIB);
  X11Peer *gone = x11_peer_new (server->display);

  x11_peer_ask (gone, "image/png", "P", x11_peer_now (gone));
  until (x11_peer_answers (gone) == 1);
  x11_peer_free (gone);
  until (owner->n_answered == 1);
  owner_assert_pastes (server, "xclip -o " CLIPBOARD " -t text/html", "text/html", MIB);
}

static void
test_window_gone_before_the_answer (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_ask (peer, "text/html", "P", x11_peer_now (peer));
  x11_peer_shut_window (peer);
  until (owner->n_answered == 1);
  owner_assert_pastes (server, "xclip -o " CLIPBOARD " -t text/html", "text/html", 5);
}

/* an INCR to one of these, and its end, would end what we hear of that window */
static void
test_windows_of_ours_are_given_nothing (void)
{
  g_autoptr (Owner) owner = owner_new (server, MIB);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_ask_for_windows_of_others (peer, "image/png", "P");
  x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  g_assert_cmpuint (owner->n_requests, ==, 1);
}

static void
test_multiple (void)
{
  static const char *const pairs[] = { "text/html", "A", "image/gif", "B",
                                       "TIMESTAMP", "C", "TEXT",      "D",
                                       "MULTIPLE",  "E", NULL };
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) list = NULL;
  g_autoptr (GBytes) html = NULL;
  g_autoptr (GBytes) gif = NULL;
  g_autoptr (GBytes) text = NULL;
  g_autofree char *text_type = NULL;
  g_autofree char *list_type = NULL;
  const guint32 *atoms = NULL;

  x11_peer_ask_pairs (peer, "PAIRS", pairs);
  until (x11_peer_answers (peer) == 1);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "PAIRS");
  html = x11_peer_read (peer, "A", NULL);
  owner_assert_bytes (html, "text/html", 5);
  gif = x11_peer_read (peer, "B", NULL);
  g_assert_null (gif);
  text = x11_peer_read (peer, "D", &text_type);
  owner_assert_bytes (text, "TEXT", 5);
  g_assert_cmpstr (text_type, ==, "UTF8_STRING");
  /* what failed is marked in the list */
  list = x11_peer_read (peer, "PAIRS", &list_type);
  g_assert_cmpstr (list_type, ==, "ATOM_PAIR");
  g_assert_cmpuint (g_bytes_get_size (list), ==, 10 * sizeof (guint32));
  atoms = g_bytes_get_data (list, NULL);
  g_assert_cmpuint (atoms[0], ==, x11_peer_atom (peer, "text/html"));
  g_assert_cmpuint (atoms[2], ==, XCB_ATOM_NONE);
  g_assert_cmpuint (atoms[3], ==, x11_peer_atom (peer, "B"));
  g_assert_cmpuint (atoms[4], ==, x11_peer_atom (peer, "TIMESTAMP"));
  g_assert_cmpuint (atoms[8], ==, XCB_ATOM_NONE);
}

static void
test_multiple_of_incr (void)
{
  static const char *const pairs[] = { "text/html", "A", "image/png", "B", NULL };
  g_autoptr (Owner) owner = owner_new (server, MIB);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) html = NULL;
  g_autoptr (GBytes) png = NULL;

  x11_peer_ask_pairs (peer, "PAIRS", pairs);
  until (x11_peer_answers (peer) == 1);
  /* both are under way; the second one is taken first */
  png = owner_read_incr (owner, peer, "B", x11_peer_changes (peer, "B"));
  html = owner_read_incr (owner, peer, "A", x11_peer_changes (peer, "A"));
  owner_assert_bytes (png, "image/png", MIB);
  owner_assert_bytes (html, "text/html", MIB);
}

static void
test_multiple_without_a_list_is_refused (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_ask (peer, "MULTIPLE", NULL, XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  g_assert_null (x11_peer_answer (peer));
  x11_peer_ask (peer, "MULTIPLE", "NOTHING", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 2);
  g_assert_null (x11_peer_answer (peer));
}

static void
test_timestamp_is_that_of_the_claim (void)
{
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  xcb_timestamp_t before = x11_peer_now (peer);
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 5);
  xcb_timestamp_t after = x11_peer_now (peer);
  g_autoptr (GBytes) stamp = NULL;
  g_autofree char *type = NULL;
  guint32 since;

  x11_peer_ask (peer, "TIMESTAMP", "P", after);
  until (x11_peer_answers (peer) == 1);
  stamp = x11_peer_read (peer, "P", &type);
  g_assert_cmpstr (type, ==, "INTEGER");
  g_assert_cmpuint (g_bytes_get_size (stamp), ==, sizeof since);
  memcpy (&since, g_bytes_get_data (stamp, NULL), sizeof since);
  g_assert_cmpuint (since, >=, before);
  g_assert_cmpuint (since, <=, after);
  /* a request of before that time is not for us */
  x11_peer_ask (peer, "text/html", "P", since - 1);
  until (x11_peer_answers (peer) == 2);
  g_assert_null (x11_peer_answer (peer));
  x11_peer_ask (peer, "text/html", "P", since);
  until (x11_peer_answers (peer) == 3);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "P");
  /* 25 days later it would seem to be */
  x11_peer_ask (peer, "text/html", "P", since + 25u * 24 * 3600 * 1000);
  until (x11_peer_answers (peer) == 4);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "P");
}

static void
test_what_is_not_offered_is_refused (void)
{
  static const char *const targets[] = { "image/gif", "DELETE", "SAVE_TARGETS",
                                         "STRING" };
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      x11_peer_ask (peer, targets[i], "P", XCB_CURRENT_TIME);
      until (x11_peer_answers (peer) == i + 1);
      g_assert_null (x11_peer_answer (peer));
    }
  x11_peer_ask (peer, clip_source_token (), "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == G_N_ELEMENTS (targets) + 1);
  g_assert_null (x11_peer_answer (peer));
  g_assert_cmpuint (owner->n_requests, ==, 0);
}

static void
test_old_requestor_names_no_property (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) bytes = NULL;

  x11_peer_ask (peer, "UTF8_STRING", NULL, XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "UTF8_STRING");
  bytes = x11_peer_read (peer, "UTF8_STRING", NULL);
  owner_assert_bytes (bytes, "UTF8_STRING", 5);
}

static void
test_broken_content_is_refused (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  owner->broken = TRUE;
  x11_peer_ask (peer, "UTF8_STRING", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  g_assert_null (x11_peer_answer (peer));
  g_assert_null (x11_peer_read (peer, "P", NULL));
}

static void
test_broken_incr_has_no_end (void)
{
  g_autoptr (Owner) owner = owner_new (server, MIB);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  owner->broken = TRUE;
  x11_peer_ask (peer, "UTF8_STRING", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  g_assert_null (owner_read_incr (owner, peer, "P", x11_peer_changes (peer, "P")));
}

static void
test_place_asked_for_again_drops_the_first (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  owner->mute = TRUE;
  x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  until (owner->n_requests == 1);
  owner->mute = FALSE;
  x11_peer_ask (peer, "UTF8_STRING", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 2);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "P");
  owner->mute = TRUE;
}

/* each of them gives up the one before, of which history has not heard */
static void
test_too_many_at_one_place_are_refused (void)
{
  const guint most = 64;
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  owner->mute = TRUE;
  for (guint i = 0; i < 2 * most; i++)
    x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 2 * most);
  until (owner->n_requests == most);
  g_ptr_array_set_size (owner->kept, 0);
  until (owner->n_requests > most)
  {
    x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  }
}

static int n_clears; /* of the buffers of a connection (atomic) */

/* in place of libxcb's: what is cleared goes over a property of zeros */
xcb_void_cookie_t
xcb_change_property (xcb_connection_t *connection,
                     guint8 mode,
                     xcb_window_t window,
                     xcb_atom_t property,
                     xcb_atom_t type,
                     guint8 format,
                     guint32 length,
                     const void *data)
{
  xcb_void_cookie_t (*real) (xcb_connection_t *, guint8, xcb_window_t, xcb_atom_t,
                             xcb_atom_t, guint8, guint32, const void *) =
      dlsym (RTLD_NEXT, "xcb_change_property");
  const char *bytes = data;

  if (format == 8 && length > 16000 && bytes[0] == 0)
    g_atomic_int_inc (&n_clears);
  return real (connection, mode, window, property, type, format, length, data);
}

static int n_waits; /* of X11's thread for the server (atomic) */

/* in place of libxcb's: it waits by another request to the server, so what is put one
 * behind the other, and checked then, is waited for once */
xcb_generic_error_t *
xcb_request_check (xcb_connection_t *connection, xcb_void_cookie_t cookie)
{
  static int sequence; /* of the last one (atomic) */
  xcb_generic_error_t *(*real) (xcb_connection_t *, xcb_void_cookie_t) =
      dlsym (RTLD_NEXT, "xcb_request_check");

  if (g_atomic_int_get (&sequence) + 1 != (int) cookie.sequence)
    g_atomic_int_inc (&n_waits);
  g_atomic_int_set (&sequence, (int) cookie.sequence);
  return real (connection, cookie);
}

/* a program can have as many as sixty-four of each of thousands of requests */
static void
test_lists_of_targets_are_waited_for_together (void)
{
  static const char *const pairs[] = { "TARGETS",   "A", "TARGETS", "B",
                                       "TIMESTAMP", "C", NULL };
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) list = NULL;

  g_atomic_int_set (&n_waits, 0);
  x11_peer_ask_pairs (peer, "PAIRS", pairs);
  until (x11_peer_answers (peer) == 1);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "PAIRS");
  g_assert_cmpint (g_atomic_int_get (&n_waits), ==, 1);
  list = x11_peer_read (peer, "B", NULL);
  g_assert_nonnull (list);
}

/* that takes longer than all the rest */
static void
test_many_pastes_are_cleared_together (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  owner->mute = TRUE;
  g_atomic_int_set (&n_clears, 0);
  for (int i = 0; i < 64; i++)
    x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 63);
  until (g_atomic_int_get (&n_clears) > 0);
  g_assert_cmpint (g_atomic_int_get (&n_clears), <, 63);
}

static void
test_too_many_at_once_are_refused (void)
{
  g_autoptr (Owner) owner = owner_new (server, 5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  owner->mute = TRUE;
  for (int i = 0; i < 65; i++)
    {
      g_autofree char *property = g_strdup_printf ("P%d", i);

      x11_peer_ask (peer, "text/html", property, XCB_CURRENT_TIME);
    }
  until (x11_peer_answers (peer) == 1);
  g_assert_null (x11_peer_answer (peer));
  until (owner->n_requests == 64);
  /* history gives them all up */
  g_ptr_array_set_size (owner->kept, 0);
  until (x11_peer_answers (peer) == 65);
}

static const RigTest tests[] = {
  { "/x11/xclip-lists-targets", test_xclip_lists_targets },
  { "/x11/small-content-is-pasted", test_small_content_is_pasted },
  { "/x11/empty-content-is-pasted", test_empty_content_is_pasted },
  { "/x11/one-byte-around-a-chunk", test_one_byte_around_a_chunk },
  { "/x11/large-content-is-pasted", test_large_content_is_pasted },
  { "/x11/requestors-are-interleaved", test_requestors_are_interleaved },
  { "/x11/stalled-requestor-stalls-nobody", test_stalled_requestor_stalls_nobody },
  { "/x11/vanished-requestor-is-forgotten", test_vanished_requestor_is_forgotten },
  { "/x11/window-gone-before-the-answer", test_window_gone_before_the_answer },
  { "/x11/windows-of-ours-are-given-nothing", test_windows_of_ours_are_given_nothing },
  { "/x11/multiple", test_multiple },
  { "/x11/multiple-of-incr", test_multiple_of_incr },
  { "/x11/multiple-without-a-list-is-refused", test_multiple_without_a_list_is_refused },
  { "/x11/timestamp-is-that-of-the-claim", test_timestamp_is_that_of_the_claim },
  { "/x11/what-is-not-offered-is-refused", test_what_is_not_offered_is_refused },
  { "/x11/old-requestor-names-no-property", test_old_requestor_names_no_property },
  { "/x11/broken-content-is-refused", test_broken_content_is_refused },
  { "/x11/broken-incr-has-no-end", test_broken_incr_has_no_end },
  { "/x11/place-asked-for-again-drops-the-first",
    test_place_asked_for_again_drops_the_first },
  { "/x11/too-many-at-one-place-are-refused", test_too_many_at_one_place_are_refused },
  { "/x11/lists-of-targets-are-waited-for-together",
    test_lists_of_targets_are_waited_for_together },
  { "/x11/many-pastes-are-cleared-together", test_many_pastes_are_cleared_together },
  { "/x11/too-many-at-once-are-refused", test_too_many_at_once_are_refused },
};

int
main (int argc, char *argv[])
{
  return rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
}

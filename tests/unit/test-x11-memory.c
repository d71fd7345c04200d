/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An X server whose memory is full answers a large property with BadAlloc: who pastes is refused, who
 * comes later, when there is room again, is served. A limit on its address space makes it so. */
#include <sys/resource.h>

#include "x11-owner-rig.h"

#define MIB ((gsize) 1 << 20)
/* one property, not an INCR; and one of an INCR */
#define CLIP_BYTES (200 * 1024)
#define CHUNK_BYTES (256 * 1024)
/* the predefined atoms, from the first */
#define FIRST_ATOM 1
/* there are 68 predefined ones, which nobody has to make */
#define MOST_FILLERS 68
/* of making the server so full that one more does not fit */
#define MOST_TRIES 40

static XServer *server;

/* the server gets no memory beyond what it has and @more_bytes */
static void
limit_server (gsize more_bytes)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/statm", (int) server->program->pid);
  g_autofree char *text = NULL;
  struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
  guint64 pages;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  pages = g_ascii_strtoull (text, NULL, 10);
  limit.rlim_cur = pages * (guint64) sysconf (_SC_PAGESIZE) + more_bytes;
  g_assert_cmpint (prlimit (server->program->pid, RLIMIT_AS, &limit, NULL), ==, 0);
}

static void
unlimit_server (void)
{
  const struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

  g_assert_cmpint (prlimit (server->program->pid, RLIMIT_AS, &limit, NULL), ==, 0);
}

/* a program whose properties fill the server */
typedef struct
{
  xcb_connection_t *connection;
  xcb_window_t root;
  guint n;
} Filler;

/* FALSE: there is no memory for one more */
static gboolean
put_one (Filler *self, const char *block)
{
  g_autofree xcb_generic_error_t *error = xcb_request_check (
      self->connection, xcb_change_property_checked (
                            self->connection, XCB_PROP_MODE_REPLACE, self->root,
                            FIRST_ATOM + self->n, XCB_ATOM_STRING, 8, CLIP_BYTES, block));

  g_assert_cmpint (xcb_connection_has_error (self->connection), ==, 0);
  if (error)
    g_assert_cmpuint (error->error_code, ==, XCB_ALLOC);
  return !error;
}

static void
wait_for_server (Filler *self)
{
  g_free (xcb_get_input_focus_reply (self->connection,
                                     xcb_get_input_focus (self->connection), NULL));
}

/* One more of so many bytes would not fit. The server reads a request into memory, too, and throws
 * out who sends one that it has no room for; for one it has, since our last request is gone. */
static Filler *
filler_new (void)
{
  g_autofree char *block = g_malloc0 (CLIP_BYTES);
  Filler *self = g_new0 (Filler, 1);

  self->connection = xcb_connect (server->display, NULL);
  self->root = xcb_setup_roots_iterator (xcb_get_setup (self->connection)).data->root;
  while (self->n < MOST_FILLERS && put_one (self, block))
    self->n++;
  g_assert_cmpuint (self->n, <, MOST_FILLERS);
  wait_for_server (self);
  g_test_message ("%u properties fill the server", self->n);
  return self;
}

/* there is room again */
static void
filler_free (Filler *self)
{
  for (guint i = 0; i < self->n; i++)
    xcb_delete_property (self->connection, self->root, FIRST_ATOM + i);
  wait_for_server (self);
  xcb_disconnect (self->connection);
  g_free (self);
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
  Filler *filler;

  limit_server (8 * MIB);
  filler = filler_new ();
  assert_refused (peer, "text/html");
  assert_refused (peer, "image/png");
  until (owner->n_answered == 2);
  filler_free (filler);
  unlimit_server ();
  x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 3);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "P");
  bytes = x11_peer_read (peer, "P", NULL);
  owner_assert_bytes (bytes, "text/html", CLIP_BYTES);
  g_assert_cmpuint (owner->ear->n_disconnected, ==, 0);
}

/* One paste by INCR, of two chunks. For the last one the server has no room, unless the first one, which
 * has just gone, lay where it makes that.
 *
 * Returns: whether there was none: then what was begun has broken off, and nobody waits */
static gboolean
breaks_off (Owner *owner, X11Peer *peer)
{
  const guint n_asked = x11_peer_answers (peer);
  const guint n_answered = owner->n_answered;
  Filler *filler;
  guint n_seen;

  limit_server (8 * MIB);
  x11_peer_ask (peer, "text/html", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == n_asked + 1);
  n_seen = x11_peer_changes (peer, "P");
  g_bytes_unref (x11_peer_read (peer, "P", NULL)); /* asks for the first chunk */
  until (x11_peer_changes (peer, "P") == n_seen + 1);
  filler = filler_new ();
  g_bytes_unref (x11_peer_read (peer, "P", NULL)); /* and this for the last */
  until (owner->n_answered == n_answered + 1);
  filler_free (filler);
  unlimit_server ();
  owner_assert_pastes (server, "xclip -o -selection clipboard -t image/png", "image/png",
                       CHUNK_BYTES + CLIP_BYTES);
  until (owner->n_answered == n_answered + 2);
  if (x11_peer_changes (peer, "P") == n_seen + 1)
    return TRUE;
  g_bytes_unref (x11_peer_read (peer, "P", NULL)); /* asks for the end */
  until (x11_peer_changes (peer, "P") == n_seen + 3);
  g_bytes_unref (x11_peer_read (peer, "P", NULL));
  return FALSE;
}

static void
test_incr_that_does_not_fit_ends (void)
{
  g_autoptr (Owner) owner = owner_new (server, CHUNK_BYTES + CLIP_BYTES);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  guint n_tries = 0;

  while (!breaks_off (owner, peer))
    g_assert_cmpuint (++n_tries, <, MOST_TRIES);
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
  return rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
}

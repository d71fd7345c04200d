/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a content gets out of its owner on an X server: in one piece or by INCR, whole or
 * not at all. */
#include <signal.h>

#include "clip-error.h"
#include "clip-fd.h"
#include "x11-peer.h"
#include "x11-rig.h"

#define LARGE_BYTES ((gsize) 64 * 1024 * 1024)
#define CLIPBOARD "-selection clipboard"

static XServer *server;
static char *large_path; /* a file of LARGE_BYTES */
static char *large_hash;

static void
test_refused_type (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (Take) take = NULL;

  x11_peer_offer (peer, "text/html", PEER_REFUSES, "");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  take = take_new (ear, "text/html");
  until (take->done);
  g_assert_error (take->error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT);
}

static void
test_empty_content_is_whole (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;

  x11_peer_offer (peer, "text/html", PEER_TELLS, "");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  take = take_new (ear, "text/html");
  text = take_text (take);
  g_assert_cmpstr (text, ==, "");
}

static void
assert_incr_is_whole (X11Manner manner)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (Take) take = NULL;
  g_autofree char *long_text = g_strnfill (200, 'x');
  g_autofree char *text = NULL;

  long_text[0] = 'a';
  long_text[199] = 'b';
  x11_peer_offer (peer, "text/html", manner, long_text);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  take = take_new (ear, "text/html");
  text = take_text (take);
  g_assert_cmpstr (text, ==, long_text);
}

/* @out_sealed: whether it is a piece of memory, and no pipe */
static char *
read_content (X11Manner manner, const char *text, gboolean *out_sealed, GError **error)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (Take) take = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize length;

  x11_peer_offer (peer, "text/html", manner, text);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  take = take_new (ear, "text/html");
  until (take->done);
  *out_sealed = clip_is_sealed (take_fd (take));
  bytes = clip_read_to_end (take->fd, 4096, NULL);
  if (take->error)
    g_propagate_error (error, g_steal_pointer (&take->error));
  else
    g_assert_cmpint (take->verdict, ==, CLIP_VERDICT_WHOLE);
  length = g_bytes_get_size (bytes);
  return g_strndup (length > 0 ? g_bytes_get_data (bytes, NULL) : "", length);
}

static void
test_word_comes_in_memory (void)
{
  gboolean is_sealed;
  g_autofree char *word = read_content (PEER_TELLS, "word", &is_sealed, NULL);

  g_assert_cmpstr (word, ==, "word");
  g_assert_true (is_sealed);
}

static void
test_incr_comes_through_a_pipe (void)
{
  gboolean is_sealed;
  g_autofree char *text = read_content (PEER_INCR, "ten bytes.", &is_sealed, NULL);

  g_assert_cmpstr (text, ==, "ten bytes.");
  g_assert_false (is_sealed);
}

static void
test_what_is_refused_is_empty (void)
{
  g_autoptr (GError) error = NULL;
  gboolean is_sealed;
  g_autofree char *nothing = read_content (PEER_REFUSES, "", &is_sealed, &error);

  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT);
  g_assert_cmpstr (nothing, ==, "");
}

static void
on_announced (ClipOffer *offer G_GNUC_UNUSED, gint64 at_least_bytes, GArray *all)
{
  g_array_append_val (all, at_least_bytes);
}

static void
test_owner_says_how_much_comes (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (GArray) announced = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;

  x11_peer_offer (peer, "text/html", PEER_INCR, "ten bytes.");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  g_signal_connect (ear->offer, "announced", G_CALLBACK (on_announced), announced);
  take = take_new (ear, "text/html");
  text = take_text (take);
  g_assert_cmpuint (announced->len, ==, 1);
  g_assert_cmpint (g_array_index (announced, gint64, 0), ==, strlen ("ten bytes."));
  g_signal_handlers_disconnect_by_data (ear->offer, announced);
}

static void
test_small_incr_is_whole (void)
{
  assert_incr_is_whole (PEER_INCR);
}

static void
test_chunk_in_two_strokes_is_whole (void)
{
  assert_incr_is_whole (PEER_DOUBLES);
}

static void
assert_incr_fails (X11Manner manner, ClipError code)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new_hasty (server);
  g_autoptr (Take) take = NULL;

  x11_peer_offer (peer, "text/html", manner, "two chunks");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  take = take_new (ear, "text/html");
  until (take->done);
  g_assert_error (take->error, CLIP_ERROR, (int) code);
}

static void
test_silence_stalls (void)
{
  assert_incr_fails (PEER_SILENT, CLIP_ERROR_STALLED);
}

static void
test_incr_without_end_stalls (void)
{
  assert_incr_fails (PEER_STALLS, CLIP_ERROR_STALLED);
}

static void
test_owner_dying_in_incr_breaks (void)
{
  assert_incr_fails (PEER_DIES, CLIP_ERROR_FAILED);
}

static void
test_incr_of_two_types_breaks (void)
{
  assert_incr_fails (PEER_RETYPES, CLIP_ERROR_FAILED);
}

/* reads to the end while the main context runs; NULL where @pause ends it earlier */
static char *
hash_pipe (Take *take, gsize *out_most_memory)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guint8 *buffer = g_malloc (1 << 16);
  gsize total = 0;
  gssize n;

  *out_most_memory = 0;
  while ((n = read (take_fd (take), buffer, 1 << 16)) > 0)
    {
      g_checksum_update (checksum, buffer, n);
      total += (gsize) n;
      if ((total >> 20) != ((total - (gsize) n) >> 20))
        *out_most_memory = MAX (*out_most_memory, rig_memory ());
    }
  g_assert_cmpuint (total, ==, LARGE_BYTES);
  return g_strdup (g_checksum_get_string (checksum));
}

static void
copy_large (Ear *ear)
{
  g_autofree char *command =
      g_strdup_printf ("xclip -i " CLIPBOARD " -t image/png '%s'", large_path);

  xserver_run_to_end (server, command);
  until (ear->n_offered == 1);
}

static void
test_large_incr_is_whole (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (Take) take = NULL;
  g_autofree char *hash = NULL;
  gsize before;
  gsize most;

  copy_large (ear);
  before = rig_memory ();
  take = take_new (ear, "image/png");
  hash = hash_pipe (take, &most);
  until (take->done);
  g_assert_no_error (take->error);
  g_assert_cmpint (take->verdict, ==, CLIP_VERDICT_WHOLE);
  g_assert_cmpstr (hash, ==, large_hash);
  g_assert_cmpuint (most, <, before + ((gsize) 4 << 20));
}

static void
test_killed_owner_breaks (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (Take) take = NULL;
  g_autofree char *command = g_strdup_printf (
      "exec xclip -quiet -i " CLIPBOARD " -t image/png '%s'", large_path);
  g_autoptr (Program) owner = xserver_run (server, command);
  guint8 buffer[4096];

  until (ear->n_offered == 1);
  take = take_new (ear, "image/png");
  g_assert_cmpint (read (take_fd (take), buffer, sizeof buffer), >, 0);
  program_kill (owner);
  until (ear->n_cleared == 1);
  while (read (take_fd (take), buffer, sizeof buffer) > 0)
    ;
  until (take->done);
  g_assert_error (take->error, CLIP_ERROR, CLIP_ERROR_FAILED);
}

/* xclip answers nobody else while an INCR runs: it must get to the end of one that was
 * given up, too */
static void
assert_owner_recovers (Ear *ear)
{
  gboolean whole = FALSE;

  for (gint64 end_us = rig_deadline (); !whole;)
    {
      g_autoptr (Take) take = take_new (ear, "image/png");
      guint8 buffer[4096];

      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      while (read (take_fd (take), buffer, sizeof buffer) > 0)
        ;
      until (take->done);
      whole = take->error == NULL;
    }
}

static void
test_reader_that_leaves_harms_nobody (void)
{
  g_autoptr (Ear) ear = ear_new_hasty (xserver_empty (server));
  g_autoptr (Take) take = NULL;

  copy_large (ear);
  take = take_new (ear, "image/png");
  take_fd (take);
  clip_fd_clear (&take->fd);
  until (take->done);
  g_assert_error (take->error, CLIP_ERROR, CLIP_ERROR_FAILED);
  assert_owner_recovers (ear);
}

static void
test_cancelled_in_the_middle (void)
{
  g_autoptr (Ear) ear = ear_new_hasty (xserver_empty (server));
  g_autoptr (Take) take = NULL;
  guint8 byte;

  copy_large (ear);
  take = take_new (ear, "image/png");
  g_assert_cmpint (read (take_fd (take), &byte, 1), ==, 1);
  g_cancellable_cancel (take->cancellable);
  until (take->done);
  g_assert_error (take->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_owner_recovers (ear);
}

static void
wait_for_first_byte (Take *take)
{
  GPollFD poll = { .fd = take_fd (take), .events = G_IO_IN };

  g_assert_cmpint (g_poll (&poll, 1, 10000), ==, 1);
}

static void
test_replaced_in_the_middle_is_finished (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (Take) take = NULL;
  g_autofree char *hash = NULL;
  gsize most;

  x11_peer_offer (peer, "text/html", PEER_TELLS, "new");
  copy_large (ear);
  take = take_new (ear, "image/png");
  wait_for_first_byte (take);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 2);
  hash = hash_pipe (take, &most);
  until (take->done);
  g_assert_no_error (take->error);
  g_assert_cmpstr (hash, ==, large_hash);
}

static void
test_replaced_offer_is_not_received (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (ClipOffer) old = NULL;
  g_autoptr (Take) take = NULL;

  x11_peer_offer (peer, "text/html", PEER_TELLS, "new");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  old = g_object_ref (ear->offer);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 2);
  g_set_object (&ear->offer, old);
  take = take_new (ear, "text/html");
  until (take->done);
  g_assert_error (take->error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

/* the owner changes after we were told of the old one, and before our question reaches
 * the server: it is the new owner who would answer */
static void
test_new_owner_never_answers_for_the_old (void)
{
  g_autoptr (X11Peer) old = xserver_new_peer (server);
  g_autoptr (X11Peer) new = x11_peer_new (server->display);
  g_autoptr (Ear) ear = ear_new (server, FALSE);
  g_autoptr (Take) take = NULL;

  x11_peer_offer (old, "text/html", PEER_TELLS, "old");
  x11_peer_offer (new, "text/html", PEER_TELLS, "new");
  x11_peer_own (old, "CLIPBOARD");
  until (ear->n_offered == 1);
  x11_peer_grab (new, TRUE);
  take = take_new (ear, "text/html");
  x11_peer_own (new, "CLIPBOARD");
  x11_peer_grab (new, FALSE);
  until (take->done);
  g_assert_error (take->error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

static void
make_large_file (void)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guint32 *block = g_new (guint32, 1 << 18);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  clip_autofd int fd = g_file_open_tmp ("clip-x11-XXXXXX", &large_path, NULL);

  for (int i = 0; i < 1 << 18; i++)
    block[i] = g_rand_int (random);
  for (gsize done = 0; done < LARGE_BYTES; done += 1 << 20)
    {
      block[0] = (guint32) done;
      g_assert_true (clip_write_all (fd, block, 1 << 20, NULL));
      g_checksum_update (checksum, (guint8 *) block, 1 << 20);
    }
  large_hash = g_strdup (g_checksum_get_string (checksum));
}

static const RigTest tests[] = {
  { "/x11/refused-type", test_refused_type },
  { "/x11/empty-content-is-whole", test_empty_content_is_whole },
  { "/x11/a-word-comes-in-memory", test_word_comes_in_memory },
  { "/x11/an-incr-comes-through-a-pipe", test_incr_comes_through_a_pipe },
  { "/x11/what-is-refused-is-empty", test_what_is_refused_is_empty },
  { "/x11/small-incr-is-whole", test_small_incr_is_whole },
  { "/x11/an-owner-says-how-much-comes", test_owner_says_how_much_comes },
  { "/x11/chunk-in-two-strokes-is-whole", test_chunk_in_two_strokes_is_whole },
  { "/x11/silence-stalls", test_silence_stalls },
  { "/x11/incr-without-end-stalls", test_incr_without_end_stalls },
  { "/x11/owner-dying-in-incr-breaks", test_owner_dying_in_incr_breaks },
  { "/x11/incr-of-two-types-breaks", test_incr_of_two_types_breaks },
  { "/x11/large-incr-is-whole", test_large_incr_is_whole },
  { "/x11/killed-owner-breaks", test_killed_owner_breaks },
  { "/x11/reader-that-leaves-harms-nobody", test_reader_that_leaves_harms_nobody },
  { "/x11/cancelled-in-the-middle", test_cancelled_in_the_middle },
  { "/x11/replaced-in-the-middle-is-finished", test_replaced_in_the_middle_is_finished },
  { "/x11/replaced-offer-is-not-received", test_replaced_offer_is_not_received },
  { "/x11/new-owner-never-answers-for-the-old",
    test_new_owner_never_answers_for_the_old },
};

int
main (int argc, char *argv[])
{
  int status;

  make_large_file ();
  status = rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
  unlink (large_path);
  g_free (large_path);
  g_free (large_hash);
  return status;
}

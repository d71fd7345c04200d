/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the X11 backend hears and receives, on private servers, from real programs where
 * they do what is needed, and from a peer of our own where they do not. */
#include <signal.h>
#include <string.h>

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-x11.h"
#include "x11-peer.h"
#include "x11-rig.h"

#define LARGE_BYTES ((gsize) 64 * 1024 * 1024)
#define CLIPBOARD "-selection clipboard"

static XServer *server;
static char *large_path; /* a file of LARGE_BYTES */
static char *large_hash;

/* nobody owns anything at the beginning of a test */
static X11Peer *
new_peer (void)
{
  X11Peer *peer = x11_peer_new (server->display);

  x11_peer_own (peer, "CLIPBOARD");
  x11_peer_disown (peer, "CLIPBOARD");
  return peer;
}

static void
empty_clipboard (void)
{
  x11_peer_free (new_peer ());
}

static Ear *
new_ear (void)
{
  empty_clipboard ();
  return ear_new (server, FALSE);
}

static Ear *
new_hasty_ear (void)
{
  empty_clipboard ();
  return ear_new_hasty (server);
}

static void
run (const char *command)
{
  g_autoptr (Program) program = xserver_run (server, command);

  g_assert_true (program_wait (program));
}

static void
assert_mimes (ClipOffer *offer, const char *expected)
{
  g_autofree char *mimes = g_strjoinv (" ", (char **) clip_offer_mimes (offer));

  g_assert_cmpstr (mimes, ==, expected);
}

static void
test_targets_become_types (void)
{
  g_autoptr (X11Peer) peer = new_peer ();
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

static void
test_xclip_is_received (void)
{
  g_autoptr (Ear) ear = new_ear ();
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;

  run ("printf 'some text' | xclip -i " CLIPBOARD " -t UTF8_STRING");
  until (ear->n_offered == 1);
  assert_mimes (ear->offer, "UTF8_STRING");
  take = take_new (ear, "UTF8_STRING");
  text = take_text (take);
  g_assert_cmpstr (text, ==, "some text");
}

static void
test_xsel_is_received (void)
{
  g_autoptr (Ear) ear = new_ear ();
  g_autoptr (Take) take = NULL;
  g_autofree char *text = NULL;

  run ("printf 'other text' | xsel -i -b");
  until (ear->n_offered == 1);
  g_assert_true (clip_offer_has_mime (ear->offer, "UTF8_STRING"));
  take = take_new (ear, "UTF8_STRING");
  text = take_text (take);
  g_assert_cmpstr (text, ==, "other text");
}

static void
test_what_was_there_is_initial (void)
{
  g_autoptr (X11Peer) peer = new_peer ();
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
  g_autoptr (X11Peer) peer = new_peer ();
  g_autoptr (Ear) ear = ear_new (server, FALSE);

  x11_peer_hide_targets (peer, PEER_REFUSES);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  assert_mimes (ear->offer, "UTF8_STRING STRING");
}

static void
test_silent_owner_voids_the_offer (void)
{
  g_autoptr (X11Peer) peer = new_peer ();
  g_autoptr (Ear) ear = ear_new_hasty (server);

  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  x11_peer_hide_targets (peer, PEER_SILENT);
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 2);
  g_assert_null (clip_offer_mimes (ear->offer)[0]);
}

static void
test_newer_copy_supersedes_a_silent_one (void)
{
  g_autoptr (X11Peer) silent = new_peer ();
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (Ear) ear = ear_new (server, FALSE);

  x11_peer_hide_targets (silent, PEER_SILENT);
  x11_peer_own (silent, "CLIPBOARD");
  x11_peer_offer (peer, "text/html", PEER_TELLS, "new");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered == 1);
  assert_mimes (ear->offer, "text/html");
}

static void
test_owner_exit_clears (void)
{
  g_autoptr (X11Peer) peer = new_peer ();
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
  g_autoptr (X11Peer) peer = new_peer ();
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
test_refused_type (void)
{
  g_autoptr (X11Peer) peer = new_peer ();
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
  g_autoptr (X11Peer) peer = new_peer ();
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
  g_autoptr (X11Peer) peer = new_peer ();
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
  g_autoptr (X11Peer) peer = new_peer ();
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
  while ((n = read (take->pipe_fd, buffer, 1 << 16)) > 0)
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

  run (command);
  until (ear->n_offered == 1);
}

static void
test_large_incr_is_whole (void)
{
  g_autoptr (Ear) ear = new_ear ();
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
  g_autoptr (Ear) ear = new_ear ();
  g_autoptr (Take) take = NULL;
  g_autofree char *command = g_strdup_printf (
      "exec xclip -quiet -i " CLIPBOARD " -t image/png '%s'", large_path);
  g_autoptr (Program) owner = xserver_run (server, command);
  guint8 buffer[4096];

  until (ear->n_offered == 1);
  take = take_new (ear, "image/png");
  g_assert_cmpint (read (take->pipe_fd, buffer, sizeof buffer), >, 0);
  program_kill (owner);
  until (ear->n_cleared == 1);
  while (read (take->pipe_fd, buffer, sizeof buffer) > 0)
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
      while (read (take->pipe_fd, buffer, sizeof buffer) > 0)
        ;
      until (take->done);
      whole = take->error == NULL;
    }
}

static void
test_reader_that_leaves_harms_nobody (void)
{
  g_autoptr (Ear) ear = new_hasty_ear ();
  g_autoptr (Take) take = NULL;

  copy_large (ear);
  take = take_new (ear, "image/png");
  clip_fd_clear (&take->pipe_fd);
  until (take->done);
  g_assert_error (take->error, CLIP_ERROR, CLIP_ERROR_FAILED);
  assert_owner_recovers (ear);
}

static void
test_cancelled_in_the_middle (void)
{
  g_autoptr (Ear) ear = new_hasty_ear ();
  g_autoptr (Take) take = NULL;
  guint8 byte;

  copy_large (ear);
  take = take_new (ear, "image/png");
  g_assert_cmpint (read (take->pipe_fd, &byte, 1), ==, 1);
  g_cancellable_cancel (take->cancellable);
  until (take->done);
  g_assert_error (take->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_owner_recovers (ear);
}

static void
wait_for_first_byte (Take *take)
{
  GPollFD poll = { .fd = take->pipe_fd, .events = G_IO_IN };

  g_assert_cmpint (g_poll (&poll, 1, 10000), ==, 1);
}

static void
test_replaced_in_the_middle_is_finished (void)
{
  g_autoptr (X11Peer) peer = new_peer ();
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
  g_autoptr (X11Peer) peer = new_peer ();
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
  g_autoptr (X11Peer) old = new_peer ();
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

/* what the last copy said; NULL while it is not known */
static const char *
last_text (Ear *ear)
{
  Take *last = ear->takes->len > 0 ? ear->takes->pdata[ear->takes->len - 1] : NULL;

  if (last && last->done && !last->error && !last->text)
    last->text = take_text (last);
  return last ? last->text : NULL;
}

/* how many were received: none of them twice, as then one stood for another */
static guint
count_numbers (Ear *ear)
{
  gboolean seen[101] = { FALSE };
  guint n = 0;

  for (guint i = 0; i < ear->takes->len; i++)
    {
      Take *take = ear->takes->pdata[i];
      gint64 number = 0;

      until (take->done);
      if (take->error)
        continue; /* replaced before it was asked for */
      if (!take->text)
        take->text = take_text (take);
      g_assert_true (g_ascii_string_to_signed (take->text, 10, 1, 100, &number, NULL));
      g_assert_false (seen[number]);
      seen[number] = TRUE;
      n++;
    }
  return n;
}

/* xclip owns only when it has been in the background for a while: in any order */
static void
test_quick_copies_are_not_mixed_up (void)
{
  g_autoptr (Ear) ear = NULL;
  g_autoptr (Program) copies = NULL;
  gboolean settled = FALSE;

  empty_clipboard ();
  ear = ear_new_greedy (server);
  copies = xserver_run (server, "for i in $(seq 100); do printf $i | xclip -i " CLIPBOARD
                                " -t UTF8_STRING; done");
  g_assert_true (program_wait (copies));
  while (!settled)
    {
      g_autofree char *text = xserver_read (server, "xclip -o " CLIPBOARD);

      settled = g_strcmp0 (last_text (ear), text) == 0;
    }
  g_test_message ("%u of 100 copies were offered, %u received", ear->n_offered,
                  count_numbers (ear));
}

/* each owner answers only when the next one is there */
static void
test_burst_loses_nothing (void)
{
  g_autoptr (X11Peer) even = new_peer ();
  g_autoptr (X11Peer) odd = x11_peer_new (server->display);
  g_autoptr (Ear) ear = ear_new_greedy (server);

  x11_peer_offer (even, "text/html", PEER_TELLS, "even");
  x11_peer_offer (odd, "text/html", PEER_TELLS, "odd");
  x11_peer_own (even, "CLIPBOARD");
  until (g_strcmp0 (last_text (ear), "even") == 0);
  for (guint n = 1; n < 10; n++)
    {
      X11Peer *peer = n % 2 ? odd : even;

      x11_peer_hold (peer, TRUE);
      x11_peer_own (peer, "CLIPBOARD");
      until (x11_peer_held (peer) == 2);
      x11_peer_hold (n % 2 ? even : odd, FALSE);
    }
  x11_peer_hold (odd, FALSE);
  until (ear->n_offered == 10);
  for (guint n = 0; n < 10; n++)
    {
      Take *take = ear->takes->pdata[n];

      if (!take->text)
        take->text = take_text (take);
      g_assert_cmpstr (take->text, ==, n % 2 ? "odd" : "even");
    }
}

/* what was asked for ahead is thrown away where its types say what it is; it is another
 * question then that history asks, and that it would not ask */
static void
test_secret_in_a_burst_stays_unread (void)
{
  g_autoptr (X11Peer) peer = new_peer ();
  g_autoptr (X11Peer) secret = x11_peer_new (server->display);
  g_autoptr (Ear) ear = ear_new_greedy (server);

  x11_peer_offer (peer, "text/html", PEER_TELLS, "before");
  x11_peer_own (peer, "CLIPBOARD");
  until (g_strcmp0 (last_text (ear), "before") == 0);
  x11_peer_offer (secret, "text/html", PEER_TELLS, "secret");
  x11_peer_list (secret, "x-kde-passwordManagerHint");
  x11_peer_own (secret, "CLIPBOARD");
  until (g_strcmp0 (last_text (ear), "secret") == 0);
  g_assert_cmpuint (x11_peer_asked (secret, "text/html"), ==, 2);
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

static const struct
{
  const char *path;
  void (*test) (void);
} tests[] = {
  { "/x11/targets-become-types", test_targets_become_types },
  { "/x11/xclip-is-received", test_xclip_is_received },
  { "/x11/xsel-is-received", test_xsel_is_received },
  { "/x11/what-was-there-is-initial", test_what_was_there_is_initial },
  { "/x11/old-program-has-text", test_old_program_has_text },
  { "/x11/silent-owner-voids-the-offer", test_silent_owner_voids_the_offer },
  { "/x11/newer-copy-supersedes-a-silent-one", test_newer_copy_supersedes_a_silent_one },
  { "/x11/owner-exit-clears", test_owner_exit_clears },
  { "/x11/primary-only-on-request", test_primary_only_on_request },
  { "/x11/refused-type", test_refused_type },
  { "/x11/empty-content-is-whole", test_empty_content_is_whole },
  { "/x11/small-incr-is-whole", test_small_incr_is_whole },
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
  { "/x11/quick-copies-are-not-mixed-up", test_quick_copies_are_not_mixed_up },
  { "/x11/burst-loses-nothing", test_burst_loses_nothing },
  { "/x11/secret-in-a-burst-stays-unread", test_secret_in_a_burst_stays_unread },
  { "/x11/server-death-is-told-once", test_server_death_is_told_once },
  { "/x11/server-without-xfixes-is-refused", test_server_without_xfixes_is_refused },
  { "/x11/missing-display-is-refused", test_missing_display_is_refused },
};

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  server = xserver_start (NULL);
  make_large_file ();
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].test);
  status = g_test_run ();
  xserver_free (server);
  unlink (large_path);
  g_free (large_path);
  g_free (large_hash);
  return status;
}

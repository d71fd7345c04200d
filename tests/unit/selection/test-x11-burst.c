/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies in quick succession: none is lost, and none is taken for another. */
#include "x11-peer.h"
#include "x11-rig.h"

#define CLIPBOARD "-selection clipboard"

static XServer *server;

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

  xserver_empty (server);
  ear = ear_new_greedy (server);
  copies = xserver_run (server, "for i in $(seq 100); do printf $i | xclip -i " CLIPBOARD
                                " -t UTF8_STRING; done");
  g_assert_true (program_wait (copies));
  while (!settled)
    {
      /* one that is replaced after it was asked never answers */
      g_autofree char *text =
          xserver_read (server, "timeout 2 xclip -o " CLIPBOARD " || true");

      settled = g_strcmp0 (last_text (ear), text) == 0;
    }
  g_test_message ("%u of 100 copies were offered, %u received", ear->n_offered,
                  count_numbers (ear));
}

/* each owner answers only when the next one is there */
static void
test_burst_loses_nothing (void)
{
  g_autoptr (X11Peer) even = xserver_new_peer (server);
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

static gboolean
turn (GMainContext *context)
{
  while (g_main_context_iteration (context, FALSE))
    ;
  return TRUE;
}

static guint
count_received (Ear *ear)
{
  guint n = 0;

  for (guint i = 0; i < ear->takes->len; i++)
    {
      const Take *take = ear->takes->pdata[i];

      g_assert_no_error (take->error);
      n += take->done;
    }
  return n;
}

/* whoever listens has something else to do meanwhile, and each copy is replaced once it
   was asked for */
static void
test_burst_waits_for_whoever_listens (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
  g_autoptr (Ear) ear = NULL;

  g_main_context_push_thread_default (context);
  ear = ear_new_greedy (server);
  x11_peer_offer (peer, "text/html", PEER_TELLS, "text");
  x11_peer_own (peer, "CLIPBOARD");
  until (turn (context) && count_received (ear) == 1);
  for (guint n = 2; n <= 200; n++)
    {
      x11_peer_own (peer, "CLIPBOARD");
      until (x11_peer_asked (peer, "text/html") == n);
    }
  until (turn (context) && count_received (ear) == 200);
  g_clear_pointer (&ear, ear_free);
  g_main_context_pop_thread_default (context);
}

/* what was asked for ahead is thrown away where its types say what it is; it is another
 * question then that history asks, and that it would not ask */
static void
test_secret_in_a_burst_stays_unread (void)
{
  g_autoptr (X11Peer) peer = xserver_new_peer (server);
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

/* a program that has replaced one copy by another before it has told what either of them
   is */
static guint
miss_one (Ear *ear, X11Peer *peer)
{
  x11_peer_hold (peer, TRUE);
  x11_peer_own (peer, "CLIPBOARD");
  until (x11_peer_held (peer) == 1);
  x11_peer_own (peer, "CLIPBOARD");
  until (x11_peer_held (peer) == 2);
  return ear->n_offered;
}

/* a bridge may bring it on, unmarked */
static void
test_secret_that_was_missed_is_told (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) secret = x11_peer_new (server->display);
  guint n;

  x11_peer_offer (secret, "text/html", PEER_TELLS, "secret");
  x11_peer_list (secret, "x-kde-passwordManagerHint");
  n = miss_one (ear, secret);
  x11_peer_hold (secret, FALSE);
  /* the one before the first that is known, and that one */
  until (ear->n_offered == n + 2);
  g_assert_true (clip_offer_has_mime (ear->offer, "x-kde-passwordManagerHint"));
  x11_peer_hold (secret, TRUE);
  x11_peer_own (secret, "CLIPBOARD");
  until (x11_peer_held (secret) == 1);
  g_assert_cmpuint (ear->n_offered, ==, n + 2);
  x11_peer_own (secret, "CLIPBOARD");
  /* and one after it, though nothing has been answered */
  until (ear->n_offered == n + 3);
  g_assert_true (clip_offer_has_mime (ear->offer, "x-kde-passwordManagerHint"));
  x11_peer_hold (secret, FALSE);
  until (ear->n_offered == n + 4);
}

static void
test_text_that_was_missed_is_none (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  guint n;

  x11_peer_offer (peer, "text/html", PEER_TELLS, "text");
  n = miss_one (ear, peer);
  x11_peer_hold (peer, FALSE);
  until (ear->n_offered > n);
  x11_peer_list (peer, "text/xml");
  x11_peer_own (peer, "CLIPBOARD");
  until (clip_offer_has_mime (ear->offer, "text/xml"));
  g_assert_cmpuint (ear->n_offered, ==, n + 2);
}

static void
on_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(int *) user_data = clip_backend_sync_finish (CLIP_BACKEND (source), result);
}

/* Returns: whether all that was copied has told what it is */
static gboolean
is_all_told (Ear *ear)
{
  int counter = -1;
  const int *told = &counter;

  clip_backend_sync_async (ear->backend, on_synced, &counter);
  until (*told >= 0);
  return *told;
}

/* whether it was a secret is not known then, unless its own window tells what comes
   next */
static void
test_copy_that_went_untold_is_known_of (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) hasty = x11_peer_new (server->display);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  guint n;

  x11_peer_offer (hasty, "text/html", PEER_TELLS, "hasty");
  x11_peer_offer (peer, "text/xml", PEER_TELLS, "peer");
  n = miss_one (ear, hasty);
  x11_peer_hold (hasty, FALSE);
  until (ear->n_offered > n);
  g_assert_true (is_all_told (ear));
  miss_one (ear, hasty);
  x11_peer_own (peer, "CLIPBOARD");
  until (clip_offer_has_mime (ear->offer, "text/xml"));
  g_assert_false (is_all_told (ear));
  /* what another window tells says nothing of it, also where that had one, too */
  miss_one (ear, peer);
  x11_peer_hold (peer, FALSE);
  n = ear->n_offered;
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->n_offered > n);
  g_assert_false (is_all_told (ear));
}

/* else programs that take the clipboard by turns, and say nothing, would hold up all who
 * wait for the answer */
static void
test_later_owner_is_not_waited_for (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) one = x11_peer_new (server->display);
  g_autoptr (X11Peer) other = x11_peer_new (server->display);
  int counter = -1;
  const int *told = &counter;

  x11_peer_hide_targets (one, PEER_SILENT);
  x11_peer_hide_targets (other, PEER_SILENT);
  x11_peer_own (one, "CLIPBOARD");
  x11_peer_own (other, "CLIPBOARD");
  clip_backend_sync_async (ear->backend, on_synced, &counter);
  until (*told >= 0)
  {
    x11_peer_own (one, "CLIPBOARD");
    x11_peer_own (other, "CLIPBOARD");
  }
  g_assert_cmpint (*told, ==, FALSE);
}

static gboolean
is_asked_slowly (X11Peer *endless, X11Peer *peer)
{
  guint n_before = x11_peer_own_count (endless);

  for (int i = 0; i < 50; i++)
    {
      x11_peer_now (endless);
      x11_peer_now (peer);
    }
  return x11_peer_own_count (endless) < n_before + 20;
}

/* it answers each question with another copy: whoever went on asking would never end */
static void
test_endless_owner_is_asked_slowly (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) endless = x11_peer_new (server->display);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_offer (endless, "UTF8_STRING", PEER_TELLS, "endless");
  x11_peer_own_when_asked (endless);
  x11_peer_own (endless, "CLIPBOARD");
  /* more of them than it takes, if it goes on at full speed */
  until (x11_peer_own_count (endless) > 300);
  /* where the machine paused a tenth of a second, they are in a row from then on */
  until (is_asked_slowly (endless, peer));
  /* another one is asked at once */
  x11_peer_offer (peer, "text/html", PEER_TELLS, "other");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->offer && clip_offer_has_mime (ear->offer, "text/html"));
}

/* the answers would lie behind all the changes, and the next copy behind them */
static void
test_superseded_owners_are_not_asked (void)
{
  g_autoptr (Ear) ear = ear_new (xserver_empty (server), FALSE);
  g_autoptr (X11Peer) hasty = x11_peer_new (server->display);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_offer (hasty, "UTF8_STRING", PEER_TELLS, "hasty");
  x11_peer_hold (hasty, TRUE);
  x11_peer_own_at_once (hasty, "CLIPBOARD", 250);
  until (x11_peer_held (hasty) > 0);
  x11_peer_offer (peer, "text/html", PEER_TELLS, "other");
  x11_peer_own (peer, "CLIPBOARD");
  until (ear->offer && clip_offer_has_mime (ear->offer, "text/html"));
  x11_peer_now (hasty);
  turn (NULL);
  /* each time what is read of the connection at once ends with one of them */
  g_assert_cmpuint (x11_peer_held (hasty), <, 50);
}

static const RigTest tests[] = {
  { "/x11/endless-owner-is-asked-slowly", test_endless_owner_is_asked_slowly },
  { "/x11/superseded-owners-are-not-asked", test_superseded_owners_are_not_asked },
  { "/x11/quick-copies-are-not-mixed-up", test_quick_copies_are_not_mixed_up },
  { "/x11/burst-loses-nothing", test_burst_loses_nothing },
  { "/x11/burst-waits-for-whoever-listens", test_burst_waits_for_whoever_listens },
  { "/x11/secret-in-a-burst-stays-unread", test_secret_in_a_burst_stays_unread },
  { "/x11/secret-that-was-missed-is-told", test_secret_that_was_missed_is_told },
  { "/x11/text-that-was-missed-is-none", test_text_that_was_missed_is_none },
  { "/x11/later-owner-is-not-waited-for", test_later_owner_is_not_waited_for },
  { "/x11/copy-that-went-untold-is-known-of", test_copy_that_went_untold_is_known_of },
};

int
main (int argc, char *argv[])
{
  return rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the X11 backend does while it owns a selection: for real programs that paste, and
 * for a peer of our own that pastes as no real one does. */
#include <signal.h>
#include <string.h>

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-source.h"
#include "x11-peer.h"
#include "x11-rig.h"

#define MIB ((gsize) 1 << 20)
#define CLIPBOARD "-selection clipboard"

static XServer *server;

/* what history is in the daemon: it offers, and answers from what it has */
typedef struct
{
  Ear *ear;
  ClipSource *source;
  gsize size;      /* of each content, in bytes */
  gboolean broken; /* says that what it gave was not whole */
  gboolean mute;   /* keeps requests and writes nothing */
  GPtrArray *kept;
  guint n_requests;
  guint n_answered;
  guint n_cancelled;
  gsize most_memory;
} Owner;

typedef struct
{
  Owner *owner;
  ClipRequest *request;
  int fd;
  gsize most_memory;
  GThread *thread;
} Answer;

/* a content is a pattern that depends on its type */
static guint8
byte_at (const char *mime, gsize offset)
{
  return (guint8) (offset * 7 + (offset >> 13) + (guint8) mime[strlen (mime) - 1]);
}

static char *
expected_hash (const char *mime, gsize size)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guint8 *block = g_malloc (1 << 16);

  for (gsize done = 0; done < size;)
    {
      gsize n = MIN (size - done, 1 << 16);

      for (gsize i = 0; i < n; i++)
        block[i] = byte_at (mime, done + i);
      g_checksum_update (checksum, block, (gssize) n);
      done += n;
    }
  return g_strdup (g_checksum_get_string (checksum));
}

static gboolean
on_answered (gpointer user_data)
{
  g_autofree Answer *answer = user_data;

  g_thread_join (answer->thread);
  clip_request_finish (answer->request, !answer->owner->broken);
  g_object_unref (answer->request);
  answer->owner->n_answered++;
  answer->owner->most_memory = MAX (answer->owner->most_memory, answer->most_memory);
  return G_SOURCE_REMOVE;
}

/* in a thread of its own, as the daemon writes in one */
static gpointer
write_content (gpointer data)
{
  Answer *answer = data;
  const char *mime = clip_request_mime (answer->request);
  g_autofree guint8 *block = g_malloc (1 << 16);
  gboolean reader_is_there = TRUE;

  for (gsize done = 0; done < answer->owner->size && reader_is_there;)
    {
      gsize n = MIN (answer->owner->size - done, 1 << 16);

      for (gsize i = 0; i < n; i++)
        block[i] = byte_at (mime, done + i);
      reader_is_there = clip_write_all (answer->fd, block, n, NULL);
      done += n;
      if (done % MIB == 0)
        answer->most_memory = MAX (answer->most_memory, rig_memory ());
    }
  clip_fd_clear (&answer->fd);
  g_idle_add (on_answered, answer);
  return NULL;
}

static void
on_requested (ClipSource *source G_GNUC_UNUSED, ClipRequest *request, Owner *self)
{
  Answer *answer = NULL;

  self->n_requests++;
  if (self->mute)
    {
      g_ptr_array_add (self->kept, g_object_ref (request));
      return;
    }
  answer = g_new0 (Answer, 1);
  answer->owner = self;
  answer->request = g_object_ref (request);
  answer->fd = clip_request_steal_fd (request);
  answer->thread = g_thread_new ("answer", write_content, answer);
}

static void
on_cancelled (ClipSource *source G_GNUC_UNUSED, Owner *self)
{
  self->n_cancelled++;
}

static void
offer_source (Owner *self)
{
  static const char *const mimes[] = { "text/html", "UTF8_STRING", "TEXT", "image/png",
                                       NULL };
  g_autoptr (GError) error = NULL;

  self->source = clip_source_new (mimes);
  g_signal_connect (self->source, "requested", G_CALLBACK (on_requested), self);
  g_signal_connect (self->source, "cancelled", G_CALLBACK (on_cancelled), self);
  g_assert_true (clip_backend_own (self->ear->backend, CLIP_SELECTION_CLIPBOARD,
                                   self->source, &error));
  g_assert_no_error (error);
}

static Owner *
owner_new_for (Ear *ear_take, gsize size)
{
  Owner *self = g_new0 (Owner, 1);

  self->ear = ear_take;
  self->kept = g_ptr_array_new_with_free_func (g_object_unref);
  self->size = size;
  offer_source (self);
  until (self->ear->offer && clip_offer_is_own (self->ear->offer));
  return self;
}

static Owner *
owner_new (gsize size)
{
  return owner_new_for (ear_new (server, FALSE), size);
}

static void
owner_free (Owner *self)
{
  g_signal_handlers_disconnect_by_data (self->source, self);
  g_ptr_array_unref (self->kept);
  until (self->n_answered == self->n_requests || self->mute);
  ear_free (self->ear);
  g_assert_finalize_object (self->source);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Owner, owner_free)

/* what a real program gets: it runs while the main context does */
static void
assert_pastes (const char *command, const char *mime, gsize size)
{
  g_autofree char *pipeline = g_strdup_printf ("%s | sha256sum", command);
  g_autofree char *hash = xserver_read (server, pipeline);
  g_autofree char *expected = expected_hash (mime, size);

  g_assert_true (g_str_has_prefix (hash, expected));
}

static void
assert_bytes (GBytes *bytes, const char *mime, gsize size)
{
  const guint8 *data = NULL;

  g_assert_nonnull (bytes);
  data = g_bytes_get_data (bytes, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, size);
  for (gsize i = 0; i < size; i++)
    g_assert_cmpuint (data[i], ==, byte_at (mime, i));
}

static void
test_own_offer_is_flagged (void)
{
  g_autoptr (Owner) owner = owner_new (5);

  g_assert_true (clip_offer_is_own (owner->ear->offer));
  g_assert_true (clip_offer_has_mime (owner->ear->offer, "image/png"));
  g_assert_cmpuint (owner->n_requests, ==, 0);
}

static void
test_another_connection_of_ours_knows_it (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (5);
  g_autoptr (Ear) other = ear_new (server, FALSE);

  /* the same process has the same token, whichever connection asks */
  until (other->n_offered == 1);
  g_assert_true (clip_offer_is_own (other->offer));
  g_assert_true (clip_offer_is_initial (other->offer));
}

static void
test_xclip_lists_targets (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (5);
  g_autofree char *text = xserver_read (
      server, "xclip -o " CLIPBOARD " -t TARGETS | grep -v org.cliphist | xargs");

  g_assert_cmpstr (text, ==,
                   "TARGETS TIMESTAMP MULTIPLE text/html UTF8_STRING TEXT image/png\n");
}

static void
test_small_content_is_pasted (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (5);

  assert_pastes ("xclip -o " CLIPBOARD " -t UTF8_STRING", "UTF8_STRING", 5);
  assert_pastes ("xsel -o -b", "UTF8_STRING", 5);
}

static void
test_empty_content_is_pasted (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (0);

  assert_pastes ("xclip -o " CLIPBOARD " -t UTF8_STRING", "UTF8_STRING", 0);
}

static void
test_one_byte_around_a_chunk (void)
{
  for (gsize size = 256 * 1024 - 1; size <= 256 * 1024 + 1; size++)
    {
      g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (size);

      assert_pastes ("xclip -o " CLIPBOARD " -t text/html", "text/html", size);
    }
}

static void
test_large_content_is_pasted (void)
{
  g_autoptr (Owner) owner = owner_new (64 * MIB);
  gsize before = rig_memory ();

  assert_pastes ("xclip -o " CLIPBOARD " -t image/png", "image/png", 64 * MIB);
  until (owner->n_answered == 1);
  g_assert_cmpuint (owner->most_memory, >, 0);
  g_assert_cmpuint (owner->most_memory, <, before + 4 * MIB);
}

static void
test_requestors_are_interleaved (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (4 * MIB);
  g_autofree char *html = expected_hash ("text/html", 4 * MIB);
  g_autofree char *png = expected_hash ("image/png", 4 * MIB);
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
  assert_pastes ("xclip -o " CLIPBOARD " -t text/html", "text/html", MIB);
  /* its deadline passes, and the writer is told */
  until (owner->n_answered == 2);
}

static void
test_vanished_requestor_is_forgotten (void)
{
  g_autoptr (Owner) owner = owner_new (MIB);
  X11Peer *gone = x11_peer_new (server->display);

  x11_peer_ask (gone, "image/png", "P", x11_peer_now (gone));
  until (x11_peer_answers (gone) == 1);
  x11_peer_free (gone);
  until (owner->n_answered == 1);
  assert_pastes ("xclip -o " CLIPBOARD " -t text/html", "text/html", MIB);
}

static void
test_window_gone_before_the_answer (void)
{
  g_autoptr (Owner) owner = owner_new (5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  x11_peer_ask (peer, "text/html", "P", x11_peer_now (peer));
  x11_peer_shut_window (peer);
  until (owner->n_answered == 1);
  assert_pastes ("xclip -o " CLIPBOARD " -t text/html", "text/html", 5);
}

/* takes chunk after chunk; NULL where the end never came */
static GBytes *
read_incr (X11Peer *peer, const char *property, guint n_seen, Owner *owner)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autofree char *type = NULL;
  g_autoptr (GBytes) announced G_GNUC_UNUSED = x11_peer_read (peer, property, &type);

  g_assert_cmpstr (type, ==, "INCR");
  for (;;)
    {
      g_autoptr (GBytes) chunk = NULL;

      until (x11_peer_changes (peer, property) > n_seen ||
             (owner->broken && owner->n_answered > 0 && all->len == owner->size));
      if (x11_peer_changes (peer, property) == n_seen)
        return NULL; /* never ended */
      n_seen++;
      chunk = x11_peer_read (peer, property, NULL);
      if (g_bytes_get_size (chunk) == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&all));
      g_byte_array_append (all, g_bytes_get_data (chunk, NULL),
                           (guint) g_bytes_get_size (chunk));
    }
}

static void
test_multiple (void)
{
  static const char *const pairs[] = { "text/html", "A", "image/gif", "B",
                                       "TIMESTAMP", "C", "TEXT",      "D",
                                       "MULTIPLE",  "E", NULL };
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (5);
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
  assert_bytes (html, "text/html", 5);
  gif = x11_peer_read (peer, "B", NULL);
  g_assert_null (gif);
  text = x11_peer_read (peer, "D", &text_type);
  assert_bytes (text, "TEXT", 5);
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
  g_autoptr (Owner) owner = owner_new (MIB);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) html = NULL;
  g_autoptr (GBytes) png = NULL;

  x11_peer_ask_pairs (peer, "PAIRS", pairs);
  until (x11_peer_answers (peer) == 1);
  /* both are under way; the second one is taken first */
  png = read_incr (peer, "B", x11_peer_changes (peer, "B"), owner);
  html = read_incr (peer, "A", x11_peer_changes (peer, "A"), owner);
  assert_bytes (png, "image/png", MIB);
  assert_bytes (html, "text/html", MIB);
}

static void
test_multiple_without_a_list_is_refused (void)
{
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (5);
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
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (5);
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
}

static void
test_what_is_not_offered_is_refused (void)
{
  static const char *const targets[] = { "image/gif", "DELETE", "SAVE_TARGETS",
                                         "STRING" };
  g_autoptr (Owner) owner = owner_new (5);
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
  g_autoptr (Owner) owner G_GNUC_UNUSED = owner_new (5);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);
  g_autoptr (GBytes) bytes = NULL;

  x11_peer_ask (peer, "UTF8_STRING", NULL, XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  g_assert_cmpstr (x11_peer_answer (peer), ==, "UTF8_STRING");
  bytes = x11_peer_read (peer, "UTF8_STRING", NULL);
  assert_bytes (bytes, "UTF8_STRING", 5);
}

static void
test_broken_content_is_refused (void)
{
  g_autoptr (Owner) owner = owner_new (5);
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
  g_autoptr (Owner) owner = owner_new (MIB);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  owner->broken = TRUE;
  x11_peer_ask (peer, "UTF8_STRING", "P", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) == 1);
  g_assert_null (read_incr (peer, "P", x11_peer_changes (peer, "P"), owner));
}

static void
test_place_asked_for_again_drops_the_first (void)
{
  g_autoptr (Owner) owner = owner_new (5);
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

static void
test_too_many_at_once_are_refused (void)
{
  g_autoptr (Owner) owner = owner_new (5);
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

static void
test_loss_is_told_and_what_runs_is_finished (void)
{
  g_autoptr (Owner) owner = owner_new (MIB);
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
  bytes = read_incr (reader, "P", x11_peer_changes (reader, "P"), owner);
  assert_bytes (bytes, "image/png", MIB);
}

static void
test_xclip_takes_over (void)
{
  g_autoptr (Owner) owner = owner_new (5);
  g_autoptr (Program) program = xserver_run (server, "printf new | xclip -i " CLIPBOARD);

  until (owner->n_cancelled == 1);
  until (!clip_offer_is_own (owner->ear->offer));
  g_assert_true (program_wait (program));
}

static void
test_owning_again_replaces (void)
{
  g_autoptr (Owner) owner = owner_new (5);
  ClipSource *first = owner->source;
  guint seen = owner->ear->n_offered;

  offer_source (owner);
  until (owner->ear->n_offered > seen);
  until (owner->n_cancelled == 1);
  g_assert_true (clip_offer_is_own (owner->ear->offer));
  assert_pastes ("xclip -o " CLIPBOARD " -t text/html", "text/html", 5);
  g_signal_handlers_disconnect_by_data (first, owner);
  g_assert_finalize_object (first);
}

static void
test_disown_clears (void)
{
  g_autoptr (Owner) owner = owner_new (5);

  clip_backend_disown (owner->ear->backend, CLIP_SELECTION_CLIPBOARD);
  until (owner->ear->n_cleared == 1);
  until (owner->n_cancelled == 1);
  clip_backend_disown (owner->ear->backend, CLIP_SELECTION_CLIPBOARD);
}

static void
test_disown_leaves_a_newer_owner_alone (void)
{
  g_autoptr (Owner) owner = owner_new (5);
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
  XServer *lasting = server;
  g_autoptr (XServer) dying = xserver_start (NULL);
  Owner *owner = NULL;
  g_autoptr (GError) error = NULL;

  server = dying;
  owner = owner_new (5);
  server = lasting;
  program_kill (dying->program);
  until (owner->n_cancelled == 1);
  until (owner->ear->n_disconnected == 1);
  g_assert_false (clip_backend_own (owner->ear->backend, CLIP_SELECTION_CLIPBOARD,
                                    owner->source, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  owner_free (owner);
}

static const struct
{
  const char *path;
  void (*test) (void);
} tests[] = {
  { "/x11/own-offer-is-flagged", test_own_offer_is_flagged },
  { "/x11/another-connection-of-ours-knows-it",
    test_another_connection_of_ours_knows_it },
  { "/x11/xclip-lists-targets", test_xclip_lists_targets },
  { "/x11/small-content-is-pasted", test_small_content_is_pasted },
  { "/x11/empty-content-is-pasted", test_empty_content_is_pasted },
  { "/x11/one-byte-around-a-chunk", test_one_byte_around_a_chunk },
  { "/x11/large-content-is-pasted", test_large_content_is_pasted },
  { "/x11/requestors-are-interleaved", test_requestors_are_interleaved },
  { "/x11/stalled-requestor-stalls-nobody", test_stalled_requestor_stalls_nobody },
  { "/x11/vanished-requestor-is-forgotten", test_vanished_requestor_is_forgotten },
  { "/x11/window-gone-before-the-answer", test_window_gone_before_the_answer },
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
  { "/x11/too-many-at-once-are-refused", test_too_many_at_once_are_refused },
  { "/x11/loss-is-told-and-what-runs-is-finished",
    test_loss_is_told_and_what_runs_is_finished },
  { "/x11/xclip-takes-over", test_xclip_takes_over },
  { "/x11/owning-again-replaces", test_owning_again_replaces },
  { "/x11/disown-clears", test_disown_clears },
  { "/x11/disown-leaves-a-newer-owner-alone", test_disown_leaves_a_newer_owner_alone },
  { "/x11/server-death-cancels", test_server_death_cancels },
};

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  server = xserver_start (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].test);
  status = g_test_run ();
  xserver_free (server);
  return status;
}

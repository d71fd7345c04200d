/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams from a real store into real pipes; who reads them is a thread. */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-streams.h"
#include "hoard.h"

#include <signal.h>
#include <string.h>

/* more than any pipe holds */
#define BIG_BYTES (3 * 1024 * 1024)

typedef struct
{
  Hoard *hoard;
  ClipTransfers *transfers;
  ClipStreams *streams;
  Answer answer;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  self->hoard = hoard_new (0);
  self->transfers = clip_transfers_new ();
  self->streams = clip_streams_new (self->hoard->dir, self->transfers);
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_streams_free (self->streams);
  clip_transfers_free (self->transfers);
  hoard_free (self->hoard);
}

static gboolean
next_of_join (gpointer source,
              ClipReader *reader,
              ClipPart *out_part,
              gboolean *out_more,
              GError **error)
{
  return clip_join_next (source, reader, out_part, out_more, error);
}

static ClipJoin *
join_of (const gint64 *ids, gsize n_ids, const char *separator)
{
  return clip_join_new (ids, n_ids, separator, strlen (separator), NULL, NULL);
}

/* Returns: the end to read from */
static int
begin (Fixture *self, ClipJoin *join, guint idle_ms, GCancellable *cancellable)
{
  ClipStreamJob job = { .next = next_of_join, .source = join, .idle_ms = idle_ms };
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  job.sink_fd = fds[1];
  clip_streams_run_async (self->streams, &job, cancellable, on_answer, &self->answer);
  return fds[0];
}

static goffset
wait_end (Fixture *self, GError **error)
{
  g_autoptr (GAsyncResult) result = answer_wait (&self->answer);

  return clip_streams_run_finish (result, error);
}

/* a reader on a thread of its own */
typedef struct
{
  int fd;
  gsize chunk;     /* how much it takes at a time */
  gulong pause_us; /* between two of them, while it is slow */
  guint n_pauses;
  GChecksum *checksum;
  gsize length;
} Eater;

static gpointer
eat (gpointer data)
{
  Eater *self = data;
  g_autofree char *buffer = g_malloc (self->chunk);
  gssize n;

  while ((n = read (self->fd, buffer, self->chunk)) > 0)
    {
      g_checksum_update (self->checksum, (const guchar *) buffer, n);
      self->length += (gsize) n;
      if (self->n_pauses > 0 && self->n_pauses-- > 0)
        g_usleep (self->pause_us);
    }
  clip_fd_clear (&self->fd);
  return NULL;
}

static void
add_to (GChecksum *checksum, gsize *length, const void *data, gsize n)
{
  g_checksum_update (checksum, data, (gssize) n);
  *length += n;
}

/* joins all of @ids, and compares with what the store says of each */
static void
assert_streamed (Fixture *self,
                 const gint64 *ids,
                 gsize n_ids,
                 const char *separator,
                 Eater eater)
{
  g_autoptr (ClipJoin) join = join_of (ids, n_ids, separator);
  g_autoptr (ClipReader) reader = clip_reader_open (self->hoard->dir, NULL);
  g_autoptr (GChecksum) seen = g_checksum_new (G_CHECKSUM_MD5);
  g_autoptr (GChecksum) expected = g_checksum_new (G_CHECKSUM_MD5);
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  goffset bytes;
  GThread *thread;

  eater.checksum = seen;
  eater.fd = begin (self, join, 0, NULL);
  thread = g_thread_new ("eater", eat, &eater);
  bytes = wait_end (self, &error);
  g_thread_join (thread);
  g_assert_no_error (error);
  for (gsize i = 0; i < n_ids; i++)
    {
      g_autoptr (ClipPayload) payload =
          clip_reader_open_content (reader, ids[i], NULL, NULL);
      g_autoptr (GBytes) content =
          payload->bytes ? g_bytes_ref (payload->bytes)
                         : clip_read_to_end (payload->fd, (gsize) payload->size, NULL);

      if (i > 0)
        add_to (expected, &length, separator, strlen (separator));
      add_to (expected, &length, g_bytes_get_data (content, NULL),
              g_bytes_get_size (content));
    }
  g_assert_cmpint (bytes, ==, (goffset) length);
  g_assert_cmpuint (eater.length, ==, length);
  g_assert_cmpstr (g_checksum_get_string (seen), ==, g_checksum_get_string (expected));
}

#define WORDS 100000

static void
test_many_words (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree gint64 *ids = g_new (gint64, WORDS);

  for (guint i = 0; i < WORDS; i++)
    ids[i] = WORDS - i;
  hoard_fill (self->hoard, WORDS);
  assert_streamed (self, ids, WORDS, "\n", (Eater){ .chunk = 65536 });
}

#define PICTURES 50
#define TIMES 10

/* the nth of some: from 32 KiB to 1 MiB, each size as likely as its double */
static gsize
picture_size (guint index)
{
  return ((gsize) 32768 << (index % 5)) + ((index * 7919) % 32768);
}

static void
add_pictures (ClipStore *store)
{
  Answer answers[PICTURES] = { 0 };

  for (guint i = 0; i < PICTURES; i++)
    {
      gsize length = picture_size (i);
      g_autoptr (ClipStage) stage = hoard_stage_of (store, length, i + 1);
      ClipDraft *draft = clip_draft_new ("");

      clip_draft_add (draft, "application/octet-stream", stage, (gint64) length);
      clip_store_change_async (store, clip_change_add (draft, NULL), on_answer,
                               &answers[i]);
    }
  for (guint i = 0; i < PICTURES; i++)
    g_object_unref (answer_wait (&answers[i]));
}

/* each of them ten times, never twice in a row: to store five hundred is up to the disk
 */
static void
test_many_pictures (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  gint64 ids[PICTURES * TIMES];

  for (guint i = 0; i < PICTURES * TIMES; i++)
    ids[i] = 1 + (i * 7) % PICTURES;
  add_pictures (self->hoard->store);
  assert_streamed (self, ids, PICTURES * TIMES, "--next--",
                   (Eater){ .chunk = 256 * 1024 });
}

static void
test_slow_reader (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 ids[] = { 2, 1, 3, 2 };

  hoard_add_blob (self->hoard->store, BIG_BYTES, 1);
  hoard_add_text (self->hoard->store, "a word between");
  hoard_add_blob (self->hoard->store, 100000, 2);
  assert_streamed (self, ids, 4, "",
                   (Eater){ .chunk = 777, .pause_us = 200, .n_pauses = 300 });
}

#define FEW_WORDS 3000

/* a file and a part that is gathered, of both of which some waits in the stream */
static void
test_pauses (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree gint64 *ids = g_new (gint64, FEW_WORDS + 2);

  hoard_fill (self->hoard, FEW_WORDS);
  ids[0] = hoard_add_blob (self->hoard->store, BIG_BYTES, 1);
  for (guint i = 1; i <= FEW_WORDS; i++)
    ids[i] = i;
  ids[FEW_WORDS + 1] = ids[0];
  assert_streamed (self, ids, FEW_WORDS + 2, "",
                   (Eater){ .chunk = 32768, .pause_us = 5000, .n_pauses = 200 });
}

static void
test_reader_leaves (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 ids[] = { 2, 1, 1, 1 };
  g_autoptr (ClipJoin) join = join_of (ids, 4, "");
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;
  char some[1000];
  goffset bytes;

  hoard_add_blob (self->hoard->store, BIG_BYTES, 1);
  hoard_add_text (self->hoard->store, "first");
  fd = begin (self, join, 0, NULL);
  g_assert_cmpint (read (fd, some, sizeof some), >, 0);
  clip_fd_clear (&fd);
  bytes = wait_end (self, &error);
  g_assert_no_error (error);
  g_assert_cmpint (bytes, >, 0);
  g_assert_cmpint (bytes, <, BIG_BYTES);
}

static void
test_missing (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 ids[] = { 1, 5 };
  g_autoptr (ClipJoin) join = join_of (ids, 2, "");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) nothing = NULL;
  clip_autofd int fd = -1;

  hoard_add_blob (self->hoard->store, 100000, 1);
  fd = begin (self, join, 0, NULL);
  g_assert_cmpint (wait_end (self, &error), ==, -1);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
  nothing = clip_read_to_end (fd, 1, NULL);
  g_assert_cmpuint (g_bytes_get_size (nothing), ==, 0);
}

static void
test_stalled_reader (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 ids[] = { 1 };
  g_autoptr (ClipJoin) join = join_of (ids, 1, "");
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;

  hoard_add_blob (self->hoard->store, BIG_BYTES, 1);
  fd = begin (self, join, 50, NULL);
  g_assert_cmpint (wait_end (self, &error), ==, -1);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_false (hoard_is_being_read (self->hoard));
}

static void
test_cancelled (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 ids[] = { 1, 1 };
  g_autoptr (ClipJoin) join = join_of (ids, 2, "");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;
  char one;

  hoard_add_blob (self->hoard->store, BIG_BYTES, 1);
  fd = begin (self, join, 0, cancellable);
  g_assert_cmpint (read (fd, &one, 1), ==, 1);
  g_cancellable_cancel (cancellable);
  g_assert_cmpint (wait_end (self, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_closing_stops (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 ids[] = { 1, 1 };
  g_autoptr (ClipJoin) join = join_of (ids, 2, "");
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;
  char one;

  hoard_add_blob (self->hoard->store, BIG_BYTES, 1);
  fd = begin (self, join, 0, NULL);
  g_assert_cmpint (read (fd, &one, 1), ==, 1);
  g_clear_pointer (&self->streams, clip_streams_free);
  g_assert_cmpint (wait_end (self, &error), ==, -1);
  g_assert_nonnull (error);
}

static void
test_limit (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const gint64 ids[] = { 1 };
  ClipJoin *joins[CLIP_STREAMS_MAX];
  int fds[CLIP_STREAMS_MAX];
  Answer answers[CLIP_STREAMS_MAX] = { 0 };
  g_autoptr (ClipJoin) join = join_of (ids, 1, "");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;

  hoard_add_blob (self->hoard->store, BIG_BYTES, 1);
  for (guint i = 0; i < CLIP_STREAMS_MAX; i++)
    {
      ClipStreamJob job = { .next = next_of_join };
      int ends[2];

      g_assert_true (clip_pipe (ends, NULL));
      job.source = joins[i] = join_of (ids, 1, "");
      job.sink_fd = ends[1];
      fds[i] = ends[0];
      clip_streams_run_async (self->streams, &job, cancellable, on_answer, &answers[i]);
    }
  fd = begin (self, join, 0, NULL);
  g_assert_cmpint (wait_end (self, &error), ==, -1);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS);
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < CLIP_STREAMS_MAX; i++)
    {
      g_object_unref (answer_wait (&answers[i]));
      clip_fd_clear (&fds[i]);
      clip_join_free (joins[i]);
    }
}

#define add(path, function) \
  g_test_add ("/streams/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("a-hundred-thousand-words", test_many_words);
  add ("five-hundred-pictures", test_many_pictures);
  add ("slow-reader-gets-all", test_slow_reader);
  add ("reader-pauses-and-gets-all", test_pauses);
  add ("reader-leaves-half-way", test_reader_leaves);
  add ("what-is-missing-is-said-before-the-first-byte", test_missing);
  add ("stalled-reader-is-given-up", test_stalled_reader);
  add ("cancelled-half-way", test_cancelled);
  add ("closing-ends-all", test_closing_stops);
  add ("one-too-many-is-refused", test_limit);
  return g_test_run ();
}

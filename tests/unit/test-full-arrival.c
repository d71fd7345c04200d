/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies that meet a full disk while they come in: a real one, of a few megabytes. */
#include "clip-arrival.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "hoard-check.h"
#include "small-disk.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define KIB 1024
#define MIB (1024 * KIB)
#define BLOB_BYTES (3 * MIB / 2)
#define COPY_BYTES (5 * MIB / 2)

/* of the disk */
#define LEFT_BYTES (300 * KIB)

typedef struct
{
  Hoard *hoard;
  ClipTransfers *transfers;
  ClipLimits limits;
  Answer answer;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  self->hoard = small_disk_hoard ();
  self->transfers = clip_transfers_new ();
  self->limits = small_disk_limits ();
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_transfers_free (self->transfers);
  small_disk_empty (self->hoard);
}

/* with five, of which the oldest is pinned */
static void
fill_with_blobs (Fixture *self)
{
  for (guint32 seed = 1; seed <= 5; seed++)
    hoard_add_blob (self->hoard->store, BLOB_BYTES, seed);
  hoard_pin (self->hoard->store, 1, TRUE);
  small_disk_fill (LEFT_BYTES);
}

static gint64
count_entries (Fixture *self)
{
  ClipTotals totals;

  clip_store_get_totals (self->hoard->store, &totals);
  return totals.count;
}

static ClipArrival *
receive (Fixture *self, int source_fd_take, GError **error)
{
  const ClipArrivalTerms terms = { .limits = self->limits };
  g_autoptr (GAsyncResult) result = NULL;

  clip_arrival_async (self->hoard->store, self->transfers, "", source_fd_take, &terms,
                      NULL, on_answer, &self->answer);
  result = answer_wait (&self->answer);
  return clip_arrival_finish (result, error);
}

/* who writes into a pipe and closes it; a reader that leaves is enough */
typedef struct
{
  int fd;
  const char *data;
  gsize length;
  guint n_times;
} Writer;

static gpointer
write_and_close (gpointer data)
{
  Writer *self = data;

  while (self->n_times-- > 0 && clip_write_all (self->fd, self->data, self->length, NULL))
    continue;
  clip_fd_clear (&self->fd);
  return NULL;
}

static ClipArrival *
receive_written (Fixture *self, const int fds_take[2], Writer *writer, GError **error)
{
  g_autoptr (ClipArrival) arrival = NULL;
  GThread *thread;

  writer->fd = fds_take[1];
  thread = g_thread_new ("writer", write_and_close, writer);
  arrival = receive (self, fds_take[0], error);
  g_thread_join (thread);
  return g_steal_pointer (&arrival);
}

/* @n_times as much: of a content whose length nobody knows */
static ClipArrival *
receive_from_pipe (Fixture *self,
                   const char *bytes,
                   gsize length,
                   guint n_times,
                   GError **error)
{
  Writer writer = { -1, bytes, length, n_times };
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  return receive_written (self, fds, &writer, error);
}

static ClipArrival *
receive_from_file (Fixture *self, const char *bytes, gsize length, GError **error)
{
  int fd = memfd_create ("source", MFD_CLOEXEC);

  g_assert_true (clip_write_all (fd, bytes, length, NULL));
  g_assert_cmpint (lseek (fd, 0, SEEK_SET), ==, 0);
  return receive (self, fd, error);
}

static void
keep (Fixture *self, ClipArrival *arrival, const char *bytes, gsize length)
{
  ClipDraft *draft = clip_draft_new ("");
  g_autoptr (GBytes) kept = NULL;
  ClipAdded added;

  g_assert_cmpint (arrival->size, ==, length);
  clip_draft_add (draft, "application/octet-stream", arrival->stage, arrival->size);
  added = hoard_add (self->hoard->store, draft, &self->limits);
  kept = hoard_bytes (self->hoard->store, added.id, "", NULL);
  g_assert_nonnull (kept);
  g_assert_cmpmem (g_bytes_get_data (kept, NULL), g_bytes_get_size (kept), bytes, length);
}

/* two go, and it has come: what has gone is not asked for again when it is added */
static void
assert_kept_for_two (Fixture *self)
{
  g_autofree char *bytes = hoard_make_bytes (COPY_BYTES, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;

  fill_with_blobs (self);
  arrival = receive_from_pipe (self, bytes, COPY_BYTES, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_entries (self), ==, 3);
  keep (self, arrival, bytes, COPY_BYTES);
  hoard_assert_totals (self->hoard->store, 4, 3 * BLOB_BYTES + COPY_BYTES, 1);
}

static void
test_pipe (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  assert_kept_for_two (self);
}

/* an entry for an entry, and not for two: of a floor that is out of reach */
static void
test_paid_once (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  self->limits.min_free_percent = 50;
  assert_kept_for_two (self);
}

/* what was read of it when the disk was full is in nothing but our memory */
static void
test_socket (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (COPY_BYTES, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;
  Writer writer = { -1, bytes, COPY_BYTES, 1 };
  int fds[2];

  fill_with_blobs (self);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  arrival = receive_written (self, fds, &writer, &error);
  g_assert_no_error (error);
  keep (self, arrival, bytes, COPY_BYTES);
}

static void
test_file (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (COPY_BYTES, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;

  fill_with_blobs (self);
  arrival = receive_from_file (self, bytes, COPY_BYTES, &error);
  g_assert_no_error (error);
  keep (self, arrival, bytes, COPY_BYTES);
  hoard_assert_totals (self->hoard->store, 4, 3 * BLOB_BYTES + COPY_BYTES, 1);
}

/* none of it is on the disk when that is met */
static void
test_no_block_is_left (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;

  fill_with_blobs (self);
  small_disk_fill (0);
  arrival = receive_from_pipe (self, bytes, MIB, 1, &error);
  g_assert_no_error (error);
  keep (self, arrival, bytes, MIB);
  /* one for it, and one for the floor, which takes less than a tenth */
  hoard_assert_totals (self->hoard->store, 4, 3 * BLOB_BYTES + MIB, 1);
}

/* rows, whose pages are the database's until it gives them back */
static void
test_texts (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;

  small_disk_add_words (self->hoard, 160, 50000);
  small_disk_fill (LEFT_BYTES);
  arrival = receive_from_pipe (self, bytes, MIB, 1, &error);
  g_assert_no_error (error);
  keep (self, arrival, bytes, MIB);
  /* what is kept for deleting, and the log */
  g_assert_cmpint (count_entries (self), >=, 100);
}

static void
assert_full (ClipArrival *arrival, const GError *error)
{
  g_assert_null (arrival);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_true (g_str_has_suffix (error->message, "No space left on device"));
}

static void
test_never_fits (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (7 * MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;

  fill_with_blobs (self);
  arrival = receive_from_file (self, bytes, 7 * MIB, &error);
  assert_full (arrival, error);
  g_assert_cmpint (count_entries (self), ==, 5);
  g_assert_cmpuint (hoard_count_files (self->hoard->dir, "blobs"), ==, 5);
}

/* nobody can tell how much is to come: it takes half at most */
static void
test_never_ends (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;

  for (guint32 seed = 1; seed <= 22; seed++)
    hoard_add_blob (self->hoard->store, MIB / 2, seed);
  small_disk_fill (LEFT_BYTES);
  arrival = receive_from_pipe (self, bytes, MIB, G_MAXUINT, &error);
  assert_full (arrival, error);
  /* and what a change needs */
  g_assert_cmpint (count_entries (self), >=, 11 - 4);
  g_assert_cmpuint (hoard_count_files (self->hoard->dir, "blobs"), ==,
                    count_entries (self));
}

/* who wants no floor wants nothing to go for it */
static void
test_no_floor (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;

  self->limits.min_free_percent = 0;
  fill_with_blobs (self);
  arrival = receive_from_pipe (self, bytes, MIB, 1, &error);
  g_assert_null (arrival);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_cmpint (count_entries (self), ==, 5);
}

/* one that somebody has asked for is kept, also of what comes in */
static void
test_chosen_floor (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = NULL;

  self->limits.cautious = 0;
  self->limits.min_free_percent = 0;
  self->limits.min_free_bytes = 6 * MIB;
  fill_with_blobs (self);
  arrival = receive_from_file (self, bytes, MIB, &error);
  assert_full (arrival, error);
  g_assert_cmpint (count_entries (self), ==, 5);
  g_clear_error (&error);
  self->limits.min_free_bytes = 2 * MIB;
  arrival = receive_from_file (self, bytes, MIB, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_entries (self), ==, 3);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } facts[] = {
    { "/full-arrival/oldest-go-for-a-pipe", test_pipe },
    { "/full-arrival/oldest-go-for-a-socket", test_socket },
    { "/full-arrival/oldest-go-for-a-file", test_file },
    { "/full-arrival/what-went-is-not-asked-for-again", test_paid_once },
    { "/full-arrival/oldest-go-where-no-block-is-left", test_no_block_is_left },
    { "/full-arrival/texts-go-for-a-large-copy", test_texts },
    { "/full-arrival/nothing-goes-for-what-never-fits", test_never_fits },
    { "/full-arrival/half-goes-for-what-never-ends", test_never_ends },
    { "/full-arrival/nothing-goes-without-a-floor", test_no_floor },
    { "/full-arrival/a-floor-that-was-chosen-is-kept", test_chosen_floor },
  };

  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  if (!small_disk_mount ())
    return 77;
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    g_test_add (facts[i].path, Fixture, NULL, set_up, facts[i].test, tear_down);
  return small_disk_unmount (g_test_run ());
}

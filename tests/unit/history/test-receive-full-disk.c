/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies that meet the floor of free space while they come in: a real disk, of a few
   megabytes. */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-receive.h"
#include "hoard-check.h"
#include "small-disk.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

#define KIB 1024
#define MIB (1024 * KIB)
#define BLOB_BYTES (3 * MIB / 2)

typedef struct
{
  Hoard *hoard;
  ClipTransfers *transfers;
  ClipLimits limits;
  gboolean is_done;
  ClipStagedContent *received;
  GError *error;
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

/* with five, of which the oldest is pinned; the floor is at 5 % */
static void
fill_with_blobs (Fixture *self, goffset left_bytes)
{
  for (guint32 seed = 1; seed <= 5; seed++)
    hoard_add_blob (self->hoard->store, BLOB_BYTES, seed);
  hoard_pin (self->hoard->store, 1, TRUE);
  small_disk_fill (left_bytes);
}

static gint64
count_entries (Fixture *self)
{
  ClipTotals totals;

  clip_store_get_totals (self->hoard->store, &totals);
  return totals.count;
}

static void
on_received (ClipReceived *received, gpointer user_data)
{
  Fixture *self = user_data;

  self->is_done = TRUE;
  self->received = g_steal_pointer (&received->content);
  self->error = received->error ? g_error_copy (received->error) : NULL;
}

static ClipStagedContent *
receive (Fixture *self, int source_fd_take, GError **error)
{
  const ClipReceiveTerms terms = { .limits = self->limits };

  self->is_done = FALSE;
  clip_receive_fd (self->hoard->store, self->transfers, "", source_fd_take, &terms, NULL,
                   on_received, self);
  while (!self->is_done)
    g_main_context_iteration (NULL, TRUE);
  if (self->error)
    g_propagate_error (error, g_steal_pointer (&self->error));
  return g_steal_pointer (&self->received);
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

/* @n_times as much: of a content whose length nobody knows */
static ClipStagedContent *
receive_from_pipe (Fixture *self,
                   const char *bytes,
                   gsize length,
                   guint n_times,
                   GError **error)
{
  Writer writer = { -1, bytes, length, n_times };
  g_autoptr (ClipStagedContent) content = NULL;
  GThread *thread;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  writer.fd = fds[1];
  thread = g_thread_new ("writer", write_and_close, &writer);
  content = receive (self, fds[0], error);
  g_thread_join (thread);
  return g_steal_pointer (&content);
}

static ClipStagedContent *
receive_from_file (Fixture *self, const char *bytes, gsize length, GError **error)
{
  int fd = memfd_create ("source", MFD_CLOEXEC);

  g_assert_true (clip_write_all (fd, bytes, length, NULL));
  g_assert_cmpint (lseek (fd, 0, SEEK_SET), ==, 0);
  return receive (self, fd, error);
}

static gboolean
keep (Fixture *self, ClipStagedContent *content, GError **error)
{
  ClipDraft *draft = clip_draft_new ("");
  ClipOutcome added = { 0 };

  clip_draft_add (draft, "application/octet-stream", content->stage, content->size);
  return hoard_try_add (self->hoard->store, draft, &self->limits, &added, error);
}

/* whatever was refused: nothing has gone for it, and nothing of it is left */
static void
assert_refused (Fixture *self, ClipStagedContent *content, const GError *error)
{
  g_assert_null (content);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_cmpint (count_entries (self), ==, 5);
  g_assert_cmpuint (hoard_count_files (self->hoard->dir, "blobs"), ==, 5);
}

static void
test_above_the_floor (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = NULL;

  fill_with_blobs (self, 3 * MIB);
  content = receive_from_pipe (self, bytes, MIB, 1, &error);
  g_assert_no_error (error);
  g_assert_true (keep (self, content, &error));
  g_assert_cmpint (count_entries (self), ==, 6);
}

/* it would fit the disk, and not above the floor */
static void
test_stops_at_the_floor (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = NULL;

  fill_with_blobs (self, 5 * MIB / 4);
  content = receive_from_pipe (self, bytes, MIB, 1, &error);
  assert_refused (self, content, error);
  g_assert_nonnull (strstr (error->message, "to stay free"));
}

static void
test_never_ends (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = NULL;

  fill_with_blobs (self, 3 * MIB);
  content = receive_from_pipe (self, bytes, MIB, G_MAXUINT, &error);
  assert_refused (self, content, error);
}

/* a file has come whole below the floor, and as much goes for it at most */
static void
test_file (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = NULL;

  fill_with_blobs (self, 3 * MIB / 2);
  content = receive_from_file (self, bytes, MIB, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_entries (self), ==, 5);
  g_assert_true (keep (self, content, &error));
  g_assert_no_error (error);
  hoard_assert_totals (self->hoard->store, 5, 4 * BLOB_BYTES + MIB, 1);
}

/* nor where others have filled the disk meanwhile: it is not paid for what they took */
static void
test_others_fill_the_disk (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = NULL;

  self->limits.min_free_percent = 50;
  fill_with_blobs (self, 3 * MIB);
  content = receive_from_file (self, bytes, MIB, &error);
  assert_refused (self, content, error);
}

static void
test_never_fits (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (7 * MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = NULL;

  fill_with_blobs (self, 3 * MIB);
  content = receive_from_file (self, bytes, 7 * MIB, &error);
  assert_refused (self, content, error);
  g_assert_nonnull (strstr (error->message, "to stay free"));
}

/* who wants no floor may fill the disk, and nothing goes for that */
static void
test_no_floor (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = hoard_make_bytes (MIB, 9);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = NULL;

  self->limits.min_free_percent = 0;
  fill_with_blobs (self, MIB / 2);
  content = receive_from_pipe (self, bytes, MIB, 1, &error);
  assert_refused (self, content, error);
  g_assert_nonnull (strstr (error->message, "No space left on device"));
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } facts[] = {
    { "/receive/full-disk/above-the-floor-all-is-well", test_above_the_floor },
    { "/receive/full-disk/a-pipe-stops-at-the-floor", test_stops_at_the_floor },
    { "/receive/full-disk/nothing-goes-for-what-never-ends", test_never_ends },
    { "/receive/full-disk/oldest-goes-for-a-file", test_file },
    { "/receive/full-disk/nothing-goes-for-what-others-took", test_others_fill_the_disk },
    { "/receive/full-disk/nothing-goes-for-what-never-fits", test_never_fits },
    { "/receive/full-disk/nothing-goes-without-a-floor", test_no_floor },
  };

  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  if (!small_disk_mount ())
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    g_test_add (facts[i].path, Fixture, NULL, set_up, facts[i].test, tear_down);
  return small_disk_unmount (g_test_run ());
}

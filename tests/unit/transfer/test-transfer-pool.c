/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What transfers share: the user's pipes, and the threads that serve. */
#include "clip-pump.h"
#include "clip-transfer.h"
#include "ends.h"
#include "trip.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#define MEDIUM_BYTES (LARGE_BYTES / 4)
#define LONG_BYTES (LARGE_BYTES + LARGE_BYTES / 2)
#define SHORT_BYTES (LARGE_BYTES / 2)

/* how many get which pipe, and more than that */
#define N_LARGE 4
#define N_MEDIUM 96
#define N_MANY (N_LARGE + N_MEDIUM + 4)

/* transfers that fill their pipes, and then nobody reads */
typedef struct
{
  ClipTransfers *transfers;
  GCancellable *cancellable;
  TestTrip trips[N_MANY];
  guint n;
} Jam;

static int
pipe_size (TestTrip *trip)
{
  return fcntl (trip->sink.peer_fd, F_GETPIPE_SZ);
}

/* until the pipe holds what it can, which the thread reaches sooner or later */
static void
await_full (TestTrip *trip)
{
  int held;

  do
    {
      g_thread_yield ();
      g_assert_cmpint (ioctl (trip->sink.peer_fd, FIONREAD, &held), ==, 0);
    }
  while (held < MIN (pipe_size (trip), trip->job.size));
}

static void
start (ClipTransfers *transfers, TestTrip *trip, gsize size, GCancellable *cancellable)
{
  test_trip_init (trip, TEST_FILE, TEST_PIPE, size);
  trip->job.size = (goffset) size;
  test_trip_serve (transfers, trip, cancellable);
}

static void
jam_start (Jam *self, ClipTransfers *transfers, guint n)
{
  self->transfers = transfers;
  self->cancellable = g_cancellable_new ();
  self->n = n;
  for (guint i = 0; i < n; i++)
    start (transfers, &self->trips[i], LONG_BYTES, self->cancellable);
  for (guint i = 0; i < n; i++)
    await_full (&self->trips[i]);
}

static guint
jam_count (Jam *self, int bytes)
{
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    n += pipe_size (&self->trips[i]) == bytes;
  return n;
}

static void
jam_end (Jam *self)
{
  g_cancellable_cancel (self->cancellable);
  for (guint i = 0; i < self->n; i++)
    {
      test_trip_await (&self->trips[i]);
      test_trip_clear (&self->trips[i]);
    }
  g_clear_object (&self->cancellable);
}

static gboolean
system_has_large_pipes (void)
{
  g_auto (TestEnd) probe = { .fd = -1 };

  test_sink_init (&probe, TEST_PIPE);
  return clip_pump_enlarge_pipe (probe.fd, LARGE_BYTES);
}

static void
test_pipes_within_a_budget (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  guint n_large = system_has_large_pipes () ? N_LARGE : 0;
  Jam jam;

  /* what was given back is there for the next ones */
  for (guint i = 0; i < 2; i++)
    {
      jam_start (&jam, transfers, N_MANY);
      g_assert_cmpuint (jam_count (&jam, LARGE_BYTES), ==, n_large);
      g_assert_cmpuint (jam_count (&jam, MEDIUM_BYTES), ==, n_large > 0 ? N_MEDIUM : 0);
      jam_end (&jam);
    }
}

static void
test_short_content_finds_large_pipe (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) word = { 0 };
  Jam jam;

  jam_start (&jam, transfers, N_MANY);
  start (transfers, &word, SHORT_BYTES, NULL);
  if (system_has_large_pipes ())
    test_trip_await (&word); /* it fits: nobody has to read */
  else
    test_trip_finish (&word);
  g_assert_no_error (word.error);
  jam_end (&jam);
}

/* or to the end; once all has been sent, what is not large any longer may have been */
static void
read_until_large (TestTrip *trip)
{
  guint8 block[16384];
  gssize n = -1;

  while (pipe_size (trip) != LARGE_BYTES && n != 0)
    {
      n = read (trip->sink.peer_fd, block, sizeof block);
      if (n > 0)
        g_byte_array_append (trip->sink.seen, block, (guint) n);
      else
        g_thread_yield ();
    }
}

static void
test_pipe_grows_when_others_end (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) late = { 0 };
  Jam jam;

  if (!system_has_large_pipes ())
    return;
  jam_start (&jam, transfers, N_LARGE);
  start (transfers, &late, 24 * LARGE_BYTES, NULL);
  await_full (&late);
  g_assert_cmpint (pipe_size (&late), ==, MEDIUM_BYTES);
  jam_end (&jam);
  read_until_large (&late);
  g_assert_cmpint (pipe_size (&late), ==, LARGE_BYTES);
  test_trip_finish (&late);
  test_sink_drain (&late.sink);
  test_trip_assert_arrived (&late);
}

/* its first progress comes on the thread that serves the long ones, and holds it up */
static void
hold_up (goffset moved G_GNUC_UNUSED, gpointer user_data)
{
  while (!g_atomic_int_get ((int *) user_data))
    g_thread_yield ();
}

static void
test_short_content_waits_for_no_long_one (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) film = { 0 };
  g_auto (TestTrip) word = { 0 };
  int may_go_on = FALSE;

  test_trip_init (&film, TEST_FILE, TEST_PIPE, LONG_BYTES);
  film.job.size = LONG_BYTES;
  film.job.on_moved = hold_up;
  film.job.moved_data = &may_go_on;
  test_trip_serve (transfers, &film, NULL);
  start (transfers, &word, SHORT_BYTES, NULL);
  test_trip_finish (&word);
  test_trip_assert_arrived (&word);
  g_atomic_int_set (&may_go_on, TRUE);
  test_trip_finish (&film);
  test_trip_assert_arrived (&film);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transfer-pool/pipes-within-a-budget", test_pipes_within_a_budget);
  g_test_add_func ("/transfer-pool/a-short-content-finds-a-large-pipe",
                   test_short_content_finds_large_pipe);
  g_test_add_func ("/transfer-pool/a-pipe-grows-when-others-end",
                   test_pipe_grows_when_others_end);
  g_test_add_func ("/transfer-pool/a-short-content-waits-for-no-long-one",
                   test_short_content_waits_for_no_long_one);
  return g_test_run ();
}

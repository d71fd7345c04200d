/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-transfer.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "ends.h"
#include "trip.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>

#define N_STALLED 50

/* nothing here takes as long, unless it never ends */
#define WATCHDOG_SECONDS 30

/* much more than the end takes, much less than for ever */
#define END_SECONDS 10

static void
test_first_byte_late (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  trip.job.first_ms = 10;
  test_trip_capture (transfers, &trip, NULL);
  test_trip_await (&trip);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_cmpint (trip.moved, ==, -1);
  test_trip_await_closed (&trip);
}

static void
test_idle_source_stalls (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  trip.job.first_ms = FOREVER_MS;
  trip.job.idle_ms = 10;
  test_source_feed (&trip.source);
  test_trip_capture (transfers, &trip, NULL);
  test_trip_await (&trip);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  test_trip_await_closed (&trip);
}

static void
test_idle_reader_stalls (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_PIPE, LARGE_BYTES);
  trip.job.idle_ms = 10;
  test_trip_serve (transfers, &trip, NULL);
  test_trip_await (&trip);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  test_trip_await_closed (&trip);
}

static gboolean
on_drip (gpointer user_data)
{
  TestTrip *trip = user_data;

  if (write (trip->source.peer_fd, "drip", 1) != 1 || ++trip->source.fed == 12)
    test_end_close_peer (&trip->source);
  return trip->source.peer_fd >= 0;
}

/* slower than the deadline on the whole, never between two bytes */
static void
test_each_byte_moves_the_deadline (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_PIPE, TEST_FILE, 0);
  trip.job.idle_ms = 1000;
  test_trip_capture (transfers, &trip, NULL);
  g_timeout_add (100, on_drip, &trip);
  test_trip_await (&trip);
  g_assert_no_error (trip.error);
  g_assert_cmpint (trip.moved, ==, 12);
}

static void
test_cancelled (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  test_trip_capture (transfers, &trip, cancellable);
  g_cancellable_cancel (cancellable);
  test_trip_await (&trip);
  g_assert_error (trip.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_trip_await_closed (&trip);
}

/* before the thread has seen it */
static void
test_cancelled_beforehand (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (TestTrip) trip = { 0 };

  g_cancellable_cancel (cancellable);
  test_trip_init (&trip, TEST_FILE, TEST_FILE, SOME_BYTES);
  test_trip_serve (transfers, &trip, cancellable);
  test_trip_await (&trip);
  g_assert_error (trip.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_trip_await_closed (&trip);
}

static void
start_stalled (ClipTransfers *transfers, TestTrip *trips, GCancellable *cancellable)
{
  for (int i = 0; i < N_STALLED; i++)
    {
      test_trip_init (&trips[i], TEST_FILE, i % 2 ? TEST_PIPE : TEST_SOCKET,
                      2 * LARGE_BYTES);
      test_trip_serve (transfers, &trips[i], cancellable);
    }
}

static void
test_stalled_readers_hold_up_nobody (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree TestTrip *stalled = g_new0 (TestTrip, N_STALLED);
  g_auto (TestTrip) small = { 0 };
  g_auto (TestTrip) large = { 0 };

  start_stalled (transfers, stalled, cancellable);
  test_trip_init (&small, TEST_FILE, TEST_PIPE, 100);
  test_trip_serve (transfers, &small, NULL);
  test_trip_await (&small);
  test_trip_assert_arrived (&small);
  test_trip_init (&large, TEST_FILE, TEST_PIPE, LARGE_BYTES);
  test_trip_serve (transfers, &large, NULL);
  test_trip_finish (&large);
  test_trip_assert_arrived (&large);
  for (int i = 0; i < N_STALLED; i++)
    g_assert_false (stalled[i].is_done);
  g_cancellable_cancel (cancellable);
  for (int i = 0; i < N_STALLED; i++)
    {
      test_trip_await (&stalled[i]);
      g_assert_error (stalled[i].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      test_trip_await_closed (&stalled[i]);
      test_trip_clear (&stalled[i]);
    }
}

static int has_freed; /* atomic */

static gpointer
free_transfers (gpointer data)
{
  clip_transfers_free (data);
  g_atomic_int_set (&has_freed, TRUE);
  return NULL;
}

/* in time for whoever waits for the end of the daemon */
static void
assert_freed_soon (ClipTransfers *transfers)
{
  gint64 until_us = g_get_monotonic_time () + END_SECONDS * G_USEC_PER_SEC;
  GThread *freer;

  g_atomic_int_set (&has_freed, FALSE);
  freer = g_thread_new ("freer", free_transfers, transfers);
  while (!g_atomic_int_get (&has_freed))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (1000);
    }
  g_thread_join (freer);
}

static void
assert_file_arrives (ClipTransfers *transfers)
{
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_FILE, SOME_BYTES);
  test_trip_serve (transfers, &trip, NULL);
  test_trip_await (&trip);
  test_trip_assert_arrived (&trip);
}

/* more of them than the pool has hands */
static void
test_undrained_masters_hold_up_nobody (void)
{
  ClipTransfers *transfers = clip_transfers_new ();
  g_auto (TestTrip) late = { 0 };
  TestTrip stalled[5] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (stalled); i++)
    {
      test_trip_init (&stalled[i], TEST_FILE, TEST_MASTER, LARGE_BYTES);
      test_trip_serve (transfers, &stalled[i], NULL);
    }
  test_trip_init (&late, TEST_FILE, TEST_MASTER, LARGE_BYTES);
  late.job.idle_ms = 50;
  test_trip_serve (transfers, &late, NULL);
  test_trip_await (&late);
  g_assert_error (late.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  test_trip_await_closed (&late);
  assert_file_arrives (transfers);
  assert_freed_soon (transfers);
  for (guint i = 0; i < G_N_ELEMENTS (stalled); i++)
    {
      test_trip_await (&stalled[i]);
      g_assert_error (stalled[i].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      /* a hand that did not hear of it in time closes it by itself */
      while (test_trip_sink_is_open (&stalled[i]))
        g_thread_yield ();
      test_trip_clear (&stalled[i]);
    }
}

/* a terminal forgets what is in it when its master goes, so that is held */
static void
test_slow_master_gets_all (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };
  clip_autofd int master_fd = -1;

  test_trip_init (&trip, TEST_FILE, TEST_MASTER, SOME_BYTES);
  master_fd = fcntl (trip.sink.fd, F_DUPFD_CLOEXEC, 0);
  test_trip_serve (transfers, &trip, NULL);
  test_trip_finish (&trip);
  while (trip.sink.seen->len < SOME_BYTES)
    test_sink_drain (&trip.sink);
  test_trip_assert_arrived (&trip);
}

static void
test_reader_of_a_full_master_leaves (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_MASTER, LARGE_BYTES);
  test_trip_serve (transfers, &trip, NULL);
  test_end_close_peer (&trip.sink);
  test_trip_await (&trip);
  g_assert_true (trip.reader_left || trip.error);
  test_trip_await_closed (&trip);
}

/* eight bytes would be added to its counter, and wait where that overflows */
static void
test_event_is_no_sink (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_NULL, 8);
  clip_fd_clear (&trip.sink.fd);
  trip.sink.fd = eventfd (1, EFD_CLOEXEC);
  test_trip_serve (transfers, &trip, NULL);
  test_trip_await (&trip);
  g_assert_error (trip.error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
  g_assert_cmpint (trip.moved, ==, -1);
}

/* what hides behind a number may change: from now on it is a pipe that nobody reads */
static void
on_first_progress (goffset moved G_GNUC_UNUSED, gpointer user_data)
{
  TestTrip *trip = user_data;
  int fds[2];

  if (trip->sink.peer_fd >= 0)
    return;
  g_assert_true (clip_pipe (fds, NULL));
  g_assert_cmpint (dup3 (fds[1], trip->sink_number, O_CLOEXEC), >=, 0);
  close (fds[1]);
  trip->sink.peer_fd = fds[0];
}

/* who waits for a write that hangs hears in time, and so does who wants to end; the
 * descriptor is closed when the write is over */
static void
test_hanging_write_is_left_behind (void)
{
  ClipTransfers *transfers = clip_transfers_new ();
  g_auto (TestTrip) hanging = { 0 };

  test_trip_init (&hanging, TEST_FILE, TEST_FILE, 4 * LARGE_BYTES);
  hanging.job.idle_ms = 100;
  hanging.job.on_moved = on_first_progress;
  hanging.job.moved_data = &hanging;
  test_trip_serve (transfers, &hanging, NULL);
  test_trip_await (&hanging);
  g_assert_error (hanging.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_true (test_fd_is_open (hanging.sink_number));
  assert_file_arrives (transfers);
  assert_freed_soon (transfers);
  g_assert_true (test_fd_is_open (hanging.sink_number));
  test_end_close_peer (&hanging.sink);
  while (test_fd_is_open (hanging.sink_number))
    g_thread_yield ();
  test_trip_await_closed (&hanging);
}

static void
serve_bytes (ClipTransfers *transfers, TestTrip *trip)
{
  trip->job.bytes = trip->content;
  trip->sink_inode = test_fd_inode (trip->sink.fd);
  trip->job.sink_fd = trip->sink_number = g_steal_fd (&trip->sink.fd);
  clip_transfers_serve_async (transfers, &trip->job, NULL, test_trip_on_done, trip);
}

static void
test_named_pipe_holds_up_nobody (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) slow = { 0 };
  g_auto (TestTrip) small = { 0 };

  test_trip_init (&slow, TEST_FILE, TEST_FIFO, 4 * LARGE_BYTES);
  serve_bytes (transfers, &slow);
  test_trip_init (&small, TEST_FILE, TEST_FIFO, 5000);
  serve_bytes (transfers, &small);
  g_assert_false (test_trip_sink_is_open (&small));
  test_sink_assert (&small.sink, small.content);
  test_trip_await (&small);
  assert_file_arrives (transfers);
  g_assert_false (slow.is_done);
  test_trip_finish (&slow);
  test_trip_assert_arrived (&slow);
  g_assert_false (test_trip_sink_is_open (&slow));
}

/* whoever opens a file next gets the same numbers: a second close would take them away */
static void
assert_closed_once (GCancellable *cancellable, goffset size, GQuark domain, int code)
{
  ClipTransfers *transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_PIPE, SOME_BYTES);
  trip.job.size = size;
  test_trip_serve (transfers, &trip, cancellable);
  test_trip_finish (&trip);
  if (domain)
    g_assert_error (trip.error, domain, code);
  test_trip_await_closed (&trip);
  g_assert_cmpint (dup2 (STDERR_FILENO, trip.source_number), >=, 0);
  g_assert_cmpint (dup2 (STDERR_FILENO, trip.sink_number), >=, 0);
  clip_transfers_free (transfers);
  g_assert_cmpint (close (trip.source_number), ==, 0);
  g_assert_cmpint (close (trip.sink_number), ==, 0);
}

static void
test_descriptors_closed_once (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  assert_closed_once (NULL, SOME_BYTES, 0, 0);
  assert_closed_once (NULL, SOME_BYTES + 1, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_cancellable_cancel (cancellable);
  assert_closed_once (cancellable, SOME_BYTES, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_free_cancels (void)
{
  ClipTransfers *transfers = clip_transfers_new ();
  g_auto (TestTrip) serving = { 0 };
  g_auto (TestTrip) capturing = { 0 };
  g_auto (TestTrip) copying = { 0 };

  test_trip_init (&serving, TEST_FILE, TEST_PIPE, LARGE_BYTES);
  test_trip_serve (transfers, &serving, NULL);
  test_trip_init (&capturing, TEST_PIPE, TEST_FILE, LARGE_BYTES);
  test_trip_capture (transfers, &capturing, NULL);
  test_trip_init (&copying, TEST_FILE, TEST_FILE, 16 * LARGE_BYTES);
  test_trip_serve (transfers, &copying, NULL);
  clip_transfers_free (transfers);
  test_trip_await_closed (&serving);
  test_trip_await_closed (&capturing);
  test_trip_await_closed (&copying);
  test_trip_await (&serving);
  test_trip_await (&capturing);
  test_trip_await (&copying);
  g_assert_error (serving.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_error (capturing.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  alarm (WATCHDOG_SECONDS);
  g_test_add_func ("/pump-source/first-byte-late", test_first_byte_late);
  g_test_add_func ("/pump-source/idle-source-stalls", test_idle_source_stalls);
  g_test_add_func ("/pump-source/idle-reader-stalls", test_idle_reader_stalls);
  g_test_add_func ("/pump-source/each-byte-moves-the-deadline",
                   test_each_byte_moves_the_deadline);
  g_test_add_func ("/pump-source/cancelled", test_cancelled);
  g_test_add_func ("/pump-source/cancelled-beforehand", test_cancelled_beforehand);
  g_test_add_func ("/pump-source/stalled-readers-hold-up-nobody",
                   test_stalled_readers_hold_up_nobody);
  g_test_add_func ("/pump-source/undrained-masters-hold-up-nobody",
                   test_undrained_masters_hold_up_nobody);
  g_test_add_func ("/pump-source/slow-master-gets-all", test_slow_master_gets_all);
  g_test_add_func ("/pump-source/reader-of-a-full-master-leaves",
                   test_reader_of_a_full_master_leaves);
  g_test_add_func ("/pump-source/event-is-no-sink", test_event_is_no_sink);
  g_test_add_func ("/pump-source/hanging-write-is-left-behind",
                   test_hanging_write_is_left_behind);
  g_test_add_func ("/pump-source/named-pipe-holds-up-nobody",
                   test_named_pipe_holds_up_nobody);
  g_test_add_func ("/pump-source/descriptors-closed-once", test_descriptors_closed_once);
  g_test_add_func ("/pump-source/free-cancels", test_free_cancels);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers that stand still because there is no room, as /dev/full never has. */
#include "clip-error.h"
#include "clip-fd.h"
#include "trip.h"

#include <fcntl.h>
#include <signal.h>

/* a transfer, and who is asked for room */
typedef struct
{
  TestTrip trip;
  ClipTransferPause *pause; /* atomic */
  goffset moved;
} Asked;

static void
on_full (ClipTransferPause *pause_take,
         goffset moved,
         const GError *reason,
         gpointer user_data)
{
  Asked *asked = user_data;

  g_assert_error (reason, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  asked->moved = moved;
  g_atomic_pointer_set (&asked->pause, pause_take);
  g_main_context_wakeup (NULL);
}

static void
begin (ClipTransfers *transfers, Asked *asked, GCancellable *cancellable)
{
  test_trip_init (&asked->trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  clip_fd_clear (&asked->trip.sink.fd);
  asked->trip.sink.fd = open ("/dev/full", O_WRONLY | O_CLOEXEC);
  asked->trip.job.full = on_full;
  asked->trip.job.full_data = asked;
  test_trip_capture (transfers, &asked->trip, cancellable);
  test_source_feed (&asked->trip.source);
}

static ClipTransferPause *
wait_asked (Asked *asked)
{
  while (!g_atomic_pointer_get (&asked->pause))
    g_main_context_iteration (NULL, TRUE);
  return g_steal_pointer (&asked->pause);
}

static void
test_told (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  Asked asked = { 0 };

  begin (transfers, &asked, NULL);
  clip_transfer_resume (wait_asked (&asked), NULL);
  clip_transfer_resume (wait_asked (&asked),
                        g_error_new_literal (CLIP_ERROR, CLIP_ERROR_CORRUPT, "told"));
  test_trip_await (&asked.trip);
  g_assert_error (asked.trip.error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_assert_cmpint (asked.moved, ==, 0);
  test_trip_clear (&asked.trip);
}

static void
test_cancelled (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Asked asked = { 0 };
  ClipTransferPause *pause;

  begin (transfers, &asked, cancellable);
  pause = wait_asked (&asked);
  g_cancellable_cancel (cancellable);
  test_trip_await (&asked.trip);
  g_assert_error (asked.trip.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  clip_transfer_resume (pause, NULL);
  test_trip_clear (&asked.trip);
}

/* whoever waits is late for nothing, and nobody waits for him */
static void
test_others (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) other = { 0 };
  Asked asked = { 0 };
  ClipTransferPause *pause;

  begin (transfers, &asked, NULL);
  pause = wait_asked (&asked);
  test_trip_init (&other, TEST_PIPE, TEST_FILE, LARGE_BYTES);
  test_trip_capture (transfers, &other, NULL);
  test_trip_finish (&other);
  test_trip_assert_arrived (&other);
  g_assert_false (asked.trip.is_done);
  clip_transfer_resume (pause,
                        g_error_new_literal (CLIP_ERROR, CLIP_ERROR_NO_SPACE, "no room"));
  test_trip_await (&asked.trip);
  g_assert_error (asked.trip.error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  test_trip_clear (&asked.trip);
}

static void
test_stopped (void)
{
  ClipTransfers *transfers = clip_transfers_new ();
  Asked asked = { 0 };
  ClipTransferPause *pause;

  begin (transfers, &asked, NULL);
  pause = wait_asked (&asked);
  clip_transfers_free (transfers);
  clip_transfer_resume (pause, NULL);
  test_trip_await (&asked.trip);
  g_assert_error (asked.trip.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_trip_clear (&asked.trip);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/full-sink/goes-on-or-fails-as-it-is-told", test_told);
  g_test_add_func ("/full-sink/may-be-cancelled-before-the-answer", test_cancelled);
  g_test_add_func ("/full-sink/others-go-on-meanwhile", test_others);
  g_test_add_func ("/full-sink/may-be-stopped-before-the-answer", test_stopped);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Steps: what each of them moves and says, and every byte or an error at the end. */
#include "clip-error.h"
#include "clip-fd.h"
#include "pump-rig.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SOME_BYTES 100000
#define CHUNK_BYTES (256 * 1024)

static void
test_one_chunk_a_step (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, 3 * CHUNK_BYTES);
  g_assert_cmpint (fcntl (rig.sink.fd, F_SETPIPE_SZ, 4 * CHUNK_BYTES), >, 0);
  pump_rig_start (&rig, 3 * CHUNK_BYTES, 0);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_MORE);
  g_assert_cmpint (clip_pump_moved (rig.pump), ==, CHUNK_BYTES);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_MORE);
  g_assert_cmpint (clip_pump_moved (rig.pump), ==, 2 * CHUNK_BYTES);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_DONE);
  test_sink_assert (&rig.sink, rig.content);
}

static void
test_short_splice_is_normal (void)
{
  g_auto (PumpRig) rig = { 0 };
  gsize room;

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, SOME_BYTES);
  room = (gsize) fcntl (rig.sink.fd, F_SETPIPE_SZ, 4096);
  pump_rig_start (&rig, SOME_BYTES, 0);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_MORE);
  g_assert_cmpint (clip_pump_moved (rig.pump), ==, (goffset) room);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_WAIT_OUT);
  do
    test_sink_drain (&rig.sink);
  while (pump_rig_step_on (&rig) == CLIP_STEP_WAIT_OUT);
  g_assert_no_error (rig.error);
  test_sink_assert (&rig.sink, rig.content);
}

static void
test_empty_source_waits (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_PIPE, TEST_FILE, SOME_BYTES);
  pump_rig_start (&rig, CLIP_TO_END, 0);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_WAIT_IN);
  test_source_feed (&rig.source);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_WAIT_IN);
  while (pump_rig_step_on (&rig) == CLIP_STEP_WAIT_IN)
    test_source_feed (&rig.source);
  test_sink_assert (&rig.sink, rig.content);
}

/* both ends are pipes, and EAGAIN is all that the kernel says */
static void
test_waits_for_the_right_pipe (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_PIPE, TEST_PIPE, 2 * 65536);
  pump_rig_start (&rig, CLIP_TO_END, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_WAIT_IN);
  test_source_feed (&rig.source);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_WAIT_IN);
  test_source_feed (&rig.source);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_WAIT_OUT);
  test_sink_drain (&rig.sink);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_WAIT_OUT);
  test_sink_drain (&rig.sink);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_DONE);
  test_sink_assert (&rig.sink, rig.content);
}

static void
test_nothing_to_move (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, 0);
  pump_rig_start (&rig, 0, 0);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_DONE);
  g_assert_false (clip_pump_reader_left (rig.pump));
}

static void
test_reader_leaves (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, SOME_BYTES);
  pump_rig_start (&rig, SOME_BYTES, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_WAIT_OUT);
  test_end_close_peer (&rig.sink);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_DONE);
  g_assert_true (clip_pump_reader_left (rig.pump));
  g_assert_cmpint (clip_pump_moved (rig.pump), <, SOME_BYTES);
}

/* a TCP reader that leaves bytes unread resets the connection */
static void
assert_socket_reader_leaves (TestEndKind kind, int flags)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_FILE, kind, 64 * CHUNK_BYTES);
  fcntl (rig.sink.fd, F_SETFL, flags);
  pump_rig_start (&rig, 64 * CHUNK_BYTES, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_WAIT_OUT);
  test_end_close_peer (&rig.sink);
  g_assert_true (clip_pump_run (rig.pump, 1000, &rig.error));
  g_assert_true (clip_pump_reader_left (rig.pump));
}

static void
test_socket_reader_leaves (void)
{
  assert_socket_reader_leaves (TEST_SOCKET, 0);
  assert_socket_reader_leaves (TEST_SOCKET, O_NONBLOCK);
  assert_socket_reader_leaves (TEST_TCP, 0);
  assert_socket_reader_leaves (TEST_TCP, O_NONBLOCK);
}

static void
assert_short_source (TestEndKind source, TestEndKind sink)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, source, sink, 100);
  if (rig.source.peer_fd >= 0)
    test_source_feed (&rig.source);
  pump_rig_start (&rig, 101, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_FAILED);
  g_assert_error (rig.error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_assert_cmpint (clip_pump_moved (rig.pump), ==, 100);
}

static void
test_short_source_is_corrupt (void)
{
  assert_short_source (TEST_FILE, TEST_PIPE);
  assert_short_source (TEST_FILE, TEST_FILE);
  assert_short_source (TEST_FILE, TEST_SOCKET);
  assert_short_source (TEST_FILE, TEST_NONBLOCK_SOCKET);
  assert_short_source (TEST_PIPE, TEST_FILE);
  assert_short_source (TEST_SOCKET, TEST_FILE);
}

static void
assert_limit (TestEndKind source, TestEndKind sink, goffset limit, gboolean fits)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, source, sink, 1000);
  if (rig.source.peer_fd >= 0)
    test_source_feed (&rig.source);
  pump_rig_start (&rig, CLIP_TO_END, limit);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, fits ? CLIP_STEP_DONE : CLIP_STEP_FAILED);
  if (fits)
    g_assert_no_error (rig.error);
  else
    g_assert_error (rig.error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
}

static void
test_one_byte_too_many (void)
{
  assert_limit (TEST_PIPE, TEST_FILE, 999, FALSE);
  assert_limit (TEST_FILE, TEST_PIPE, 999, FALSE);
  assert_limit (TEST_FILE, TEST_FILE, 999, FALSE);
  assert_limit (TEST_SOCKET, TEST_FILE, 999, FALSE);
}

static void
test_just_fits (void)
{
  assert_limit (TEST_PIPE, TEST_FILE, 1000, TRUE);
  assert_limit (TEST_FILE, TEST_PIPE, 1000, TRUE);
  assert_limit (TEST_FILE, TEST_FILE, 1000, TRUE);
  assert_limit (TEST_SOCKET, TEST_FILE, 1000, TRUE);
}

static void
test_announced_too_large (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, 1000);
  pump_rig_start (&rig, 1000, 999);
  g_assert_cmpint (pump_rig_step (&rig), ==, CLIP_STEP_FAILED);
  g_assert_error (rig.error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  g_assert_cmpint (clip_pump_moved (rig.pump), ==, 0);
}

/* a source that goes on belongs to somebody who goes on reading it */
static void
test_takes_no_more_than_its_size (void)
{
  g_auto (PumpRig) rig = { 0 };
  g_autoptr (GBytes) head = NULL;
  char rest[200];

  pump_rig_init (&rig, TEST_PIPE, TEST_SOCKET, 300);
  test_source_feed (&rig.source);
  head = g_bytes_new_from_bytes (rig.content, 0, 100);
  pump_rig_start (&rig, 100, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_DONE);
  test_sink_assert (&rig.sink, head);
  g_assert_cmpint (read (rig.source.fd, rest, sizeof rest), ==, 200);
}

/* never early; how late is the machine's affair */
static void
test_run_stalls (void)
{
  g_auto (PumpRig) rig = { 0 };
  gint64 begin_us = g_get_monotonic_time ();

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, SOME_BYTES);
  pump_rig_start (&rig, SOME_BYTES, 0);
  g_assert_false (clip_pump_run (rig.pump, 10, &rig.error));
  g_assert_error (rig.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_cmpint (clip_pump_moved (rig.pump), ==, 65536);
  g_assert_cmpint (g_get_monotonic_time () - begin_us, >=, 10 * 1000);
}

/* what stops it was there before: the first byte does not move either */
static void
test_run_stopped (void)
{
  g_auto (PumpRig) rig = { 0 };
  clip_autofd int stop_fd = eventfd (1, EFD_CLOEXEC);

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, SOME_BYTES);
  pump_rig_start (&rig, SOME_BYTES, 0);
  g_assert_false (clip_pump_run_until (rig.pump, 0, stop_fd, &rig.error));
  g_assert_error (rig.error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  g_assert_cmpint (clip_pump_moved (rig.pump), ==, 0);
}

static gpointer
drain_until_closed (gpointer data)
{
  TestEnd *sink = data;

  fcntl (sink->peer_fd, F_SETFL, 0);
  test_sink_drain (sink);
  return NULL;
}

static void
test_run_moves_all (void)
{
  g_auto (PumpRig) rig = { 0 };
  GThread *reader;

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, 8 * CHUNK_BYTES);
  reader = g_thread_new ("reader", drain_until_closed, &rig.sink);
  pump_rig_start (&rig, 8 * CHUNK_BYTES, 0);
  g_assert_true (clip_pump_run (rig.pump, 10000, &rig.error));
  clip_fd_clear (&rig.sink.fd);
  g_thread_join (reader);
  test_sink_assert (&rig.sink, rig.content);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/pump/one-chunk-a-step", test_one_chunk_a_step);
  g_test_add_func ("/pump/short-splice-is-normal", test_short_splice_is_normal);
  g_test_add_func ("/pump/empty-source-waits", test_empty_source_waits);
  g_test_add_func ("/pump/waits-for-the-right-pipe", test_waits_for_the_right_pipe);
  g_test_add_func ("/pump/nothing-to-move", test_nothing_to_move);
  g_test_add_func ("/pump/reader-leaves", test_reader_leaves);
  g_test_add_func ("/pump/socket-reader-leaves", test_socket_reader_leaves);
  g_test_add_func ("/pump/short-source-is-corrupt", test_short_source_is_corrupt);
  g_test_add_func ("/pump/one-byte-too-many", test_one_byte_too_many);
  g_test_add_func ("/pump/just-fits", test_just_fits);
  g_test_add_func ("/pump/announced-too-large", test_announced_too_large);
  g_test_add_func ("/pump/takes-no-more-than-its-size", test_takes_no_more_than_its_size);
  g_test_add_func ("/pump/run-stalls", test_run_stalls);
  g_test_add_func ("/pump/run-stopped", test_run_stopped);
  g_test_add_func ("/pump/run-moves-all", test_run_moves_all);
  return g_test_run ();
}

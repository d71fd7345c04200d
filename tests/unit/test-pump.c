/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-pump.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "ends.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>

#define SOME_BYTES 100000
#define CHUNK_BYTES (256 * 1024)

/* A source, a sink, and the content that is to get from one to the other. */
typedef struct
{
  GBytes *content;
  TestEnd source;
  TestEnd sink;
  ClipPump *pump;
  GError *error;
} Bench;

static void
bench_init (Bench *bench, TestEndKind source, TestEndKind sink, gsize size)
{
  *bench = (Bench){ .content = test_content_new (size) };
  test_source_init (&bench->source, source, bench->content);
  test_sink_init (&bench->sink, sink);
}

static void
bench_clear (Bench *bench)
{
  clip_pump_free (bench->pump);
  test_end_clear (&bench->source);
  test_end_clear (&bench->sink);
  g_bytes_unref (bench->content);
  g_clear_error (&bench->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bench, bench_clear)

static void
start (Bench *bench, goffset size, goffset limit)
{
  bench->pump = clip_pump_new (bench->source.fd, bench->sink.fd, size, limit);
}

static ClipStep
step (Bench *bench)
{
  return clip_pump_step (bench->pump, &bench->error);
}

/* as far as it goes without anybody at the other ends */
static ClipStep
step_on (Bench *bench)
{
  ClipStep result;

  do
    result = step (bench);
  while (result == CLIP_STEP_MORE);
  return result;
}

static void
test_one_chunk_a_step (void)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_FILE, TEST_PIPE, 3 * CHUNK_BYTES);
  g_assert_cmpint (fcntl (bench.sink.fd, F_SETPIPE_SZ, 4 * CHUNK_BYTES), >, 0);
  start (&bench, 3 * CHUNK_BYTES, 0);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_MORE);
  g_assert_cmpint (clip_pump_moved (bench.pump), ==, CHUNK_BYTES);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_MORE);
  g_assert_cmpint (clip_pump_moved (bench.pump), ==, 2 * CHUNK_BYTES);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_DONE);
  test_sink_assert (&bench.sink, bench.content);
}

static void
test_short_splice_is_normal (void)
{
  g_auto (Bench) bench = { 0 };
  gsize room;

  bench_init (&bench, TEST_FILE, TEST_PIPE, SOME_BYTES);
  room = (gsize) fcntl (bench.sink.fd, F_SETPIPE_SZ, 4096);
  start (&bench, SOME_BYTES, 0);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_MORE);
  g_assert_cmpint (clip_pump_moved (bench.pump), ==, (goffset) room);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_WAIT_OUT);
  do
    test_sink_drain (&bench.sink);
  while (step_on (&bench) == CLIP_STEP_WAIT_OUT);
  g_assert_no_error (bench.error);
  test_sink_assert (&bench.sink, bench.content);
}

static void
test_empty_source_waits (void)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_PIPE, TEST_FILE, SOME_BYTES);
  start (&bench, CLIP_TO_END, 0);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_WAIT_IN);
  test_source_feed (&bench.source);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_WAIT_IN);
  while (step_on (&bench) == CLIP_STEP_WAIT_IN)
    test_source_feed (&bench.source);
  test_sink_assert (&bench.sink, bench.content);
}

/* both ends are pipes, and EAGAIN is all that the kernel says */
static void
test_waits_for_the_right_pipe (void)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_PIPE, TEST_PIPE, 2 * 65536);
  start (&bench, CLIP_TO_END, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_WAIT_IN);
  test_source_feed (&bench.source);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_WAIT_IN);
  test_source_feed (&bench.source);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_WAIT_OUT);
  test_sink_drain (&bench.sink);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_WAIT_OUT);
  test_sink_drain (&bench.sink);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_DONE);
  test_sink_assert (&bench.sink, bench.content);
}

static void
test_nothing_to_move (void)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_FILE, TEST_PIPE, 0);
  start (&bench, 0, 0);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_DONE);
  g_assert_false (clip_pump_reader_left (bench.pump));
}

static void
test_reader_leaves (void)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_FILE, TEST_PIPE, SOME_BYTES);
  start (&bench, SOME_BYTES, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_WAIT_OUT);
  test_end_close_peer (&bench.sink);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_DONE);
  g_assert_true (clip_pump_reader_left (bench.pump));
  g_assert_cmpint (clip_pump_moved (bench.pump), <, SOME_BYTES);
}

/* a TCP reader that leaves bytes unread resets the connection */
static void
assert_socket_reader_leaves (TestEndKind kind, int flags)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_FILE, kind, 64 * CHUNK_BYTES);
  fcntl (bench.sink.fd, F_SETFL, flags);
  start (&bench, 64 * CHUNK_BYTES, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_WAIT_OUT);
  test_end_close_peer (&bench.sink);
  g_assert_true (clip_pump_run (bench.pump, 1000, &bench.error));
  g_assert_true (clip_pump_reader_left (bench.pump));
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
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, source, sink, 100);
  if (bench.source.peer_fd >= 0)
    test_source_feed (&bench.source);
  start (&bench, 101, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_FAILED);
  g_assert_error (bench.error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_assert_cmpint (clip_pump_moved (bench.pump), ==, 100);
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
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, source, sink, 1000);
  if (bench.source.peer_fd >= 0)
    test_source_feed (&bench.source);
  start (&bench, CLIP_TO_END, limit);
  g_assert_cmpint (step_on (&bench), ==, fits ? CLIP_STEP_DONE : CLIP_STEP_FAILED);
  if (fits)
    g_assert_no_error (bench.error);
  else
    g_assert_error (bench.error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
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
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_FILE, TEST_PIPE, 1000);
  start (&bench, 1000, 999);
  g_assert_cmpint (step (&bench), ==, CLIP_STEP_FAILED);
  g_assert_error (bench.error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  g_assert_cmpint (clip_pump_moved (bench.pump), ==, 0);
}

/* a source that goes on belongs to somebody who goes on reading it */
static void
test_takes_no_more_than_its_size (void)
{
  g_auto (Bench) bench = { 0 };
  g_autoptr (GBytes) head = NULL;
  char rest[200];

  bench_init (&bench, TEST_PIPE, TEST_SOCKET, 300);
  test_source_feed (&bench.source);
  head = g_bytes_new_from_bytes (bench.content, 0, 100);
  start (&bench, 100, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_DONE);
  test_sink_assert (&bench.sink, head);
  g_assert_cmpint (read (bench.source.fd, rest, sizeof rest), ==, 200);
}

static void
test_full_device_is_typed (void)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_FILE, TEST_FULL, 1000);
  start (&bench, 1000, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_FAILED);
  g_assert_error (bench.error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
}

static void
test_null_device_takes_all (void)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_FILE, TEST_NULL, SOME_BYTES);
  start (&bench, SOME_BYTES, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_DONE);
  g_assert_cmpint (clip_pump_moved (bench.pump), ==, SOME_BYTES);
}

static void
assert_bad_source (int fd, GFileError code)
{
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (ClipPump) pump = NULL;
  g_autoptr (GError) error = NULL;
  ClipStep result;

  test_sink_init (&sink, TEST_FILE);
  pump = clip_pump_new (fd, sink.fd, CLIP_TO_END, 0);
  do
    result = clip_pump_step (pump, &error);
  while (result == CLIP_STEP_MORE);
  g_assert_cmpint (result, ==, CLIP_STEP_FAILED);
  g_assert_error (error, G_FILE_ERROR, (int) code);
}

static void
test_bad_source_is_typed (void)
{
  clip_autofd int dir_fd = open ("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  clip_autofd int write_only_fd = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  int fds[2];

  assert_bad_source (dir_fd, G_FILE_ERROR_ISDIR);
  assert_bad_source (write_only_fd, G_FILE_ERROR_BADF);
  assert_bad_source (-1, G_FILE_ERROR_BADF);
  g_assert_true (clip_pipe (fds, NULL));
  assert_bad_source (fds[1], G_FILE_ERROR_BADF);
  close (fds[0]);
  close (fds[1]);
}

/* two readers of one open blob, and a third that is in the middle of it */
static void
test_shared_file_keeps_its_offset (void)
{
  g_auto (Bench) bench = { 0 };
  g_auto (TestEnd) other = { .fd = -1 };
  g_autoptr (GBytes) tail = NULL;
  g_autoptr (ClipPump) pump = NULL;

  bench_init (&bench, TEST_FILE, TEST_PIPE, 1000);
  test_sink_init (&other, TEST_PIPE);
  tail = g_bytes_new_from_bytes (bench.content, 400, 600);
  start (&bench, 1000, 0);
  g_assert_cmpint (lseek (bench.source.fd, 400, SEEK_SET), ==, 400);
  pump = clip_pump_new (bench.source.fd, other.fd, CLIP_TO_END, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_DONE);
  while (clip_pump_step (pump, NULL) == CLIP_STEP_MORE)
    continue;
  g_assert_cmpint (lseek (bench.source.fd, 0, SEEK_CUR), ==, 400);
  test_sink_assert (&bench.sink, bench.content);
  test_sink_assert (&other, tail);
}

static void
test_file_sink_moves_along (void)
{
  g_auto (Bench) bench = { 0 };

  bench_init (&bench, TEST_FILE, TEST_FILE, SOME_BYTES);
  g_assert_cmpint (lseek (bench.sink.fd, 7, SEEK_SET), ==, 7);
  start (&bench, SOME_BYTES, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_DONE);
  g_assert_cmpint (lseek (bench.sink.fd, 0, SEEK_CUR), ==, 7 + SOME_BYTES);
}

static void
assert_flags_kept (TestEndKind kind)
{
  g_auto (Bench) bench = { 0 };
  int flags;

  bench_init (&bench, TEST_FILE, kind, 4 * CHUNK_BYTES);
  flags = fcntl (bench.sink.fd, F_GETFL);
  start (&bench, 4 * CHUNK_BYTES, 0);
  g_assert_cmpint (step_on (&bench), ==, CLIP_STEP_WAIT_OUT);
  g_assert_cmpint (fcntl (bench.sink.fd, F_GETFL), ==, flags);
  g_assert_false (flags & O_NONBLOCK);
}

static void
test_flags_stay_their_owners (void)
{
  assert_flags_kept (TEST_PIPE);
  assert_flags_kept (TEST_SOCKET);
  assert_flags_kept (TEST_TERMINAL);
  assert_flags_kept (TEST_FIFO);
  assert_flags_kept (TEST_MASTER);
}

/* a file without a size, which copy_file_range takes for an empty one */
static void
test_proc_file (void)
{
  clip_autofd int fd = open ("/proc/self/status", O_RDONLY | O_CLOEXEC);
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (ClipPump) pump = NULL;
  char head[6] = "";

  test_sink_init (&sink, TEST_FILE);
  pump = clip_pump_new (fd, sink.fd, CLIP_TO_END, 0);
  g_assert_true (clip_pump_run (pump, 1000, NULL));
  g_assert_cmpint (pread (sink.fd, head, 5, 0), ==, 5);
  g_assert_cmpstr (head, ==, "Name:");
}

static void
assert_bytes (TestEndKind kind)
{
  g_autoptr (GBytes) content = test_content_new (SOME_BYTES);
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (ClipPump) pump = NULL;
  ClipStep result;

  test_sink_init (&sink, kind);
  pump = clip_pump_new_bytes (content, sink.fd);
  while ((result = clip_pump_step (pump, NULL)) != CLIP_STEP_DONE)
    {
      g_assert_cmpint (result, !=, CLIP_STEP_FAILED);
      g_assert_cmpint (result, !=, CLIP_STEP_WAIT_IN);
      test_sink_drain (&sink);
    }
  g_assert_cmpstr (clip_pump_way (pump), ==, "write");
  test_sink_assert (&sink, content);
}

static void
test_bytes_to_anything (void)
{
  assert_bytes (TEST_PIPE);
  assert_bytes (TEST_FILE);
  assert_bytes (TEST_APPEND);
  assert_bytes (TEST_SOCKET);
  assert_bytes (TEST_TERMINAL);
  assert_bytes (TEST_FIFO);
}

/* what the file system itself says, or cannot say */
static gboolean
needs_disk (int fd)
{
  char byte;
  struct iovec vector = { .iov_base = &byte, .iov_len = 1 };

  return preadv2 (fd, &vector, 1, SOME_BYTES - 1, RWF_NOWAIT) < 0;
}

/* a write that asks first and trusts the answer moves a page at a time */
static void
test_named_pipe_takes_what_it_holds (void)
{
  g_autoptr (GBytes) content = test_content_new (SOME_BYTES);
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (ClipPump) pump = NULL;

  test_sink_init (&sink, TEST_FIFO);
  pump = clip_pump_new_bytes (content, sink.fd);
  g_assert_cmpint (clip_pump_step (pump, NULL), ==, CLIP_STEP_MORE);
  g_assert_cmpint (clip_pump_moved (pump), ==, fcntl (sink.peer_fd, F_GETPIPE_SZ));
  g_assert_cmpint (clip_pump_step (pump, NULL), ==, CLIP_STEP_WAIT_OUT);
  g_assert_false (clip_pump_may_block (pump));
}

/* without a reader it cannot be opened again: the write that may block is announced */
static void
test_named_pipe_that_must_be_trusted (void)
{
  g_autoptr (GBytes) content = test_content_new (SOME_BYTES);
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (ClipPump) pump = NULL;

  test_sink_init (&sink, TEST_FIFO);
  test_end_close_peer (&sink);
  pump = clip_pump_new_bytes (content, sink.fd);
  g_assert_false (clip_pump_may_block (pump));
  g_assert_cmpint (clip_pump_step (pump, NULL), ==, CLIP_STEP_WAIT_OUT);
  g_assert_true (clip_pump_may_block (pump));
  g_assert_cmpint (clip_pump_step (pump, NULL), ==, CLIP_STEP_DONE);
  g_assert_true (clip_pump_reader_left (pump));
}

static void
test_what_may_block (void)
{
  g_auto (Bench) to_pipe = { 0 };
  g_auto (Bench) to_file = { 0 };
  g_auto (Bench) capture = { 0 };
  g_auto (Bench) terminal = { 0 };

  bench_init (&to_pipe, TEST_FILE, TEST_PIPE, SOME_BYTES);
  start (&to_pipe, SOME_BYTES, 0);
  g_assert_cmpint (clip_pump_may_block (to_pipe.pump), ==,
                   needs_disk (to_pipe.source.fd));
  bench_init (&to_file, TEST_FILE, TEST_FILE, SOME_BYTES);
  start (&to_file, SOME_BYTES, 0);
  g_assert_true (clip_pump_may_block (to_file.pump));
  bench_init (&capture, TEST_PIPE, TEST_FILE, SOME_BYTES);
  start (&capture, CLIP_TO_END, 0);
  g_assert_false (clip_pump_may_block (capture.pump));
  bench_init (&terminal, TEST_PIPE, TEST_TERMINAL, SOME_BYTES);
  start (&terminal, SOME_BYTES, 0);
  g_assert_false (clip_pump_may_block (terminal.pump));
}

/* never early; how late is the machine's affair */
static void
test_run_stalls (void)
{
  g_auto (Bench) bench = { 0 };
  gint64 begin_us = g_get_monotonic_time ();

  bench_init (&bench, TEST_FILE, TEST_PIPE, SOME_BYTES);
  start (&bench, SOME_BYTES, 0);
  g_assert_false (clip_pump_run (bench.pump, 10, &bench.error));
  g_assert_error (bench.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_cmpint (clip_pump_moved (bench.pump), ==, 65536);
  g_assert_cmpint (g_get_monotonic_time () - begin_us, >=, 10 * 1000);
}

/* what stops it was there before: the first byte does not move either */
static void
test_run_stopped (void)
{
  g_auto (Bench) bench = { 0 };
  clip_autofd int stop_fd = eventfd (1, EFD_CLOEXEC);

  bench_init (&bench, TEST_FILE, TEST_PIPE, SOME_BYTES);
  start (&bench, SOME_BYTES, 0);
  g_assert_false (clip_pump_run_until (bench.pump, 0, stop_fd, &bench.error));
  g_assert_error (bench.error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  g_assert_cmpint (clip_pump_moved (bench.pump), ==, 0);
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
  g_auto (Bench) bench = { 0 };
  GThread *reader;

  bench_init (&bench, TEST_FILE, TEST_PIPE, 8 * CHUNK_BYTES);
  reader = g_thread_new ("reader", drain_until_closed, &bench.sink);
  start (&bench, 8 * CHUNK_BYTES, 0);
  g_assert_true (clip_pump_run (bench.pump, 10000, &bench.error));
  clip_fd_clear (&bench.sink.fd);
  g_thread_join (reader);
  test_sink_assert (&bench.sink, bench.content);
}

static void
test_pipe_enlarged (void)
{
  g_auto (TestEnd) sink = { .fd = -1 };
  int present;

  test_sink_init (&sink, TEST_PIPE);
  present = fcntl (sink.fd, F_GETPIPE_SZ);
  g_assert_true (clip_pump_enlarge_pipe (sink.fd, 2 * present));
  g_assert_cmpint (fcntl (sink.fd, F_GETPIPE_SZ), ==, 2 * present);
  g_assert_true (clip_pump_enlarge_pipe (sink.fd, present));
  g_assert_cmpint (fcntl (sink.fd, F_GETPIPE_SZ), ==, 2 * present);
}

static void
test_refused_pipe_keeps_its_bytes (void)
{
  g_auto (TestEnd) sink = { .fd = -1 };
  g_auto (TestEnd) socket = { .fd = -1 };
  g_autoptr (GBytes) content = g_bytes_new_static ("kept", 4);
  int present;

  test_sink_init (&sink, TEST_PIPE);
  test_sink_init (&socket, TEST_SOCKET);
  present = fcntl (sink.fd, F_GETPIPE_SZ);
  g_assert_cmpint (write (sink.fd, "kept", 4), ==, 4);
  g_assert_false (clip_pump_enlarge_pipe (sink.fd, G_MAXINT));
  g_assert_cmpint (fcntl (sink.fd, F_GETPIPE_SZ), ==, present);
  g_assert_false (clip_pump_enlarge_pipe (socket.fd, 4096));
  test_sink_assert (&sink, content);
}

static void
add_step_tests (void)
{
  g_test_add_func ("/pump/one-chunk-a-step", test_one_chunk_a_step);
  g_test_add_func ("/pump/short-splice-is-normal", test_short_splice_is_normal);
  g_test_add_func ("/pump/empty-source-waits", test_empty_source_waits);
  g_test_add_func ("/pump/waits-for-the-right-pipe", test_waits_for_the_right_pipe);
  g_test_add_func ("/pump/nothing-to-move", test_nothing_to_move);
  g_test_add_func ("/pump/reader-leaves", test_reader_leaves);
  g_test_add_func ("/pump/socket-reader-leaves", test_socket_reader_leaves);
  g_test_add_func ("/pump/bytes-to-anything", test_bytes_to_anything);
  g_test_add_func ("/pump/named-pipe-takes-what-it-holds",
                   test_named_pipe_takes_what_it_holds);
  g_test_add_func ("/pump/named-pipe-that-must-be-trusted",
                   test_named_pipe_that_must_be_trusted);
  g_test_add_func ("/pump/what-may-block", test_what_may_block);
}

static void
add_promise_tests (void)
{
  g_test_add_func ("/pump/short-source-is-corrupt", test_short_source_is_corrupt);
  g_test_add_func ("/pump/one-byte-too-many", test_one_byte_too_many);
  g_test_add_func ("/pump/just-fits", test_just_fits);
  g_test_add_func ("/pump/announced-too-large", test_announced_too_large);
  g_test_add_func ("/pump/takes-no-more-than-its-size", test_takes_no_more_than_its_size);
  g_test_add_func ("/pump/full-device-is-typed", test_full_device_is_typed);
  g_test_add_func ("/pump/null-device-takes-all", test_null_device_takes_all);
  g_test_add_func ("/pump/bad-source-is-typed", test_bad_source_is_typed);
  g_test_add_func ("/pump/shared-file-keeps-its-offset",
                   test_shared_file_keeps_its_offset);
  g_test_add_func ("/pump/file-sink-moves-along", test_file_sink_moves_along);
  g_test_add_func ("/pump/flags-stay-their-owners", test_flags_stay_their_owners);
  g_test_add_func ("/pump/proc-file", test_proc_file);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add_step_tests ();
  add_promise_tests ();
  g_test_add_func ("/pump/run-stalls", test_run_stalls);
  g_test_add_func ("/pump/run-stopped", test_run_stopped);
  g_test_add_func ("/pump/run-moves-all", test_run_moves_all);
  g_test_add_func ("/pump/pipe-enlarged", test_pipe_enlarged);
  g_test_add_func ("/pump/refused-pipe-keeps-its-bytes",
                   test_refused_pipe_keeps_its_bytes);
  return g_test_run ();
}

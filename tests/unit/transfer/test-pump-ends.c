/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a pump makes of each kind of source and sink, and what it leaves of them. */
#include "clip-error.h"
#include "clip-fd.h"
#include "pump-rig.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SOME_BYTES 100000
#define CHUNK_BYTES (256 * 1024)

static void
test_full_device_is_typed (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_FILE, TEST_FULL, 1000);
  pump_rig_start (&rig, 1000, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_FAILED);
  g_assert_error (rig.error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
}

static void
test_null_device_takes_all (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_FILE, TEST_NULL, SOME_BYTES);
  pump_rig_start (&rig, SOME_BYTES, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_DONE);
  g_assert_cmpint (clip_pump_moved (rig.pump), ==, SOME_BYTES);
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
  g_auto (PumpRig) rig = { 0 };
  g_auto (TestEnd) other = { .fd = -1 };
  g_autoptr (GBytes) tail = NULL;
  g_autoptr (ClipPump) pump = NULL;

  pump_rig_init (&rig, TEST_FILE, TEST_PIPE, 1000);
  test_sink_init (&other, TEST_PIPE);
  tail = g_bytes_new_from_bytes (rig.content, 400, 600);
  pump_rig_start (&rig, 1000, 0);
  g_assert_cmpint (lseek (rig.source.fd, 400, SEEK_SET), ==, 400);
  pump = clip_pump_new (rig.source.fd, other.fd, CLIP_TO_END, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_DONE);
  while (clip_pump_step (pump, NULL) == CLIP_STEP_MORE)
    continue;
  g_assert_cmpint (lseek (rig.source.fd, 0, SEEK_CUR), ==, 400);
  test_sink_assert (&rig.sink, rig.content);
  test_sink_assert (&other, tail);
}

static void
test_file_sink_moves_along (void)
{
  g_auto (PumpRig) rig = { 0 };

  pump_rig_init (&rig, TEST_FILE, TEST_FILE, SOME_BYTES);
  g_assert_cmpint (lseek (rig.sink.fd, 7, SEEK_SET), ==, 7);
  pump_rig_start (&rig, SOME_BYTES, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_DONE);
  g_assert_cmpint (lseek (rig.sink.fd, 0, SEEK_CUR), ==, 7 + SOME_BYTES);
}

static void
assert_flags_kept (TestEndKind kind)
{
  g_auto (PumpRig) rig = { 0 };
  int flags;

  pump_rig_init (&rig, TEST_FILE, kind, 4 * CHUNK_BYTES);
  flags = fcntl (rig.sink.fd, F_GETFL);
  pump_rig_start (&rig, 4 * CHUNK_BYTES, 0);
  g_assert_cmpint (pump_rig_step_on (&rig), ==, CLIP_STEP_WAIT_OUT);
  g_assert_cmpint (fcntl (rig.sink.fd, F_GETFL), ==, flags);
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
  g_assert_cmpstr (clip_pump_method (pump), ==, "write");
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

static void
test_named_pipe_without_a_reader (void)
{
  g_autoptr (GBytes) content = test_content_new (SOME_BYTES);
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (ClipPump) pump = NULL;

  test_sink_init (&sink, TEST_FIFO);
  test_end_close_peer (&sink);
  pump = clip_pump_new_bytes (content, sink.fd);
  g_assert_false (clip_pump_may_block (pump));
  g_assert_cmpint (clip_pump_step (pump, NULL), ==, CLIP_STEP_DONE);
  g_assert_true (clip_pump_reader_left (pump));
}

/* it may lie in a file system that never answers */
static void
test_named_pipe_is_not_opened (void)
{
  g_autofree char *folder = g_dir_make_tmp ("clip-pump-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pipe", NULL);
  clip_autofd int watch_fd = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
  g_auto (TestEnd) sink = { .fd = -1, .peer_fd = -1 };
  g_autoptr (GBytes) content = test_content_new (SOME_BYTES);
  g_autoptr (ClipPump) pump = NULL;
  struct inotify_event event;

  g_assert_no_errno (mkfifo (path, 0600));
  sink.fd = open (path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (inotify_add_watch (watch_fd, path, IN_OPEN), >=, 0);
  pump = clip_pump_new_bytes (content, sink.fd);
  g_assert_cmpint (clip_pump_step (pump, NULL), ==, CLIP_STEP_MORE);
  g_assert_cmpint (clip_pump_step (pump, NULL), ==, CLIP_STEP_WAIT_OUT);
  g_assert_cmpint (read (watch_fd, &event, sizeof event), ==, -1);
  g_assert_cmpint (errno, ==, EAGAIN);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_what_may_block (void)
{
  g_auto (PumpRig) to_pipe = { 0 };
  g_auto (PumpRig) to_file = { 0 };
  g_auto (PumpRig) capture = { 0 };

  pump_rig_init (&to_pipe, TEST_FILE, TEST_PIPE, SOME_BYTES);
  pump_rig_start (&to_pipe, SOME_BYTES, 0);
  g_assert_cmpint (clip_pump_may_block (to_pipe.pump), ==,
                   needs_disk (to_pipe.source.fd));
  pump_rig_init (&to_file, TEST_FILE, TEST_FILE, SOME_BYTES);
  pump_rig_start (&to_file, SOME_BYTES, 0);
  g_assert_true (clip_pump_may_block (to_file.pump));
  pump_rig_init (&capture, TEST_PIPE, TEST_FILE, SOME_BYTES);
  pump_rig_start (&capture, CLIP_TO_END, 0);
  g_assert_false (clip_pump_may_block (capture.pump));
  clip_pump_set_sink_in_memory (capture.pump);
  g_assert_false (clip_pump_may_block (capture.pump));
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/pump/full-device-is-typed", test_full_device_is_typed);
  g_test_add_func ("/pump/null-device-takes-all", test_null_device_takes_all);
  g_test_add_func ("/pump/bad-source-is-typed", test_bad_source_is_typed);
  g_test_add_func ("/pump/shared-file-keeps-its-offset",
                   test_shared_file_keeps_its_offset);
  g_test_add_func ("/pump/file-sink-moves-along", test_file_sink_moves_along);
  g_test_add_func ("/pump/flags-stay-their-owners", test_flags_stay_their_owners);
  g_test_add_func ("/pump/proc-file", test_proc_file);
  g_test_add_func ("/pump/bytes-to-anything", test_bytes_to_anything);
  g_test_add_func ("/pump/named-pipe-takes-what-it-holds",
                   test_named_pipe_takes_what_it_holds);
  g_test_add_func ("/pump/named-pipe-without-a-reader", test_named_pipe_without_a_reader);
  g_test_add_func ("/pump/named-pipe-is-not-opened", test_named_pipe_is_not_opened);
  g_test_add_func ("/pump/what-may-block", test_what_may_block);
  g_test_add_func ("/pump/pipe-enlarged", test_pipe_enlarged);
  g_test_add_func ("/pump/refused-pipe-keeps-its-bytes",
                   test_refused_pipe_keeps_its_bytes);
  return g_test_run ();
}

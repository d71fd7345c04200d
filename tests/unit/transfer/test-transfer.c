/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-transfer.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-thread.h"
#include "ends.h"
#include "few-descriptors.h"
#include "trip.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* nothing here takes as long, unless it never ends */
#define WATCHDOG_SECONDS 30

static void
assert_served (TestEndKind source, TestEndKind sink)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, source, sink, LARGE_BYTES + 1);
  trip.job.size = LARGE_BYTES + 1;
  test_trip_serve (transfers, &trip, NULL);
  test_trip_finish (&trip);
  test_trip_assert_closed (&trip);
  test_trip_assert_arrived (&trip);
}

static void
test_served_to_anything (void)
{
  assert_served (TEST_FILE, TEST_PIPE);
  assert_served (TEST_MEMFD, TEST_PIPE);
  assert_served (TEST_FILE, TEST_SOCKET);
  assert_served (TEST_FILE, TEST_FILE);
  assert_served (TEST_FILE, TEST_TMPFS);
  assert_served (TEST_FILE, TEST_APPEND);
}

static void
assert_captured (TestEndKind source)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, source, TEST_FILE, LARGE_BYTES + 1);
  test_trip_capture (transfers, &trip, NULL);
  test_trip_finish (&trip);
  test_trip_assert_closed (&trip);
  test_trip_assert_arrived (&trip);
}

static void
test_captured_from_anything (void)
{
  assert_captured (TEST_PIPE);
  assert_captured (TEST_SOCKET);
  assert_captured (TEST_FILE);
  assert_captured (TEST_MEMFD);
}

/* what the capture thread was told */
typedef struct
{
  GThread *thread;
  goffset last;
  guint n_calls;
} Told;

static void
on_progress (goffset moved, gpointer user_data)
{
  Told *told = user_data;

  g_assert_cmpint (moved, >, told->last);
  g_assert_true (told->thread == NULL || told->thread == g_thread_self ());
  told->last = moved;
  told->thread = g_thread_self ();
  told->n_calls++;
}

static void
assert_told (Told *told)
{
  g_assert_cmpint (told->last, ==, 4 * LARGE_BYTES);
  g_assert_cmpuint (told->n_calls, >=, 4);
  g_assert_true (told->thread != g_thread_self ());
}

/* each way on a thread of its own */
static void
test_progress_is_told (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) capturing = { 0 };
  g_auto (TestTrip) copying = { 0 };
  g_auto (TestTrip) serving = { 0 };
  TestTrip *trips[] = { &capturing, &copying, &serving };
  Told told[3] = { 0 };

  test_trip_init (&capturing, TEST_PIPE, TEST_FILE, 4 * LARGE_BYTES);
  test_trip_init (&copying, TEST_FILE, TEST_FILE, 4 * LARGE_BYTES);
  test_trip_init (&serving, TEST_FILE, TEST_PIPE, 4 * LARGE_BYTES);
  for (int i = 0; i < 3; i++)
    {
      trips[i]->job.on_moved = on_progress;
      trips[i]->job.moved_data = &told[i];
    }
  test_trip_capture (transfers, &capturing, NULL);
  test_trip_capture (transfers, &copying, NULL);
  test_trip_serve (transfers, &serving, NULL);
  for (int i = 0; i < 3; i++)
    test_trip_finish (trips[i]);
  g_clear_pointer (&transfers, clip_transfers_free);
  for (int i = 0; i < 3; i++)
    assert_told (&told[i]);
  g_assert_true (told[0].thread == told[1].thread);
  g_assert_true (told[0].thread != told[2].thread);
}

static void
test_one_byte_too_many (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };
  g_auto (TestTrip) fits = { 0 };

  test_trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  trip.job.limit = SOME_BYTES - 1;
  test_trip_capture (transfers, &trip, NULL);
  test_trip_init (&fits, TEST_PIPE, TEST_FILE, SOME_BYTES);
  fits.job.limit = SOME_BYTES;
  test_trip_capture (transfers, &fits, NULL);
  test_trip_finish (&trip);
  test_trip_finish (&fits);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  test_trip_assert_closed (&trip);
  test_trip_assert_arrived (&fits);
}

static void
test_short_source_is_corrupt (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_PIPE, SOME_BYTES);
  trip.job.size = SOME_BYTES + 1;
  test_trip_serve (transfers, &trip, NULL);
  test_trip_finish (&trip);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  test_trip_assert_closed (&trip);
}

static void
test_reader_leaves (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_PIPE, 4 * LARGE_BYTES);
  test_trip_serve (transfers, &trip, NULL);
  test_end_close_peer (&trip.sink);
  test_trip_await (&trip);
  g_assert_no_error (trip.error);
  g_assert_true (trip.reader_left);
  g_assert_cmpint (trip.moved, <, 4 * LARGE_BYTES);
  test_trip_assert_closed (&trip);
}

static void
test_small_bytes_go_at_once (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_PIPE, 5000);
  trip.job.bytes = trip.content;
  trip.job.sink_fd = trip.sink_number = g_steal_fd (&trip.sink.fd);
  clip_transfers_serve_async (transfers, &trip.job, NULL, test_trip_on_done, &trip);
  g_assert_false (test_fd_is_open (trip.sink_number));
  g_assert_false (trip.is_done);
  test_sink_assert (&trip.sink, trip.content);
  test_trip_await (&trip);
  test_trip_assert_arrived (&trip);
}

/* no thread is woken for what a pipe can hold */
static void
test_short_file_goes_at_once (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_PIPE, CLIP_SHORT_BYTES);
  trip.job.size = CLIP_SHORT_BYTES;
  test_trip_serve (transfers, &trip, NULL);
  g_assert_false (test_fd_is_open (trip.sink_number));
  g_assert_false (trip.is_done);
  test_sink_assert (&trip.sink, trip.content);
  test_trip_await (&trip);
  test_trip_assert_arrived (&trip);
}

/* neither for what is there already and goes into memory */
static void
test_capture_into_memory_at_once (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();

  for (guint in_memory = 0; in_memory < 2; in_memory++)
    {
      g_auto (TestTrip) trip = { 0 };

      test_trip_init (&trip, TEST_FILE, TEST_FILE, SOME_BYTES);
      trip.job.sink_in_memory = in_memory > 0;
      test_trip_capture (transfers, &trip, NULL);
      if (in_memory)
        g_assert_false (test_fd_is_open (trip.sink_number));
      g_assert_false (trip.is_done);
      test_trip_await (&trip);
      test_trip_assert_arrived (&trip);
    }
}

static void
note_thread (goffset moved G_GNUC_UNUSED, gpointer user_data)
{
  GThread **thread = user_data;

  *thread = g_thread_self ();
}

/* what is there already does not make the caller wait for the disk that it goes to */
static void
test_capture_into_file_elsewhere (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };
  GThread *thread = NULL;
  int fds[2];

  test_trip_init (&trip, TEST_FILE, TEST_FILE, SOME_BYTES);
  g_assert_cmpint (pipe2 (fds, O_CLOEXEC), ==, 0);
  g_assert_cmpint (write (fds[1], "word", 4), ==, 4);
  close (fds[1]);
  trip.job.source_fd = fds[0];
  trip.job.sink_fd = g_steal_fd (&trip.sink.fd);
  trip.job.on_moved = note_thread;
  trip.job.moved_data = &thread;
  clip_transfers_capture_async (transfers, &trip.job, NULL, test_trip_on_done, &trip);
  test_trip_await (&trip);
  g_assert_cmpint (trip.moved, ==, 4);
  g_assert_nonnull (thread);
  g_assert_true (thread != g_thread_self ());
}

/* what a source has not given yet is waited for elsewhere */
static void
test_capture_into_memory_later (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  trip.job.sink_in_memory = TRUE;
  test_trip_capture (transfers, &trip, NULL);
  test_trip_finish (&trip);
  test_trip_assert_arrived (&trip);
}

/* what has been asked for and is not wanted any more does not go */
static void
test_short_file_that_was_cancelled (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (TestTrip) trip = { 0 };

  g_cancellable_cancel (cancellable);
  test_trip_init (&trip, TEST_FILE, TEST_PIPE, CLIP_SHORT_BYTES);
  trip.job.size = CLIP_SHORT_BYTES;
  test_trip_serve (transfers, &trip, cancellable);
  test_trip_await (&trip);
  g_assert_error (trip.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_trip_assert_closed (&trip);
}

/* the pipe holds some of it, the thread brings the rest */
static void
test_bytes_into_a_small_pipe (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_PIPE, 60000);
  g_assert_cmpint (fcntl (trip.sink.fd, F_SETPIPE_SZ, 4096), >, 0);
  trip.job.bytes = trip.content;
  trip.job.sink_fd = trip.sink_number = g_steal_fd (&trip.sink.fd);
  clip_transfers_serve_async (transfers, &trip.job, NULL, test_trip_on_done, &trip);
  test_trip_finish (&trip);
  test_trip_assert_arrived (&trip);
  g_assert_false (test_fd_is_open (trip.sink_number));
}

/* stdin is 0, and so is a field that nobody has set */
static void
test_bytes_leave_stdin_alone (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_FILE, 100);
  trip.job.bytes = trip.content;
  trip.job.source_fd = STDIN_FILENO;
  trip.job.sink_fd = fcntl (trip.sink.fd, F_DUPFD_CLOEXEC, 0);
  clip_transfers_serve_async (transfers, &trip.job, NULL, test_trip_on_done, &trip);
  test_trip_await (&trip);
  test_trip_assert_arrived (&trip);
  g_assert_true (test_fd_is_open (STDIN_FILENO));
}

static void
on_read (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  TestTrip *trip = user_data;

  trip->bytes = clip_transfers_read_finish (result, &trip->error);
  trip->is_done = TRUE;
}

static void
read_with (ClipTransfers *transfers, TestTrip *trip, gsize limit, guint idle_ms)
{
  trip->source_number = trip->source.fd;
  clip_transfers_read_async (transfers, g_steal_fd (&trip->source.fd), limit, idle_ms,
                             NULL, on_read, trip);
  test_trip_await (trip);
  g_assert_false (test_fd_is_open (trip->source_number));
}

static void
read_into_memory (TestTrip *trip, gsize limit, guint idle_ms)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();

  read_with (transfers, trip, limit, idle_ms);
}

static void
test_read_into_memory (void)
{
  g_auto (TestTrip) fits = { 0 };
  g_auto (TestTrip) too_large = { 0 };
  g_auto (TestTrip) silent = { 0 };
  g_auto (TestTrip) empty = { 0 };

  test_trip_init (&fits, TEST_PIPE, TEST_NULL, 10);
  test_source_feed (&fits.source);
  read_into_memory (&fits, 10, FOREVER_MS);
  g_assert_true (g_bytes_equal (fits.bytes, fits.content));
  test_trip_init (&too_large, TEST_PIPE, TEST_NULL, 11);
  test_source_feed (&too_large.source);
  read_into_memory (&too_large, 10, FOREVER_MS);
  g_assert_error (too_large.error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  test_trip_init (&silent, TEST_PIPE, TEST_NULL, 10);
  read_into_memory (&silent, 10, 10);
  g_assert_error (silent.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  test_trip_init (&empty, TEST_PIPE, TEST_NULL, 0);
  test_source_feed (&empty.source);
  read_into_memory (&empty, 10, FOREVER_MS);
  g_assert_cmpuint (g_bytes_get_size (empty.bytes), ==, 0);
}

/* one is left, for the memory that it is read into */
static void
test_out_of_descriptors (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) first = { 0 };
  g_auto (TestTrip) trip = { 0 };
  struct rlimit before;

  test_trip_init (&first, TEST_PIPE, TEST_NULL, 10);
  test_source_feed (&first.source);
  read_with (transfers, &first, 10, FOREVER_MS); /* its threads have theirs */
  test_trip_init (&trip, TEST_PIPE, TEST_NULL, 10);
  test_source_feed (&trip.source);
  few_descriptors_leave (1, &before);
  read_with (transfers, &trip, 10, FOREVER_MS);
  g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &before));
  g_assert_error (trip.error, G_FILE_ERROR, G_FILE_ERROR_MFILE);
}

static gpointer
serve_in_own_context (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  TestTrip *trip = data;

  g_main_context_push_thread_default (context);
  {
    g_autoptr (ClipTransfers) transfers = clip_transfers_new ();

    test_trip_serve (transfers, trip, NULL);
    while (!trip->is_done)
      g_main_context_iteration (context, TRUE);
  }
  g_main_context_pop_thread_default (context);
  return NULL;
}

static void
test_result_in_the_callers_context (void)
{
  g_auto (TestTrip) trip = { 0 };

  test_trip_init (&trip, TEST_FILE, TEST_PIPE, 100);
  g_thread_join (g_thread_new ("caller", serve_in_own_context, &trip));
  test_trip_assert_arrived (&trip);
}

static gboolean
has_name (const char *task, const char *name)
{
  g_autofree char *path = g_build_filename ("/proc/self/task", task, "comm", NULL);
  g_autofree char *found = NULL;

  return g_file_get_contents (path, &found, NULL, NULL) &&
         strcmp (g_strchomp (found), name) == 0;
}

/* of the thread with that name, or this one's where there is none */
static int
nice_of (const char *name)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *task;

  while ((task = g_dir_read_name (tasks)))
    if (has_name (task, name))
      return getpriority (PRIO_PROCESS, (id_t) atoi (task));
  return getpriority (PRIO_PROCESS, 0);
}

/* a thread may not have come to it when its first transfer has not */
static void
test_captures_stand_back (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestTrip) capture = { 0 };
  g_auto (TestTrip) serve = { 0 };
  int own = getpriority (PRIO_PROCESS, 0);

  test_trip_init (&capture, TEST_PIPE, TEST_FILE, LARGE_BYTES);
  test_trip_capture (transfers, &capture, NULL);
  test_trip_finish (&capture);
  test_trip_init (&serve, TEST_FILE, TEST_PIPE, LARGE_BYTES);
  serve.job.size = LARGE_BYTES;
  test_trip_serve (transfers, &serve, NULL);
  test_trip_finish (&serve);
  g_assert_cmpint (nice_of ("clip-capture"), ==, MAX (own, CLIP_THREAD_BACK_NICE));
  g_assert_cmpint (nice_of ("clip-serve"), ==, own);
  g_assert_cmpint (nice_of ("clip-short"), ==, own);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  alarm (WATCHDOG_SECONDS);
  g_test_add_func ("/transfer/served-to-anything", test_served_to_anything);
  g_test_add_func ("/transfer/captured-from-anything", test_captured_from_anything);
  g_test_add_func ("/transfer/progress-is-told", test_progress_is_told);
  g_test_add_func ("/transfer/one-byte-too-many", test_one_byte_too_many);
  g_test_add_func ("/transfer/short-source-is-corrupt", test_short_source_is_corrupt);
  g_test_add_func ("/transfer/reader-leaves", test_reader_leaves);
  g_test_add_func ("/transfer/small-bytes-go-at-once", test_small_bytes_go_at_once);
  g_test_add_func ("/transfer/short-file-goes-at-once", test_short_file_goes_at_once);
  g_test_add_func ("/transfer/capture-into-memory-at-once",
                   test_capture_into_memory_at_once);
  g_test_add_func ("/transfer/capture-into-memory-later", test_capture_into_memory_later);
  g_test_add_func ("/transfer/capture-into-file-elsewhere",
                   test_capture_into_file_elsewhere);
  g_test_add_func ("/transfer/short-file-that-was-cancelled",
                   test_short_file_that_was_cancelled);
  g_test_add_func ("/transfer/bytes-into-a-small-pipe", test_bytes_into_a_small_pipe);
  g_test_add_func ("/transfer/bytes-leave-stdin-alone", test_bytes_leave_stdin_alone);
  g_test_add_func ("/transfer/read-into-memory", test_read_into_memory);
  g_test_add_func ("/transfer/out-of-descriptors-is-named", test_out_of_descriptors);
  g_test_add_func ("/transfer/result-in-the-callers-context",
                   test_result_in_the_callers_context);
  g_test_add_func ("/transfer/captures-stand-back", test_captures_stand_back);
  return g_test_run ();
}

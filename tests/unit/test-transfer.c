/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-transfer.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-pump.h"
#include "ends.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <sys/ioctl.h>

#define SOME_BYTES 100000
#define LARGE_BYTES (1024 * 1024)
#define N_STALLED 50

/* long enough for never */
#define FOREVER_MS 600000

/* nothing here takes as long, unless it never ends */
#define WATCHDOG_SECONDS 30

/* One transfer, from the content to the verdict. */
typedef struct
{
  GBytes *content;
  TestEnd source;
  TestEnd sink;
  ClipTransferJob job;
  int source_number; /* of the descriptors that were given away */
  int sink_number;
  gboolean is_done;
  goffset moved;
  gboolean reader_left;
  GError *error;
  GBytes *bytes; /* what was read into memory */
} Trip;

static void
trip_init (Trip *trip, TestEndKind source, TestEndKind sink, gsize size)
{
  *trip = (Trip){ .content = test_content_new (size) };
  test_source_init (&trip->source, source, trip->content);
  test_sink_init (&trip->sink, sink);
  trip->job.size = CLIP_TO_END;
  trip->job.idle_ms = FOREVER_MS;
}

static void
trip_clear (Trip *trip)
{
  test_end_clear (&trip->source);
  test_end_clear (&trip->sink);
  g_clear_pointer (&trip->content, g_bytes_unref);
  g_clear_pointer (&trip->bytes, g_bytes_unref);
  g_clear_error (&trip->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trip, trip_clear)

static void
on_done (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Trip *trip = user_data;

  trip->moved = clip_transfers_finish (result, &trip->reader_left, &trip->error);
  trip->is_done = TRUE;
}

/* a file keeps a second descriptor here, to look into */
static void
give_away (Trip *trip)
{
  trip->source_number = trip->job.source_fd = g_steal_fd (&trip->source.fd);
  trip->sink_number = trip->job.sink_fd = trip->sink.fd;
  trip->sink.fd = trip->sink.peer_fd < 0 ? fcntl (trip->sink.fd, F_DUPFD_CLOEXEC, 0) : -1;
}

static void
serve (ClipTransfers *transfers, Trip *trip, GCancellable *cancellable)
{
  give_away (trip);
  clip_transfers_serve_async (transfers, &trip->job, cancellable, on_done, trip);
}

static void
capture (ClipTransfers *transfers, Trip *trip, GCancellable *cancellable)
{
  give_away (trip);
  clip_transfers_capture_async (transfers, &trip->job, cancellable, on_done, trip);
}

static gboolean
on_source_ready (int fd G_GNUC_UNUSED,
                 GIOCondition condition G_GNUC_UNUSED,
                 gpointer user_data)
{
  test_source_feed (user_data);
  return ((TestEnd *) user_data)->peer_fd >= 0;
}

static gboolean
on_sink_ready (int fd, GIOCondition condition, gpointer user_data)
{
  test_sink_drain (user_data);
  return !(condition & G_IO_HUP);
}

static GSource *
watch (int fd, GIOCondition condition, GUnixFDSourceFunc function, TestEnd *end)
{
  GSource *source = fd >= 0 ? g_unix_fd_source_new (fd, condition) : g_idle_source_new ();

  if (fd >= 0)
    {
      g_source_set_callback (source, G_SOURCE_FUNC (function), end, NULL);
      g_source_attach (source, NULL);
    }
  return source;
}

/* lets the peers take part, until the verdict */
static void
finish_trip (Trip *trip)
{
  g_autoptr (GSource) feeder =
      watch (trip->source.peer_fd, G_IO_OUT, on_source_ready, &trip->source);
  g_autoptr (GSource) drainer =
      watch (trip->sink.peer_fd, G_IO_IN, on_sink_ready, &trip->sink);

  while (!trip->is_done)
    g_main_context_iteration (NULL, TRUE);
  g_source_destroy (feeder);
  g_source_destroy (drainer);
}

/* just waits: the peers do nothing */
static void
await (Trip *trip)
{
  while (!trip->is_done)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
is_open (int fd)
{
  return fcntl (fd, F_GETFD) >= 0;
}

static void
assert_ends_closed (Trip *trip)
{
  g_assert_false (is_open (trip->source_number));
  g_assert_false (is_open (trip->sink_number));
}

static void
assert_arrived (Trip *trip)
{
  g_assert_no_error (trip->error);
  g_assert_cmpint (trip->moved, ==, (goffset) g_bytes_get_size (trip->content));
  g_assert_false (trip->reader_left);
  test_sink_assert (&trip->sink, trip->content);
}

static void
assert_served (TestEndKind source, TestEndKind sink)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, source, sink, LARGE_BYTES + 1);
  trip.job.size = LARGE_BYTES + 1;
  serve (transfers, &trip, NULL);
  finish_trip (&trip);
  assert_ends_closed (&trip);
  assert_arrived (&trip);
}

static void
test_served_to_anything (void)
{
  assert_served (TEST_FILE, TEST_PIPE);
  assert_served (TEST_MEMFD, TEST_PIPE);
  assert_served (TEST_FILE, TEST_SOCKET);
  assert_served (TEST_FILE, TEST_TERMINAL);
  assert_served (TEST_FILE, TEST_FILE);
  assert_served (TEST_FILE, TEST_TMPFS);
  assert_served (TEST_FILE, TEST_APPEND);
}

static void
assert_captured (TestEndKind source)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, source, TEST_FILE, LARGE_BYTES + 1);
  capture (transfers, &trip, NULL);
  finish_trip (&trip);
  assert_ends_closed (&trip);
  assert_arrived (&trip);
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
  g_auto (Trip) capturing = { 0 };
  g_auto (Trip) copying = { 0 };
  g_auto (Trip) serving = { 0 };
  Trip *trips[] = { &capturing, &copying, &serving };
  Told told[3] = { 0 };

  trip_init (&capturing, TEST_PIPE, TEST_FILE, 4 * LARGE_BYTES);
  trip_init (&copying, TEST_FILE, TEST_FILE, 4 * LARGE_BYTES);
  trip_init (&serving, TEST_FILE, TEST_PIPE, 4 * LARGE_BYTES);
  for (int i = 0; i < 3; i++)
    {
      trips[i]->job.progress = on_progress;
      trips[i]->job.progress_data = &told[i];
    }
  capture (transfers, &capturing, NULL);
  capture (transfers, &copying, NULL);
  serve (transfers, &serving, NULL);
  for (int i = 0; i < 3; i++)
    finish_trip (trips[i]);
  g_clear_pointer (&transfers, clip_transfers_free);
  for (int i = 0; i < 3; i++)
    assert_told (&told[i]);
  g_assert_true (told[0].thread == told[1].thread);
  g_assert_true (told[0].thread != told[2].thread);
}

static void
test_first_byte_late (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  trip.job.first_ms = 10;
  capture (transfers, &trip, NULL);
  await (&trip);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_cmpint (trip.moved, ==, -1);
  assert_ends_closed (&trip);
}

static void
test_idle_source_stalls (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  trip.job.first_ms = FOREVER_MS;
  trip.job.idle_ms = 10;
  test_source_feed (&trip.source);
  capture (transfers, &trip, NULL);
  await (&trip);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  assert_ends_closed (&trip);
}

static void
test_idle_reader_stalls (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_FILE, TEST_PIPE, LARGE_BYTES);
  trip.job.idle_ms = 10;
  serve (transfers, &trip, NULL);
  await (&trip);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  assert_ends_closed (&trip);
}

static gboolean
on_drip (gpointer user_data)
{
  Trip *trip = user_data;

  if (write (trip->source.peer_fd, "drip", 1) != 1 || ++trip->source.fed == 12)
    test_end_close_peer (&trip->source);
  return trip->source.peer_fd >= 0;
}

/* slower than the deadline on the whole, never between two bytes */
static void
test_each_byte_moves_the_deadline (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_PIPE, TEST_FILE, 0);
  trip.job.idle_ms = 1000;
  capture (transfers, &trip, NULL);
  g_timeout_add (100, on_drip, &trip);
  await (&trip);
  g_assert_no_error (trip.error);
  g_assert_cmpint (trip.moved, ==, 12);
}

static void
test_one_byte_too_many (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };
  g_auto (Trip) fits = { 0 };

  trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  trip.job.limit = SOME_BYTES - 1;
  capture (transfers, &trip, NULL);
  trip_init (&fits, TEST_PIPE, TEST_FILE, SOME_BYTES);
  fits.job.limit = SOME_BYTES;
  capture (transfers, &fits, NULL);
  finish_trip (&trip);
  finish_trip (&fits);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  assert_ends_closed (&trip);
  assert_arrived (&fits);
}

static void
test_short_source_is_corrupt (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_FILE, TEST_PIPE, SOME_BYTES);
  trip.job.size = SOME_BYTES + 1;
  serve (transfers, &trip, NULL);
  finish_trip (&trip);
  g_assert_error (trip.error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  assert_ends_closed (&trip);
}

static void
test_reader_leaves (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_FILE, TEST_PIPE, 4 * LARGE_BYTES);
  serve (transfers, &trip, NULL);
  test_end_close_peer (&trip.sink);
  await (&trip);
  g_assert_no_error (trip.error);
  g_assert_true (trip.reader_left);
  g_assert_cmpint (trip.moved, <, 4 * LARGE_BYTES);
  assert_ends_closed (&trip);
}

static void
test_cancelled (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_PIPE, TEST_FILE, SOME_BYTES);
  capture (transfers, &trip, cancellable);
  g_cancellable_cancel (cancellable);
  await (&trip);
  g_assert_error (trip.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_ends_closed (&trip);
}

/* before the thread has seen it */
static void
test_cancelled_beforehand (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (Trip) trip = { 0 };

  g_cancellable_cancel (cancellable);
  trip_init (&trip, TEST_FILE, TEST_FILE, SOME_BYTES);
  serve (transfers, &trip, cancellable);
  await (&trip);
  g_assert_error (trip.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_ends_closed (&trip);
}

static void
start_stalled (ClipTransfers *transfers, Trip *trips, GCancellable *cancellable)
{
  for (int i = 0; i < N_STALLED; i++)
    {
      trip_init (&trips[i], TEST_FILE, i % 2 ? TEST_PIPE : TEST_SOCKET, 2 * LARGE_BYTES);
      serve (transfers, &trips[i], cancellable);
    }
}

static void
test_stalled_readers_hold_up_nobody (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree Trip *stalled = g_new0 (Trip, N_STALLED);
  g_auto (Trip) small = { 0 };
  g_auto (Trip) large = { 0 };

  start_stalled (transfers, stalled, cancellable);
  trip_init (&small, TEST_FILE, TEST_PIPE, 100);
  serve (transfers, &small, NULL);
  await (&small);
  assert_arrived (&small);
  trip_init (&large, TEST_FILE, TEST_PIPE, LARGE_BYTES);
  serve (transfers, &large, NULL);
  finish_trip (&large);
  assert_arrived (&large);
  for (int i = 0; i < N_STALLED; i++)
    g_assert_false (stalled[i].is_done);
  g_cancellable_cancel (cancellable);
  for (int i = 0; i < N_STALLED; i++)
    {
      await (&stalled[i]);
      g_assert_error (stalled[i].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      assert_ends_closed (&stalled[i]);
      trip_clear (&stalled[i]);
    }
}

/* Raw on both sides, and what is a file to the pump never waits: the master of a terminal
 * is the one sink whose writes do. */
static void
open_hanging_sink (Trip *trip)
{
  TestEnd *sink = &trip->sink;
  int slave_fd = sink->fd;

  sink->fd = sink->peer_fd;
  sink->peer_fd = slave_fd;
  fcntl (sink->fd, F_SETFL, 0);
  fcntl (sink->peer_fd, F_SETFL, O_NONBLOCK);
}

static gpointer
free_transfers (gpointer data)
{
  clip_transfers_free (data);
  return NULL;
}

/* the write that hangs has an answer in time, and the descriptor is closed when it is
 * over
 */
static void
test_hanging_sink_stalls (void)
{
  ClipTransfers *transfers = clip_transfers_new ();
  g_auto (Trip) hanging = { 0 };
  g_auto (Trip) other = { 0 };
  GThread *freer;

  trip_init (&hanging, TEST_FILE, TEST_TERMINAL, LARGE_BYTES);
  open_hanging_sink (&hanging);
  hanging.job.idle_ms = 50;
  serve (transfers, &hanging, NULL);
  await (&hanging);
  g_assert_error (hanging.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_assert_true (is_open (hanging.sink_number));
  trip_init (&other, TEST_FILE, TEST_FILE, SOME_BYTES);
  serve (transfers, &other, NULL);
  await (&other);
  assert_arrived (&other);
  freer = g_thread_new ("freer", free_transfers, transfers);
  while (is_open (hanging.sink_number))
    test_sink_drain (&hanging.sink);
  g_thread_join (freer);
  g_assert_false (is_open (hanging.source_number));
}

/* whoever opens a file next gets the same numbers: a second close would take them away */
static void
assert_closed_once (GCancellable *cancellable, goffset size, GQuark domain, int code)
{
  ClipTransfers *transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_FILE, TEST_PIPE, SOME_BYTES);
  trip.job.size = size;
  serve (transfers, &trip, cancellable);
  finish_trip (&trip);
  if (domain)
    g_assert_error (trip.error, domain, code);
  assert_ends_closed (&trip);
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
  g_auto (Trip) serving = { 0 };
  g_auto (Trip) capturing = { 0 };
  g_auto (Trip) copying = { 0 };

  trip_init (&serving, TEST_FILE, TEST_PIPE, LARGE_BYTES);
  serve (transfers, &serving, NULL);
  trip_init (&capturing, TEST_PIPE, TEST_FILE, LARGE_BYTES);
  capture (transfers, &capturing, NULL);
  trip_init (&copying, TEST_FILE, TEST_FILE, 16 * LARGE_BYTES);
  serve (transfers, &copying, NULL);
  clip_transfers_free (transfers);
  assert_ends_closed (&serving);
  assert_ends_closed (&capturing);
  assert_ends_closed (&copying);
  await (&serving);
  await (&capturing);
  await (&copying);
  g_assert_error (serving.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_error (capturing.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_small_bytes_go_at_once (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_FILE, TEST_PIPE, 5000);
  trip.job.bytes = trip.content;
  trip.job.sink_fd = trip.sink_number = g_steal_fd (&trip.sink.fd);
  clip_transfers_serve_async (transfers, &trip.job, NULL, on_done, &trip);
  g_assert_false (is_open (trip.sink_number));
  g_assert_false (trip.is_done);
  test_sink_assert (&trip.sink, trip.content);
  await (&trip);
  assert_arrived (&trip);
}

/* the pipe holds some of it, the thread brings the rest */
static void
test_bytes_into_a_small_pipe (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_FILE, TEST_PIPE, 60000);
  g_assert_cmpint (fcntl (trip.sink.fd, F_SETPIPE_SZ, 4096), >, 0);
  trip.job.bytes = trip.content;
  trip.job.sink_fd = trip.sink_number = g_steal_fd (&trip.sink.fd);
  clip_transfers_serve_async (transfers, &trip.job, NULL, on_done, &trip);
  finish_trip (&trip);
  assert_arrived (&trip);
  g_assert_false (is_open (trip.sink_number));
}

/* stdin is 0, and so is a field that nobody has set */
static void
test_bytes_leave_stdin_alone (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_FILE, TEST_FILE, 100);
  trip.job.bytes = trip.content;
  trip.job.source_fd = STDIN_FILENO;
  trip.job.sink_fd = fcntl (trip.sink.fd, F_DUPFD_CLOEXEC, 0);
  clip_transfers_serve_async (transfers, &trip.job, NULL, on_done, &trip);
  await (&trip);
  assert_arrived (&trip);
  g_assert_true (is_open (STDIN_FILENO));
}

static void
on_read (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Trip *trip = user_data;

  trip->bytes = clip_transfers_read_finish (result, &trip->error);
  trip->is_done = TRUE;
}

static void
read_into_memory (Trip *trip, gsize limit, guint idle_ms)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();

  trip->source_number = trip->source.fd;
  clip_transfers_read_async (transfers, g_steal_fd (&trip->source.fd), limit, idle_ms,
                             NULL, on_read, trip);
  await (trip);
  g_assert_false (is_open (trip->source_number));
}

static void
test_read_into_memory (void)
{
  g_auto (Trip) fits = { 0 };
  g_auto (Trip) too_large = { 0 };
  g_auto (Trip) silent = { 0 };
  g_auto (Trip) empty = { 0 };

  trip_init (&fits, TEST_PIPE, TEST_NULL, 10);
  test_source_feed (&fits.source);
  read_into_memory (&fits, 10, FOREVER_MS);
  g_assert_true (g_bytes_equal (fits.bytes, fits.content));
  trip_init (&too_large, TEST_PIPE, TEST_NULL, 11);
  test_source_feed (&too_large.source);
  read_into_memory (&too_large, 10, FOREVER_MS);
  g_assert_error (too_large.error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  trip_init (&silent, TEST_PIPE, TEST_NULL, 10);
  read_into_memory (&silent, 10, 10);
  g_assert_error (silent.error, CLIP_ERROR, CLIP_ERROR_STALLED);
  trip_init (&empty, TEST_PIPE, TEST_NULL, 0);
  test_source_feed (&empty.source);
  read_into_memory (&empty, 10, FOREVER_MS);
  g_assert_cmpuint (g_bytes_get_size (empty.bytes), ==, 0);
}

static gpointer
serve_in_own_context (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  Trip *trip = data;

  g_main_context_push_thread_default (context);
  {
    g_autoptr (ClipTransfers) transfers = clip_transfers_new ();

    serve (transfers, trip, NULL);
    while (!trip->is_done)
      g_main_context_iteration (context, TRUE);
  }
  g_main_context_pop_thread_default (context);
  return NULL;
}

static void
test_result_in_the_callers_context (void)
{
  g_auto (Trip) trip = { 0 };

  trip_init (&trip, TEST_FILE, TEST_PIPE, 100);
  g_thread_join (g_thread_new ("caller", serve_in_own_context, &trip));
  assert_arrived (&trip);
}

static int
pipe_size (Trip *trip)
{
  return fcntl (trip->sink.peer_fd, F_GETPIPE_SZ);
}

/* until the pipe holds what it can, which the thread reaches sooner or later */
static void
await_full (Trip *trip)
{
  int held;

  do
    {
      g_thread_yield ();
      g_assert_cmpint (ioctl (trip->sink.peer_fd, FIONREAD, &held), ==, 0);
    }
  while (held < pipe_size (trip));
}

static guint
count_large_pipes (ClipTransfers *transfers, guint n)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree Trip *trips = g_new0 (Trip, n);
  guint n_large = 0;

  for (guint i = 0; i < n; i++)
    {
      trip_init (&trips[i], TEST_FILE, TEST_PIPE, 2 * LARGE_BYTES);
      trips[i].job.size = 2 * LARGE_BYTES;
      serve (transfers, &trips[i], cancellable);
    }
  for (guint i = 0; i < n; i++)
    {
      await_full (&trips[i]);
      n_large += pipe_size (&trips[i]) >= LARGE_BYTES;
    }
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < n; i++)
    {
      await (&trips[i]);
      trip_clear (&trips[i]);
    }
  return n_large;
}

/* where the system gives large pipes at all */
static void
test_large_pipes_within_a_budget (void)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_auto (TestEnd) probe = { .fd = -1 };

  test_sink_init (&probe, TEST_PIPE);
  if (!clip_pump_enlarge_pipe (probe.fd, LARGE_BYTES))
    {
      g_assert_cmpuint (count_large_pipes (transfers, 2), ==, 0);
      return;
    }
  g_assert_cmpuint (count_large_pipes (transfers, 14), ==, 12);
  g_assert_cmpuint (count_large_pipes (transfers, 14), ==, 12);
}

static void
add_fault_tests (void)
{
  g_test_add_func ("/transfer/first-byte-late", test_first_byte_late);
  g_test_add_func ("/transfer/idle-source-stalls", test_idle_source_stalls);
  g_test_add_func ("/transfer/idle-reader-stalls", test_idle_reader_stalls);
  g_test_add_func ("/transfer/each-byte-moves-the-deadline",
                   test_each_byte_moves_the_deadline);
  g_test_add_func ("/transfer/one-byte-too-many", test_one_byte_too_many);
  g_test_add_func ("/transfer/short-source-is-corrupt", test_short_source_is_corrupt);
  g_test_add_func ("/transfer/reader-leaves", test_reader_leaves);
  g_test_add_func ("/transfer/cancelled", test_cancelled);
  g_test_add_func ("/transfer/cancelled-beforehand", test_cancelled_beforehand);
  g_test_add_func ("/transfer/stalled-readers-hold-up-nobody",
                   test_stalled_readers_hold_up_nobody);
  g_test_add_func ("/transfer/hanging-sink-stalls", test_hanging_sink_stalls);
  g_test_add_func ("/transfer/descriptors-closed-once", test_descriptors_closed_once);
  g_test_add_func ("/transfer/free-cancels", test_free_cancels);
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
  add_fault_tests ();
  g_test_add_func ("/transfer/small-bytes-go-at-once", test_small_bytes_go_at_once);
  g_test_add_func ("/transfer/bytes-into-a-small-pipe", test_bytes_into_a_small_pipe);
  g_test_add_func ("/transfer/bytes-leave-stdin-alone", test_bytes_leave_stdin_alone);
  g_test_add_func ("/transfer/read-into-memory", test_read_into_memory);
  g_test_add_func ("/transfer/result-in-the-callers-context",
                   test_result_in_the_callers_context);
  g_test_add_func ("/transfer/large-pipes-within-a-budget",
                   test_large_pipes_within_a_budget);
  return g_test_run ();
}

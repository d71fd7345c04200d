/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trip.h"

#include "clip-pump.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <sys/stat.h>

void
test_trip_init (TestTrip *trip, TestEndKind source, TestEndKind sink, gsize size)
{
  *trip = (TestTrip){ .content = test_content_new (size) };
  test_source_init (&trip->source, source, trip->content);
  test_sink_init (&trip->sink, sink);
  trip->job.size = CLIP_TO_END;
  trip->job.idle_ms = FOREVER_MS;
}

void
test_trip_clear (TestTrip *trip)
{
  test_end_clear (&trip->source);
  test_end_clear (&trip->sink);
  g_clear_pointer (&trip->content, g_bytes_unref);
  g_clear_pointer (&trip->bytes, g_bytes_unref);
  g_clear_error (&trip->error);
}

/* the callback of every transfer of a trip */
void
test_trip_on_done (GObject *source G_GNUC_UNUSED,
                   GAsyncResult *result,
                   gpointer user_data)
{
  TestTrip *trip = user_data;

  trip->moved = clip_transfers_finish (result, &trip->reader_left, &trip->error);
  trip->is_done = TRUE;
}

ino_t
test_fd_inode (int fd)
{
  struct stat status = { 0 };

  fstat (fd, &status);
  return status.st_ino;
}

/* a file keeps a second descriptor here, to look into */
static void
give_away (TestTrip *trip)
{
  trip->source_inode = test_fd_inode (trip->source.fd);
  trip->sink_inode = test_fd_inode (trip->sink.fd);
  trip->source_number = trip->job.source_fd = g_steal_fd (&trip->source.fd);
  trip->sink_number = trip->job.sink_fd = trip->sink.fd;
  trip->sink.fd = trip->sink.peer_fd < 0 ? fcntl (trip->sink.fd, F_DUPFD_CLOEXEC, 0) : -1;
}

void
test_trip_serve (ClipTransfers *transfers, TestTrip *trip, GCancellable *cancellable)
{
  give_away (trip);
  clip_transfers_serve_async (transfers, &trip->job, cancellable, test_trip_on_done,
                              trip);
}

void
test_trip_capture (ClipTransfers *transfers, TestTrip *trip, GCancellable *cancellable)
{
  give_away (trip);
  clip_transfers_capture_async (transfers, &trip->job, cancellable, test_trip_on_done,
                                trip);
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
void
test_trip_finish (TestTrip *trip)
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
void
test_trip_await (TestTrip *trip)
{
  while (!trip->is_done)
    g_main_context_iteration (NULL, TRUE);
}

/* what is kept of a large pipe that was not read yet takes the next number, and is no end
 * of anything */
gboolean
test_fd_is_open (int fd)
{
  int flags = fcntl (fd, F_GETFL);

  return flags >= 0 && !(flags & O_PATH);
}

gboolean
test_trip_sink_is_open (const TestTrip *trip)
{
  return test_fd_is_open (trip->sink_number) &&
         test_fd_inode (trip->sink_number) == trip->sink_inode;
}

static gboolean
source_is_open (const TestTrip *trip)
{
  return test_fd_is_open (trip->source_number) &&
         test_fd_inode (trip->source_number) == trip->source_inode;
}

static gboolean
is_open (const TestTrip *trip)
{
  return source_is_open (trip) || test_trip_sink_is_open (trip);
}

/* a file is closed a moment later: to close one may take as long as who serves it
   likes */
void
test_trip_assert_closed (TestTrip *trip)
{
  if (trip->source.kind == TEST_FILE || trip->sink.kind == TEST_FILE)
    test_trip_await_closed (trip);
  g_assert_false (is_open (trip));
}

/* a deadline may have passed, or a cancellation come, while a hand of the pool has
   them */
void
test_trip_await_closed (TestTrip *trip)
{
  gint64 latest_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (is_open (trip) && g_get_monotonic_time () < latest_us)
    g_thread_yield ();
  g_assert_false (is_open (trip));
}

void
test_trip_assert_arrived (TestTrip *trip)
{
  g_assert_no_error (trip->error);
  g_assert_cmpint (trip->moved, ==, (goffset) g_bytes_get_size (trip->content));
  g_assert_false (trip->reader_left);
  test_sink_assert (&trip->sink, trip->content);
}

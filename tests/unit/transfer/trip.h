/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-transfer.h"
#include "ends.h"

#include <sys/types.h>
G_BEGIN_DECLS

#define SOME_BYTES 100000
#define LARGE_BYTES (1024 * 1024)

/* long enough for never */
#define FOREVER_MS 600000

/* One transfer, from the content to the verdict. */
typedef struct
{
  GBytes *content;
  TestEnd source;
  TestEnd sink;
  ClipTransferJob job;
  int source_number; /* of the descriptors that were given away */
  int sink_number;
  ino_t source_inode; /* what they were: the numbers are anybody's once they are closed */
  ino_t sink_inode;
  gboolean is_done;
  goffset moved;
  gboolean reader_left;
  GError *error;
  GBytes *bytes; /* what was read into memory */
} TestTrip;

void test_trip_init (TestTrip *trip, TestEndKind source, TestEndKind sink, gsize size);
void test_trip_clear (TestTrip *trip);
void test_trip_serve (ClipTransfers *transfers,
                      TestTrip *trip,
                      GCancellable *cancellable);
void test_trip_capture (ClipTransfers *transfers,
                        TestTrip *trip,
                        GCancellable *cancellable);
void test_trip_on_done (GObject *source, GAsyncResult *result, gpointer user_data);
void test_trip_finish (TestTrip *trip);
void test_trip_await (TestTrip *trip);
void test_trip_assert_closed (TestTrip *trip);
void test_trip_await_closed (TestTrip *trip);
void test_trip_assert_arrived (TestTrip *trip);
gboolean test_trip_sink_is_open (const TestTrip *trip);
gboolean test_fd_is_open (int fd);
ino_t test_fd_inode (int fd);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestTrip, test_trip_clear)

G_END_DECLS

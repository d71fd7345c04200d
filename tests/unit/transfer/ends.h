/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Real descriptors of every kind, for tests of what goes between them. */
typedef enum
{
  TEST_FILE,
  TEST_TMPFS,
  TEST_MEMFD,
  TEST_APPEND,
  TEST_PIPE,
  TEST_FIFO, /* a pipe that was opened by its name; a sink only */
  TEST_SOCKET,
  TEST_NONBLOCK_SOCKET,
  TEST_TCP,
  TEST_TERMINAL,
  TEST_MASTER, /* the other side of a terminal */
  TEST_ZERO,
  TEST_NULL,
  TEST_FULL,
} TestEndKind;

/* One end as a pump sees it, and what the test holds of it. */
typedef struct
{
  TestEndKind kind;
  int fd;
  int peer_fd; /* the other side of a pipe, socket or terminal; -1 = none, or closed */
  GBytes *content;  /* of a source: what is fed into it */
  gsize fed;        /* how much of that is in */
  GByteArray *seen; /* of a sink: what came out of it */
} TestEnd;

GBytes *test_content_new (gsize size);
GBytes *test_zeros_new (gsize size);

void test_source_init (TestEnd *self, TestEndKind kind, GBytes *content);
void test_source_feed (TestEnd *self);
void test_sink_init (TestEnd *self, TestEndKind kind);
void test_sink_drain (TestEnd *self);
void test_sink_assert (TestEnd *self, GBytes *content);
void test_end_close_peer (TestEnd *self);
void test_end_clear (TestEnd *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestEnd, test_end_clear)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every pair of ends, through real descriptors of each kind, and what happens when the
 * kernel refuses a way: a seccomp filter refuses it for this process, at once or half-way
 * (a filter sees the length that is asked for, and the last piece is a shorter one).
 */
#include "clip-pump.h"

#include "ends.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define CONTENT_BYTES (1024 * 1024 + 13)

/* @way: what the transfer may stand on when it ends, one of these words */
typedef struct
{
  const char *name;
  TestEndKind source;
  TestEndKind sink;
  const char *ways;
} Pair;

static const Pair pairs[] = {
  { "file-to-pipe", TEST_FILE, TEST_PIPE, "splice" },
  { "tmpfs-to-pipe", TEST_TMPFS, TEST_PIPE, "splice" },
  { "memfd-to-pipe", TEST_MEMFD, TEST_PIPE, "splice" },
  { "file-to-file", TEST_FILE, TEST_FILE, "copy_file_range sendfile" },
  { "file-to-tmpfs", TEST_FILE, TEST_TMPFS, "copy_file_range sendfile" },
  { "file-to-append", TEST_FILE, TEST_APPEND, "read/write" },
  { "file-to-socket", TEST_FILE, TEST_SOCKET, "read/write" },
  { "file-to-nonblock-socket", TEST_FILE, TEST_NONBLOCK_SOCKET, "read/write" },
  { "file-to-tcp", TEST_FILE, TEST_TCP, "read/write" },
  { "file-to-terminal", TEST_FILE, TEST_TERMINAL, "read/write" },
  { "pipe-to-file", TEST_PIPE, TEST_FILE, "splice" },
  { "pipe-to-tmpfs", TEST_PIPE, TEST_TMPFS, "splice" },
  { "pipe-to-memfd", TEST_PIPE, TEST_MEMFD, "splice" },
  { "pipe-to-append", TEST_PIPE, TEST_APPEND, "read/write" },
  { "pipe-to-pipe", TEST_PIPE, TEST_PIPE, "splice" },
  { "pipe-to-socket", TEST_PIPE, TEST_SOCKET, "read/write" },
  { "pipe-to-terminal", TEST_PIPE, TEST_TERMINAL, "read/write" },
  { "memfd-to-file", TEST_MEMFD, TEST_FILE, "copy_file_range sendfile" },
  { "socket-to-file", TEST_SOCKET, TEST_FILE, "read/write" },
  { "socket-to-pipe", TEST_SOCKET, TEST_PIPE, "read/write" },
  { "socket-to-socket", TEST_SOCKET, TEST_SOCKET, "read/write" },
  { "tcp-to-file", TEST_TCP, TEST_FILE, "read/write" },
  { "nonblock-socket-to-file", TEST_NONBLOCK_SOCKET, TEST_FILE, "read/write" },
  { "zero-to-file", TEST_ZERO, TEST_FILE, "read/write" },
  { "zero-to-pipe", TEST_ZERO, TEST_PIPE, "read/write" },
};

/* plays the peers of both ends, in this thread: had a step ever waited for one of them,
 * it would wait for ever */
static ClipStep
pump_with_peers (ClipPump *pump, TestEnd *source, TestEnd *sink, GError **error)
{
  for (;;)
    {
      ClipStep step = clip_pump_step (pump, error);

      if (step == CLIP_STEP_WAIT_IN)
        test_source_feed (source);
      else if (step == CLIP_STEP_WAIT_OUT)
        test_sink_drain (sink);
      else if (step != CLIP_STEP_MORE)
        return step;
    }
}

static void
assert_pumps (const Pair *pair, goffset size)
{
  g_autoptr (GBytes) content = pair->source == TEST_ZERO
                                   ? test_zeros_new (CONTENT_BYTES)
                                   : test_content_new (CONTENT_BYTES);
  g_auto (TestEnd) source = { .fd = -1, .peer_fd = -1 };
  g_auto (TestEnd) sink = { .fd = -1, .peer_fd = -1 };
  g_autoptr (ClipPump) pump = NULL;
  g_autoptr (GError) error = NULL;

  test_source_init (&source, pair->source, content);
  test_sink_init (&sink, pair->sink);
  pump = clip_pump_new (source.fd, sink.fd, size, CONTENT_BYTES);
  g_assert_cmpint (pump_with_peers (pump, &source, &sink, &error), ==, CLIP_STEP_DONE);
  g_assert_no_error (error);
  g_assert_cmpint (clip_pump_moved (pump), ==, CONTENT_BYTES);
  g_assert_false (clip_pump_reader_left (pump));
  g_assert_nonnull (strstr (pair->ways, clip_pump_method (pump)));
  test_sink_assert (&sink, content);
}

static void
test_pair (gconstpointer user_data)
{
  const Pair *pair = user_data;
  gboolean ends = pair->source != TEST_ZERO;

  assert_pumps (pair, CONTENT_BYTES);
  if (ends)
    assert_pumps (pair, CLIP_TO_END);
}

/* @length: refuse only calls for less than so much, where it is the argument of that
 * number */
static void
refuse (int call, int argument, guint32 length, int reason)
{
  guint32 argument_at = (guint32) offsetof (struct seccomp_data, args) +
                        8 * (guint32) argument + (G_BYTE_ORDER == G_BIG_ENDIAN ? 4 : 0);
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (guint32) call, 0, 3),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, argument_at),
    BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, length, 1, 0),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (guint32) reason),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { .len = G_N_ELEMENTS (filter), .filter = filter };

  g_assert_cmpint (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), ==, 0);
  g_assert_cmpint (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), ==, 0);
}

/* on machines of 32 bits sendfile() is another call where offsets have 64 */
#ifdef SYS_sendfile64
#  define SENDFILE SYS_sendfile64
#else
#  define SENDFILE SYS_sendfile
#endif

/* what is refused, where the length stands among its arguments, and what is left */
typedef struct
{
  const char *name;
  int call;
  int length_argument;
  int reason;
  Pair pair;
} Refusal;

static const Refusal refusals[] = {
  { "splice-out", SYS_splice, 4, EINVAL, { "", TEST_FILE, TEST_PIPE, "read/write" } },
  { "splice-in", SYS_splice, 4, ENOSYS, { "", TEST_PIPE, TEST_FILE, "read/write" } },
  { "copy-file-range",
    SYS_copy_file_range,
    4,
    EXDEV,
    { "", TEST_FILE, TEST_FILE, "sendfile" } },
  { "sendfile",
    SENDFILE,
    3,
    EOPNOTSUPP,
    { "", TEST_FILE, TEST_NONBLOCK_SOCKET, "read/write" } },
};

/* a filter cannot be taken back: each refusal has a process of its own */
static void
assert_refused (const Refusal *refusal, guint32 length)
{
  if (g_test_subprocess ())
    {
      refuse (refusal->call, refusal->length_argument, length, refusal->reason);
      test_pair (&refusal->pair);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
test_refused_at_once (gconstpointer user_data)
{
  assert_refused (user_data, G_MAXUINT32);
}

static void
test_refused_half_way (gconstpointer user_data)
{
  assert_refused (user_data, 64);
}

/* kernels before 6.4 know no RWF_NOWAIT on pipes */
static void
test_without_nowait (void)
{
  static const Pair from = { "", TEST_PIPE, TEST_SOCKET, "read/write" };
  static const Pair to = { "", TEST_SOCKET, TEST_PIPE, "read/write" };

  if (g_test_subprocess ())
    {
      refuse (SYS_preadv2, 2, G_MAXUINT32, EOPNOTSUPP);
      refuse (SYS_pwritev2, 2, G_MAXUINT32, EOPNOTSUPP);
      test_pair (&from);
      test_pair (&to);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* the page cache says "not without the disk" */
static void
test_cold_file_may_block (void)
{
  g_autoptr (GBytes) content = test_content_new (1000);
  g_auto (TestEnd) source = { .fd = -1 };
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (ClipPump) pump = NULL;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }
  refuse (SYS_preadv2, 2, G_MAXUINT32, EAGAIN);
  test_source_init (&source, TEST_FILE, content);
  test_sink_init (&sink, TEST_PIPE);
  pump = clip_pump_new (source.fd, sink.fd, 1000, 0);
  g_assert_true (clip_pump_may_block (pump));
  g_assert_cmpint (clip_pump_step (pump, NULL), ==, CLIP_STEP_DONE);
  test_sink_assert (&sink, content);
}

static void
add_refusals (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autofree char *at_once =
          g_strconcat ("/way/", refusals[i].name, "-refused", NULL);
      g_autofree char *half_way =
          g_strconcat ("/way/", refusals[i].name, "-refused-half-way", NULL);

      g_test_add_data_func (at_once, &refusals[i], test_refused_at_once);
      g_test_add_data_func (half_way, &refusals[i], test_refused_half_way);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *path = g_strconcat ("/way/", pairs[i].name, NULL);

      g_test_add_data_func (path, &pairs[i], test_pair);
    }
  add_refusals ();
  g_test_add_func ("/way/without-nowait", test_without_nowait);
  g_test_add_func ("/way/cold-file-may-block", test_cold_file_may_block);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What counts of the pipes that were enlarged, and for how long. */
#include "clip-pipes.h"

#include "clip-fd.h"
#include "ends.h"

#include <fcntl.h>
#include <signal.h>

#define LARGE_BYTES (1024 * 1024)
#define MOST 31

typedef struct
{
  ClipPipes *pipes;
  TestEnd ends[MOST + 1];
  ClipPipeLoan loans[MOST + 1];
  int former_bytes;
} Share;

/* the last pipe is the one too many */
static void
share_init (Share *self)
{
  self->pipes = clip_pipes_new ();
  for (guint i = 0; i <= MOST; i++)
    test_sink_init (&self->ends[i], TEST_PIPE);
  self->former_bytes = fcntl (self->ends[0].fd, F_GETPIPE_SZ);
}

static void
share_clear (Share *self)
{
  for (guint i = 0; i <= MOST; i++)
    {
      clip_pipes_release (self->pipes, &self->loans[i]);
      test_end_clear (&self->ends[i]);
    }
  clip_pipes_free (self->pipes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Share, share_clear)

static gboolean
enlarge (Share *self, guint i)
{
  return clip_pipes_enlarge (self->pipes, self->ends[i].fd, TRUE, &self->loans[i]);
}

/* as a transfer ends: released, then closed */
static void
finish (Share *self, guint i)
{
  clip_pipes_release (self->pipes, &self->loans[i]);
  clip_fd_clear (&self->ends[i].fd);
}

static int
size_of (Share *self, guint i)
{
  return fcntl (self->ends[i].peer_fd, F_GETPIPE_SZ);
}

static void
use_up (Share *self, gboolean filled)
{
  g_autofree char *much = g_malloc0 (LARGE_BYTES);

  for (guint i = 0; i < MOST; i++)
    {
      g_assert_true (enlarge (self, i));
      if (filled)
        g_assert_true (clip_write_all (self->ends[i].fd, much, LARGE_BYTES, NULL));
    }
  g_assert_false (enlarge (self, MOST));
}

static void
test_empty_is_small_at_once (void)
{
  g_auto (Share) share = { 0 };

  share_init (&share);
  use_up (&share, FALSE);
  finish (&share, 0);
  g_assert_cmpint (size_of (&share, 0), ==, share.former_bytes);
  g_assert_true (enlarge (&share, MOST));
}

static void
test_full_counts_until_it_is_read (void)
{
  g_auto (Share) share = { 0 };

  share_init (&share);
  use_up (&share, TRUE);
  for (guint i = 0; i < MOST; i++)
    finish (&share, i);
  g_assert_false (enlarge (&share, MOST));
  test_sink_drain (&share.ends[3]);
  g_assert_cmpuint (share.ends[3].seen->len, ==, LARGE_BYTES);
  g_assert_true (enlarge (&share, MOST));
  g_assert_cmpint (size_of (&share, 3), ==, share.former_bytes);
  g_assert_cmpint (size_of (&share, 4), ==, LARGE_BYTES);
}

static void
test_full_counts_until_it_is_gone (void)
{
  g_auto (Share) share = { 0 };

  share_init (&share);
  use_up (&share, TRUE);
  for (guint i = 0; i < MOST; i++)
    finish (&share, i);
  test_end_close_peer (&share.ends[3]);
  g_assert_true (enlarge (&share, MOST));
}

/* what is kept of a pipe is no end of it: its reader sees the end, its writer who leaves
 */
static void
test_kept_is_no_end (void)
{
  g_auto (Share) share = { 0 };
  clip_autofd int other = -1;
  guint8 byte;

  share_init (&share);
  use_up (&share, TRUE);
  other = fcntl (share.ends[0].fd, F_DUPFD_CLOEXEC, 0);
  finish (&share, 0);
  finish (&share, 1);
  g_assert_false (enlarge (&share, MOST));
  test_sink_drain (&share.ends[1]);
  g_assert_cmpint (read (share.ends[1].peer_fd, &byte, 1), ==, 0);
  test_end_close_peer (&share.ends[0]);
  signal (SIGPIPE, SIG_IGN);
  g_assert_cmpint (write (other, "x", 1), ==, -1);
}

static void
test_large_already_is_its_makers (void)
{
  g_auto (Share) share = { 0 };

  share_init (&share);
  g_assert_cmpint (fcntl (share.ends[0].fd, F_SETPIPE_SZ, LARGE_BYTES), ==, LARGE_BYTES);
  g_assert_false (enlarge (&share, 0));
  finish (&share, 0);
  g_assert_cmpint (size_of (&share, 0), ==, LARGE_BYTES);
}

/* to look at it later would be to open it, which is what its next writer waits for */
static void
test_named_is_left_alone (void)
{
  g_auto (Share) share = { 0 };
  g_auto (TestEnd) fifo = { .fd = -1 };
  ClipPipeLoan loan = { 0 };

  share_init (&share);
  test_sink_init (&fifo, TEST_FIFO);
  g_assert_false (clip_pipes_enlarge (share.pipes, fifo.fd, TRUE, &loan));
  g_assert_cmpint (fcntl (fifo.fd, F_GETPIPE_SZ), ==, share.former_bytes);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipes/empty-is-small-at-once", test_empty_is_small_at_once);
  g_test_add_func ("/pipes/full-counts-until-it-is-read",
                   test_full_counts_until_it_is_read);
  g_test_add_func ("/pipes/full-counts-until-it-is-gone",
                   test_full_counts_until_it_is_gone);
  g_test_add_func ("/pipes/what-is-kept-is-no-end", test_kept_is_no_end);
  g_test_add_func ("/pipes/large-already-is-its-makers",
                   test_large_already_is_its_makers);
  g_test_add_func ("/pipes/named-is-left-alone", test_named_is_left_alone);
  return g_test_run ();
}

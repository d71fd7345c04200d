/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What who runs a pump hears of it on the way. */
#include "clip-fd.h"
#include "clip-pump.h"
#include "ends.h"

#include <signal.h>
#include <sys/time.h>

#define CONTENT_BYTES ((gsize) 2 * 1024 * 1024)

typedef struct
{
  ClipPump *pump;
  guint n;
  guint enough; /* closes the other side of the source then */
  goffset last;
  TestEnd *source;
} Told;

static void
on_step (goffset moved, gpointer user_data)
{
  Told *told = user_data;

  g_assert_cmpint (moved, >=, told->last);
  g_assert_cmpint (moved, ==, clip_pump_moved (told->pump));
  told->last = moved;
  told->n++;
  if (told->n == told->enough)
    test_end_close_peer (told->source);
}

static void
test_every_step (void)
{
  g_auto (TestEnd) source = { .fd = -1 };
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (GBytes) content = test_content_new (CONTENT_BYTES);
  g_autoptr (ClipPump) pump = NULL;
  Told told = { 0 };

  test_source_init (&source, TEST_FILE, content);
  test_sink_init (&sink, TEST_NULL);
  pump = clip_pump_new (source.fd, sink.fd, CONTENT_BYTES, 0);
  told.pump = pump;
  clip_pump_set_progress (pump, on_step, &told);
  g_assert_true (clip_pump_run (pump, 10000, NULL));
  g_assert_cmpint (told.last, ==, CONTENT_BYTES);
  g_assert_cmpuint (told.n, >=, CONTENT_BYTES / (256 * 1024));
}

static void
on_alarm (int number G_GNUC_UNUSED)
{
}

static void
ring_every_ms (int ms)
{
  const struct itimerval often = { { 0, ms * 1000 }, { 0, ms * 1000 } };

  g_assert_cmpint (setitimer (ITIMER_REAL, &often, NULL), ==, 0);
}

/* otherwise whoever shows progress could say nothing while a peer is slow */
static void
test_signal_is_a_step (void)
{
  g_auto (TestEnd) source = { .fd = -1 };
  g_auto (TestEnd) sink = { .fd = -1 };
  g_autoptr (GBytes) content = g_bytes_new_static ("", 0);
  g_autoptr (ClipPump) pump = NULL;
  Told told = { .enough = 8, .source = &source };

  test_source_init (&source, TEST_PIPE, content);
  g_assert_true (clip_write_all (source.peer_fd, "word", 4, NULL));
  test_sink_init (&sink, TEST_NULL);
  pump = clip_pump_new (source.fd, sink.fd, CLIP_TO_END, 0);
  told.pump = pump;
  clip_pump_set_progress (pump, on_step, &told);
  signal (SIGALRM, on_alarm);
  ring_every_ms (5);
  g_assert_true (clip_pump_run (pump, 0, NULL));
  ring_every_ms (0);
  g_assert_cmpint (told.last, ==, 4);
  g_assert_cmpuint (told.n, >, told.enough);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pump-progress/every-step", test_every_step);
  g_test_add_func ("/pump-progress/caught-signal-is-a-step", test_signal_is_a_step);
  return g_test_run ();
}

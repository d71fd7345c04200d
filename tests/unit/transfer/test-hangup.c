/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is an end of the source, and what is a source that broke off. */
#include "clip-fd.h"
#include "clip-pump.h"
#include "ends.h"

#include <string.h>
#include <termios.h>

/* steps until the pump waits, or ends */
static ClipStep
pump_on (ClipPump *pump, GError **error)
{
  ClipStep step;

  do
    step = clip_pump_step (pump, error);
  while (step == CLIP_STEP_MORE);
  return step;
}

typedef struct
{
  TestEnd source;
  TestEnd sink;
  ClipPump *pump;
} Line;

static void
line_init (Line *self, TestEndKind kind)
{
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);

  test_source_init (&self->source, kind, nothing);
  test_sink_init (&self->sink, TEST_MEMFD);
  self->pump = clip_pump_new (self->source.fd, self->sink.fd, CLIP_TO_END, 0);
}

static void
line_clear (Line *self)
{
  clip_pump_free (self->pump);
  test_end_clear (&self->source);
  test_end_clear (&self->sink);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Line, line_clear)

static void
type (Line *self, const char *text)
{
  g_assert_true (clip_write_all (self->source.peer_fd, text, strlen (text), NULL));
}

static void
test_terminal_hangs_up (void)
{
  g_auto (Line) line = { 0 };
  g_autoptr (GError) error = NULL;

  line_init (&line, TEST_TERMINAL);
  type (&line, "half of a wo");
  g_assert_cmpint (pump_on (line.pump, &error), ==, CLIP_STEP_WAIT_IN);
  g_assert_cmpint (clip_pump_moved (line.pump), ==, 12);
  test_end_close_peer (&line.source);
  g_assert_cmpint (pump_on (line.pump, &error), ==, CLIP_STEP_FAILED);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_IO);
}

/* what a user presses, where the terminal edits lines */
static void
test_end_of_file_is_typed (void)
{
  g_auto (Line) line = { 0 };
  g_autoptr (GError) error = NULL;
  struct termios modes;

  line_init (&line, TEST_TERMINAL);
  g_assert_cmpint (tcgetattr (line.source.fd, &modes), ==, 0);
  modes.c_lflag |= ICANON;
  modes.c_lflag &= ~(tcflag_t) ECHO;
  modes.c_cc[VEOF] = 4;
  g_assert_cmpint (tcsetattr (line.source.fd, TCSANOW, &modes), ==, 0);
  type (&line, "a line\n\004");
  g_assert_cmpint (pump_on (line.pump, &error), ==, CLIP_STEP_DONE);
  g_assert_no_error (error);
  g_assert_cmpint (clip_pump_moved (line.pump), ==, 7);
}

static void
test_pipe_is_closed (void)
{
  g_auto (Line) line = { 0 };
  g_autoptr (GError) error = NULL;

  line_init (&line, TEST_PIPE);
  type (&line, "a word");
  test_end_close_peer (&line.source);
  g_assert_cmpint (pump_on (line.pump, &error), ==, CLIP_STEP_DONE);
  g_assert_cmpint (clip_pump_moved (line.pump), ==, 6);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hangup/of-a-terminal-is-no-end", test_terminal_hangs_up);
  g_test_add_func ("/hangup/end-of-file-is-typed", test_end_of_file_is_typed);
  g_test_add_func ("/hangup/of-a-pipe-is-the-end", test_pipe_is_closed);
  return g_test_run ();
}

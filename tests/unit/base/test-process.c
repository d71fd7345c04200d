/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* as the kernel writes them, with what we look at to be filled in */
#define STATUS \
  "Name:\tState:\\n)\nUmask:\t0022\nState:\t%c (word)\nTgid:\t7\nThreads:\t%d\n" \
  "SigQ:\t0/1\nSigPnd:\t%s\nShdPnd:\t%s\nSigBlk:\tffffffffffffffff\n" \
  "SigIgn:\tffffffffffffffff\nSigCgt:\tffffffffffffffff\n"
#define STAT "7 (a) Z 1 (b c)) %c 1 7 7 34816 7 %u 4 4 4 4\n"
#define NONE "0000000000000000"

typedef struct
{
  const char *what;
  char state;
  int n_threads;
  const char *own;
  const char *shared;
  guint flags;
  gboolean leaves;
} Case;

static void
test_tells (void)
{
  static const Case cases[] = {
    { "runs", 'R', 1, NONE, NONE, 0x400000, FALSE },
    { "sleeps", 'S', 3, NONE, NONE, 0x400040, FALSE },
    { "is stopped", 'T', 1, NONE, NONE, 0x400000, FALSE },
    { "zombie", 'Z', 1, NONE, NONE, 0x400000, TRUE },
    { "dead", 'X', 0, NONE, NONE, 0x400000, TRUE },
    { "exits", 'R', 1, NONE, NONE, 0x400004, TRUE },
    { "its first thread has ended", 'Z', 2, NONE, NONE, 0x40000c, FALSE },
    { "killed by a signal", 'R', 3, NONE, NONE, 0x400400, TRUE },
    { "hangup", 'S', 1, NONE, "0000000000000001", 0, TRUE },
    { "interrupt", 'S', 3, NONE, "0000000000000002", 0, TRUE },
    { "quit", 'S', 3, NONE, "0000000000000004", 0, TRUE },
    { "kill, to a thread", 'S', 3, "0000000000000100", NONE, 0, TRUE },
    { "pipe, to a thread", 'S', 1, "0000000000001000", NONE, 0, TRUE },
    { "terminate", 'S', 1, NONE, "0000000000004000", 0, TRUE },
    { "terminate, among others", 'S', 1, NONE, "8000000000014000", 0, TRUE },
    { "harmless ones", 'S', 1, "0000000008010000", "8000000000000a00", 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *now = &cases[i];
      g_autofree char *status =
          g_strdup_printf (STATUS, now->state, now->n_threads, now->own, now->shared);
      g_autofree char *stat = g_strdup_printf (STAT, now->state, now->flags);

      g_test_message ("%s", now->what);
      g_assert_cmpint (clip_process_tells_leaving (status, stat), ==, now->leaves);
    }
}

static void
test_start (void)
{
  gint64 start_us = clip_process_start_us (getpid ());
  const gint64 tick_us = G_USEC_PER_SEC / sysconf (_SC_CLK_TCK);

  g_assert_cmpint (clip_process_tells_start ("1 (a) b) S 1 2 3 4 -1 6 7 8 9 10 11 12 13 "
                                             "14 15 16 17 18 500 21\n"),
                   ==, 500 * tick_us);
  g_assert_cmpint (clip_process_tells_start ("1 (x"), ==, -1);
  g_assert_cmpint (start_us, >, 0);
  g_assert_cmpint (start_us, <=, clip_process_now_us ());
  /* younger than whoever made it, as far as ticks go */
  g_assert_cmpint (start_us, >=, clip_process_start_us (getppid ()));
  g_assert_cmpint (clip_process_start_us (G_MAXINT), ==, -1);
}

/* a child of ours; it never outlives a check that failed */
G_GNUC_NORETURN static void
rest (void)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  for (;;)
    pause ();
}

static void
test_nonsense (void)
{
  static const char *const texts[] = {
    "", "\n", ")", "7 (x", "7 (x) R", "\nState:\t", "\nSigPnd:\tmany\n"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
      g_assert_false (clip_process_tells_leaving (texts[i], texts[j]));
}

static void
test_real (void)
{
  sigset_t blocked, before;
  pid_t child;

  g_assert_true (clip_process_is_shown (getpid ()));
  g_assert_false (clip_process_is_shown (0));
  g_assert_false (clip_process_is_leaving (getpid ()));
  sigemptyset (&blocked);
  sigaddset (&blocked, SIGINT);
  sigprocmask (SIG_BLOCK, &blocked, &before);
  child = fork ();
  if (child == 0)
    rest ();
  g_assert_cmpint (child, >, 0);
  sigprocmask (SIG_SETMASK, &before, NULL);
  g_assert_false (clip_process_is_leaving (child));
  kill (child, SIGINT);
  /* pending, and blocked */
  g_assert_true (clip_process_is_leaving (child));
  kill (child, SIGKILL);
  g_assert_true (clip_process_is_leaving (child));
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  g_assert_true (clip_process_is_leaving (child));
  g_assert_false (clip_process_is_shown (child));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/process/who-is-leaving", test_tells);
  g_test_add_func ("/process/start", test_start);
  g_test_add_func ("/process/nonsense-is-no-reason", test_nonsense);
  g_test_add_func ("/process/a-real-one-that-is-killed", test_real);
  return g_test_run ();
}

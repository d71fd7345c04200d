/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What may still be called behind the filter: each call is made by a child of its own. */
#include "clip-sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* no call but one that waits takes as long */
#define AMPLE_MS (120 * 1000)
#define WAIT_SECONDS 20

typedef long (*Call) (void);

/* the exit status of a child: what the call set errno to, 0 where it was done; a signal
 * is 1000 and more */
static int
outcome_within (guint ms, Call call)
{
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      /* by the call itself: a sanitizer does more in _exit () than is allowed then */
      if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !clip_sandbox_end_within (ms) ||
          !clip_sandbox_enter ())
        syscall (SYS_exit_group, 255);
      errno = 0;
      syscall (SYS_exit_group, call () < 0 ? errno : 0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return WIFSIGNALED (status) ? 1000 + WTERMSIG (status) : WEXITSTATUS (status);
}

static int
outcome_behind_filter (Call call)
{
  return outcome_within (AMPLE_MS, call);
}

static long
call_write (void)
{
  return syscall (SYS_write, STDOUT_FILENO, "", 0);
}

static long
call_open (void)
{
  return syscall (SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
}

static long
call_stat (void)
{
  return syscall (SYS_newfstatat, AT_FDCWD, "/etc/passwd", NULL, 0);
}

static long
call_map (void)
{
  return syscall (SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1
             ? -1
             : 0;
}

static long
call_map_code (void)
{
  return syscall (SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1
             ? -1
             : 0;
}

static long
call_fork (void)
{
  return syscall (SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static long
call_socket (void)
{
  return syscall (SYS_socket, AF_UNIX, SOCK_STREAM, 0);
}

static long
call_execute (void)
{
  return syscall (SYS_execve, "/bin/true", NULL, NULL);
}

static long
call_kill (void)
{
  return syscall (SYS_kill, syscall (SYS_getpid), 0);
}

/* the kernel's, signal.h has another */
typedef struct
{
  void (*handler) (int);
  unsigned long flags;
  void (*restorer) (void);
  guint64 mask;
} Handling;

/* as one that was taken over may: deaf to what can be ignored, and no CPU time is used */
static long
call_ignore_and_wait (void)
{
  const Handling ignored = { .handler = SIG_IGN };
  const guint64 all = G_MAXUINT64;
  const struct timespec time = { .tv_sec = WAIT_SECONDS };
  guint32 word = 0;

  syscall (SYS_rt_sigaction, SIGALRM, &ignored, NULL, sizeof all);
  syscall (SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, sizeof all);
  syscall (SYS_futex, &word, FUTEX_WAIT, 0, &time, NULL, 0);
  return 0;
}

static void
test_what_decoding_needs (void)
{
  g_assert_cmpint (outcome_behind_filter (call_write), ==, 0);
  g_assert_cmpint (outcome_behind_filter (call_map), ==, 0);
}

static void
test_nothing_is_opened (void)
{
  g_assert_cmpint (outcome_behind_filter (call_open), ==, EACCES);
  g_assert_cmpint (outcome_behind_filter (call_stat), ==, EACCES);
}

static void
test_no_other_code (void)
{
  g_assert_cmpint (outcome_behind_filter (call_map_code), ==, EACCES);
  g_assert_cmpint (outcome_behind_filter (call_fork), ==, EACCES);
}

static void
test_all_else_ends_it (void)
{
  g_assert_cmpint (outcome_behind_filter (call_socket), ==, 1000 + SIGSYS);
  g_assert_cmpint (outcome_behind_filter (call_execute), ==, 1000 + SIGSYS);
  g_assert_cmpint (outcome_behind_filter (call_kill), ==, 1000 + SIGSYS);
}

static void
test_ends_in_time (void)
{
  g_assert_cmpint (outcome_within (100, call_ignore_and_wait), ==, 1000 + SIGKILL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sandbox/lets-an-image-be-decoded", test_what_decoding_needs);
  g_test_add_func ("/sandbox/opens-no-file", test_nothing_is_opened);
  g_test_add_func ("/sandbox/runs-no-other-code", test_no_other_code);
  g_test_add_func ("/sandbox/any-other-call-ends-it", test_all_else_ends_it);
  g_test_add_func ("/sandbox/a-deaf-one-ends-in-time", test_ends_in_time);
  return g_test_run ();
}

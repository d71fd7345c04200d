/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A process that is killed at a moment of one's choice: between two of its system calls.
 * The child is traced, and stops before each call.
 */
#include "kill-step.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSCALL_STOP (SIGTRAP | 0x80)

static const long names[] = {
#ifdef SYS_rename
  SYS_rename,
#endif
#ifdef SYS_renameat
  SYS_renameat,
#endif
#ifdef SYS_link
  SYS_link,
#endif
#ifdef SYS_unlink
  SYS_unlink,
#endif
#ifdef SYS_mkdir
  SYS_mkdir,
#endif
#ifdef SYS_rmdir
  SYS_rmdir,
#endif
  SYS_renameat2, SYS_linkat, SYS_unlinkat, SYS_mkdirat,
};

static const long writes[] = { SYS_write, SYS_pwrite64, SYS_ftruncate, SYS_fdatasync,
                               SYS_fsync };

static gboolean
is_among (long call, const long *calls, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (calls[i] == call)
      return TRUE;
  return FALSE;
}

static gboolean
is_step (KillSteps steps, long call)
{
  return ((steps & KILL_AT_NAMES) && is_among (call, names, G_N_ELEMENTS (names))) ||
         ((steps & KILL_AT_WRITES) && is_among (call, writes, G_N_ELEMENTS (writes)));
}

/* the number of the call that the child is about to make; -1 = it comes back from one */
static long
get_call (pid_t pid)
{
  struct __ptrace_syscall_info info = { 0 };

  if (ptrace (PTRACE_GET_SYSCALL_INFO, pid, (void *) sizeof info, &info) < 0)
    g_error ("look at a system call: %s", g_strerror (errno));
  return info.op == PTRACE_SYSCALL_INFO_ENTRY ? (long) info.entry.nr : -1;
}

/* Runs this program anew, because a child of a process in which threads come and go may
 * find a lock of the allocator taken for ever. A traced one stops before its first
 * instruction. */
static pid_t
start_anew (const char *what, const char *dir, gboolean is_traced)
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      if (is_traced && ptrace (PTRACE_TRACEME, 0, NULL, NULL) < 0)
        _exit (99);
      execl ("/proc/self/exe", "anew", what, dir, NULL);
      _exit (127);
    }
  return pid;
}

/**
 * run_anew:
 *
 * Has this program run anew, with @what and @dir as its arguments.
 *
 * Returns: its pid
 */
pid_t
run_anew (const char *what, const char *dir)
{
  return start_anew (what, dir, FALSE);
}

/* up to step @n, or its end. @out_status: as waitpid() says it */
static gboolean
go_to_step (pid_t pid, KillSteps steps, guint n, int *out_status)
{
  int sent = 0;

  for (;;)
    {
      g_assert_cmpint (ptrace (PTRACE_SYSCALL, pid, NULL, (void *) (gintptr) sent), ==,
                       0);
      g_assert_cmpint (waitpid (pid, out_status, 0), ==, pid);
      if (!WIFSTOPPED (*out_status))
        return FALSE;
      sent = WSTOPSIG (*out_status) == SYSCALL_STOP ? 0 : WSTOPSIG (*out_status);
      if (sent == 0 && is_step (steps, get_call (pid)) && n-- == 0)
        return TRUE;
    }
}

/**
 * kill_before_step:
 * @n: from 0
 *
 * Has this program run anew, with @what and @dir as its arguments, and kills it when it
 * is about to take a step, after @n others. It is to start no threads.
 *
 * Returns: %FALSE when it was through before that
 */
gboolean
kill_before_step (KillSteps steps, guint n, const char *what, const char *dir)
{
  pid_t pid = start_anew (what, dir, TRUE);
  int status;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSTOPPED (status));
  g_assert_cmpint (ptrace (PTRACE_SETOPTIONS, pid, NULL,
                           (void *) (PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)),
                   ==, 0);
  if (!go_to_step (pid, steps, n, &status))
    {
      g_assert_true (WIFEXITED (status));
      g_assert_cmpint (WEXITSTATUS (status), ==, 0);
      return FALSE;
    }
  kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  return TRUE;
}

/* from now on this process finds a file system without hard links, wherever it looks */
void
refuse_links (void)
{
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (filter), filter };

  g_assert_cmpint (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), ==, 0);
  g_assert_cmpint (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), ==, 0);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is left to a process that decodes a stranger's bytes: memory, a few seconds, and
 * its three standard descriptors. Limits come first; the filter when everything that has
 * to be opened or loaded is there. From then on no file is opened, nothing is executed or
 * mapped to be executed, and any call that is not named here ends the process.
 */
#include "clip-sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#  define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#  define OUR_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#  define OUR_ARCH AUDIT_ARCH_RISCV64
#else
#  error "the filter is not known for this architecture: -Dthumbnails=disabled"
#endif

#define MEMORY_BYTES (768 * 1024 * 1024)
#define OUTPUT_BYTES (64 * 1024 * 1024)
#define CPU_SECONDS 5
#define WALL_MS (20 * 1000)

/* what is done of each call; an argument is looked at by its lower half */
typedef enum
{
  ALLOW,
  ALLOW_IF_SET,   /* the bits are, in the argument */
  REFUSE_IF_SET,  /* EACCES then */
  REFUSE,         /* EACCES: libraries look for files, and do without */
  REFUSE_UNKNOWN, /* ENOSYS: there is an older call for it */
} Action;

typedef struct
{
  int number;
  Action action;
  guint argument;
  guint32 bits;
} Rule;

static const Rule rules[] = {
  { SYS_read, ALLOW },
  { SYS_write, ALLOW },
  { SYS_lseek, ALLOW },
  { SYS_close, ALLOW },
  { SYS_fstat, ALLOW },
  { SYS_brk, ALLOW },
  { SYS_mmap, REFUSE_IF_SET, 2, PROT_EXEC },
  { SYS_mprotect, REFUSE_IF_SET, 2, PROT_EXEC },
  { SYS_munmap, ALLOW },
  { SYS_mremap, ALLOW },
  { SYS_madvise, ALLOW },
  { SYS_futex, ALLOW },
  { SYS_rt_sigaction, ALLOW },
  { SYS_rt_sigprocmask, ALLOW },
  { SYS_rt_sigreturn, ALLOW },
  { SYS_clock_gettime, ALLOW },
  { SYS_gettimeofday, ALLOW },
  { SYS_getrandom, ALLOW },
  { SYS_sysinfo, ALLOW },
  { SYS_sched_yield, ALLOW },
  { SYS_sched_getaffinity, ALLOW },
  { SYS_getpid, ALLOW },
  { SYS_gettid, ALLOW },
  /* libwebp decodes on a thread of its own */
  { SYS_clone, ALLOW_IF_SET, 0, CLONE_THREAD },
  { SYS_clone3, REFUSE_UNKNOWN },
  { SYS_set_robust_list, ALLOW },
#ifdef SYS_rseq
  { SYS_rseq, ALLOW },
#endif
  { SYS_exit, ALLOW },
  { SYS_exit_group, ALLOW },
#ifdef SYS_open
  { SYS_open, REFUSE },
  { SYS_access, REFUSE },
  { SYS_readlink, REFUSE },
#endif
  { SYS_openat, REFUSE },
  { SYS_faccessat, REFUSE },
  { SYS_newfstatat, REFUSE },
  { SYS_readlinkat, REFUSE },
  { SYS_ioctl, REFUSE },
  { SYS_prlimit64, REFUSE },
  { SYS_prctl, REFUSE }, /* a thread's name */
};

#define MOST_STEPS (5 + 5 * G_N_ELEMENTS (rules))

typedef struct
{
  struct sock_filter steps[MOST_STEPS];
  unsigned short length;
} Program;

static void
add (Program *self, guint16 code, guint8 jump_true, guint8 jump_false, guint32 k)
{
  self->steps[self->length++] = (struct sock_filter){ code, jump_true, jump_false, k };
}

static void
add_load (Program *self, gsize offset)
{
  add (self, BPF_LD | BPF_W | BPF_ABS, 0, 0, (guint32) offset);
}

static void
add_return (Program *self, guint32 what)
{
  add (self, BPF_RET | BPF_K, 0, 0, what);
}

/* the number of the call is loaded, and stays where the rule is not for it; all that we
 * are built for is little-endian */
static void
add_rule (Program *self, const Rule *rule)
{
  gboolean looks = rule->action == ALLOW_IF_SET || rule->action == REFUSE_IF_SET;
  guint32 refused = SECCOMP_RET_ERRNO | EACCES;

  add (self, BPF_JMP | BPF_JEQ | BPF_K, 0, looks ? 4 : 1, (guint32) rule->number);
  if (looks)
    {
      gboolean allows = rule->action == ALLOW_IF_SET;

      add_load (self, offsetof (struct seccomp_data, args) + 8 * rule->argument);
      add (self, BPF_JMP | BPF_JSET | BPF_K, 0, 1, rule->bits);
      add_return (self, allows ? SECCOMP_RET_ALLOW : refused);
      add_return (self, allows ? refused : SECCOMP_RET_ALLOW);
    }
  else if (rule->action == REFUSE_UNKNOWN)
    add_return (self, SECCOMP_RET_ERRNO | ENOSYS);
  else
    add_return (self, rule->action == REFUSE ? refused : SECCOMP_RET_ALLOW);
}

static gboolean
limit (int resource, rlim_t value)
{
  const struct rlimit both = { value, value };

  return setrlimit (resource, &both) == 0;
}

/**
 * clip_sandbox_tie:
 * @parent: the process that waits for this one
 *
 * From now on this process ends with the thread that started it.
 *
 * Returns: whether that is so; it is not where the parent has gone before
 */
gboolean
clip_sandbox_tie (pid_t parent)
{
  return prctl (PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid () == parent;
}

/**
 * clip_sandbox_end_within:
 *
 * By a timer of the kernel's, and SIGKILL: what an image has made of this process may
 * ignore or block any other signal, as may who started it. The filter knows no call that
 * changes a timer.
 *
 * Returns: whether it runs
 */
gboolean
clip_sandbox_end_within (guint ms)
{
  struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
  const struct itimerspec once = {
    .it_value = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L },
  };
  timer_t timer;

  return timer_create (CLOCK_MONOTONIC, &event, &timer) == 0 &&
         timer_settime (timer, 0, &once, NULL) == 0;
}

/**
 * clip_sandbox_limit:
 *
 * At the start: what this process may use up, and that it leaves no core file. A
 * process that holds the other ends of its descriptors cannot keep it alive either.
 *
 * Returns: whether all of it is in force
 */
gboolean
clip_sandbox_limit (void)
{
  return clip_sandbox_end_within (WALL_MS) && limit (RLIMIT_AS, MEMORY_BYTES) &&
         limit (RLIMIT_CPU, CPU_SECONDS) && limit (RLIMIT_FSIZE, OUTPUT_BYTES) &&
         limit (RLIMIT_CORE, 0) && prctl (PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 &&
         prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/**
 * clip_sandbox_enter:
 *
 * After the last file is open: the filter. It cannot be left.
 *
 * Returns: whether it is in force
 */
gboolean
clip_sandbox_enter (void)
{
  Program program = { .length = 0 };
  struct sock_fprog filter;

  add_load (&program, offsetof (struct seccomp_data, arch));
  add (&program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OUR_ARCH);
  add_return (&program, SECCOMP_RET_KILL_PROCESS);
  add_load (&program, offsetof (struct seccomp_data, nr));
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    add_rule (&program, &rules[i]);
  add_return (&program, SECCOMP_RET_KILL_PROCESS);
  filter = (struct sock_fprog){ program.length, program.steps };
  return syscall (SYS_close_range, STDERR_FILENO + 1, ~0u, 0) == 0 &&
         limit (RLIMIT_NOFILE, 0) &&
         prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

/**
 * clip_sandbox_has_bubblewrap:
 *
 * For a library that decodes in programs of its own, which it starts by bwrap(1): the
 * filter would refuse those. Blocks until one has ended.
 *
 * Returns: whether bubblewrap is there, and may make namespaces here
 */
gboolean
clip_sandbox_has_bubblewrap (void)
{
  const char *argv[] = { "bwrap", "--unshare-all", "--ro-bind", "/", "/", "true", NULL };
  int status;

  return g_spawn_sync (NULL, (char **) argv, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                           G_SPAWN_STDERR_TO_DEV_NULL,
                       NULL, NULL, NULL, NULL, &status, NULL) &&
         g_spawn_check_wait_status (status, NULL);
}

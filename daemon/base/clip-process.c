/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-process.h"

#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* what either file has, and more */
#define MAX_BYTES 8191

/* the kernel's flags of a task, in the ninth field of its stat */
#define FLAG_EXITING 0x4u
#define FLAG_SIGNALED 0x400u

#define BIT(number) (G_GUINT64_CONSTANT (1) << ((number) -1))
#define FATAL \
  (BIT (SIGHUP) | BIT (SIGINT) | BIT (SIGQUIT) | BIT (SIGKILL) | BIT (SIGPIPE) | \
   BIT (SIGTERM))

static gboolean is_sealed;
static guint n_unveiled;

/* a handler that takes core dumps through a pipe gets them in spite of the limit: without
   memory */
static void
leave_memory_out_of_dumps (void)
{
  clip_autofd int fd = open ("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);

  if (fd >= 0)
    clip_write_all (fd, "0", 1, NULL);
}

/**
 * clip_process_seal:
 *
 * Of a process that has other people's secrets in its memory, before it has any: no core
 * dump, no look inside by another program of the same user, no privileges by what it
 * starts.
 */
void
clip_process_seal (void)
{
  const struct rlimit none = { 0, 0 };

  setrlimit (RLIMIT_CORE, &none);
  leave_memory_out_of_dumps ();
  prctl (PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  is_sealed = TRUE;
}

/**
 * clip_process_unveil:
 *
 * Until clip_process_veil() another program of the same user may see which program this
 * is: KWin looks at who connects, and tells only those about windows that it knows, and
 * the gate of the session's daemon lets in only those. Counts; for the main thread.
 */
void
clip_process_unveil (void)
{
  if (is_sealed && n_unveiled++ == 0)
    prctl (PR_SET_DUMPABLE, 1, 0, 0, 0);
}

void
clip_process_veil (void)
{
  if (is_sealed && --n_unveiled == 0)
    prctl (PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* the value behind "\nKEY:\t", or "" */
static const char *
value_of (const char *status, const char *key)
{
  const char *line = strstr (status, key);

  return line ? line + strlen (key) : "";
}

static guint64
signals_of (const char *status, const char *key)
{
  return g_ascii_strtoull (value_of (status, key), NULL, 16);
}

/* the name of the program, which stands in parentheses, may contain some itself */
static guint
flags_of (const char *stat)
{
  const char *close = strrchr (stat, ')');
  guint flags = 0;

  if (!close || sscanf (close + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) != 1)
    return 0;
  return flags;
}

/**
 * clip_process_tells_leaving:
 * @status: /proc/PID/status
 * @stat: /proc/PID/stat, read after it
 *
 * A first thread that has ended says nothing of a process whose other threads go on. What
 * cannot be understood is no reason to believe that it ends.
 *
 * Returns: whether the process is ending, has ended, or has a signal before it that is
 * going to end it unless it objects
 */
gboolean
clip_process_tells_leaving (const char *status, const char *stat)
{
  guint64 pending =
      signals_of (status, "\nSigPnd:\t") | signals_of (status, "\nShdPnd:\t");
  guint64 n_threads = g_ascii_strtoull (value_of (status, "\nThreads:\t"), NULL, 10);
  char state = *value_of (status, "\nState:\t");
  guint flags = flags_of (stat);

  if ((pending & FATAL) || (flags & FLAG_SIGNALED))
    return TRUE;
  return n_threads <= 1 && (state == 'Z' || state == 'X' || (flags & FLAG_EXITING));
}

/* @out_gone: whether there is no such process (any more) */
static gboolean
read_text (pid_t pid, const char *name, char text[MAX_BYTES + 1], gboolean *out_gone)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", (int) pid, name);
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read (fd, text, MAX_BYTES);

  *out_gone = n < 0 && (errno == ENOENT || errno == ESRCH);
  text[MAX (n, 0)] = '\0';
  return n > 0;
}

/**
 * clip_process_is_leaving:
 *
 * Ask only of one that clip_process_is_shown(). One that may not be looked at stays.
 *
 * Returns: whether the process is gone, or going to be
 */
gboolean
clip_process_is_leaving (pid_t pid)
{
  char status[MAX_BYTES + 1];
  char stat[MAX_BYTES + 1];
  gboolean is_gone;

  /* in this order: a signal that is not pending any more has left its flag */
  if (!read_text (pid, "status", status, &is_gone) ||
      !read_text (pid, "stat", stat, &is_gone))
    return is_gone;
  return clip_process_tells_leaving (status, stat);
}

/* whether /proc is there, and has it: the number may be that of another namespace */
gboolean
clip_process_is_shown (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", (int) pid);

  return pid > 0 && access (path, R_OK) == 0;
}

/* on the clock that clip_process_start_us() is on: microseconds since the boot */
gint64
clip_process_now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_BOOTTIME, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* @stat: /proc/PID/stat. Returns: its 22nd field in microseconds, or -1 */
gint64
clip_process_tells_start (const char *stat)
{
  const char *close = strrchr (stat, ')');
  unsigned long long ticks;

  if (!close ||
      sscanf (close + 1,
              " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
              "%*d %llu",
              &ticks) != 1)
    return -1;
  return (gint64) (ticks * G_USEC_PER_SEC / (unsigned long long) sysconf (_SC_CLK_TCK));
}

/**
 * clip_process_start_us:
 *
 * Returns: when the process began, which no exec changes, rounded down to the kernel's
 * tick; -1 where that is unknown
 */
gint64
clip_process_start_us (pid_t pid)
{
  char stat[MAX_BYTES + 1];
  gboolean is_gone;

  return read_text (pid, "stat", stat, &is_gone) ? clip_process_tells_start (stat) : -1;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What an editor leaves beside its file (a copy, a swap file) holds the same secrets: so
 * the folder goes as a whole. To take one away is nothing that a signal handler may do;
 * it only notes the signal, which ends us when the folder has gone.
 */
#include "clip-scratch.h"

#include "clip-error.h"
#include "clip-private-folder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* how long a program that is told to end may take for it */
#define GRACE_US (2 * G_USEC_PER_SEC)
#define LOOK_US 10000

static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

struct ClipScratch
{
  ClipPrivateFolder *folder;
  struct sigaction before[G_N_ELEMENTS (numbers)];
  gboolean notes_signals;
};

/* the handler's: the last signal that came; 0 = none */
static volatile sig_atomic_t noted;

/* an eventfd, from the first program on: any thread may get a signal, and GIO has some */
static int wake = -1;

static void
wake_up (void)
{
  const guint64 one = 1;
  const int before = errno;
  const gssize written G_GNUC_UNUSED = write (wake, &one, sizeof one);

  errno = before;
}

static void
on_signal (int number)
{
  noted = number;
  wake_up ();
}

/* what is ignored stays so; in a program that we start they have their default again */
static void
note_signals (ClipScratch *self)
{
  const struct sigaction action = { .sa_handler = on_signal };

  noted = 0;
  self->notes_signals = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &self->before[i]) == 0 &&
        self->before[i].sa_handler != SIG_IGN)
      sigaction (numbers[i], &action, NULL);
}

static void
obey_signals (ClipScratch *self)
{
  if (!self->notes_signals)
    return;
  self->notes_signals = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sigaction (numbers[i], &self->before[i], NULL);
  if (noted)
    raise (noted);
}

/**
 * clip_scratch_new:
 *
 * Returns: (transfer full): a folder that no other user may enter, below
 * `$XDG_RUNTIME_DIR`, or in `/dev/shm`
 *
 * Errors: %G_FILE_ERROR, %CLIP_ERROR_NO_SPACE.
 */
ClipScratch *
clip_scratch_new (GError **error)
{
  ClipScratch *self = g_new0 (ClipScratch, 1);

  note_signals (self);
  self->folder = clip_private_folder_new (error);
  if (self->folder)
    return self;
  clip_scratch_free (self);
  return NULL;
}

/* ends the process where a signal has asked for that meanwhile */
void
clip_scratch_free (ClipScratch *self)
{
  if (!self)
    return;
  clip_private_folder_free (self->folder);
  obey_signals (self);
  g_free (self);
}

/* (transfer full): its path */
char *
clip_scratch_file (const ClipScratch *self, const char *name)
{
  return g_build_filename (clip_private_folder_path (self->folder), name, NULL);
}

/* what is in it stays for the user; its files have other paths from then on */
void
clip_scratch_leave (ClipScratch *self)
{
  clip_private_folder_leave (self->folder);
}

/* ^C and ^\ are for the program that has the terminal; the others are for us */
static gboolean
is_ours (int number)
{
  return number == SIGHUP || number == SIGTERM;
}

/* a program that does not end when it is told to does not keep us */
static void
end_program (GPid pid, int *out_status)
{
  gint64 deadline_us = g_get_monotonic_time () + GRACE_US;

  kill (pid, noted);
  while (waitpid (pid, out_status, WNOHANG) == 0 && g_get_monotonic_time () < deadline_us)
    g_usleep (LOOK_US);
}

static void
on_child (int number G_GNUC_UNUSED)
{
  wake_up ();
}

/* a parent may have kept the signal back */
static void
await_program (GPid pid, int *out_status)
{
  const struct sigaction action = { .sa_handler = on_child };
  struct pollfd woken = { .fd = wake, .events = POLLIN };
  struct sigaction child_before;
  sigset_t child, before;
  eventfd_t n;

  sigaction (SIGCHLD, &action, &child_before);
  sigemptyset (&child);
  sigaddset (&child, SIGCHLD);
  pthread_sigmask (SIG_UNBLOCK, &child, &before);
  while (!is_ours (noted) && waitpid (pid, out_status, WNOHANG) == 0)
    if (poll (&woken, 1, -1) > 0)
      eventfd_read (wake, &n);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  sigaction (SIGCHLD, &child_before, NULL);
}

/**
 * clip_scratch_run:
 * @argv: a program and its words; it has our terminal, and the lock of the folder, which
 * stays while it works there even if we are killed
 * @out_status: (out): as of waitpid()
 *
 * Runs it to its end. A signal that it was killed by, and that came to us too, ends us.
 *
 * Errors: %G_SPAWN_ERROR, %G_FILE_ERROR.
 */
gboolean
clip_scratch_run (ClipScratch *self,
                  const char *const *argv,
                  int *out_status,
                  GError **error)
{
  const int lock_fd = clip_private_folder_lock (self->folder);
  const int its_fd = STDERR_FILENO + 1;
  GPid pid;

  *out_status = 0;
  if (wake < 0)
    wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0)
    return clip_set_errno (error, errno, "eventfd");
  if (!g_spawn_async_with_pipes_and_fds (
          NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CHILD_INHERITS_STDIN,
          NULL, NULL, -1, -1, -1, &lock_fd, &its_fd, 1, &pid, NULL, NULL, NULL, error))
    return FALSE;
  await_program (pid, out_status);
  if (is_ours (noted))
    end_program (pid, out_status);
  g_spawn_close_pid (pid);
  if (noted && !is_ours (noted) &&
      !(WIFSIGNALED (*out_status) && WTERMSIG (*out_status) == noted))
    noted = 0;
  if (noted)
    g_clear_pointer (&self->folder, clip_private_folder_free);
  obey_signals (self);
  return TRUE;
}

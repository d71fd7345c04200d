/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FUSE as the kernel speaks it: a file whose attributes are never believed for long, so
 * that each fstat(2) asks. What is held gets no answer until the connection ends.
 */
#include "hostile-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_BYTES (1024 * 1024)
#define BUFFER_BYTES (256 * 1024)

/* in memory that both processes see */
typedef struct
{
  int victim; /* atomic: the process whose calls are held */
  int held;   /* atomic: HostileCalls */
  int n_held; /* atomic: calls that wait for an answer */
} Shared;

struct HostileFile
{
  char *path;
  char *shown_at; /* (nullable) */
  int fuse_fd;
  pid_t server; /* whose end ends all that waits */
  Shared *shared;
};

static void
answer (HostileFile *self, guint64 unique, int error, const void *data, gsize length)
{
  struct fuse_out_header header = { .len = (guint32) (sizeof header + length),
                                    .error = -error,
                                    .unique = unique };
  static guint8 reply[BUFFER_BYTES];

  memcpy (reply, &header, sizeof header);
  if (length > 0)
    memcpy (reply + sizeof header, data, length);
  /* one that was interrupted is not waited for any more */
  (void) !write (self->fuse_fd, reply, header.len);
}

/* the bus closes what it has passed on, too, and is nobody's victim here */
static gboolean
is_of_victim (HostileFile *self, guint32 thread)
{
  char path[64];

  snprintf (path, sizeof path, "/proc/%d/task/%u",
            g_atomic_int_get (&self->shared->victim), thread);
  return access (path, F_OK) == 0;
}

static gboolean
holds (HostileFile *self, HostileCalls call, const struct fuse_in_header *in)
{
  if (!(g_atomic_int_get (&self->shared->held) & (int) call) ||
      !is_of_victim (self, in->pid))
    return FALSE;
  g_atomic_int_inc (&self->shared->n_held);
  return TRUE;
}

static void
answer_init (HostileFile *self, guint64 unique)
{
  const struct fuse_init_out out = { .major = FUSE_KERNEL_VERSION,
                                     .minor = 31,
                                     .max_write = BUFFER_BYTES / 2,
                                     .max_readahead = 0 };

  answer (self, unique, 0, &out, sizeof out);
}

static void
answer_getattr (HostileFile *self, const struct fuse_in_header *in)
{
  const struct fuse_attr_out out = { .attr = { .ino = 1,
                                               .size = FILE_BYTES,
                                               .mode = S_IFREG | 0600,
                                               .nlink = 1,
                                               .uid = getuid (),
                                               .gid = getgid () } };

  if (!holds (self, HOSTILE_LOOKS, in))
    answer (self, in->unique, 0, &out, sizeof out);
}

static void
answer_read (HostileFile *self, const struct fuse_in_header *header)
{
  const struct fuse_read_in *in = (const void *) (header + 1);
  gsize length = in->offset < FILE_BYTES ? MIN (in->size, FILE_BYTES - in->offset) : 0;
  static char data[FILE_BYTES];

  length = MIN (length, BUFFER_BYTES / 2);
  if (!holds (self, HOSTILE_READS, header))
    answer (self, header->unique, 0, data, length);
}

static void
answer_request (HostileFile *self, const guint8 *request)
{
  const struct fuse_in_header *in = (const void *) request;
  const struct fuse_open_out open_out = { .fh = 1, .open_flags = FOPEN_DIRECT_IO };

  switch (in->opcode)
    {
    case FUSE_INIT:
      answer_init (self, in->unique);
      break;
    case FUSE_GETATTR:
      answer_getattr (self, in);
      break;
    case FUSE_OPEN:
      answer (self, in->unique, 0, &open_out, sizeof open_out);
      break;
    case FUSE_READ:
      answer_read (self, in);
      break;
    case FUSE_FLUSH:
      if (!holds (self, HOSTILE_CLOSES, in))
        answer (self, in->unique, 0, NULL, 0);
      break;
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
      break;
    case FUSE_RELEASE:
      answer (self, in->unique, 0, NULL, 0);
      break;
    default:
      answer (self, in->unique, ENOSYS, NULL, 0);
    }
}

static void
serve (HostileFile *self)
{
  static guint8 request[BUFFER_BYTES];
  gssize n;

  do
    {
      n = read (self->fuse_fd, request, BUFFER_BYTES);
      if (n > 0)
        answer_request (self, request);
    }
  while (n > 0 || errno == EINTR || errno == ENOENT);
}

/* a process of its own: what waits for it would otherwise wait for ever where the test is
   killed */
static void
start_server (HostileFile *self)
{
  self->server = fork ();
  g_assert_cmpint (self->server, >=, 0);
  if (self->server == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      serve (self);
      _exit (0);
    }
  close (self->fuse_fd);
  self->fuse_fd = -1;
}

/* so that what is mounted goes with the test; Returns: what is missing for that, or
   NULL */
static const char *
enter_namespace (void)
{
  if (unshare (CLONE_NEWNS) < 0)
    return "a mount namespace: run it as root";
  if (mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
    return "private mounts";
  return NULL;
}

/**
 * hostile_file_new:
 * @out_missing: (out): what this machine lacks for it, where %NULL is returned
 */
HostileFile *
hostile_file_new (const char *dir, const char **out_missing)
{
  g_autofree char *options = NULL;
  HostileFile *self;

  *out_missing = enter_namespace ();
  if (*out_missing)
    return NULL;
  self = g_new0 (HostileFile, 1);
  self->path = g_build_filename (dir, "hostile", NULL);
  self->shared = mmap (NULL, sizeof *self->shared, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_assert_true (self->shared != MAP_FAILED);
  self->fuse_fd = open ("/dev/fuse", O_RDWR | O_CLOEXEC);
  g_assert_true (g_file_set_contents (self->path, "", 0, NULL));
  options = g_strdup_printf ("fd=%d,rootmode=100000,user_id=%u,group_id=%u,allow_other",
                             self->fuse_fd, getuid (), getgid ());
  if (self->fuse_fd < 0 ||
      mount ("hostile", self->path, "fuse", MS_NOSUID | MS_NODEV, options) < 0)
    {
      *out_missing = "FUSE";
      hostile_file_free (self);
      return NULL;
    }
  start_server (self);
  return self;
}

int
hostile_file_open (HostileFile *self)
{
  int fd = open (self->path, O_RDWR | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  return fd;
}

/* also at @path, a file */
void
hostile_file_show_at (HostileFile *self, const char *path)
{
  self->shown_at = g_strdup (path);
  g_assert_cmpint (mount (self->path, path, NULL, MS_BIND, NULL), ==, 0);
}

/* from now on these calls of @victim, a process, get no answer; what has been held stays
   so */
void
hostile_file_hold (HostileFile *self, HostileCalls calls, const char *victim)
{
  g_atomic_int_set (&self->shared->victim, atoi (victim));
  g_atomic_int_set (&self->shared->held, (int) calls);
}

/* how many calls wait */
guint
hostile_file_n_held (HostileFile *self)
{
  return (guint) g_atomic_int_get (&self->shared->n_held);
}

/* ends all that waits with an error */
void
hostile_file_free (HostileFile *self)
{
  if (self->server > 0)
    {
      kill (self->server, SIGKILL);
      waitpid (self->server, NULL, 0);
    }
  if (self->shown_at)
    umount2 (self->shown_at, MNT_DETACH);
  umount2 (self->path, MNT_DETACH);
  if (self->fuse_fd >= 0)
    close (self->fuse_fd);
  munmap (self->shared, sizeof *self->shared);
  g_free (self->shown_at);
  g_free (self->path);
  g_free (self);
}

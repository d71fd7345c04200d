/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A disk that is not what it should be, loaded in front of the C library. What strace
 * cannot do: it fakes a result or lets a call happen, but never lets half of one happen.
 *
 *   CLIP_FAULT=short     of what is written to files half arrives, each time
 *   CLIP_FAULT=unwritten no write to a file succeeds
 *   CLIP_FAULT=named     files without a name are refused, as some file systems do
 *   CLIP_FAULT=lost      a sync of a blob fails, and what it was to keep is lost
 *   CLIP_FAULT=unsynced  no sync happens, and each one says that it did
 *   CLIP_FAULT=full      what takes room is refused while there is a file named
 *                        CLIP_FAULT_WHILE
 *   CLIP_FAULT=quota     as `full`, because this user may not have more
 *   CLIP_FAULT=write     the write to a file with the number CLIP_FAULT_AT, from 1, is
 *                        what CLIP_FAULT_HOW says: EIO, ENOSPC, SHORT, DELAY or KILL;
 *                        then there is a file named CLIP_FAULT_MET. Strace cannot tell
 *                        a file from a pipe.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__ (&name)) next_of (#name))

static void *
next_of (const char *name)
{
  return dlsym (RTLD_NEXT, name);
}

static bool
is_fault (const char *name)
{
  const char *fault = getenv ("CLIP_FAULT");

  return fault && strcmp (fault, name) == 0;
}

static bool
is_file (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
}

/* whether there is no room; sets errno then */
static bool
is_full (void)
{
  const char *flag = getenv ("CLIP_FAULT_WHILE");
  int saved_errno = errno;
  bool over = is_fault ("quota");
  bool full = (over || is_fault ("full")) && flag && access (flag, F_OK) == 0;

  errno = !full ? saved_errno : over ? EDQUOT : ENOSPC;
  return full;
}

static size_t
shorten (int fd, size_t length)
{
  return length > 1 && is_fault ("short") && is_file (fd) ? length / 2 : length;
}

/* whether the turn of this write has come, in this process */
static const char *
how_this_write_goes (int fd)
{
  static int n_writes;
  const char *at = getenv ("CLIP_FAULT_AT");
  const char *met = getenv ("CLIP_FAULT_MET");

  if (!is_fault ("write") || !at || !met || !is_file (fd) ||
      __atomic_add_fetch (&n_writes, 1, __ATOMIC_SEQ_CST) != atoi (at))
    return "";
  close (NEXT (openat) (AT_FDCWD, met, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  return getenv ("CLIP_FAULT_HOW") ?: "";
}

static ssize_t
write_as_told (int fd, const void *data, size_t length, const char *how)
{
  if (strcmp (how, "KILL") == 0)
    raise (SIGKILL);
  if (strcmp (how, "EIO") == 0 || strcmp (how, "ENOSPC") == 0)
    return errno = strcmp (how, "EIO") == 0 ? EIO : ENOSPC, -1;
  if (strcmp (how, "DELAY") == 0)
    usleep (40000);
  if (strcmp (how, "SHORT") == 0 && length > 1)
    length /= 2;
  return NEXT (write) (fd, data, shorten (fd, length));
}

ssize_t
write (int fd, const void *data, size_t length)
{
  if (is_file (fd) && is_fault ("unwritten"))
    return errno = EIO, -1;
  if (is_file (fd) && is_full ())
    return -1;
  return write_as_told (fd, data, length, how_this_write_goes (fd));
}

ssize_t
pwrite (int fd, const void *data, size_t length, off_t offset)
{
  if (is_full ())
    return -1;
  return NEXT (pwrite) (fd, data, shorten (fd, length), offset);
}

ssize_t
pwrite64 (int fd, const void *data, size_t length, off64_t offset)
{
  if (is_full ())
    return -1;
  return NEXT (pwrite64) (fd, data, shorten (fd, length), offset);
}

ssize_t
splice (int in,
        off64_t *in_offset,
        int out,
        off64_t *out_offset,
        size_t length,
        unsigned flags)
{
  if (is_file (out) && is_full ())
    return -1;
  return NEXT (splice) (in, in_offset, out, out_offset, shorten (out, length), flags);
}

ssize_t
copy_file_range (int in,
                 off64_t *in_offset,
                 int out,
                 off64_t *out_offset,
                 size_t length,
                 unsigned flags)
{
  if (is_full ())
    return -1;
  return NEXT (copy_file_range) (in, in_offset, out, out_offset, shorten (out, length),
                                 flags);
}

ssize_t
sendfile (int out, int in, off_t *offset, size_t length)
{
  if (is_file (out) && is_full ())
    return -1;
  return NEXT (sendfile) (out, in, offset, shorten (out, length));
}

int
linkat (int from_fd, const char *from, int to_fd, const char *to, int flags)
{
  return is_full () ? -1 : NEXT (linkat) (from_fd, from, to_fd, to, flags);
}

int
mkdirat (int fd, const char *path, mode_t mode)
{
  return is_full () && faccessat (fd, path, F_OK, 0) < 0
             ? (errno = ENOSPC, -1)
             : NEXT (mkdirat) (fd, path, mode);
}

int
openat (int fd, const char *path, int flags, ...)
{
  va_list args;
  mode_t mode;

  va_start (args, flags);
  mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (args, mode_t) : 0;
  va_end (args);
  if ((flags & O_TMPFILE) == O_TMPFILE && is_fault ("named"))
    return errno = EOPNOTSUPP, -1;
  if (flags & O_CREAT && faccessat (fd, path, F_OK, 0) < 0 && is_full ())
    return -1;
  return NEXT (openat) (fd, path, flags, mode);
}

int openat64 (int fd, const char *path, int flags, ...)
    __attribute__ ((alias ("openat")));

static bool
is_blob (int fd)
{
  char link[64];
  char path[PATH_MAX];
  ssize_t length;

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  return is_file (fd) && strstr (path, "/blobs/");
}

/* as a kernel does that could not write a page: it says so once, and forgets the page */
static bool
is_lost (int fd)
{
  struct stat status;

  if (!is_fault ("lost") || !is_blob (fd) || fstat (fd, &status) < 0)
    return false;
  fallocate (fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, status.st_size);
  errno = EIO;
  return true;
}

int
fsync (int fd)
{
  if (is_lost (fd))
    return -1;
  return is_fault ("unsynced") ? 0 : NEXT (fsync) (fd);
}

int
fdatasync (int fd)
{
  if (is_lost (fd))
    return -1;
  return is_fault ("unsynced") ? 0 : NEXT (fdatasync) (fd);
}

int
sync_file_range (int fd, off64_t offset, off64_t length, unsigned flags)
{
  return is_fault ("unsynced") ? 0 : NEXT (sync_file_range) (fd, offset, length, flags);
}

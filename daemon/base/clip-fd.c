/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-fd.h"

#include "clip-error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define COPY_BYTES (256 * 1024)
#define LOCK_STEP_US 20000
#define SEALS (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)

/* the cleanup of clip_autofd: keeps errno, so that a return may still report it */
void
clip_fd_clear (int *fd)
{
  int saved_errno = errno;

  if (*fd >= 0)
    close (*fd);
  *fd = -1;
  errno = saved_errno;
}

/* lseek(2) would wait for a thread that is reading from the same description: it is for
 * where no /proc is mounted */
static goffset
position_of (int fd)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fdinfo/%d", fd);
  g_autofree char *info = NULL;

  if (!g_file_get_contents (path, &info, NULL, NULL) || !g_str_has_prefix (info, "pos:"))
    return MAX (lseek (fd, 0, SEEK_CUR), 0);
  return (goffset) g_ascii_strtoull (info + strlen ("pos:"), NULL, 10);
}

gboolean
clip_fd_is_file (const ClipFdLook *look)
{
  return S_ISREG (look->mode) || S_ISBLK (look->mode);
}

/* A file, a pipe, a socket; of devices /dev/null and its like. A terminal waits for the
 * programs that share it, also where it is only asked what it is; of other things a read
 * may wait for ever in spite of poll(2). */
gboolean
clip_fd_is_known (const ClipFdLook *look)
{
  return clip_fd_is_file (look) || S_ISFIFO (look->mode) || S_ISSOCK (look->mode) ||
         (S_ISCHR (look->mode) && look->major == CLIP_FD_MEM_MAJOR);
}

/**
 * clip_fd_look:
 * @fd: of any process
 *
 * As fstat(2) and lseek(2), but never waits: not for the program that serves a file
 * system, nor for a thread that uses the same description. So the size may be an old one.
 *
 * Returns: %FALSE where @fd is no descriptor
 */
gboolean
clip_fd_look (int fd, ClipFdLook *out_look)
{
  struct statx status;

  *out_look = (ClipFdLook){ 0 };
  if (statx (fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_SIZE,
             &status) < 0)
    return FALSE;
  out_look->mode = status.stx_mode;
  out_look->major = status.stx_rdev_major;
  out_look->size = (goffset) MIN (status.stx_size, (guint64) G_MAXINT64);
  if (clip_fd_is_file (out_look))
    out_look->at = position_of (fd);
  return TRUE;
}

/* what is left to send in a socket is the kernel's to send: each of thousands would have
 * a thread for as long as its sender likes. socket(7), SO_LINGER */
static gpointer
close_on_thread (gpointer data)
{
  const struct linger none = { 0 };

  setsockopt (GPOINTER_TO_INT (data), SOL_SOCKET, SO_LINGER, &none, sizeof none);
  close (GPOINTER_TO_INT (data));
  return NULL;
}

/* The end of a pipe must be seen before an answer is; memory waits for no program. The
 * sender of a socket may have it linger at any time, and one in a queue of another. */
static gboolean
may_wait_for_close (int fd)
{
  ClipFdLook look;

  if (!clip_fd_look (fd, &look))
    return FALSE;
  return S_ISSOCK (look.mode) || (S_ISREG (look.mode) && fcntl (fd, F_GET_SEALS) < 0) ||
         (S_ISCHR (look.mode) && !clip_fd_is_known (&look));
}

/**
 * clip_fd_clear_foreign:
 *
 * As clip_fd_clear(), for a descriptor that another process sent us: closing a file asks
 * the program that serves its file system, a socket may linger, and a terminal waits for
 * who uses it. These are closed a moment later, on a thread; where there is none, a
 * socket does not linger either.
 */
void
clip_fd_clear_foreign (int *fd)
{
  const gboolean may_wait = *fd >= 0 && may_wait_for_close (*fd);
  g_autoptr (GThread) thread = may_wait ? g_thread_try_new ("clip-close", close_on_thread,
                                                            GINT_TO_POINTER (*fd), NULL)
                                        : NULL;

  if (may_wait && !thread)
    close_on_thread (GINT_TO_POINTER (*fd));
  if (may_wait)
    *fd = -1;
  clip_fd_clear (fd);
}

/* another one for the same, close-on-exec, or -1. Errors: %G_FILE_ERROR (no descriptors
 * left). */
int
clip_fd_dup (int fd, GError **error)
{
  int duplicate = fcntl (fd, F_DUPFD_CLOEXEC, 0);

  if (duplicate < 0)
    clip_set_errno (error, errno, "duplicate descriptor");
  return duplicate;
}

/**
 * clip_pipe:
 * @fds: (out): read end, write end; owned by the caller, close-on-exec
 *
 * Errors: %G_FILE_ERROR (no descriptors left).
 */
gboolean
clip_pipe (int fds[2], GError **error)
{
  if (pipe2 (fds, O_CLOEXEC) == 0)
    return TRUE;
  fds[0] = fds[1] = -1;
  return clip_set_errno (error, errno, "create pipe");
}

/**
 * clip_memfd:
 * @content: the bytes
 *
 * Returns: a descriptor at offset 0 of an anonymous file that holds @content, or -1;
 * whoever has it may change it, unlike clip_sealed_memory()
 */
int
clip_memfd (GBytes *content, GError **error)
{
  clip_autofd int fd = memfd_create ("content", MFD_CLOEXEC);
  gsize length;
  const void *data = g_bytes_get_data (content, &length);

  if (fd < 0)
    {
      clip_set_errno (error, errno, "create memory file");
      return -1;
    }
  if (!clip_write_all (fd, data, length, error))
    return -1;
  lseek (fd, 0, SEEK_SET);
  return g_steal_fd (&fd);
}

/**
 * clip_sealed_memory:
 * @length: of @data, in bytes
 *
 * Returns: a descriptor at offset 0 of an anonymous file that can never be changed, or
 * -1
 */
int
clip_sealed_memory (const void *data, gsize length, GError **error)
{
  clip_autofd int fd = memfd_create ("content", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd >= 0 && pwrite (fd, data, length, 0) == (gssize) length &&
      fcntl (fd, F_ADD_SEALS, SEALS) == 0)
    return g_steal_fd (&fd);
  clip_set_errno (error, errno, "create sealed memory");
  return -1;
}

/* whether its bytes stay as they are, even if others have it */
gboolean
clip_is_sealed (int fd)
{
  const int seals = fcntl (fd, F_GET_SEALS);

  return seals >= 0 && (seals & SEALS) == SEALS;
}

/**
 * clip_read_exactly:
 * @offset: where to start, in bytes
 *
 * Reads @length bytes with pread(2). Errors: %CLIP_ERROR_CORRUPT when the file ends
 * before, %G_FILE_ERROR.
 */
gboolean
clip_read_exactly (int fd, void *buffer, gsize length, goffset offset, GError **error)
{
  gsize done = 0;

  while (done < length)
    {
      gssize n =
          pread (fd, (char *) buffer + done, length - done, offset + (goffset) done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return clip_set_errno (error, errno, "read file");
      if (n == 0)
        {
          g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                       "file ends after %" G_GINT64_FORMAT " bytes",
                       (gint64) offset + (gint64) done);
          return FALSE;
        }
      done += (gsize) n;
    }
  return TRUE;
}

/**
 * clip_read_to_end:
 * @limit: the most that is accepted, in bytes
 *
 * Reads @fd, blocking, until it ends. Errors: %CLIP_ERROR_TOO_LARGE, %G_FILE_ERROR.
 */
GBytes *
clip_read_to_end (int fd, gsize limit, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  guint8 chunk[16384];

  for (;;)
    {
      gssize n = read (fd, chunk, sizeof chunk);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          clip_set_errno (error, errno, "read input");
          return NULL;
        }
      if (n == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&all));
      if (all->len + (gsize) n > limit)
        {
          g_set_error (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE,
                       "input exceeds %" G_GSIZE_FORMAT " bytes", limit);
          return NULL;
        }
      g_byte_array_append (all, chunk, (guint) n);
    }
}

/**
 * clip_write_all:
 *
 * Writes all of @data, blocking. Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
gboolean
clip_write_all (int fd, const void *data, gsize length, GError **error)
{
  gsize done = 0;

  while (done < length)
    {
      gssize n = write (fd, (const char *) data + done, length - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return clip_set_errno (error, errno, "write output");
      done += (gsize) n;
    }
  return TRUE;
}

/**
 * clip_copy_file:
 * @from: a file, read from its beginning; where it stands does not change
 *
 * Returns: how many bytes were written to @to, or -1
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
goffset
clip_copy_file (int from, int to, GError **error)
{
  g_autofree char *buffer = g_malloc (COPY_BYTES);
  goffset done = 0;
  gssize n;

  while ((n = pread (from, buffer, COPY_BYTES, done)) > 0)
    {
      if (!clip_write_all (to, buffer, (gsize) n, error))
        return -1;
      done += n;
    }
  if (n < 0)
    clip_set_errno (error, errno, "read");
  return n < 0 ? -1 : done;
}

/**
 * clip_map_file:
 * @offset: a multiple of the page size
 *
 * What the disk does not give would be SIGBUS where it is looked at, so all of it is read
 * here.
 *
 * Returns: (nullable): to be unmapped by munmap(2); %NULL where it cannot be read so:
 * read(2) says why, or does it
 */
void *
clip_map_file (int fd, goffset offset, gsize length)
{
  void *piece = mmap (NULL, length, PROT_READ, MAP_SHARED, fd, offset);

  if (piece == MAP_FAILED)
    return NULL;
#ifdef MADV_POPULATE_READ
  if (madvise (piece, length, MADV_POPULATE_READ) < 0)
    {
      munmap (piece, length);
      return NULL;
    }
#endif
  return piece;
}

/**
 * clip_fd_lock:
 * @alone: others may not share it
 * @patience_us: how long to wait for another program that has it locked
 *
 * Takes the lock of flock(2), which is held as long as @fd is open.
 *
 * Errors: %CLIP_ERROR_STALLED, %G_FILE_ERROR.
 */
gboolean
clip_fd_lock (int fd, gboolean alone, gint64 patience_us, GError **error)
{
  gint64 end_us = g_get_monotonic_time () + patience_us;

  while (flock (fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) < 0)
    {
      if (errno != EWOULDBLOCK && errno != EINTR)
        return clip_set_errno (error, errno, "lock it");
      if (g_get_monotonic_time () >= end_us)
        {
          g_set_error (error, CLIP_ERROR, CLIP_ERROR_STALLED, "another program has it");
          return FALSE;
        }
      g_usleep (LOCK_STEP_US);
    }
  return TRUE;
}

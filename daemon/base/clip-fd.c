/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-fd.h"

#include "clip-error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

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
 * Returns: a descriptor at offset 0 of an anonymous file that holds @content, or -1
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
 * Returns: a descriptor at offset 0 of an anonymous file that nobody can ever change, or -1
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

/* whether what is behind it stays as it is, whoever else has it */
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

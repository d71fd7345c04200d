/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-blob-file.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static int
set_corrupt (const char *name, const char *why, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, "open blob '%s': %s", name, why);
  return -1;
}

/**
 * clip_blob_file_open:
 * @blobs_fd: the folder of the blobs
 * @size: what the file must hold, in bytes
 *
 * Returns: a descriptor to read from, owned by the caller, or -1
 *
 * Errors: %CLIP_ERROR_CORRUPT where the file is missing, is no regular file, or has
 * another size; %G_FILE_ERROR.
 */
int
clip_blob_file_open (int blobs_fd, const char *name, gint64 size, GError **error)
{
  clip_autofd int fd =
      openat (blobs_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat status;

  if (fd < 0 && (errno == ENOENT || errno == ELOOP || errno == ENOTDIR))
    return set_corrupt (name, "the file is missing", error);
  if (fd < 0 || fstat (fd, &status) < 0)
    {
      clip_set_errno (error, errno, "open blob '%s'", name);
      return -1;
    }
  if (!S_ISREG (status.st_mode) || status.st_size != size)
    return set_corrupt (name, "the file has another size", error);
  return g_steal_fd (&fd);
}

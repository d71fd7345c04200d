/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * To delete an entry takes room first: the log grows by each page that is overwritten. So
 * that a disk that is full to the last block does not keep everything for good, a file
 * without content has some blocks, which it gives up for a delete, a part of them for a
 * note, and gets back afterwards. There is nothing in it that could be lost: it may go at
 * any moment, by anybody.
 *
 * Whoever adds something sees to it that the file is there and whole: else what it gave
 * up would be filled by the next copy.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-reserve.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* in so many parts it is made where there is no room for all of it, and given up for what
   is small */
#define PARTS 4

#define BLOCK_BYTES 512 /* what stat() counts in */

static gboolean
is_short (int code)
{
  return code == ENOSPC || code == EDQUOT;
}

static gboolean
is_whole (const struct stat *status)
{
  return status->st_blocks * BLOCK_BYTES >= CLIP_RESERVE_BYTES;
}

/* as much as there is: FALSE with errno set where that is not all of it */
static gboolean
fill (int fd)
{
  int code = ENOSPC;

  for (int part = PARTS; part > 0; part--)
    {
      if (fallocate (fd, 0, 0, CLIP_RESERVE_BYTES / PARTS * part) == 0)
        {
          errno = code;
          return part == PARTS;
        }
      code = errno;
      if (!is_short (code))
        return FALSE;
    }
  errno = code;
  return FALSE;
}

/**
 * clip_reserve_keep:
 * @dir: the folder of a history
 *
 * Sees to it that the room is kept. Where a file system cannot keep any for a file, one
 * does without.
 *
 * Errors: %CLIP_ERROR_NO_SPACE where there is not so much; what there is, is kept.
 */
gboolean
clip_reserve_keep (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_RESERVE_NAME, NULL);
  clip_autofd int fd = -1;
  struct stat status;

  if (stat (path, &status) == 0 && is_whole (&status))
    return TRUE;
  fd = open (path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (fd >= 0 && fill (fd))
    return TRUE;
  if (is_short (errno))
    return clip_set_errno (error, errno, "keep room for deleting in '%s'", dir);
  if (fd >= 0)
    unlink (path);
  return TRUE;
}

/**
 * clip_reserve_lacks:
 * @dir: the folder of a history
 *
 * Returns: the bytes that were given up, or could not be had, and are to come back; 0
 * where none are kept
 */
goffset
clip_reserve_lacks (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, CLIP_RESERVE_NAME, NULL);
  struct stat status;

  if (stat (path, &status) < 0 || !S_ISREG (status.st_mode))
    return 0;
  return MAX (CLIP_RESERVE_BYTES - status.st_blocks * BLOCK_BYTES, 0);
}

/* as much as that, or what there is; FALSE where there is nothing, or @rest would not
 * stay */
static gboolean
release (const char *dir, goffset bytes, goffset rest)
{
  g_autofree char *path = g_build_filename (dir, CLIP_RESERVE_NAME, NULL);
  clip_autofd int fd = open (path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;

  if (fd < 0 || fstat (fd, &status) < 0 || status.st_blocks == 0 ||
      (rest > 0 && status.st_size < bytes + rest))
    return FALSE;
  /* some file systems give blocks to others only once all that was written before is on
     the disk */
  return ftruncate (fd, MAX (status.st_size - bytes, 0)) == 0 && syncfs (fd) == 0;
}

/**
 * clip_reserve_release:
 * @dir: the folder of a history
 *
 * Returns: whether there was room to be given up, which there is now
 */
gboolean
clip_reserve_release (const char *dir)
{
  return release (dir, G_MAXINT64, 0);
}

/* as clip_reserve_release(), for what is small and gives nothing back: what it leaves of
 * that, others may take, and half of all stays for a delete */
gboolean
clip_reserve_release_part (const char *dir)
{
  return release (dir, CLIP_RESERVE_BYTES / PARTS, CLIP_RESERVE_BYTES / 2);
}

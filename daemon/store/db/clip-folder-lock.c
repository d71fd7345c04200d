/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SQLite's locks are those of one file. Which file is the database, and that its log
 * belongs to it, is for the folder's lock: whoever puts another there has it alone,
 * whoever opens it shares it meanwhile. It is not had twice in a process: who asks again
 * waits for himself.
 */
#include "clip-folder-lock.h"

#include "clip-error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

/**
 * clip_folder_lock:
 * @dir: the folder of a history
 *
 * Waits for as long as others have it. Where a file system has no such locks, one goes on
 * without.
 *
 * Returns: a descriptor that has the lock until it is closed, or its process ends; -1
 * with
 * @error set
 */
int
clip_folder_lock (const char *dir, gboolean alone, GError **error)
{
  int fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    clip_set_errno (error, errno, "open '%s'", dir);
  while (fd >= 0 && flock (fd, alone ? LOCK_EX : LOCK_SH) < 0 && errno == EINTR)
    continue;
  return fd;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SQLite's locks are those of one file. The folder's lock is about which file is the
 * database, and that its log belongs to it: a repair that puts another there has the lock
 * alone, a process shares it while it opens the database. Not re-entrant: a second call
 * in a process deadlocks.
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
 * Waits for as long as others have it. A file system without such locks is used without.
 *
 * Returns: a descriptor that has the lock until it is closed, or its process ends; -1
 * with @error set
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

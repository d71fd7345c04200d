/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SQLite's locks are those of one file. The folder's lock is about which file is the
 * database, and that its log belongs to it: a repair that puts another there has the lock
 * alone, a process shares it while it opens the database. Not re-entrant: a second call
 * in a process deadlocks.
 */
#include "clip-folder-lock.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who may read a folder may lock it, for ever. One that others may write to is refused
 * elsewhere: what is in it may be theirs. */
static void
keep_others_out (int fd)
{
  struct stat status;

  if (fstat (fd, &status) == 0 && status.st_uid == geteuid () &&
      (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && (status.st_mode & 077) != 0)
    fchmod (fd, status.st_mode & 0700);
}

/**
 * clip_folder_lock:
 * @dir: the folder of a history; where others may read it, that ends
 * @alone: others may not share it
 * @patience_us: how long to wait for those who have it, mostly %CLIP_FOLDER_PATIENCE_US
 *
 * A file system without such locks is used without.
 *
 * Returns: a descriptor that has the lock until it is closed, or its process ends; -1
 * with @error set
 *
 * Errors: %CLIP_ERROR_STALLED, which names the folder, %G_FILE_ERROR.
 */
int
clip_folder_lock (const char *dir, gboolean alone, gint64 patience_us, GError **error)
{
  clip_autofd int fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GError) local = NULL;

  if (fd < 0)
    {
      clip_set_errno (error, errno, "open '%s'", dir);
      return -1;
    }
  keep_others_out (fd);
  if (clip_fd_lock (fd, alone, patience_us, &local) ||
      !g_error_matches (local, CLIP_ERROR, CLIP_ERROR_STALLED))
    return g_steal_fd (&fd);
  g_propagate_prefixed_error (error, g_steal_pointer (&local),
                              "lock folder '%s' of the history: ", dir);
  return -1;
}

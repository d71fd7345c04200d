/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a crash may leave: a file that was linked, and whose row was never committed, or
 * the other way round, one whose row is gone already; and, where files need a name from
 * the beginning, one that nobody fills any more. Names are only collected here. Whether a
 * row refers to one is for the writer to say, with the database locked: files are linked
 * under the same lock, so that a file without a row has been left.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-sweep.h"

#include "clip-directory.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#define BATCH_NAMES 256

static void
remove_leftover (int folder_fd, const char *name)
{
  clip_autofd int fd =
      openat (folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

  /* its maker holds a lock as long as it lives */
  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0 && unlinkat (folder_fd, name, 0) == 0)
    g_message ("removed what was left of an interrupted copy");
}

/* files that need a name from the beginning, and that nobody fills any more */
void
clip_sweep_temporary (int blobs_fd)
{
  clip_autodir DIR *folder = clip_directory_open (blobs_fd, CLIP_BLOBS_TMP);
  const char *name;

  while ((name = clip_directory_next (folder)))
    remove_leftover (dirfd (folder), name);
}

static gboolean
is_shard (const char *name)
{
  return strlen (name) == 2 && g_ascii_isxdigit (name[0]) && g_ascii_isxdigit (name[1]);
}

static gboolean
flush (GPtrArray *names, ClipSweepFunc function, gpointer user_data)
{
  gboolean goes_on;

  if (names->len == 0)
    return TRUE;
  g_ptr_array_add (names, NULL);
  goes_on = function ((char **) g_ptr_array_steal (names, NULL), user_data);
  return goes_on;
}

/* a file in its place, where no blob can be, is one of no blob */
static gboolean
sweep_shard (int blobs_fd, const char *shard, ClipSweepFunc function, gpointer user_data)
{
  clip_autodir DIR *folder = clip_directory_open (blobs_fd, shard);
  const gboolean is_file = !folder && errno == ENOTDIR;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (is_file)
    g_ptr_array_add (names, g_strdup (shard));
  while ((name = clip_directory_next (folder)))
    {
      if (*name == '.')
        continue;
      g_ptr_array_add (names, g_build_filename (shard, name, NULL));
      if (names->len == BATCH_NAMES && !flush (names, function, user_data))
        return FALSE;
    }
  return flush (names, function, user_data);
}

static gboolean
sweep_folder (DIR *folder, ClipSweepFunc function, gpointer user_data)
{
  const char *name;

  while ((name = clip_directory_next (folder)))
    if (is_shard (name) && !sweep_shard (dirfd (folder), name, function, user_data))
      return FALSE;
  return TRUE;
}

/**
 * clip_sweep_names:
 * @blobs_fd: the folder of the blobs
 * @function: called with the names of all blobs, some at a time
 *
 * Removes nothing.
 *
 * Returns: whether it was done; %FALSE where @function had enough
 */
gboolean
clip_sweep_names (int blobs_fd, ClipSweepFunc function, gpointer user_data)
{
  clip_autodir DIR *folder = clip_directory_open (blobs_fd, ".");

  return !folder || sweep_folder (folder, function, user_data);
}

/**
 * clip_sweep:
 * @function: called with the names of all blobs, some at a time
 *
 * Blocks on the disk. One process at a time sweeps.
 *
 * Returns: whether it was done; %FALSE when another process is at it, or @function had
 * enough
 */
gboolean
clip_sweep (int blobs_fd, ClipSweepFunc function, gpointer user_data)
{
  clip_autodir DIR *folder = clip_directory_open (blobs_fd, ".");

  if (!folder || flock (dirfd (folder), LOCK_EX | LOCK_NB) < 0)
    return FALSE;
  clip_sweep_temporary (blobs_fd);
  return sweep_folder (folder, function, user_data);
}

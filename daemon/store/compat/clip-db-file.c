/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-db-file.h"

#include "clip-bolt.h"
#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* nothing that could hang, become our terminal, or be somewhere else than it says */
#define CAREFULLY (O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* behind the name of a database that was taken over */
#define KEPT ".sentriz"

static gboolean
is_our_link (const char *path)
{
  struct stat status;

  return lstat (path, &status) == 0 && S_ISLNK (status.st_mode) &&
         status.st_uid == geteuid ();
}

/* an empty one is what was left of ours, or of nobody's, when a disk was full */
static gboolean
begins_as_ours (int fd, goffset size)
{
  char begin[sizeof CLIP_DB_FILE_MAGIC - 1];

  return size == 0 || (clip_read_exactly (fd, begin, sizeof begin, 0, NULL) &&
                       memcmp (begin, CLIP_DB_FILE_MAGIC, sizeof begin) == 0);
}

/**
 * clip_db_file_open:
 * @flags: `O_RDONLY` or `O_RDWR`
 * @out_fd: (out): where the file is ours or a database, to be closed; otherwise -1
 *
 * Looks what is there. A link is followed where it is ours, and what it leads to, too.
 */
ClipDbFileKind
clip_db_file_open (const char *path, int flags, int *out_fd)
{
  clip_autofd int fd = open (path, flags | CAREFULLY);
  struct stat status;

  *out_fd = -1;
  if (fd < 0 && errno == ELOOP && is_our_link (path))
    fd = open (path, flags | (CAREFULLY & ~O_NOFOLLOW));
  else if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
    return CLIP_DB_FILE_ABSENT;
  if (fd < 0 || fstat (fd, &status) < 0 || !S_ISREG (status.st_mode) ||
      status.st_uid != geteuid ())
    return CLIP_DB_FILE_FOREIGN;
  if (begins_as_ours (fd, status.st_size))
    {
      *out_fd = g_steal_fd (&fd);
      return CLIP_DB_FILE_OURS;
    }
  if (!clip_bolt_is_one (fd))
    return CLIP_DB_FILE_FOREIGN;
  *out_fd = g_steal_fd (&fd);
  return CLIP_DB_FILE_BOLT;
}

/* also TRUE where its folder is not there */
gboolean
clip_db_file_is_absent (const char *path)
{
  struct stat status;

  return lstat (path, &status) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* also TRUE where it is empty, as a wipe leaves it that its removal has asked for */
gboolean
clip_db_file_tells_nothing (const char *path)
{
  struct stat status;

  return clip_db_file_is_absent (path) ||
         (lstat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size == 0);
}

/**
 * clip_db_file_folder:
 * @path: of the file
 *
 * Returns: (transfer full) (nullable): what tells the folder of the file from any other
 * that may ever have its name, and the name of the file: one of another name was never
 * there, as where the folder of a history was renamed; %NULL where there is none, or its
 * file system does not know when it was made: numbers of files are given again; and where
 * every user may remove the file, who would wipe the history with that
 */
char *
clip_db_file_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  struct statx status;

  if (statx (AT_FDCWD, folder, 0, STATX_INO | STATX_BTIME | STATX_MODE, &status) < 0 ||
      (~status.stx_mask & (STATX_INO | STATX_BTIME)) ||
      (status.stx_mode & (S_IWOTH | S_ISVTX)) == S_IWOTH)
    return NULL;
  return g_strdup_printf ("%u:%u:%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT ".%09u %s",
                          status.stx_dev_major, status.stx_dev_minor,
                          (guint64) status.stx_ino, (gint64) status.stx_btime.tv_sec,
                          status.stx_btime.tv_nsec, name);
}

/**
 * clip_db_file_was_removed:
 * @noted: (nullable): what clip_db_file_folder() said when the file was there
 *
 * Returns: whether somebody removed the file, to clear the history. A folder that was
 * cleaned away, with all that was in it, says nothing of the kind
 */
gboolean
clip_db_file_was_removed (const char *path, const char *noted)
{
  g_autofree char *folder = NULL;

  if (!noted || !clip_db_file_is_absent (path))
    return FALSE;
  folder = clip_db_file_folder (path);
  return g_strcmp0 (folder, noted) == 0;
}

/**
 * clip_db_file_kept_name:
 * @n: from 0; below %CLIP_DB_FILE_MOST_KEPT
 *
 * Returns: (transfer full): what a database that was taken over from @path is called
 */
char *
clip_db_file_kept_name (const char *path, guint n)
{
  return n == 0 ? g_strconcat (path, KEPT, NULL)
                : g_strdup_printf ("%s" KEPT ".%u", path, n);
}

/**
 * clip_db_file_list_kept:
 * @path: of the file
 *
 * Returns: (transfer full) (element-type filename): the databases of the existing tool
 * that were taken over from there, and kept: whatever is deleted from the history is
 * still in them. What somebody else gave such a name is none of ours
 */
GPtrArray *
clip_db_file_list_kept (const char *path)
{
  GPtrArray *kept = g_ptr_array_new_with_free_func (g_free);

  for (guint n = 0; n < CLIP_DB_FILE_MOST_KEPT; n++)
    {
      g_autofree char *name = clip_db_file_kept_name (path, n);
      clip_autofd int fd = -1;
      struct stat status;

      if (lstat (name, &status) == 0 && S_ISREG (status.st_mode) &&
          clip_db_file_open (name, O_RDONLY, &fd) == CLIP_DB_FILE_BOLT)
        g_ptr_array_add (kept, g_steal_pointer (&name));
    }
  return kept;
}

/* @path: of the file: that it is there, or is not any more, survives a power cut */
gboolean
clip_db_file_sync_folder (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  clip_autofd int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  return (fd >= 0 && fsync (fd) == 0) ||
         clip_set_errno (error, errno, "sync folder '%s'", folder);
}

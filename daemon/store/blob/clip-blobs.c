/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file gets its name in one step, when its bytes are on the disk: whoever finds the
 * name finds all of them, and no name is ever given to other bytes while somebody may
 * hold it. Where a file system has no unnamed files, they are named in tmp/ and locked as
 * long as their maker lives: what is there without a lock is what a crash left.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-blobs.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-file-id.h"
#include "clip-ownership.h"
#include "clip-paths.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define FILE_MODE 0400

struct ClipBlobs
{
  gatomicrefcount refs;
  char *path;
  int fd;
  gint named; /* no unnamed files here; atomic */
  GMutex mutex;
  ClipFileId id; /* guarded by mutex: of the folder */
};

/* in a folder that is checked, too, before anything is made in it */
static int
make_blobs_folder (const char *path, GError **error)
{
  g_autofree char *dir = g_path_get_dirname (path);
  clip_autofd int dir_fd = clip_ownership_make_folder (dir, error);
  clip_autofd int fd = dir_fd < 0 ? -1 : clip_ownership_make_inner_folder (path, error);

  return fd >= 0 && clip_ownership_check_inner_folders (fd, path, error)
             ? g_steal_fd (&fd)
             : -1;
}

/**
 * clip_blobs_open:
 * @dir: the folder of the history; its folder of blobs is made where it is missing
 *
 * Errors: %G_FILE_ERROR_PERM where that is a link, or others may write to it; as
 * clip_ownership_check_inner_folders().
 */
ClipBlobs *
clip_blobs_open (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_BLOBS_NAME, NULL);
  int fd = make_blobs_folder (path, error);
  ClipBlobs *self;

  if (fd < 0)
    return NULL;
  self = g_new0 (ClipBlobs, 1);
  g_atomic_ref_count_init (&self->refs);
  self->path = g_steal_pointer (&path);
  self->fd = fd;
  g_mutex_init (&self->mutex);
  clip_file_id_take (&self->id, self->path);
  return self;
}

ClipBlobs *
clip_blobs_ref (ClipBlobs *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
clip_blobs_unref (ClipBlobs *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  clip_fd_clear (&self->fd);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self);
}

/* of the folder of the blobs; borrowed. The number stays where that is made anew. */
int
clip_blobs_fd (const ClipBlobs *self)
{
  return self->fd;
}

/* with the mutex; whoever uses the descriptor meanwhile has the old folder or the new one
 */
static gboolean
replace_folder (ClipBlobs *self, GError **error)
{
  clip_autofd int fd = make_blobs_folder (self->path, error);

  if (fd < 0)
    return FALSE;
  if (dup3 (fd, self->fd, O_CLOEXEC) < 0)
    return clip_set_errno (error, errno, "open folder '%s'", self->path);
  clip_file_id_take (&self->id, self->path);
  g_atomic_int_set (&self->named, FALSE);
  return TRUE;
}

/**
 * clip_blobs_follow:
 *
 * Where the folder was removed or moved, goes on in the one that has its place now, made
 * where it is missing. What was created before gets its name there, where that is on the
 * same disk.
 *
 * Errors: %G_FILE_ERROR.
 */
gboolean
clip_blobs_follow (ClipBlobs *self, GError **error)
{
  gboolean done;

  g_mutex_lock (&self->mutex);
  done = clip_file_id_is_at (&self->id, self->path) || replace_folder (self, error);
  g_mutex_unlock (&self->mutex);
  return done;
}

/* from now on as on a file system without unnamed files */
void
clip_blobs_use_names (ClipBlobs *self)
{
  g_atomic_int_set (&self->named, TRUE);
}

static gboolean
make_folder (ClipBlobs *self, const char *name, GError **error)
{
  if (mkdirat (self->fd, name, 0700) == 0)
    return fsync (self->fd) == 0 || clip_set_errno (error, errno, "sync folder of blobs");
  return errno == EEXIST || clip_set_errno (error, errno, "create folder '%s'", name);
}

/* the sweep may take the file for a leftover before it is locked: then it is made again
 */
static int
create_locked (ClipBlobs *self, const char *temporary, GError **error)
{
  clip_autofd int fd =
      openat (self->fd, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  struct stat status;

  if (fd < 0 || flock (fd, LOCK_EX) < 0 || fstat (fd, &status) < 0)
    {
      clip_set_errno (error, errno, "create blob '%s'", temporary);
      return -1;
    }
  if (status.st_nlink > 0)
    return g_steal_fd (&fd);
  clip_fd_clear (&fd);
  return create_locked (self, temporary, error);
}

static int
create_named (ClipBlobs *self, char **out_temporary, GError **error)
{
  static gint counter;
  int fd;

  if (!make_folder (self, CLIP_BLOBS_TMP, error))
    return -1;
  *out_temporary = g_strdup_printf (CLIP_BLOBS_TMP "/%d-%08x-%d", (int) getpid (),
                                    g_random_int (), g_atomic_int_add (&counter, 1));
  fd = create_locked (self, *out_temporary, error);
  if (fd < 0)
    g_clear_pointer (out_temporary, g_free);
  return fd;
}

static gboolean
lacks_unnamed (int saved_errno)
{
  return saved_errno == EOPNOTSUPP || saved_errno == EISDIR || saved_errno == ENOENT ||
         saved_errno == EINVAL;
}

/**
 * clip_blobs_create:
 * @out_temporary: (out) (transfer full) (nullable): the name that it has meanwhile, to be
 * unlinked by the caller; %NULL where it needs none
 *
 * Returns: a descriptor of a new empty file to write and read, or -1
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
int
clip_blobs_create (ClipBlobs *self, char **out_temporary, GError **error)
{
  int fd;

  *out_temporary = NULL;
  if (g_atomic_int_get (&self->named))
    return create_named (self, out_temporary, error);
  fd = openat (self->fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    return fd;
  if (!lacks_unnamed (errno))
    {
      clip_set_errno (error, errno, "create blob");
      return -1;
    }
  clip_blobs_use_names (self);
  return create_named (self, out_temporary, error);
}

/* file systems without RENAME_NOREPLACE have links */
static int
rename_new (int dir_fd, const char *from, const char *to)
{
  if (renameat2 (dir_fd, from, dir_fd, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return -1;
  if (linkat (dir_fd, from, dir_fd, to, 0) < 0)
    return -1;
  unlinkat (dir_fd, from, 0);
  return 0;
}

/* linking by descriptor takes a privilege; through /proc it does not */
static int
link_unnamed (int dir_fd, int fd, const char *name)
{
  char path[sizeof "/proc/self/fd/" + 12];

  g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  if (linkat (AT_FDCWD, path, dir_fd, name, AT_SYMLINK_FOLLOW) == 0)
    return 0;
  return errno == ENOENT ? linkat (fd, "", dir_fd, name, AT_EMPTY_PATH) : -1;
}

static gboolean
sync_folder (ClipBlobs *self, const char *folder, GError **error)
{
  clip_autofd int fd = openat (self->fd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  return (fd >= 0 && fsync (fd) == 0) ||
         clip_set_errno (error, errno, "sync folder '%s'", folder);
}

/**
 * clip_blobs_sync:
 * @fd: a file of clip_blobs_create() that has all its bytes
 *
 * Before it gets its name: that it is read-only from now on survives a power cut with its
 * bytes, which on btrfs a later change of the mode does not.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
gboolean
clip_blobs_sync (int fd, GError **error)
{
  if (fchmod (fd, FILE_MODE) < 0)
    return clip_set_errno (error, errno, "make what was received read-only");
  return fdatasync (fd) == 0 || clip_set_errno (error, errno, "sync what was received");
}

/**
 * clip_blobs_link:
 * @fd: a file of clip_blobs_create(), after clip_blobs_sync()
 * @temporary: (nullable): the name that it came with
 * @name: of clip_blob_name()
 * @out_taken: (out): whether there is a file of that name already: nothing was done
 *
 * Names the file, for good: the name survives a power cut, too.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
gboolean
clip_blobs_link (ClipBlobs *self,
                 int fd,
                 const char *temporary,
                 const char *name,
                 gboolean *out_taken,
                 GError **error)
{
  g_autofree char *folder = g_path_get_dirname (name);
  int result;

  *out_taken = FALSE;
  if (!make_folder (self, folder, error))
    return FALSE;
  result = temporary ? rename_new (self->fd, temporary, name)
                     : link_unnamed (self->fd, fd, name);
  *out_taken = result < 0 && errno == EEXIST;
  if (*out_taken)
    return TRUE;
  if (result < 0)
    return clip_set_errno (error, errno, "link blob '%s'", name);
  if (sync_folder (self, folder, error))
    return TRUE;
  /* the next one that has these bytes would take the name for durable */
  unlinkat (self->fd, name, 0);
  return FALSE;
}

/**
 * clip_blobs_keep:
 * @name: of a file that is there, and that no row refers to
 *
 * Who gave it its name may have been killed before that was on the disk: it is then.
 *
 * Errors: %G_FILE_ERROR.
 */
gboolean
clip_blobs_keep (ClipBlobs *self, const char *name, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (name);

  if (fsync (self->fd) < 0)
    return clip_set_errno (error, errno, "sync folder of blobs");
  return sync_folder (self, folder, error);
}

/**
 * clip_blobs_unlink:
 *
 * Takes the name away. To free the bytes of a large file takes long, and happens when the
 * last descriptor is closed: the one that is returned, or, where there is none (-1), now.
 */
int
clip_blobs_unlink (ClipBlobs *self, const char *name)
{
  clip_autofd int fd = openat (self->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

  if (unlinkat (self->fd, name, 0) < 0 && errno != ENOENT && errno != ENOTDIR)
    g_warning ("blob '%s' stays: %s", name, g_strerror (errno));
  return g_steal_fd (&fd);
}

/* what the file system has left for us, and its size, in bytes; ramfs has no blocks, says
   nothing of either, and is never full */
gboolean
clip_blobs_space (ClipBlobs *self, gint64 *out_free, gint64 *out_total, GError **error)
{
  struct statvfs status;

  if (fstatvfs (self->fd, &status) < 0)
    return clip_set_errno (error, errno, "look for free space");
  *out_free =
      status.f_blocks > 0 ? (gint64) (status.f_bavail * status.f_frsize) : G_MAXINT64;
  *out_total = (gint64) (status.f_blocks * status.f_frsize);
  return TRUE;
}

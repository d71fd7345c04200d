/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A process that is killed leaves its folder behind, and in it the text of an entry that
 * may have been deleted since. So each is locked as long as it is in use, and
 * the next process that makes one, or wipes the history, removes those without a lock.
 */
#include "clip-private-folder.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-words.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* where it is made when $XDG_RUNTIME_DIR names no folder of ours */
#define SHARED "/dev/shm"

#define PREFIX "cliphist-scratch-"
#define LEFT_PREFIX "cliphist-left-"
#define RANDOM "XXXXXX"

#define MAX_OPEN_FOLDERS 8
#define MOST_TRIES 8

struct ClipPrivateFolder
{
  char *path;
  int lock_fd;
  gboolean is_left;
};

/* who owns a folder may rename what is in it, and `su` leaves that of another user's
 * session */
static gboolean
is_ours (const char *path)
{
  struct stat status;

  return lstat (path, &status) == 0 && S_ISDIR (status.st_mode) &&
         (status.st_uid == geteuid () ? !(status.st_mode & (S_IWGRP | S_IWOTH))
                                      : status.st_uid == 0 && status.st_mode & S_ISVTX);
}

/* in memory where there is such a place: what was on a disk can be found there again */
static const char *
parent (void)
{
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");

  return runtime && *runtime && is_ours (runtime) ? runtime : SHARED;
}

static int
remove_one (const char *path,
            const struct stat *status G_GNUC_UNUSED,
            int kind G_GNUC_UNUSED,
            struct FTW *where G_GNUC_UNUSED)
{
  remove (path);
  return 0;
}

static void
remove_all (const char *path)
{
  nftw (path, remove_one, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* -1 where it is no folder of ours, or in use */
static int
lock_folder (const char *path)
{
  clip_autofd int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;

  if (fd < 0 || flock (fd, LOCK_EX | LOCK_NB) < 0 || fstat (fd, &status) < 0 ||
      status.st_uid != geteuid () || status.st_nlink == 0)
    return -1;
  return g_steal_fd (&fd);
}

static gboolean
is_name (const char *name)
{
  return strlen (name) == strlen (PREFIX RANDOM) && g_str_has_prefix (name, PREFIX);
}

static void
sweep (const char *where)
{
  g_autoptr (GDir) names = g_dir_open (where, 0, NULL);
  const char *name;

  while (names && (name = g_dir_read_name (names)))
    {
      g_autofree char *path = g_build_filename (where, name, NULL);
      clip_autofd int fd = is_name (name) ? lock_folder (path) : -1;

      if (fd >= 0)
        remove_all (path);
    }
}

/* removes what others who were killed have left */
void
clip_private_folder_sweep (void)
{
  sweep (parent ());
  sweep (SHARED);
}

/* between its making and its lock another process may sweep */
static gboolean
make (ClipPrivateFolder *self, GError **error)
{
  for (guint i = 0; i < MOST_TRIES; i++)
    {
      g_clear_pointer (&self->path, g_free);
      self->path = g_build_filename (parent (), PREFIX RANDOM, NULL);
      if (!g_mkdtemp_full (self->path, 0700))
        break;
      self->lock_fd = lock_folder (self->path);
      if (self->lock_fd >= 0)
        return TRUE;
      rmdir (self->path);
      errno = EBUSY;
    }
  clip_set_errno (error, errno, _ ("make a folder '%s'"), self->path);
  g_clear_pointer (&self->path, g_free);
  return FALSE;
}

/**
 * clip_private_folder_new:
 *
 * Returns: (transfer full): a folder that no other user may enter, below
 * `$XDG_RUNTIME_DIR`, or in `/dev/shm`. What others who were killed have left there is
 * gone.
 *
 * Errors: %G_FILE_ERROR, %CLIP_ERROR_NO_SPACE.
 */
ClipPrivateFolder *
clip_private_folder_new (GError **error)
{
  g_autoptr (ClipPrivateFolder) self = g_new0 (ClipPrivateFolder, 1);

  self->lock_fd = -1;
  clip_private_folder_sweep ();
  return make (self, error) ? g_steal_pointer (&self) : NULL;
}

void
clip_private_folder_free (ClipPrivateFolder *self)
{
  if (!self)
    return;
  if (self->path && !self->is_left)
    remove_all (self->path);
  clip_fd_clear (&self->lock_fd);
  g_free (self->path);
  g_free (self);
}

const char *
clip_private_folder_path (const ClipPrivateFolder *self)
{
  return self->path;
}

/* (transfer none): a descriptor that keeps the folder for its holder, also when we
   are killed */
int
clip_private_folder_lock (const ClipPrivateFolder *self)
{
  return self->lock_fd;
}

/**
 * clip_private_folder_leave:
 *
 * It stays, with all that is in it, until the user removes it. No sweep removes it: it
 * has another name from then on.
 */
void
clip_private_folder_leave (ClipPrivateFolder *self)
{
  g_autofree char *name = g_strconcat (LEFT_PREFIX, strrchr (self->path, '-') + 1, NULL);
  char *path = g_build_filename (parent (), name, NULL);

  self->is_left = TRUE;
  if (rename (self->path, path) == 0)
    {
      g_free (self->path);
      self->path = path;
    }
  else
    g_free (path);
}

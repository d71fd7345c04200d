/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nothing is deleted by a repair. What is put here is on the disk before the change that
 * takes it out of the history is.
 */
#include "clip-aside.h"

#include "clip-check.h"
#include "clip-directory.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-ownership.h"
#include "clip-paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* of a name, so that a number has room behind it */
#define MAX_NAME_BYTES 240

struct ClipAside
{
  int dir_fd; /* of the history */
  char *all;  /* the folder of all that was ever set aside */
  char *path; /* below that of the history; "" = not made yet */
  int fd;
  int database_fd; /* of a copied one: closing it would drop our locks */
};

/* @dir: of the history */
ClipAside *
clip_aside_new (const char *dir)
{
  ClipAside *self = g_new0 (ClipAside, 1);

  self->dir_fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  self->all = g_build_filename (dir, CLIP_ASIDE_NAME, NULL);
  self->path = g_strdup ("");
  self->fd = -1;
  self->database_fd = -1;
  return self;
}

void
clip_aside_free (ClipAside *self)
{
  if (!self)
    return;
  clip_fd_clear (&self->dir_fd);
  clip_fd_clear (&self->fd);
  clip_fd_clear (&self->database_fd);
  g_free (self->all);
  g_free (self->path);
  g_free (self);
}

/* below the folder of the history; "" where nothing was set aside */
const char *
clip_aside_path (const ClipAside *self)
{
  return self->path;
}

/* named after the time, and a number where several are made in one second */
static gboolean
make_folder (ClipAside *self, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%Y%m%d-%H%M%S");
  g_autofree char *name = g_strdup (time);
  clip_autofd int parent = -1;
  clip_autofd int fd = -1;

  if (self->fd >= 0)
    return TRUE;
  parent = clip_ownership_make_inner_folder (self->all, error);
  if (parent < 0)
    return FALSE;
  for (guint n = 2; mkdirat (parent, name, 0700) < 0; n++)
    {
      if (errno != EEXIST)
        return clip_set_errno (error, errno, "make folder '%s/%s'", self->all, name);
      g_free (name);
      name = g_strdup_printf ("%s-%u", time, n);
    }
  fd = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || fsync (parent) < 0 || fsync (self->dir_fd) < 0)
    return clip_set_errno (error, errno, "make folder '%s/%s'", self->all, name);
  self->fd = g_steal_fd (&fd);
  g_free (self->path);
  self->path = g_build_filename (CLIP_ASIDE_NAME, name, NULL);
  return TRUE;
}

/* a message is UTF-8, whatever the name is */
static gboolean
set_failed (GError **error, int saved_errno, const char *name)
{
  g_autofree char *shown = g_utf8_make_valid (name, -1);

  return clip_set_errno (error, saved_errno, "set '%s' aside", shown);
}

/* (transfer full): a name below the folder, which nobody else writes to: no slash is in
 * it, and none that is there is taken again */
static char *
pick_name (ClipAside *self, const char *wanted)
{
  g_autofree char *flat = g_strdelimit (g_strdup (wanted), "/", '-');
  char *name = g_strndup (flat, MAX_NAME_BYTES);
  struct stat status;

  for (guint n = 2; fstatat (self->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0; n++)
    {
      g_free (name);
      name = g_strdup_printf ("%.*s-%u", MAX_NAME_BYTES, flat, n);
    }
  return name;
}

/* it, or its folder, in the place of which there may be a file */
static gboolean
is_gone (int code)
{
  return code == ENOENT || code == ENOTDIR;
}

/* what was moved is on the disk then */
gboolean
clip_aside_sync (ClipAside *self, GError **error)
{
  return self->fd < 0 || fsync (self->fd) == 0 ||
         clip_set_errno (error, errno, "sync folder '%s'", self->path);
}

/**
 * clip_aside_move:
 * @object: below the folder of the history, as the file system has it; one that is not
 * there is no error
 *
 * Until clip_aside_sync() a power cut may take it back.
 */
gboolean
clip_aside_move (ClipAside *self, const char *object, GError **error)
{
  g_autofree char *name = NULL;

  if (!make_folder (self, error))
    return FALSE;
  name = pick_name (self, object);
  return renameat (self->dir_fd, object, self->fd, name) == 0 || is_gone (errno) ||
         set_failed (error, errno, object);
}

static gboolean
copy_to (ClipAside *self, const char *object, const char *name, GError **error)
{
  clip_autofd int from =
      openat (self->dir_fd, object, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  clip_autofd int to = -1;

  if (from < 0)
    return errno == ENOENT || set_failed (error, errno, object);
  to = openat (self->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);
  if (to < 0)
    return set_failed (error, errno, object);
  if (clip_copy_file (from, to, error) < 0 ||
      (fsync (to) < 0 && !clip_set_errno (error, errno, "sync a copy")))
    {
      unlinkat (self->fd, name, 0);
      return FALSE;
    }
  if (g_str_equal (object, CLIP_DATABASE_NAME))
    self->database_fd = g_steal_fd (&from);
  return TRUE;
}

/* where a file cannot have two names, link(2) */
static gboolean
has_no_links (int code)
{
  return code == EPERM || code == EOPNOTSUPP || code == ENOSYS || code == EMLINK;
}

/* As clip_aside_move(), and the file stays where it is, too: on a file system without
 * hard links it is copied; @wanted: what it is called, with a number where something else
 * is */
gboolean
clip_aside_link (ClipAside *self, const char *object, const char *wanted, GError **error)
{
  g_autofree char *name = NULL;

  if (!make_folder (self, error))
    return FALSE;
  name = pick_name (self, wanted);
  if (linkat (self->dir_fd, object, self->fd, name, 0) < 0 && !is_gone (errno))
    {
      if (!has_no_links (errno))
        return set_failed (error, errno, object);
      if (!copy_to (self, object, name, error))
        return FALSE;
    }
  return clip_aside_sync (self, error);
}

/* @wanted: what the new file is called, with a number where another is; it is there
 * whole, or not at all */
gboolean
clip_aside_write (ClipAside *self,
                  const char *wanted,
                  const void *data,
                  gsize length,
                  GError **error)
{
  g_autofree char *name = NULL;
  clip_autofd int fd = -1;

  if (!make_folder (self, error))
    return FALSE;
  name = pick_name (self, wanted);
  fd = openat (self->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);
  if (fd < 0)
    return set_failed (error, errno, wanted);
  if (clip_write_all (fd, data, length, error) &&
      (fsync (fd) == 0 || set_failed (error, errno, wanted)))
    return clip_aside_sync (self, error);
  unlinkat (self->fd, name, 0);
  return FALSE;
}

/* nothing in it leads elsewhere: a symbolic link goes itself */
static gboolean
remove_all (int dir_fd, const char *name, GError **error)
{
  clip_autodir DIR *folder = clip_directory_open (dir_fd, name);
  const char *item;

  if (!folder)
    return unlinkat (dir_fd, name, 0) == 0 || errno == ENOENT ||
           clip_set_errno (error, errno, "remove what was set aside");
  while ((item = clip_directory_next (folder)))
    if (!remove_all (dirfd (folder), item, error))
      return FALSE;
  return unlinkat (dir_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT ||
         clip_set_errno (error, errno, "remove what was set aside");
}

/**
 * clip_aside_clear:
 * @dir: of the history
 *
 * Removes all that was ever set aside: who wipes the history means that, too.
 */
gboolean
clip_aside_clear (const char *dir, GError **error)
{
  clip_autofd int fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  return fd < 0 ||
         (remove_all (fd, CLIP_ASIDE_NAME, error) &&
          (fsync (fd) == 0 || clip_set_errno (error, errno, "sync folder '%s'", dir)));
}

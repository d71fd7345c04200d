/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nothing is deleted by a repair. What is put here is on the disk before the change that
 * takes it out of the history is.
 */
#include "clip-aside.h"

#include "clip-check.h"
#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

struct ClipAside
{
  int dir_fd; /* of the history */
  char *path; /* below it; "" = not made yet */
  int fd;
};

/* @dir: of the history */
ClipAside *
clip_aside_new (const char *dir)
{
  ClipAside *self = g_new0 (ClipAside, 1);

  self->dir_fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  self->path = g_strdup ("");
  self->fd = -1;
  return self;
}

void
clip_aside_free (ClipAside *self)
{
  if (!self)
    return;
  clip_fd_clear (&self->dir_fd);
  clip_fd_clear (&self->fd);
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
  g_autofree char *time = g_date_time_format (now, CLIP_ASIDE_NAME "/%Y%m%d-%H%M%S");
  g_autofree char *path = g_strdup (time);

  if (self->fd >= 0)
    return TRUE;
  if (mkdirat (self->dir_fd, CLIP_ASIDE_NAME, 0700) < 0 && errno != EEXIST)
    return clip_set_errno (error, errno, "make folder '" CLIP_ASIDE_NAME "'");
  for (guint n = 2; mkdirat (self->dir_fd, path, 0700) < 0; n++)
    {
      if (errno != EEXIST)
        return clip_set_errno (error, errno, "make folder '%s'", path);
      g_free (path);
      path = g_strdup_printf ("%s-%u", time, n);
    }
  self->fd = openat (self->dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (self->fd < 0 || fsync (self->dir_fd) < 0)
    return clip_set_errno (error, errno, "make folder '%s'", path);
  g_free (self->path);
  self->path = g_steal_pointer (&path);
  return TRUE;
}

static gboolean
sync_folder (ClipAside *self, GError **error)
{
  return fsync (self->fd) == 0 ||
         clip_set_errno (error, errno, "sync folder '%s'", self->path);
}

/**
 * clip_aside_move:
 * @object: below the folder of the history; one that is not there is no error
 */
gboolean
clip_aside_move (ClipAside *self, const char *object, GError **error)
{
  g_autofree char *name = g_strdelimit (g_strdup (object), "/", '-');

  if (!make_folder (self, error))
    return FALSE;
  if (renameat (self->dir_fd, object, self->fd, name) < 0 && errno != ENOENT)
    return clip_set_errno (error, errno, "set '%s' aside", object);
  return sync_folder (self, error);
}

/* as clip_aside_move(), and the file stays where it is, too; @name: what it is called */
gboolean
clip_aside_link (ClipAside *self, const char *object, const char *name, GError **error)
{
  if (!make_folder (self, error))
    return FALSE;
  if (linkat (self->dir_fd, object, self->fd, name, 0) < 0 && errno != ENOENT &&
      errno != EEXIST)
    return clip_set_errno (error, errno, "set '%s' aside", object);
  return sync_folder (self, error);
}

gboolean
clip_aside_write (ClipAside *self,
                  const char *name,
                  const void *data,
                  gsize length,
                  GError **error)
{
  clip_autofd int fd = -1;

  if (!make_folder (self, error))
    return FALSE;
  fd = openat (self->fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
               0400);
  if (fd < 0)
    return clip_set_errno (error, errno, "set '%s' aside", name);
  if (!clip_write_all (fd, data, length, error))
    return FALSE;
  if (fsync (fd) < 0)
    return clip_set_errno (error, errno, "sync '%s'", name);
  return sync_folder (self, error);
}

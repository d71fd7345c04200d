/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nothing is deleted by a repair. What is put here is on the disk before the change that
 * takes it out of the history is.
 */
#include "clip-aside.h"

#include "clip-check.h"
#include "clip-error.h"
#include "clip-fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define COPY_BYTES (256 * 1024)
/* of a name, so that a number has room behind it */
#define MAX_NAME_BYTES 240

struct ClipAside
{
  int dir_fd; /* of the history */
  char *path; /* below it; "" = not made yet */
  int fd;
  GArray *kept; /* int: of the database's own files that were copied */
};

static void
clear_fd (gpointer data)
{
  clip_fd_clear (data);
}

/* @dir: of the history */
ClipAside *
clip_aside_new (const char *dir)
{
  ClipAside *self = g_new0 (ClipAside, 1);

  self->dir_fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  self->path = g_strdup ("");
  self->fd = -1;
  self->kept = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_set_clear_func (self->kept, clear_fd);
  return self;
}

void
clip_aside_free (ClipAside *self)
{
  if (!self)
    return;
  clip_fd_clear (&self->dir_fd);
  clip_fd_clear (&self->fd);
  g_array_unref (self->kept);
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
  clip_autofd int parent = -1;
  clip_autofd int fd = -1;

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
  fd = openat (self->dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  parent = openat (self->dir_fd, CLIP_ASIDE_NAME, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 || parent < 0 || fsync (parent) < 0 || fsync (self->dir_fd) < 0)
    return clip_set_errno (error, errno, "make folder '%s'", path);
  self->fd = g_steal_fd (&fd);
  g_free (self->path);
  self->path = g_steal_pointer (&path);
  return TRUE;
}

/* a message is UTF-8, whatever the name is */
static gboolean
set_failed (GError **error, int saved_errno, const char *name)
{
  g_autofree char *shown = g_utf8_make_valid (name, -1);

  return clip_set_errno (error, saved_errno, "set '%s' aside", shown);
}

/* (transfer full): the @n-th name for what is called @name, from 1: none that is there is
 * taken again */
static char *
number_name (const char *name, guint n)
{
  return n == 1 ? g_strndup (name, MAX_NAME_BYTES)
                : g_strdup_printf ("%.*s-%u", MAX_NAME_BYTES, name, n);
}

/* (transfer full): the bytes of the name, whatever they are */
static char *
flatten (const char *object)
{
  return g_strdelimit (g_strdup (object), "/", '-');
}

/* a file that nobody had; @out_name: (out) (transfer full): what it is called */
static int
create (ClipAside *self, const char *name, char **out_name, GError **error)
{
  for (guint n = 1;; n++)
    {
      g_autofree char *numbered = number_name (name, n);
      int fd = openat (self->fd, numbered,
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);

      if (fd < 0 && errno == EEXIST)
        continue;
      if (fd < 0)
        set_failed (error, errno, name);
      *out_name = g_steal_pointer (&numbered);
      return fd;
    }
}

/* it is there whole, or not at all */
static gboolean
end_file (ClipAside *self, int fd, const char *name, gboolean done, GError **error)
{
  if (done && fsync (fd) < 0)
    done = set_failed (error, errno, name);
  if (!done)
    unlinkat (self->fd, name, 0);
  return done;
}

static gboolean
copy_bytes (ClipAside *self, int from, const char *name, GError **error)
{
  g_autofree char *numbered = NULL;
  clip_autofd int fd = create (self, name, &numbered, error);
  g_autofree char *buffer = g_malloc (COPY_BYTES);
  gboolean done = fd >= 0;
  gssize n = 0;

  if (!done)
    return FALSE;
  while (done && (n = read (from, buffer, COPY_BYTES)) > 0)
    done = clip_write_all (fd, buffer, (gsize) n, error);
  if (done && n < 0)
    done = set_failed (error, errno, name);
  return end_file (self, fd, numbered, done, error);
}

/* A descriptor of the database that is closed would take this process's locks with it:
 * one that lies in the folder itself stays open as long as @self is. */
static gboolean
copy (ClipAside *self, const char *object, const char *name, GError **error)
{
  clip_autofd int fd = openat (self->dir_fd, object, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

  if (fd < 0)
    return errno == ENOENT || set_failed (error, errno, object);
  if (!copy_bytes (self, fd, name, error))
    return FALSE;
  if (!strchr (object, '/'))
    {
      g_array_append_val (self->kept, fd);
      fd = -1;
    }
  return TRUE;
}

/* where a file cannot have two names */
static gboolean
has_no_links (int code)
{
  return code == EPERM || code == EOPNOTSUPP || code == ENOSYS || code == EMLINK ||
         code == EXDEV;
}

static gboolean
sync_folder (ClipAside *self, GError **error)
{
  return fsync (self->fd) == 0 ||
         clip_set_errno (error, errno, "sync folder '%s'", self->path);
}

/* FALSE with errno set. Where the file system cannot refuse, a look has to do: nobody
 * else makes files in there. */
static gboolean
move_to (ClipAside *self, const char *object, const char *name)
{
  struct stat status;

  if (renameat2 (self->dir_fd, object, self->fd, name, RENAME_NOREPLACE) == 0)
    return TRUE;
  if (errno != EINVAL && errno != ENOSYS)
    return FALSE;
  if (fstatat (self->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
    {
      errno = EEXIST;
      return FALSE;
    }
  return errno == ENOENT && renameat (self->dir_fd, object, self->fd, name) == 0;
}

static gboolean
move_one (ClipAside *self, const char *object, GError **error)
{
  g_autofree char *name = flatten (object);
  gboolean done = FALSE;

  if (!make_folder (self, error))
    return FALSE;
  for (guint n = 1; !done; n++)
    {
      g_autofree char *numbered = number_name (name, n);

      done = move_to (self, object, numbered) || errno == ENOENT;
      if (!done && errno != EEXIST)
        return set_failed (error, errno, object);
    }
  return TRUE;
}

/**
 * clip_aside_move:
 * @object: below the folder of the history, as the file system has it; one that is not
 * there is no error
 */
gboolean
clip_aside_move (ClipAside *self, const char *object, GError **error)
{
  return move_one (self, object, error) && sync_folder (self, error);
}

/* as clip_aside_move(), for files below @folder, which are on the disk together */
gboolean
clip_aside_move_all (ClipAside *self,
                     const char *folder,
                     char *const *names,
                     GError **error)
{
  for (; *names; names++)
    {
      g_autofree char *object = g_build_filename (folder, *names, NULL);

      if (!move_one (self, object, error))
        return FALSE;
    }
  return self->fd < 0 || sync_folder (self, error);
}

static gboolean
is_same_file (ClipAside *self, const char *object, const char *name)
{
  struct stat a, b;

  return fstatat (self->dir_fd, object, &a, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstatat (self->fd, name, &b, AT_SYMLINK_NOFOLLOW) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

/* a second name below @name, which it may have from before; FALSE with errno set */
static gboolean
link_to (ClipAside *self, const char *object, const char *name)
{
  for (guint n = 1;; n++)
    {
      g_autofree char *numbered = number_name (name, n);

      if (linkat (self->dir_fd, object, self->fd, numbered, 0) == 0 || errno == ENOENT)
        return TRUE;
      if (errno != EEXIST)
        return FALSE;
      if (is_same_file (self, object, numbered))
        return TRUE;
    }
}

/* As clip_aside_move(), and the file stays where it is, too; @name: what it is called,
 * with a number where something else is. On a file system without hard links it is
 * copied. */
gboolean
clip_aside_link (ClipAside *self, const char *object, const char *name, GError **error)
{
  g_autofree char *flat = flatten (name);

  if (!make_folder (self, error))
    return FALSE;
  if (!link_to (self, object, flat))
    {
      if (!has_no_links (errno))
        return set_failed (error, errno, object);
      if (!copy (self, object, flat, error))
        return FALSE;
    }
  return sync_folder (self, error);
}

/* @name: what the new file is called, with a number where another is */
gboolean
clip_aside_write (ClipAside *self,
                  const char *name,
                  const void *data,
                  gsize length,
                  GError **error)
{
  g_autofree char *numbered = NULL;
  clip_autofd int fd = -1;

  if (!make_folder (self, error))
    return FALSE;
  fd = create (self, name, &numbered, error);
  return fd >= 0 &&
         end_file (self, fd, numbered, clip_write_all (fd, data, length, error), error) &&
         sync_folder (self, error);
}

static void
close_folder (DIR **folder)
{
  if (*folder)
    closedir (*folder);
}

/* nothing in it leads elsewhere: a symbolic link goes itself */
static gboolean
remove_all (int dir_fd, const char *name, GError **error)
{
  clip_autofd int fd =
      openat (dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  __attribute__ ((cleanup (close_folder))) DIR *folder = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *item;

  if (!folder)
    return unlinkat (dir_fd, name, 0) == 0 || errno == ENOENT ||
           clip_set_errno (error, errno, "remove what was set aside");
  fd = -1;
  while ((item = readdir (folder)))
    if (strcmp (item->d_name, ".") != 0 && strcmp (item->d_name, "..") != 0 &&
        !remove_all (dirfd (folder), item->d_name, error))
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The files of a foreign history. What it names is opened as a plain file or not at all: no
 * link at its end, no pipe that never ends, no device. Where a name is meant to be a
 * picture, only a picture is taken for one: a history from somewhere else is not to bring
 * in whatever it names.
 */
#include "clip-foreign-file.h"

#include "clip-detect.h"
#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* Returns: %FALSE, with the error set: %CLIP_ERROR_CORRUPT, and the place named */
gboolean
clip_foreign_damaged (GError **error, goffset at, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, "at byte %" G_GINT64_FORMAT ": %s",
               (gint64) at, what);
  return FALSE;
}

/* Returns: a descriptor of a plain file, or -1 with errno set */
static int
open_plain (int folder_fd, const char *path, int flags, struct stat *out_status)
{
  clip_autofd int fd =
      openat (folder_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);

  if (fd < 0 || fstat (fd, out_status) < 0)
    return -1;
  if (!S_ISREG (out_status->st_mode))
    {
      errno = EINVAL;
      return -1;
    }
  return g_steal_fd (&fd);
}

static gboolean
read_head (ClipForeignFile *self, GError **error)
{
  self->head_length = (gsize) MIN (self->size, CLIP_FOREIGN_HEAD_BYTES);
  return clip_read_exactly (self->fd, self->head, self->head_length, 0, error);
}

static gint64
time_of (const struct timespec *time)
{
  return (gint64) time->tv_sec * G_USEC_PER_SEC + time->tv_nsec / 1000;
}

/**
 * clip_foreign_file_open:
 *
 * Errors: %G_FILE_ERROR.
 */
ClipForeignFile *
clip_foreign_file_open (const char *path, GError **error)
{
  g_autoptr (ClipForeignFile) self = g_new0 (ClipForeignFile, 1);
  g_autofree char *folder = g_path_get_dirname (path);

  self->path = g_strdup (path);
  self->folder_fd = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  self->fd = open_plain (AT_FDCWD, path, 0, &self->status);
  if (self->fd < 0 || self->folder_fd < 0)
    {
      clip_set_errno (error, errno, "open '%s'", path);
      return NULL;
    }
  self->size = self->status.st_size;
  self->changed_us = CLAMP (time_of (&self->status.st_mtim), 0, g_get_real_time ());
  return read_head (self, error) ? g_steal_pointer (&self) : NULL;
}

void
clip_foreign_file_free (ClipForeignFile *self)
{
  if (!self)
    return;
  g_free (self->path);
  clip_fd_clear (&self->fd);
  clip_fd_clear (&self->folder_fd);
  g_free (self);
}

/* whether somebody has written to it since it was opened */
gboolean
clip_foreign_file_has_changed (const ClipForeignFile *self)
{
  struct stat now;

  return fstat (self->fd, &now) < 0 || now.st_size != self->status.st_size ||
         time_of (&now.st_mtim) != time_of (&self->status.st_mtim);
}

gboolean
clip_foreign_file_begins (const ClipForeignFile *self,
                          gsize offset,
                          const char *bytes,
                          gsize length)
{
  return self->head_length >= offset + length &&
         memcmp (self->head + offset, bytes, length) == 0;
}

/* its name without folder and suffix */
char *
clip_foreign_file_stem (const ClipForeignFile *self)
{
  char *name = g_path_get_basename (self->path);
  char *dot = strrchr (name, '.');

  if (dot && dot != name)
    *dot = '\0';
  return name;
}

/**
 * clip_foreign_file_beside:
 * @path: of another file; one that is relative begins in the folder of this one
 *
 * Returns: a descriptor, or -1 where there is no such plain file
 */
int
clip_foreign_file_beside (const ClipForeignFile *self,
                          const char *path,
                          goffset *out_size)
{
  struct stat status;
  int fd = open_plain (self->folder_fd, path, O_NOFOLLOW, &status);

  if (fd >= 0)
    *out_size = status.st_size;
  return fd;
}

static const char *
image_mime (int fd, goffset size)
{
  char head[CLIP_HEAD_BYTES];
  gsize length = (gsize) MIN (size, (goffset) sizeof head);
  const char *mime;

  if (!clip_read_exactly (fd, head, length, 0, NULL))
    return NULL;
  mime = clip_detect_mime (head, length, FALSE);
  return g_str_has_prefix (mime, "image/") ? mime : NULL;
}

/**
 * clip_foreign_file_add_image:
 * @paths: where it may lie, ending with %NULL; the first one counts that is a picture
 *
 * Returns: whether there is one; if not, @entry is not complete
 */
gboolean
clip_foreign_file_add_image (const ClipForeignFile *self,
                             const char *const *paths,
                             ClipForeignEntry *entry)
{
  for (gsize i = 0; paths[i]; i++)
    {
      goffset size = 0;
      clip_autofd int fd = clip_foreign_file_beside (self, paths[i], &size);
      const char *mime = fd >= 0 ? image_mime (fd, size) : NULL;

      if (!mime)
        continue;
      clip_foreign_entry_add_part (entry, mime, g_steal_fd (&fd), 0, size);
      return TRUE;
    }
  entry->is_incomplete = TRUE;
  return FALSE;
}

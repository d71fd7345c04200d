/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A commit is seen by others when the index of the log, which is mapped memory, says so,
 * and nobody is told. So a process that writes beside the session's daemon touches the
 * database after its commit, and the kernel tells who watches. Nothing is asked for at
 * intervals: an idle history wakes nobody up.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-folder-watch.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#define REMOVALS (IN_DELETE | IN_MOVED_FROM)
#define OWN_REMOVALS (IN_DELETE_SELF | IN_MOVE_SELF)

struct ClipFolderWatch
{
  int fd;
  int folder; /* what the kernel calls it */
  char *name;
  GSource *source;
  ClipFolderWatchFunc function;
  gpointer user_data;
};

static gboolean
is_meant (ClipFolderWatch *self, const struct inotify_event *event)
{
  return (event->mask & OWN_REMOVALS) ||
         (event->len > 0 && strcmp (event->name, self->name) == 0);
}

static gboolean
on_readable (int fd, GIOCondition condition G_GNUC_UNUSED, gpointer user_data)
{
  ClipFolderWatch *self = user_data;
  char buffer[4096] __attribute__ ((aligned (__alignof__(struct inotify_event))));
  gboolean touched = FALSE;
  gssize n = read (fd, buffer, sizeof buffer);

  for (gssize offset = 0; offset < n;)
    {
      const struct inotify_event *event =
          (const struct inotify_event *) (gpointer) (buffer + offset);

      touched = touched || is_meant (self, event);
      offset += (gssize) (sizeof *event + event->len);
    }
  if (touched)
    self->function (self->user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
watch_folder (ClipFolderWatch *self, const char *dir, GError **error)
{
  self->folder = inotify_add_watch (self->fd, dir, IN_ATTRIB | REMOVALS | OWN_REMOVALS);
  return self->folder >= 0 || clip_set_errno (error, errno, "watch history");
}

/**
 * clip_folder_watch_new:
 * @name: of a file in @dir
 * @context: (nullable): where @function is called
 * @function: hears that the file was touched or removed, or its folder was
 *
 * Errors: %G_FILE_ERROR (there is no such folder; the user's limit of watches is
 * reached).
 */
ClipFolderWatch *
clip_folder_watch_new (const char *dir,
                       const char *name,
                       GMainContext *context,
                       ClipFolderWatchFunc function,
                       gpointer user_data,
                       GError **error)
{
  clip_autofd int fd = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
  ClipFolderWatch *self;

  if (fd < 0)
    {
      clip_set_errno (error, errno, "watch history");
      return NULL;
    }
  self = g_new0 (ClipFolderWatch, 1);
  self->fd = g_steal_fd (&fd);
  if (!watch_folder (self, dir, error))
    {
      clip_fd_clear (&self->fd);
      g_free (self);
      return NULL;
    }
  self->name = g_strdup (name);
  self->function = function;
  self->user_data = user_data;
  self->source = g_unix_fd_source_new (self->fd, G_IO_IN);
  g_source_set_callback (self->source, G_SOURCE_FUNC (on_readable), self, NULL);
  g_source_attach (self->source, context);
  return self;
}

/* when another folder has the place of the one that is watched; errors as for
 * clip_folder_watch_new() */
gboolean
clip_folder_watch_renew (ClipFolderWatch *self, const char *dir, GError **error)
{
  inotify_rm_watch (self->fd, self->folder);
  return watch_folder (self, dir, error);
}

/* after a commit: lets those who watch the history of @dir know */
void
clip_folder_watch_touch (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);

  if (utimensat (AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) < 0)
    g_message ("the session is told late of a change: %s", g_strerror (errno));
}

void
clip_folder_watch_free (ClipFolderWatch *self)
{
  if (!self)
    return;
  g_source_destroy (self->source);
  g_source_unref (self->source);
  clip_fd_clear (&self->fd);
  g_free (self->name);
  g_free (self);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * GIO looks every few seconds whether a folder is there by now that was not. So where the
 * file's folder is missing, the nearest one above it is watched that is there, and from
 * each that comes below it we go on to the next; where one goes, back. Where nothing can
 * be watched, as other programs have all that the kernel gives a user (inotify(7),
 * EMFILE, ENOSPC), we look every few seconds until it can.
 *
 * Where the file is a symbolic link, what that leads to has a watch of its own, which may
 * be one to a link as well.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-file-watch.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_S 2

struct ClipFileWatch
{
  GFile *file;
  char *folder; /* of the file */
  char *above;  /* (nullable): what is watched as that is missing */
  GFileMonitor *monitor;
  guint looking; /* 0: it is watched */
  char *seen;    /* (nullable): what it was when we looked last; NULL: not there */
  char *link;    /* (nullable): where this one leads */
  ClipFileWatch *target; /* (nullable): of that */
  ClipFileWatchFunc changed;
  gpointer user_data;
};

static gboolean
is_folder (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_DIR);
}

/* (transfer full) (nullable): where the file's folder will come; NULL = it is there */
static char *
find_above (ClipFileWatch *self)
{
  g_autofree char *path = g_strdup (self->folder);

  while (!is_folder (path) && !g_str_equal (path, "/"))
    {
      char *parent = g_path_get_dirname (path);

      g_free (path);
      path = parent;
    }
  return g_str_equal (path, self->folder) ? NULL : g_steal_pointer (&path);
}

/* GIO says nothing where it has no watch left, and where it got no instance once it never
 * asks for one again: so that is tried before. Errors: %G_IO_ERROR. */
static gboolean
has_watch_left (const char *folder, GError **error)
{
  const int fd = inotify_init1 (IN_CLOEXEC);
  const gboolean has_one = fd >= 0 && inotify_add_watch (fd, folder, IN_CREATE) >= 0;

  if (!has_one)
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno),
                         g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return has_one;
}

static void
stop (ClipFileWatch *self)
{
  if (self->monitor)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_clear_object (&self->monitor);
}

static void on_changed (GFileMonitor *monitor,
                        GFile *file,
                        GFile *other,
                        GFileMonitorEvent event,
                        gpointer user_data);

/* @above: (nullable): as find_above() says it. Errors: %G_IO_ERROR. */
static gboolean
start (ClipFileWatch *self, const char *above, GError **error)
{
  g_autoptr (GFile) folder = g_file_new_for_path (above ? above : self->folder);

  stop (self);
  g_free (self->above);
  self->above = g_strdup (above);
  if (!has_watch_left (g_file_peek_path (folder), error))
    return FALSE;
  self->monitor =
      g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, error);
  if (self->monitor)
    g_signal_connect (self->monitor, "changed", G_CALLBACK (on_changed), self);
  return self->monitor != NULL;
}

/* (transfer full) (nullable): where the file leads, if it is a link that goes in no
 * circle; folders on the way are resolved, as ".." behind a linked one is not what stands
 * before it */
static char *
read_link (ClipFileWatch *self)
{
  const char *link = g_file_peek_path (self->file);
  g_autofree char *target = g_file_read_link (link, NULL);
  g_autofree char *path = NULL, *folder = NULL, *name = NULL;
  char *real;

  if (!target || (access (link, F_OK) < 0 && errno == ELOOP))
    return NULL;
  path = g_path_is_absolute (target) ? g_strdup (target)
                                     : g_build_filename (self->folder, target, NULL);
  folder = g_path_get_dirname (path);
  name = g_path_get_basename (path);
  real = realpath (folder, NULL);
  if (real)
    {
      g_free (path);
      path = g_build_filename (real, name, NULL);
      free (real);
    }
  return g_steal_pointer (&path);
}

static void
follow_link (ClipFileWatch *self)
{
  g_autofree char *before = g_steal_pointer (&self->link);

  self->link = read_link (self);
  if (g_strcmp0 (before, self->link) == 0)
    return;
  g_clear_pointer (&self->target, clip_file_watch_free);
  if (self->link)
    self->target = clip_file_watch_new (self->link, self->changed, self->user_data);
}

static void
tell (ClipFileWatch *self, GFileMonitorEvent event)
{
  follow_link (self);
  self->changed (event, self->user_data);
}

/* what came before we watched is looked for afterwards */
static gboolean
follow (ClipFileWatch *self, GError **error)
{
  g_autofree char *above = find_above (self);

  for (;;)
    {
      char *next;

      if (!start (self, above, error))
        return FALSE;
      next = find_above (self);
      g_free (above);
      above = next;
      if (g_strcmp0 (above, self->above) == 0)
        return TRUE;
    }
}

/* (transfer full) (nullable): another one where the file has changed */
static char *
look (ClipFileWatch *self)
{
  struct stat found;

  if (stat (g_file_peek_path (self->file), &found) < 0)
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                          ".%09ld",
                          (guint64) found.st_ino, (gint64) found.st_size,
                          (gint64) found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

static gboolean
on_look (gpointer user_data)
{
  ClipFileWatch *self = user_data;
  const gboolean is_watched = follow (self, NULL);
  g_autofree char *before = g_steal_pointer (&self->seen);

  if (is_watched)
    self->looking = 0;
  self->seen = look (self);
  if (g_strcmp0 (before, self->seen) != 0)
    tell (self, self->seen ? G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT
                           : G_FILE_MONITOR_EVENT_DELETED);
  return is_watched ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static void
follow_or_look (ClipFileWatch *self)
{
  g_autoptr (GError) error = NULL;

  if (follow (self, &error) || self->looking != 0)
    return;
  g_message ("'%s' cannot be watched, and is looked at every %d seconds: %s",
             g_file_peek_path (self->file), LOOK_S, error->message);
  g_free (self->seen);
  self->seen = look (self);
  self->looking = g_timeout_add_seconds (LOOK_S, on_look, self);
}

static void
go_on (ClipFileWatch *self)
{
  const gboolean had_folder = self->above == NULL;

  follow_or_look (self);
  if (!self->above && g_file_query_exists (self->file, NULL))
    tell (self, G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT);
  else if (had_folder)
    tell (self, G_FILE_MONITOR_EVENT_DELETED);
}

/* one that came in its place is another file, and is not watched */
static gboolean
is_gone (ClipFileWatch *self, GFile *file, GFileMonitorEvent event)
{
  const char *folder = self->above ? self->above : self->folder;

  return event == G_FILE_MONITOR_EVENT_DELETED &&
         g_str_equal (g_file_peek_path (file), folder);
}

static void
on_changed (GFileMonitor *monitor G_GNUC_UNUSED,
            GFile *file,
            GFile *other,
            GFileMonitorEvent event,
            gpointer user_data)
{
  ClipFileWatch *self = user_data;
  g_autofree char *above = find_above (self);

  if (g_strcmp0 (above, self->above) != 0 || is_gone (self, file, event))
    go_on (self);
  else if (g_file_equal (file, self->file) || (other && g_file_equal (other, self->file)))
    tell (self, event);
}

/**
 * clip_file_watch_new:
 * @changed: told what happens to the file, and where that is a link to what it leads to,
 * on the caller's main context; where it has come or gone with its folder, that is
 * %G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT or %G_FILE_MONITOR_EVENT_DELETED
 */
ClipFileWatch *
clip_file_watch_new (const char *path, ClipFileWatchFunc changed, gpointer user_data)
{
  ClipFileWatch *self = g_new0 (ClipFileWatch, 1);

  self->file = g_file_new_for_path (path);
  self->folder = g_path_get_dirname (g_file_peek_path (self->file));
  self->changed = changed;
  self->user_data = user_data;
  follow_or_look (self);
  follow_link (self);
  return self;
}

void
clip_file_watch_free (ClipFileWatch *self)
{
  if (!self)
    return;
  stop (self);
  g_clear_pointer (&self->target, clip_file_watch_free);
  g_free (self->link);
  g_clear_handle_id (&self->looking, g_source_remove);
  g_free (self->seen);
  g_free (self->above);
  g_free (self->folder);
  g_clear_object (&self->file);
  g_free (self);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * GIO looks every few seconds whether a folder is there by now that was not. So where the
 * file's folder is missing, the nearest one above it is watched that is there, and from
 * each that comes below it we go on to the next; where one goes, back. Where the file is
 * a symbolic link, so is the folder that it leads to.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-file-watch.h"

#include <stdlib.h>

enum
{
  OF_FILE,
  OF_TARGET,
  N_FOLDERS
};

struct ClipFileWatch
{
  GFile *file;
  GFile *target; /* (nullable): the file itself, behind all links, if it is there */
  GFile *folders[N_FOLDERS]; /* (nullable) */
  GFileMonitor *monitors[N_FOLDERS];
  ClipFileWatchFunc changed;
  gpointer user_data;
};

/* (transfer full) */
static GFile *
find_folder (GFile *file)
{
  GFile *folder = g_file_get_parent (file) ?: g_object_ref (file);

  while (!g_file_test (g_file_peek_path (folder), G_FILE_TEST_IS_DIR))
    {
      GFile *above = g_file_get_parent (folder);

      g_object_unref (folder);
      folder = above;
    }
  return folder;
}

/* (transfer full) (nullable) */
static GFile *
find_target (ClipFileWatch *self)
{
  char *path = realpath (g_file_peek_path (self->file), NULL);
  GFile *target = path ? g_file_new_for_path (path) : NULL;

  free (path);
  return target;
}

static gboolean
is_same (GFile *one, GFile *other)
{
  return one && other ? g_file_equal (one, other) : one == other;
}

static void
stop (ClipFileWatch *self, guint which)
{
  if (self->monitors[which])
    g_signal_handlers_disconnect_by_data (self->monitors[which], self);
  g_clear_object (&self->monitors[which]);
  g_clear_object (&self->folders[which]);
}

static void on_changed (ClipFileWatch *self,
                        GFile *file,
                        GFile *other,
                        GFileMonitorEvent event);

/* @folder: (nullable). Returns: whether it was another one before */
static gboolean
watch (ClipFileWatch *self, guint which, GFile *folder)
{
  g_autoptr (GError) error = NULL;

  if (is_same (folder, self->folders[which]))
    return FALSE;
  stop (self, which);
  if (!folder)
    return TRUE;
  self->folders[which] = g_object_ref (folder);
  self->monitors[which] =
      g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, &error);
  if (self->monitors[which])
    g_signal_connect_swapped (self->monitors[which], "changed", G_CALLBACK (on_changed),
                              self);
  else
    g_message ("a change of '%s' is not noticed: %s", g_file_peek_path (self->file),
               error->message);
  return TRUE;
}

/* what came before we watched is looked for afterwards */
static void
follow (ClipFileWatch *self)
{
  gboolean again = TRUE;

  while (again)
    {
      g_autoptr (GFile) folder = find_folder (self->file);
      g_autoptr (GFile) of_target = NULL;

      g_clear_object (&self->target);
      self->target = find_target (self);
      if (self->target &&
          g_file_test (g_file_peek_path (self->file), G_FILE_TEST_IS_SYMLINK))
        of_target = g_file_get_parent (self->target);
      if (is_same (of_target, folder))
        g_clear_object (&of_target);
      again = watch (self, OF_FILE, folder);
      again |= watch (self, OF_TARGET, of_target);
    }
}

static gboolean
is_ours (ClipFileWatch *self, GFile *file)
{
  return file && (g_file_equal (file, self->file) || is_same (file, self->target));
}

static void
on_changed (ClipFileWatch *self, GFile *file, GFile *other, GFileMonitorEvent event)
{
  const gboolean is_told = is_ours (self, file) || is_ours (self, other);
  g_autoptr (GFile) before = g_steal_pointer (&self->target);

  /* a folder that comes in the place of one that went is another */
  for (guint i = 0; i < N_FOLDERS; i++)
    if (event == G_FILE_MONITOR_EVENT_DELETED && is_same (file, self->folders[i]))
      stop (self, i);
  follow (self);
  if (is_told)
    self->changed (event, self->user_data);
  else if (!is_same (before, self->target))
    self->changed (self->target ? G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT
                                : G_FILE_MONITOR_EVENT_DELETED,
                   self->user_data);
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
  self->changed = changed;
  self->user_data = user_data;
  follow (self);
  return self;
}

void
clip_file_watch_free (ClipFileWatch *self)
{
  if (!self)
    return;
  for (guint i = 0; i < N_FOLDERS; i++)
    stop (self, i);
  g_clear_object (&self->target);
  g_clear_object (&self->file);
  g_free (self);
}

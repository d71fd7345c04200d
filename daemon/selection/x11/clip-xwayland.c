/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An Xwayland that a compositor has started says so to its compositor alone, and its
 * socket was there before. But the kernel tells when its program is opened, as it is to
 * be run, and which process has started it.
 */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-xwayland.h"

#include "clip-fd.h"

#include <errno.h>
#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define PROGRAM "Xwayland"

struct ClipXwaylandWatch
{
  int fd;
  guint source;
  ClipXwaylandFunc started;
  gpointer user_data;
};

static gboolean
on_opened (int fd, GIOCondition condition G_GNUC_UNUSED, gpointer user_data)
{
  ClipXwaylandWatch *self = user_data;
  char events[4096] __attribute__ ((aligned (__alignof__(struct inotify_event))));

  while (read (fd, events, sizeof events) > 0)
    ;
  self->started (self->user_data);
  return G_SOURCE_CONTINUE;
}

/* (nullable): NULL where the program is not found, or the kernel gives us no watch */
ClipXwaylandWatch *
clip_xwayland_watch_new (ClipXwaylandFunc started, gpointer user_data)
{
  g_autofree char *path = g_find_program_in_path (PROGRAM);
  clip_autofd int fd = path ? inotify_init1 (IN_CLOEXEC | IN_NONBLOCK) : -1;
  ClipXwaylandWatch *self;

  if (fd < 0 || inotify_add_watch (fd, path, IN_OPEN) < 0)
    {
      g_info ("an Xwayland that starts is not heard of: %s",
              path ? g_strerror (errno) : "there is none");
      return NULL;
    }
  self = g_new (ClipXwaylandWatch, 1);
  *self = (ClipXwaylandWatch){ .started = started, .user_data = user_data };
  self->fd = g_steal_fd (&fd);
  self->source = g_unix_fd_add (self->fd, G_IO_IN, on_opened, self);
  return self;
}

void
clip_xwayland_watch_free (ClipXwaylandWatch *self)
{
  if (!self)
    return;
  g_source_remove (self->source);
  close (self->fd);
  g_free (self);
}

/* What is asked of a process is in a file that costs its memory nothing: its arguments
 * come out of that, and may never come, or without an end.
 * @name: (nullable): what it has to be called
 * @out_group: (nullable): of processes, that it belongs to
 * Returns: its parent; 0 where that cannot be read */
static guint
parent_of (guint pid, const char *name, guint *out_group)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/stat", pid);
  g_autofree char *stat = NULL;
  char *begin, *end;
  guint parent, group;

  if (!g_file_get_contents (path, &stat, NULL, NULL))
    return 0;
  begin = strchr (stat, '(');
  end = strrchr (stat, ')');
  if (!begin || !end || sscanf (end, ") %*c %u %u", &parent, &group) != 2)
    return 0;
  if (out_group)
    *out_group = group;
  *end = '\0';
  return !name || g_str_equal (begin + 1, name) ? parent : 0;
}

/* Returns: (transfer full) (element-type guint): the processes that have started one that
 * runs, and those that have started them: a wrapper may hold the sockets. And the group
 * that it belongs to: wlroots lets go of what it has started */
GArray *
clip_xwayland_parents (void)
{
  GArray *parents = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GDir) processes = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (processes && (name = g_dir_read_name (processes)))
    {
      guint pid = (guint) g_ascii_strtoull (name, NULL, 10);
      guint group = 0;
      guint parent = pid > 0 ? parent_of (pid, PROGRAM, &group) : 0;
      guint above = parent > 0 ? parent_of (parent, NULL, NULL) : 0;

      if (parent > 1)
        g_array_append_val (parents, parent);
      if (above > 1)
        g_array_append_val (parents, above);
      if (parent > 0 && group > 0)
        g_array_append_val (parents, group);
    }
  return parents;
}

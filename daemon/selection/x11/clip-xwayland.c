/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An Xwayland that a compositor has started says so to its compositor alone, and its
 * socket was there before. But the kernel tells when its program is opened, as it is to
 * be run, and its arguments say which display it is.
 */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-xwayland.h"

#include "clip-fd.h"

#include <errno.h>
#include <glib-unix.h>
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

/* (transfer full) (nullable): the display that it serves, where that process is one */
static char *
display_of (const char *pid)
{
  g_autofree char *comm_path = g_strconcat ("/proc/", pid, "/comm", NULL);
  g_autofree char *args_path = g_strconcat ("/proc/", pid, "/cmdline", NULL);
  g_autofree char *comm = NULL, *args = NULL;
  gsize length = 0;

  if (!g_file_get_contents (comm_path, &comm, NULL, NULL) ||
      !g_str_equal (comm, PROGRAM "\n") ||
      !g_file_get_contents (args_path, &args, &length, NULL))
    return NULL;
  for (gsize i = 0; i < length; i += strlen (args + i) + 1)
    if (args[i] == ':')
      return g_strdup (args + i);
  return NULL;
}

/* the names, as in $DISPLAY, of those that run, of any user */
GStrv
clip_xwayland_running (void)
{
  g_autoptr (GStrvBuilder) displays = g_strv_builder_new ();
  g_autoptr (GDir) processes = g_dir_open ("/proc", 0, NULL);
  const char *pid;

  while (processes && (pid = g_dir_read_name (processes)))
    {
      g_autofree char *display = g_ascii_isdigit (*pid) ? display_of (pid) : NULL;

      if (display)
        g_strv_builder_add (displays, display);
    }
  return g_strv_builder_end (displays);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A compositor listens for X programs itself, and starts Xwayland when the first of them
 * connects. We must not be that one: it would run for us alone. The kernel's list of
 * sockets tells whether a client is connected (clip-xwayland, whether it runs without),
 * and the kernel says of each socket which process listens there: unix(7), SO_PEERCRED.
 */
#include "clip-x-socket.h"

#include "clip-fd.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKETS "/proc/net/unix"
#define FOLDER "/tmp/.X11-unix/X"
/* in that list: what an unconnected socket, and one that listens, do not have */
#define CONNECTED "03"

/* a desktop has one or two; each costs a connection, with every copy */
#define MAX_SERVERS 64

/* the end of the path of its socket, as `X0`; NULL for a display that is not on this
   machine */
static char *
socket_name (const char *display_name)
{
  const char *colon = display_name ? strchr (display_name, ':') : NULL;
  gsize digits = colon ? strspn (colon + 1, "0123456789") : 0;

  if (!colon || digits == 0 ||
      (colon != display_name && !g_str_has_prefix (display_name, "unix:")))
    return NULL;
  return g_strdup_printf ("/.X11-unix/X%.*s", (int) digits, colon + 1);
}

/* a line: number, references, protocol, flags, type, state, inode, path */
static gboolean
is_connection (const char *line, const char *name)
{
  g_auto (GStrv) words = NULL;
  const char *state = NULL;
  guint n = 0;

  if (!g_str_has_suffix (line, name))
    return FALSE;
  words = g_strsplit (line, " ", -1);
  for (char **word = words; *word; word++)
    if (**word && n++ == 5)
      state = *word;
  return g_strcmp0 (state, CONNECTED) == 0;
}

/* @sockets: the kernel's list */
gboolean
clip_x_socket_is_listed (const char *sockets, const char *display_name)
{
  g_autofree char *name = socket_name (display_name);
  g_auto (GStrv) lines = name ? g_strsplit (sockets, "\n", -1) : NULL;

  for (guint i = 0; lines && lines[i]; i++)
    if (is_connection (lines[i], name))
      return TRUE;
  return FALSE;
}

/* whether @path is the socket of the X server of that name, where it has one on this
   machine */
gboolean
clip_x_socket_is_at (const char *path, const char *display_name)
{
  g_autofree char *name = socket_name (display_name);

  return name && g_str_has_suffix (path, name);
}

/**
 * clip_x_socket_is_used:
 * @display_name: (nullable): as in $DISPLAY
 *
 * Returns: whether a program is connected to the X server of that name. Where that cannot
 * be found out, no client is.
 */
gboolean
clip_x_socket_is_used (const char *display_name)
{
  g_autofree char *sockets = NULL;

  return display_name && *display_name &&
         g_file_get_contents (SOCKETS, &sockets, NULL, NULL) &&
         clip_x_socket_is_listed (sockets, display_name);
}

/* wlroots lets two wait to be accepted: who looks there at the same time, too, may have
   taken both places. So long all of them are waited for, by the main loop. */
#define PATIENCE_US 200000

/* @due_us: monotonic. Returns: the process that listens at @path; 0 where that cannot be
   found out by then */
static pid_t
listener (const char *path, gint64 due_us)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  struct ucred peer = { 0 };
  socklen_t size = sizeof peer;
  /* 0 would be for ever */
  const struct timeval patience = { .tv_usec =
                                        MAX (1, due_us - g_get_monotonic_time ()) };
  clip_autofd int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (fd < 0 ||
      setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0 ||
      strlen (path) >= sizeof address.sun_path)
    return 0;
  strcpy (address.sun_path, path);
  if (connect (fd, (struct sockaddr *) &address, sizeof address) != 0 ||
      getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return 0;
  return peer.pid;
}

/* whether both were made by one user: the folder is everybody's */
static gboolean
is_of_one_user (const char *path, const char *other)
{
  struct stat one, two;

  return lstat (path, &one) == 0 && stat (other, &two) == 0 && one.st_uid == two.st_uid;
}

static gboolean
has_pid (const GArray *pids, pid_t pid)
{
  for (guint i = 0; pids && i < pids->len; i++)
    if (g_array_index (pids, guint, i) == (guint) pid)
      return TRUE;
  return FALSE;
}

/**
 * clip_x_socket_beside:
 * @wayland_socket: path of the socket of a compositor
 * @parents: (nullable) (element-type guint): processes that have started an X server that
 * runs, and the groups that it belongs to
 *
 * Returns: (nullable) (transfer full): the name, as in $DISPLAY, of the X server that the
 * compositor listens for itself, and that runs: a program is connected to it, or the
 * compositor, or its group, is one of @parents
 */
char *
clip_x_socket_beside (const char *wayland_socket, const GArray *parents)
{
  g_autofree char *sockets = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  const gint64 due_us = g_get_monotonic_time () + PATIENCE_US;
  pid_t compositor = parents && parents->len > 0 ? listener (wayland_socket, due_us) : 0;
  const gboolean is_running = compositor && (has_pid (parents, compositor) ||
                                             has_pid (parents, getpgid (compositor)));
  guint n_asked = 0;

  if (!g_file_get_contents (SOCKETS, &sockets, NULL, NULL))
    return NULL;
  lines = g_strsplit (sockets, "\n", -1);
  for (guint i = 0; lines[i] && n_asked < MAX_SERVERS; i++)
    {
      const char *path = strstr (lines[i], FOLDER);

      if (!path || !(is_running || is_connection (lines[i], path)) ||
          !g_hash_table_add (seen, (gpointer) path) ||
          !is_of_one_user (path, wayland_socket))
        continue;
      n_asked++;
      compositor = compositor ?: listener (wayland_socket, due_us);
      if (compositor && listener (path, due_us) == compositor)
        return g_strconcat (":", path + strlen (FOLDER), NULL);
    }
  return NULL;
}

/**
 * clip_x_socket_is_apart:
 * @display_name: (nullable): as in $DISPLAY
 * @wayland_socket: path of the socket of a compositor
 *
 * Returns: whether a program is connected to that X server, and the compositor is not who
 * listens there. Where that cannot be found out, it may be the compositor
 */
gboolean
clip_x_socket_is_apart (const char *display_name, const char *wayland_socket)
{
  g_autofree char *name = socket_name (display_name);
  g_autofree char *path = g_strconcat ("/tmp", name, NULL);
  const gint64 due_us = g_get_monotonic_time () + PATIENCE_US;
  pid_t compositor, server;

  if (!name || !clip_x_socket_is_used (display_name))
    return FALSE;
  compositor = listener (wayland_socket, due_us);
  server = compositor ? listener (path, due_us) : 0;
  return server && server != compositor;
}

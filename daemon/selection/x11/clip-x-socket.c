/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A compositor listens for X programs itself, and starts Xwayland when the first of them
 * connects. We must not be that one: it would run for us alone. The kernel's list of
 * sockets tells whether a client is connected.
 */
#include "clip-x-socket.h"

#include <string.h>

#define SOCKETS "/proc/net/unix"
/* in that list: what an unconnected socket, and one that listens, do not have */
#define CONNECTED "03"

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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which display is meant: the socket of a compositor by its path, an X server as DISPLAY
 * has it. Two logins of a user may share a session bus, and so a daemon, which watches
 * the display of one of them.
 */
#include "clip-display-name.h"

#include "clip-file-id.h"
#include "clip-paths.h"
#include "clip-x-socket.h"

#include <string.h>
#include <unistd.h>

#define X11_SOCKET "/tmp/.X11-unix/X"

/* (transfer full): the path of its socket. @named: as WAYLAND_DISPLAY has it */
char *
clip_display_name_wayland (const char *named)
{
  return g_canonicalize_filename (named, g_get_user_runtime_dir ());
}

/* (nullable): the number of an X server of this machine, behind which may be a screen */
static const char *
find_number (const char *name)
{
  if (g_str_has_prefix (name, "unix:"))
    name += strlen ("unix");
  return *name == ':' && g_ascii_isdigit (name[1]) ? name + 1 : NULL;
}

/**
 * clip_display_name_is_remote:
 * @server: (nullable): as in $DISPLAY
 *
 * Returns: whether it is an X server that may be of another machine: behind ssh that of
 * the one that its user sits at, whose copies are no business of this one
 */
gboolean
clip_display_name_is_remote (const char *server)
{
  return server && *server && !find_number (server);
}

/* @number: behind which may be a screen */
static gboolean
is_server (const char *number)
{
  g_autofree char *path =
      g_strdup_printf (X11_SOCKET "%.*s", (int) strspn (number, "0123456789"), number);

  return access (path, F_OK) == 0;
}

/* both are there */
static gboolean
is_same_server (const char *number, const char *other)
{
  gsize length = strspn (number, "0123456789");

  return strspn (other, "0123456789") == length && strncmp (number, other, length) == 0;
}

/* one elsewhere, as behind ssh, and what a shell remembers of an earlier login, is none
 * that people copy on. @watched: the name of an X server */
static gboolean
is_other_than_server (const char *wayland, const char *server, const char *watched)
{
  const char *number = find_number (server);
  const char *other = find_number (watched);
  g_autofree char *path = clip_display_name_wayland (wayland);

  if (!other)
    return FALSE;
  if (number && is_server (number))
    return !is_same_server (number, other);
  return *wayland && clip_x_socket_is_apart (watched, path);
}

/* @watched: the path of a compositor's socket */
static gboolean
is_other_than_compositor (const char *wayland, const char *server, const char *watched)
{
  g_autofree char *path = clip_display_name_wayland (wayland);
  ClipFileId socket = { 0 };

  if (*wayland)
    clip_file_id_take (&socket, path);
  return socket.inode != 0 ? !clip_file_id_is_at (&socket, watched)
                           : clip_x_socket_is_apart (server, watched);
}

/**
 * clip_display_name_is_other:
 * @watched: the path of a compositor's socket, or the name of an X server; or "", for
 * none that has a name
 *
 * Returns: whether the environment names another one that is there; the X server of a
 * compositor is none
 */
gboolean
clip_display_name_is_other (const char *watched)
{
  const char *wayland = g_getenv ("WAYLAND_DISPLAY") ?: "";
  const char *server = g_getenv ("DISPLAY") ?: "";

  return g_path_is_absolute (watched)
             ? is_other_than_compositor (wayland, server, watched)
             : is_other_than_server (wayland, server, watched);
}

/* whether the environment names displays of this machine alone, and none that is there:
 * a shell has them of an earlier login */
gboolean
clip_display_name_is_gone (void)
{
  const char *wayland = g_getenv ("WAYLAND_DISPLAY") ?: "";
  const char *server = g_getenv ("DISPLAY") ?: "";
  const char *number = find_number (server);
  g_autofree char *path = clip_display_name_wayland (wayland);

  if ((!*wayland && !*server) || (*server && !number))
    return FALSE;
  return (!*wayland || access (path, F_OK) < 0) && (!number || !is_server (number));
}

/* Returns: whether the environment names a compositor, or an X server of this machine */
gboolean
clip_has_display (void)
{
  const char *wayland = g_getenv ("WAYLAND_DISPLAY") ?: "";
  const char *server = g_getenv ("DISPLAY") ?: "";

  return *wayland || (*server && !clip_display_name_is_remote (server));
}

/* an X server of another machine, and its keys, stay with the shell that has them */
static gboolean
is_handed_over (const char *name)
{
  return !clip_display_name_is_remote (g_getenv ("DISPLAY")) ||
         (!g_str_equal (name, "DISPLAY") && !g_str_equal (name, "XAUTHORITY"));
}

/* (transfer floating) (nullable): a{ss} of what tells another process of our display, or
 * NULL where there is none */
GVariant *
clip_display_name_variables (void)
{
  static const char *const names[] = { CLIP_DISPLAY_VARIABLES, "XDG_CURRENT_DESKTOP" };
  GVariantBuilder builder;

  if (!clip_has_display ())
    return NULL;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = g_getenv (names[i]);

      if (value && *value && is_handed_over (names[i]) &&
          g_utf8_validate (value, -1, NULL))
        g_variant_builder_add (&builder, "{ss}", names[i], value);
    }
  return g_variant_builder_end (&builder);
}

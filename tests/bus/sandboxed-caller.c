/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sandboxed-caller ROOT|- hidden|shown METHOD ARGUMENTS [N]: connects to the session bus,
 * moves into ROOT as Flatpak's programs are moved into theirs, and calls. Prints "ok" or
 * the name of the error. It has N connections, 1 or more, and calls on each: what the
 * last one hears is printed.
 *
 * "-" stays where it is; "hidden" keeps others from looking at the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define NAME "org.cliphist.History1"

static void
write_text (const char *path, const char *text)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  if (fd < 0 || write (fd, text, strlen (text)) < 0)
    g_error ("write %s: %s", path, g_strerror (errno));
  close (fd);
}

/* the right to change the root, where we have it not: in a user namespace of our own */
static void
become_root_there (void)
{
  g_autofree char *uids = g_strdup_printf ("%d %d 1", geteuid (), geteuid ());
  g_autofree char *gids = g_strdup_printf ("%d %d 1", getegid (), getegid ());

  if (unshare (CLONE_NEWUSER) < 0)
    g_error ("neither chroot() nor a user namespace is allowed here: %s",
             g_strerror (errno));
  write_text ("/proc/self/setgroups", "deny");
  write_text ("/proc/self/uid_map", uids);
  write_text ("/proc/self/gid_map", gids);
}

static void
move_into (const char *root)
{
  if (chroot (root) < 0 && errno == EPERM)
    {
      become_root_there ();
      if (chroot (root) < 0)
        g_error ("chroot %s: %s", root, g_strerror (errno));
    }
  if (chdir ("/") < 0)
    g_error ("chdir: %s", g_strerror (errno));
}

/* the socket is reached while its path still is; threads come later */
static GSocketConnection *
reach_bus (const char *address)
{
  const char *path = g_strstr_len (address, -1, "path=") + strlen ("path=");
  g_autofree char *end = g_strndup (path, strcspn (path, ","));
  g_autoptr (GSocketAddress) socket_address = g_unix_socket_address_new (end);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM,
                                             G_SOCKET_PROTOCOL_DEFAULT, &error);

  if (!socket || !g_socket_connect (socket, socket_address, NULL, &error))
    g_error ("connect: %s", error->message);
  return g_socket_connection_factory_create_connection (socket);
}

static GDBusConnection *
speak (GSocketConnection *stream)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *bus =
      g_dbus_connection_new_sync (G_IO_STREAM (stream), NULL,
                                  G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                      G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                  NULL, NULL, &error);

  if (!bus)
    g_error ("bus: %s", error->message);
  return bus;
}

/* it has passed on what was sent before */
static void
ask_bus (GDBusConnection *bus)
{
  g_variant_unref (g_dbus_connection_call_sync (
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "GetId", NULL, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL));
}

static void
call (GDBusConnection *bus,
      const char *interface,
      const char *method,
      GVariant *arguments)
{
  const char *path = strstr (interface, "SearchProvider")
                         ? "/org/cliphist/History1/SearchProvider"
                         : "/org/cliphist/History1";
  g_autoptr (GError) error = NULL;
  g_autofree char *remote = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_sync (bus, NAME, path, interface, method, arguments, NULL,
                                   G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, &error);

  if (!reply)
    remote = g_dbus_error_get_remote_error (error);
  puts (reply ? "ok" : remote ?: error->message);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) streams = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) buses = g_ptr_array_new_with_free_func (g_object_unref);
  const char *method = argc >= 5 ? strrchr (argv[3], '.') : NULL;
  const guint n = argc > 5 ? (guint) MAX (atoi (argv[5]), 1) : 1;
  g_autofree char *interface = NULL;

  if (!method)
    return 2;
  interface = g_strndup (argv[3], (gsize) (method - argv[3]));
  if (!g_str_equal (argv[1], "-"))
    prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (streams, reach_bus (g_getenv ("DBUS_SESSION_BUS_ADDRESS")));
  if (!g_str_equal (argv[1], "-"))
    move_into (argv[1]);
  prctl (PR_SET_DUMPABLE, g_str_equal (argv[2], "shown"), 0, 0, 0);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (buses, speak (streams->pdata[i]));
  for (guint i = 0; i < n - 1; i++)
    {
      g_dbus_connection_call (buses->pdata[i], NAME, "/org/cliphist/History1", interface,
                              method + 1, g_variant_new_parsed (argv[4]), NULL,
                              G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
      ask_bus (buses->pdata[i]);
    }
  call (buses->pdata[n - 1], interface, method + 1, g_variant_new_parsed (argv[4]));
  return 0;
}

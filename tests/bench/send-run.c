/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * send-run ID: D-Bus `Send` into stdout, by a program that is on the bus already: it says
 * `ready` on stderr, calls when stdin has a byte for it, and ends with the reply.
 */
#include <err.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <unistd.h>

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GUnixFDList) fds = NULL;
  GDBusConnection *bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  int sink_fd = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  char byte;

  if (argc != 2)
    errx (2, "usage: send-run ID");
  if (!bus)
    errx (1, "%s", error->message);
  close (STDOUT_FILENO);
  fds = g_unix_fd_list_new_from_array (&sink_fd, 1);
  if (write (STDERR_FILENO, "ready\n", 6) != 6 || read (STDIN_FILENO, &byte, 1) != 1)
    errx (1, "nobody is there");
  answer = g_dbus_connection_call_with_unix_fd_list_sync (
      bus, "org.cliphist.History1", "/org/cliphist/History1", "org.cliphist.History1",
      "Send",
      g_variant_new ("(tsh@a{sv})", g_ascii_strtoull (argv[1], NULL, 10), "", 0,
                     g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0)),
      NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT, fds, NULL, NULL, &error);
  if (!answer)
    errx (1, "%s", error->message);
  _exit (0); /* closes the sink, too */
}

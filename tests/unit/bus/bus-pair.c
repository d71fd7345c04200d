/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bus-pair.h"

#include <sys/socket.h>

static GDBusConnection *
connect_to (int fd, GDBusConnectionFlags flags)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) socket = g_socket_new_from_fd (fd, &error);
  g_autoptr (GSocketConnection) stream = NULL;
  g_autofree char *guid = g_dbus_generate_guid ();
  const gboolean is_server = flags & G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER;
  GDBusConnection *connection;

  g_assert_no_error (error);
  stream = g_socket_connection_factory_create_connection (socket);
  connection = g_dbus_connection_new_sync (G_IO_STREAM (stream), is_server ? guid : NULL,
                                           flags, NULL, NULL, &error);
  g_assert_no_error (error);
  return connection;
}

static gpointer
serve (gpointer fd)
{
  return connect_to (GPOINTER_TO_INT (fd), G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER);
}

void
bus_pair_connect (GDBusConnection **out_bus, GDBusConnection **out_client)
{
  GThread *thread;
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  thread = g_thread_new ("bus", serve, GINT_TO_POINTER (fds[0]));
  *out_client = connect_to (fds[1], G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT);
  *out_bus = g_thread_join (thread);
}

void
bus_pair_close (GDBusConnection *bus_take, GDBusConnection *client_take)
{
  g_dbus_connection_close_sync (client_take, NULL, NULL);
  g_dbus_connection_close_sync (bus_take, NULL, NULL);
  g_object_unref (client_take);
  g_object_unref (bus_take);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A daemon of our own, for one call: the same program with the same interface, on a
 * socket that nobody else sees. It ends when we close our side, which the kernel does
 * whatever happens to us.
 */
#include "clip-private.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-libexec.h"

#include <errno.h>
#include <sys/socket.h>

#define CHILD_FD 3

static gboolean
spawn (const char *program, int fd, const char *store, GError **error)
{
  const char *argv[] = { program,   "--private", G_STRINGIFY (CHILD_FD),
                         "--store", store,       NULL };
  const int target = CHILD_FD;

  return g_spawn_async_with_pipes_and_fds (NULL, argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL,
                                           NULL, NULL, -1, -1, -1, &fd, &target, 1, NULL,
                                           NULL, NULL, NULL, error);
}

static GDBusConnection *
connect_to (int fd_take, GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new_from_fd (fd_take, error);
  g_autoptr (GSocketConnection) stream = NULL;

  if (!socket)
    {
      close (fd_take);
      return NULL;
    }
  stream = g_socket_connection_factory_create_connection (socket);
  return g_dbus_connection_new_sync (G_IO_STREAM (stream), NULL,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL,
                                     NULL, error);
}

/**
 * clip_private_start:
 * @store: the folder of the history that it serves
 *
 * Returns: (transfer full): a connection whose only peer is the daemon
 *
 * Errors: %G_SPAWN_ERROR, %G_IO_ERROR where the daemon ended at once, and has said why.
 */
GDBusConnection *
clip_private_start (const char *store, GError **error)
{
  g_autofree char *program = clip_libexec_find ("cliphistd");
  GDBusConnection *connection;
  int fds[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
    {
      clip_set_errno (error, errno, "create socket");
      return NULL;
    }
  if (!spawn (program, fds[1], store, error))
    {
      g_prefix_error (error, "start a private daemon: ");
      close (fds[0]);
      close (fds[1]);
      return NULL;
    }
  close (fds[1]);
  connection = connect_to (fds[0], error);
  if (!connection)
    g_prefix_error (error, "talk to '%s': ", program);
  return connection;
}

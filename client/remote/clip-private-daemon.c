/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A daemon of our own, for one call: the same program with the same interface, on a
 * socket that no other program sees. It ends when we close our side, which the kernel
 * does even if we are killed.
 */
#include "clip-private-daemon.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-libexec.h"
#include "clip-words.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define CHILD_FD 3

static gboolean
spawn (const char *program, int fd, const char *store, GPid *out_pid, GError **error)
{
  const char *argv[] = { program,   "--private", G_STRINGIFY (CHILD_FD),
                         "--store", store,       NULL };
  const int target = CHILD_FD;

  return g_spawn_async_with_pipes_and_fds (
      NULL, argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_DO_NOT_REAP_CHILD, NULL,
      NULL, -1, -1, -1, &fd, &target, 1, out_pid, NULL, NULL, NULL, error);
}

/* a daemon that gives up says why on standard error, which is ours too, and exits with
   1 */
static gboolean
has_said_why (GPid pid)
{
  int status;

  return waitpid (pid, &status, 0) == pid && WIFEXITED (status) &&
         WEXITSTATUS (status) == 1;
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

static GDBusConnection *
connect_or_explain (int fd_take, GPid pid, GError **error)
{
  g_autoptr (GError) local = NULL;
  GDBusConnection *connection = connect_to (fd_take, &local);

  if (connection)
    return connection;
  if (has_said_why (pid))
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_FAILED, "");
  else
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("talk to the daemon of this history: %s"), local->message);
  return NULL;
}

/**
 * clip_private_daemon_start:
 * @store: the folder of the history that it serves
 *
 * Returns: (transfer full): a connection whose only peer is the daemon
 *
 * Errors: %G_SPAWN_ERROR; %CLIP_ERROR_FAILED where the daemon ended at once, without a
 * text where it has said why.
 */
GDBusConnection *
clip_private_daemon_start (const char *store, GError **error)
{
  g_autofree char *program = clip_libexec_find ("cliphistd");
  clip_autofd int ours = -1;
  clip_autofd int theirs = -1;
  int fds[2];
  GPid pid;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
    {
      clip_set_errno (error, errno, _ ("create socket"));
      return NULL;
    }
  ours = fds[0];
  theirs = fds[1];
  if (!spawn (program, theirs, store, &pid, error))
    {
      g_prefix_error (error, _ ("start a daemon for this history: "));
      return NULL;
    }
  clip_fd_clear (&theirs);
  return connect_or_explain (g_steal_fd (&ours), pid, error);
}

/* whether @error is that of a daemon that gave up at its start, and is without a text
   therefore */
gboolean
clip_private_daemon_has_said_why (const GError *error)
{
  return g_error_matches (error, CLIP_ERROR, CLIP_ERROR_FAILED) && !*error->message;
}

/**
 * clip_private_daemon_repair:
 * @store: the folder of a history that no daemon can open
 *
 * Has it made one that can be opened, and waits for that.
 *
 * Errors: %G_SPAWN_ERROR; %CLIP_ERROR_FAILED without a text where the daemon has said
 * why.
 */
gboolean
clip_private_daemon_repair (const char *store, GError **error)
{
  g_autofree char *program = clip_libexec_find ("cliphistd");
  const char *argv[] = { program, "--repair", "--store", store, NULL };
  int status;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL,
                     NULL, NULL, &status, error))
    return FALSE;
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_FAILED, "");
  return FALSE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-x-socket.h"

#include "clip-fd.h"

#include <glib/gstdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char sockets[] =
    "Num       RefCount Protocol Flags    Type St Inode Path\n"
    "00000000aaaaaaaa: 00000002 00000000 00010000 0001 01  101 /tmp/.X11-unix/X0\n"
    "00000000bbbbbbbb: 00000002 00000000 00010000 0001 01  102 @/tmp/.X11-unix/X1\n"
    "00000000cccccccc: 00000003 00000000 00000000 0001 03  103 @/tmp/.X11-unix/X1\n"
    "00000000dddddddd: 00000003 00000000 00000000 0001 03  104\n"
    "00000000eeeeeeee: 00000003 00000000 00000000 0001 03  105 /tmp/.X11-unix/X12\n";

static void
test_connection_is_use (void)
{
  g_assert_true (clip_x_socket_is_listed (sockets, ":1"));
  g_assert_true (clip_x_socket_is_listed (sockets, ":1.0"));
  g_assert_true (clip_x_socket_is_listed (sockets, "unix:12"));
}

static void
test_listening_is_none (void)
{
  g_assert_false (clip_x_socket_is_listed (sockets, ":0"));
  g_assert_false (clip_x_socket_is_listed (sockets, ":2"));
  g_assert_false (clip_x_socket_is_listed (sockets, "elsewhere:1"));
  g_assert_false (clip_x_socket_is_listed (sockets, ":"));
  g_assert_false (clip_x_socket_is_listed (sockets, ""));
  g_assert_false (clip_x_socket_is_listed ("", ":1"));
  g_assert_false (clip_x_socket_is_used (NULL));
}

static void
test_own_server_is_told_from_others (void)
{
  g_assert_true (clip_x_socket_is_at ("/tmp/.X11-unix/X1", ":1"));
  g_assert_true (clip_x_socket_is_at ("/tmp/.X11-unix/X1", ":1.0"));
  g_assert_false (clip_x_socket_is_at ("/tmp/.X11-unix/X11", ":1"));
  g_assert_false (clip_x_socket_is_at ("/tmp/.X11-unix/X1", "elsewhere:1"));
  g_assert_false (clip_x_socket_is_at ("/tmp/.X11-unix/X1", NULL));
}

static int
listen_at (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_assert_cmpint (g_snprintf (address.sun_path, sizeof address.sun_path, "%s", path), <,
                   sizeof address.sun_path);
  g_unlink (path);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (fd, 8), ==, 0);
  return fd;
}

/* we are the compositor, which listens for X programs before there is a server */
static void
test_server_without_a_client (void)
{
  g_autofree char *display = g_strdup_printf (":%d", 70000 + getpid () % 30000);
  g_autofree char *below = g_strconcat ("/tmp/.X11-unix/X", display + 1, NULL);
  g_autofree char *folder = g_dir_make_tmp ("x-socket-XXXXXX", NULL);
  g_autofree char *wayland = g_build_filename (folder, "wayland-0", NULL);
  const guint others = 1, ours = (guint) getpid (), group = (guint) getpgrp ();
  g_autoptr (GArray) parents = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *unseen = NULL, *seen = NULL, *let_go = NULL;
  clip_autofd int wayland_fd G_GNUC_UNUSED = listen_at (wayland);
  clip_autofd int x_fd = -1;

  g_mkdir ("/tmp/.X11-unix", 01777);
  x_fd = listen_at (below);
  g_array_append_val (parents, others);
  unseen = clip_x_socket_beside (wayland, parents);
  g_array_append_val (parents, ours);
  seen = clip_x_socket_beside (wayland, parents);
  g_array_set_size (parents, 0);
  g_array_append_val (parents, group);
  let_go = clip_x_socket_beside (wayland, parents);
  g_assert_null (unseen);
  g_assert_cmpstr (seen, ==, display);
  g_assert_cmpstr (let_go, ==, display);
  g_unlink (below);
  g_unlink (wayland);
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/x-socket/connection-is-use", test_connection_is_use);
  g_test_add_func ("/x-socket/listening-is-none", test_listening_is_none);
  g_test_add_func ("/x-socket/own-server-is-told-from-others",
                   test_own_server_is_told_from_others);
  g_test_add_func ("/x-socket/server-without-a-client", test_server_without_a_client);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-x-socket.h"

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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/x-socket/connection-is-use", test_connection_is_use);
  g_test_add_func ("/x-socket/listening-is-none", test_listening_is_none);
  g_test_add_func ("/x-socket/own-server-is-told-from-others",
                   test_own_server_is_told_from_others);
  return g_test_run ();
}

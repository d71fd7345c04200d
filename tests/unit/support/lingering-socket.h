/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
G_BEGIN_DECLS

/* @out_peer: (out): what would have to read
 *
 * Returns: a socket that has more to send than its peer takes, and minutes for that: who
 * closes it waits */
static inline int
lingering_socket_new (int *out_peer)
{
  const struct linger minutes = { .l_onoff = 1, .l_linger = 600 };
  static const char data[64 * 1024];
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_addr = { htonl (INADDR_LOOPBACK) } };
  socklen_t length = sizeof address;
  int listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_assert_no_errno (bind (listener, (struct sockaddr *) &address, sizeof address));
  g_assert_no_errno (listen (listener, 1));
  g_assert_no_errno (getsockname (listener, (struct sockaddr *) &address, &length));
  g_assert_no_errno (connect (fd, (struct sockaddr *) &address, sizeof address));
  *out_peer = accept4 (listener, NULL, NULL, SOCK_CLOEXEC);
  g_assert_cmpint (*out_peer, >=, 0);
  close (listener);
  while (send (fd, data, sizeof data, MSG_DONTWAIT) > 0)
    ;
  g_assert_no_errno (setsockopt (fd, SOL_SOCKET, SO_LINGER, &minutes, sizeof minutes));
  return fd;
}

G_END_DECLS

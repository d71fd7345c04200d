/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What ssh does with its stdin, but for the cipher: reads blocks of 32 KiB and sends them
 * over a TCP connection; the other end, a process of its own, reads them. Ends with it.
 */
#include "write-all.h"

#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char block[32 * 1024];

static int
receive_all (int listener)
{
  int fd = accept (listener, NULL, NULL);

  while (fd >= 0 && read (fd, block, sizeof block) > 0)
    continue;
  return 0;
}

static int
listen_here (struct sockaddr_in *out_address)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t length = sizeof address;
  int fd = socket (AF_INET, SOCK_STREAM, 0);

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  if (fd < 0 || bind (fd, (struct sockaddr *) &address, length) < 0 ||
      listen (fd, 1) < 0 || getsockname (fd, (struct sockaddr *) &address, &length) < 0)
    err (1, "listen");
  *out_address = address;
  return fd;
}

int
main (void)
{
  struct sockaddr_in address;
  int listener = listen_here (&address);
  pid_t child = fork ();
  int fd, status = 1;
  ssize_t n;

  if (child == 0)
    return receive_all (listener);
  /* not before the fork: a copy of it in the child would keep the connection open */
  fd = socket (AF_INET, SOCK_STREAM, 0);
  if (child < 0 || fd < 0 ||
      connect (fd, (struct sockaddr *) &address, sizeof address) < 0)
    err (1, "connect");
  while ((n = read (STDIN_FILENO, block, sizeof block)) > 0)
    write_all (fd, block, (size_t) n);
  close (fd);
  return n < 0 || waitpid (child, &status, 0) != child || status != 0;
}

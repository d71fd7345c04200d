/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The yardstick: what the kernel does when nothing is in its way.
 *   bare-splice FILE         the file into the pipe at stdout
 *   bare-splice --into FILE  the pipe at stdin into a new file, then fdatasync
 * Chunks of 256 KiB through a pipe of 1 MiB, blocking, no checks.
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES (256 * 1024)
#define PIPE_BYTES (1024 * 1024)

static int
splice_all (int source_fd, int sink_fd)
{
  ssize_t n;

  do
    n = splice (source_fd, NULL, sink_fd, NULL, CHUNK_BYTES, 0);
  while (n > 0);
  return (int) n;
}

int
main (int argc, char *argv[])
{
  int into = argc == 3 && strcmp (argv[1], "--into") == 0;
  int fd;

  if (argc != 2 && !into)
    errx (2, "usage: bare-splice [--into] FILE");
  fd = into ? open (argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
            : open (argv[1], O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    err (1, "open %s", argv[argc - 1]);
  fcntl (into ? STDIN_FILENO : STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
  if ((into ? splice_all (STDIN_FILENO, fd) : splice_all (fd, STDOUT_FILENO)) < 0)
    err (1, "splice");
  if (into && fdatasync (fd) < 0)
    err (1, "fdatasync");
  return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The other ways to copy stdin to stdout, each as good as it can be:
 *   plain-copy [--sync] read-write BYTES   through a buffer of so many bytes
 *   plain-copy [--sync] sendfile           which needs a file at stdin
 * With --sync it returns when the bytes are on the disk.
 */
#include "write-all.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define CHUNK_BYTES (256 * 1024)

static void
read_write (size_t size)
{
  char *buffer = aligned_alloc (4096, size);
  ssize_t n;

  if (!buffer)
    err (1, "buffer");
  while ((n = read (STDIN_FILENO, buffer, size)) > 0)
    write_all (STDOUT_FILENO, buffer, (size_t) n);
  if (n < 0)
    err (1, "read");
  free (buffer);
}

static void
send_file (void)
{
  ssize_t n;

  do
    n = sendfile (STDOUT_FILENO, STDIN_FILENO, NULL, CHUNK_BYTES);
  while (n > 0);
  if (n < 0)
    err (1, "sendfile");
}

int
main (int argc, char *argv[])
{
  int sync_it = argc > 1 && strcmp (argv[1], "--sync") == 0;
  char **words = argv + 1 + sync_it;

  if (words[0] && strcmp (words[0], "read-write") == 0 && words[1])
    read_write (strtoul (words[1], NULL, 10));
  else if (words[0] && strcmp (words[0], "sendfile") == 0)
    send_file ();
  else
    errx (2, "usage: plain-copy [--sync] read-write BYTES | sendfile");
  if (sync_it && fdatasync (STDOUT_FILENO) < 0)
    err (1, "fdatasync");
  return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the disk itself takes: bare-disk BYTES writes so many (a multiple of 1 MiB) to the
 * file at stdout past the page cache (O_DIRECT), and returns when they are durable. The
 * bytes are those of one buffer: whoever stores what somebody else has cannot be faster
 * where the disk is the limit.
 */
#include "write-all.h"

#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES (1024 * 1024)

int
main (int argc, char *argv[])
{
  size_t left = argc == 2 ? strtoul (argv[1], NULL, 10) : 0;
  char *block = aligned_alloc (4096, BLOCK_BYTES);

  if (left == 0 || left % BLOCK_BYTES != 0)
    errx (2, "usage: bare-disk BYTES >FILE");
  if (!block)
    err (1, "buffer");
  memset (block, 'x', BLOCK_BYTES);
  if (fcntl (STDOUT_FILENO, F_SETFL, fcntl (STDOUT_FILENO, F_GETFL) | O_DIRECT) < 0)
    err (1, "O_DIRECT");
  for (; left > 0; left -= BLOCK_BYTES)
    write_all (STDOUT_FILENO, block, BLOCK_BYTES);
  if (fdatasync (STDOUT_FILENO) < 0)
    err (1, "fdatasync");
  free (block);
  return 0;
}

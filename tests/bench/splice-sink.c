/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A reader that costs as little as a reader can: splices stdin, a pipe, into /dev/null.
 */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#define CHUNK_BYTES (256 * 1024)

int
main (void)
{
  int fd = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  ssize_t n;

  if (fd < 0)
    err (1, "open /dev/null");
  do
    n = splice (STDIN_FILENO, NULL, fd, NULL, CHUNK_BYTES, 0);
  while (n > 0);
  if (n < 0)
    err (1, "splice");
  return 0;
}

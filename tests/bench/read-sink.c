/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A reader as most are: reads stdin in blocks of 128 KiB, and does nothing with them. */
#include <err.h>
#include <unistd.h>

int
main (void)
{
  static char block[128 * 1024];
  ssize_t n;

  do
    n = read (STDIN_FILENO, block, sizeof block);
  while (n > 0);
  if (n < 0)
    err (1, "read");
  return 0;
}

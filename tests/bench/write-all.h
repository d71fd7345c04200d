/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <err.h>
#include <unistd.h>

static inline void
write_all (int fd, const char *data, size_t length)
{
  while (length > 0)
    {
      ssize_t n = write (fd, data, length);

      if (n < 0)
        err (1, "write");
      data += n;
      length -= (size_t) n;
    }
}

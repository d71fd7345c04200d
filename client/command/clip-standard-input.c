/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program may have made our standard input one that does not wait, as the flag is that
 * of the pipe and not ours. Where it is empty for now, half a line is in our hands, and
 * `12` would be taken for the `123` that it is to be. So we wait ourselves.
 */
#include "clip-standard-input.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* As read(2), but waits in any case. */
gssize
clip_standard_input_read (void *buffer, gsize size)
{
  for (;;)
    {
      gssize n = read (STDIN_FILENO, buffer, size);

      if (n >= 0 || (errno != EINTR && errno != EAGAIN))
        return n;
      if (errno == EAGAIN)
        poll (&(struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN }, 1, -1);
    }
}

static ssize_t
read_cookie (void *cookie G_GNUC_UNUSED, char *buffer, size_t size)
{
  return clip_standard_input_read (buffer, size);
}

/* (transfer none): for getline(3), which gives a line that broke off in an error as one
 * that is whole: ferror(3) tells. A file is read as stdin, which leaves the rest of it to
 * the program that reads it next. */
FILE *
clip_standard_input_stream (void)
{
  static FILE *stream;

  if (!stream && lseek (STDIN_FILENO, 0, SEEK_CUR) >= 0)
    stream = stdin;
  if (!stream)
    stream = fopencookie (NULL, "r", (cookie_io_functions_t){ .read = read_cookie });
  return stream;
}

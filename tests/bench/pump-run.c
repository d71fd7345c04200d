/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pump-run FILE: the file to stdout by the pump's blocking driver, as the command does.
 */
#include "clip-pump.h"

#include <err.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int
main (int argc, char *argv[])
{
  g_autoptr (ClipPump) pump = NULL;
  g_autoptr (GError) error = NULL;
  struct stat status;
  int fd;

  if (argc != 2)
    errx (2, "usage: pump-run FILE");
  fd = open (argv[1], O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat (fd, &status) < 0)
    err (1, "open %s", argv[1]);
  clip_pump_enlarge_pipe (STDOUT_FILENO, 1024 * 1024);
  pump = clip_pump_new (fd, STDOUT_FILENO, status.st_size, 0);
  if (!clip_pump_run (pump, 0, &error))
    errx (1, "%s", error->message);
  return 0;
}

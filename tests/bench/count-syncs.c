/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Preloaded: counts fsync and fdatasync in the file that CLIP_SYNC_COUNT names, 8 bytes
 * in the machine's order.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t *count;

__attribute__ ((constructor)) static void
open_count (void)
{
  const char *path = getenv ("CLIP_SYNC_COUNT");
  int fd = path ? open (path, O_RDWR | O_CLOEXEC) : -1;

  if (fd < 0)
    return;
  count = mmap (NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  if (count == MAP_FAILED)
    abort ();
}

static int
call (const char *name, int fd)
{
  int (*real) (int) = (int (*) (int)) dlsym (RTLD_NEXT, name);

  if (count)
    atomic_fetch_add (count, 1);
  return real (fd);
}

int
fsync (int fd)
{
  return call ("fsync", fd);
}

int
fdatasync (int fd)
{
  return call ("fdatasync", fd);
}

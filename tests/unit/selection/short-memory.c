/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* To be loaded into a program before its C library: while the file
 * $CLIP_SHORT_MEMORY_WHILE is there, $CLIP_SHORT_MEMORY_BYTES are what the program gets
 * no memory for. Of one size alone, so that all else goes on as it would. */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static size_t refused_bytes;
static const char *refused_while;

__attribute__ ((constructor)) static void
begin (void)
{
  const char *bytes = getenv ("CLIP_SHORT_MEMORY_BYTES");

  refused_while = getenv ("CLIP_SHORT_MEMORY_WHILE");
  refused_bytes = bytes && refused_while ? strtoul (bytes, NULL, 10) : 0;
}

static int
is_refused (size_t bytes)
{
  if (bytes == 0 || bytes != refused_bytes || access (refused_while, F_OK) != 0)
    return 0;
  errno = ENOMEM;
  return 1;
}

void *
realloc (void *old, size_t bytes)
{
  static void *(*next) (void *, size_t);

  if (!next)
    *(void **) &next = dlsym (RTLD_NEXT, "realloc");
  return is_refused (bytes) ? NULL : next (old, bytes);
}

void *
malloc (size_t bytes)
{
  static void *(*next) (size_t);

  if (!next)
    *(void **) &next = dlsym (RTLD_NEXT, "malloc");
  return is_refused (bytes) ? NULL : next (bytes);
}

void *
reallocarray (void *old, size_t n, size_t bytes)
{
  if (bytes == 0 || n <= SIZE_MAX / bytes)
    return realloc (old, n * bytes);
  errno = ENOMEM;
  return NULL;
}

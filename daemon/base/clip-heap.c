/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is freed stays with the allocator. malloc_trim() gives back the free pages between
 * pieces in use, in the heaps of all threads; but behind the last piece only in that of
 * the main thread. A thread that has closed a database has a quarter of a MiB there. So
 * that is taken, emptied page by page, and freed again: empty pages are no memory.
 */
#include "clip-heap.h"

#ifdef __GLIBC__
#  include <malloc.h>
#  include <stdlib.h>
#  include <sys/mman.h>
#  include <unistd.h>

/* less than what gets a mapping of its own; together more than a heap keeps, which is
 * twice the 128 KiB that it is trimmed by and padded with */
#  define PIECE_BYTES (64 * 1024)
#  define N_PIECES 8

static void
empty (char *piece)
{
  const guintptr page = (guintptr) sysconf (_SC_PAGESIZE);
  guintptr first = ((guintptr) piece + page - 1) / page * page;
  guintptr end = ((guintptr) piece + PIECE_BYTES) / page * page;

  madvise ((void *) first, end - first, MADV_DONTNEED);
}

static void
empty_end (void)
{
  char *pieces[N_PIECES];

  for (guint i = 0; i < N_PIECES; i++)
    if ((pieces[i] = malloc (PIECE_BYTES)))
      empty (pieces[i]);
  for (guint i = 0; i < N_PIECES; i++)
    free (pieces[i]);
}
#endif

/**
 * clip_heap_trim:
 *
 * Gives the system what is free in the heaps, and behind the last piece of the caller's
 * own. Takes about a tenth of a millisecond: for a thread that is about to wait for long.
 */
void
clip_heap_trim (void)
{
#ifdef __GLIBC__
  empty_end ();
  malloc_trim (0);
#endif
}

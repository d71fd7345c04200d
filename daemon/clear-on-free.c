/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is freed is cleared. What was copied passes through buffers of GLib, GDBus, SQLite
 * and the clients of displays, and none of them clears what it frees: a password that was
 * dropped, or deleted, would stay in the heap until that piece is used again. So free()
 * and realloc() are replaced, for the daemon alone: the libraries call those of the
 * program.
 *
 * The C library allows all of malloc to be replaced; these two hand on to its own by the
 * names that it exports for that. One that has none (musl) is left as it is, as are
 * sanitizers, which have a malloc of their own.
 */
#include <malloc.h>
#include <string.h>

/* what is larger has a mapping of its own (main.c), and its pages go back to the
   system */
#define LARGE_BYTES (128 * 1024)

extern void __libc_free (void *piece);
extern void *__libc_realloc (void *piece, size_t size);

void
free (void *piece)
{
  if (piece)
    {
      const size_t size = malloc_usable_size (piece);

      if (size < LARGE_BYTES)
        explicit_bzero (piece, size);
    }
  __libc_free (piece);
}

/* the C library would leave what it moves, or cuts off, in the old place */
void *
realloc (void *piece, size_t size)
{
  const size_t old_size = piece ? malloc_usable_size (piece) : 0;
  void *moved;

  if (size <= old_size && old_size < LARGE_BYTES)
    explicit_bzero ((char *) piece + size, old_size - size);
  if (size <= old_size || !piece || old_size >= LARGE_BYTES)
    return __libc_realloc (piece, size);
  moved = malloc (size);
  if (!moved)
    return NULL;
  memcpy (moved, piece, old_size);
  free (piece);
  return moved;
}

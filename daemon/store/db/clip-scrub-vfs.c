/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SQLite overwrites a row that is deleted, but not the copies that it has made of it on
 * the way: when a page is split or merged its rows move, and their old bytes stay in the
 * gap between the list of cells and the cells, where no later delete finds them.
 *
 * So every page is looked at on its way into the file of the database, which is the one
 * place that all of them pass, and what none of its rows uses is cleared there. SQLite
 * does not read those bytes, and nothing sums them: a checksum is only in the log, which
 * is not touched here, and which is emptied after each delete. The writer forgets its
 * cached pages then, so that what it writes from then on comes from pages that were
 * cleared.
 *
 * SQLite indexes its log in a file beside the database that all who have it open map. A
 * page of that may need new room when it is written to (btrfs, blocks smaller than
 * pages): on a full disk, or at a quota, the process would end with SIGBUS. So the kernel
 * is asked before.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-scrub-vfs.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/mman.h>

#define NAME "clip-scrub-vfs"

#define FILE_HEADER_BYTES 100
#define LEAF_HEADER_BYTES 8
#define INNER_HEADER_BYTES 12
#define FREE_BLOCK_BYTES 4

#define MIN_PAGE_BYTES 512
#define MAX_PAGE_BYTES 65536

/* from here on the first byte of a page of overflow, which is part of a page number, may
 * be that of a b-tree: 128 GiB of 4 KiB pages */
#define MAX_PAGES 0x02000000

#define ALIGNMENT ((gsize) 16)

/* where the locks are; no page is there */
#define LOCK_BYTE 0x40000000

/* of the locks of the log: from here on those of readers */
#define FIRST_READ_LOCK 3

/* of the index: how far the log was carried, and up to where each reader reads; and its
 * first part, to which each commit writes, all over it */
#define INDEX_HEAD_BYTES 4096
#define INDEX_PART_BYTES 32768

/* of Linux 5.14; older ones say that they do not know it */
#ifndef MADV_POPULATE_WRITE
#  define MADV_POPULATE_WRITE 23
#endif

/* the first byte of a page of a b-tree */
enum
{
  INNER_INDEX = 2,
  INNER_TABLE = 5,
  LEAF_INDEX = 10,
  LEAF_TABLE = 13,
};

static guint
get_u16 (const guint8 *bytes)
{
  return (guint) bytes[0] << 8 | bytes[1];
}

static gboolean
clear (guint8 *page, gsize start, gsize end)
{
  for (gsize i = start; i < end; i++)
    if (page[i] != 0)
      {
        memset (page + i, 0, end - i);
        return TRUE;
      }
  return FALSE;
}

/* 0 = it is no page of a b-tree */
static gsize
header_bytes (guint8 kind)
{
  if (kind == LEAF_INDEX || kind == LEAF_TABLE)
    return LEAF_HEADER_BYTES;
  return kind == INNER_INDEX || kind == INNER_TABLE ? INNER_HEADER_BYTES : 0;
}

static gboolean
has_cells_from (const guint8 *page, gsize list, guint n_cells, gsize start, gsize size)
{
  for (guint i = 0; i < n_cells; i++)
    {
      gsize cell = get_u16 (page + list + 2 * i);

      if (cell < start || cell + FREE_BLOCK_BYTES > size)
        return FALSE;
    }
  return TRUE;
}

/* the blocks between cells, in a chain, lowest first; each begins with the next one and
 * its own length. @clears: or only looks whether they are as they should be */
static gboolean
walk_free_blocks (guint8 *page,
                  gsize size,
                  gsize first,
                  gsize lowest,
                  gboolean clears,
                  gboolean *out_cleared)
{
  gsize block = first;

  while (block != 0)
    {
      gsize next, length;

      if (block < lowest || block + FREE_BLOCK_BYTES > size)
        return FALSE;
      next = get_u16 (page + block);
      length = get_u16 (page + block + 2);
      if (length < FREE_BLOCK_BYTES || block + length > size)
        return FALSE;
      if (clears && clear (page, block + FREE_BLOCK_BYTES, block + length))
        *out_cleared = TRUE;
      lowest = block + length;
      block = next;
    }
  return TRUE;
}

/**
 * clip_scrub_vfs_clear_page:
 * @page: as it is to be written; at least %MIN_PAGE_BYTES
 * @is_first: whether the header of the database comes before its own
 *
 * Clears what no cell of a b-tree page uses. What is not formed like one stays as it is.
 *
 * Returns: whether there was anything
 */
gboolean
clip_scrub_vfs_clear_page (guint8 *page, gsize size, gboolean is_first)
{
  gsize header = is_first ? FILE_HEADER_BYTES : 0;
  gsize length = header_bytes (page[header]);
  guint n_cells = get_u16 (page + header + 3);
  gsize cells = get_u16 (page + header + 5);
  gsize list = header + length;
  gsize gap = list + 2 * (gsize) n_cells;
  gboolean cleared = FALSE;

  if (cells == 0)
    cells = MAX_PAGE_BYTES;
  if (length == 0 || gap > cells || cells > size ||
      !has_cells_from (page, list, n_cells, cells, size) ||
      !walk_free_blocks (page, size, get_u16 (page + header + 1), cells, FALSE, NULL))
    return FALSE;
  walk_free_blocks (page, size, get_u16 (page + header + 1), cells, TRUE, &cleared);
  return clear (page, gap, cells) || cleared;
}

/* --- the file of a database --- */

/* What lies behind the file of the system's own VFS, with its methods but for some. */
typedef struct
{
  sqlite3_io_methods methods;
  const sqlite3_io_methods *real;
  guint8 *copy; /* of a page: SQLite's own stays as it is */
  gsize copy_bytes;
  void *index; /* of the log */
} Scrub;

/* as large as the file of the system's is */
static gsize scrub_offset;

static Scrub *
scrub_of (sqlite3_file *file)
{
  return (Scrub *) (gpointer) ((char *) file + scrub_offset);
}

/* where a database that can shrink notes who refers to which page: no b-tree, but its
 * first byte may be as if */
static gboolean
is_map (gint64 number, gsize page_bytes)
{
  gint64 n_mapped = (gint64) page_bytes / 5 + 1;
  gint64 map = (number - 2) / n_mapped * n_mapped + 2;

  if (map == (gint64) (LOCK_BYTE / page_bytes) + 1)
    map++;
  return number >= 2 && map == number;
}

static gboolean
may_be_tree (sqlite3_file *file, gsize size, sqlite3_int64 offset)
{
  gint64 number = offset / (gint64) size + 1;
  sqlite3_int64 bytes = 0;

  return size >= MIN_PAGE_BYTES && size <= MAX_PAGE_BYTES && (size & (size - 1)) == 0 &&
         offset % (gint64) size == 0 && !is_map (number, size) &&
         file->pMethods->xFileSize (file, &bytes) == SQLITE_OK &&
         MAX (bytes, offset) / (gint64) size < MAX_PAGES / 2;
}

static int
scrub_write (sqlite3_file *file, const void *data, int n, sqlite3_int64 offset)
{
  Scrub *self = scrub_of (file);
  gsize size = (gsize) n;

  if (!may_be_tree (file, size, offset))
    return self->real->xWrite (file, data, n, offset);
  if (self->copy_bytes < size)
    {
      self->copy = g_realloc (self->copy, size);
      self->copy_bytes = size;
    }
  memcpy (self->copy, data, size);
  clip_scrub_vfs_clear_page (self->copy, size, offset == 0);
  return self->real->xWrite (file, self->copy, n, offset);
}

static int
scrub_close (sqlite3_file *file)
{
  g_clear_pointer (&scrub_of (file)->copy, g_free);
  return scrub_of (file)->real->xClose (file);
}

static gboolean
may_write (void *memory, gsize n_bytes)
{
  return madvise (memory, n_bytes, MADV_POPULATE_WRITE) == 0 || errno != EFAULT;
}

/* @extends: who writes needs all of it; who reads maps what there is */
static int
scrub_shm_map (sqlite3_file *file,
               int region,
               int size,
               int extends,
               void volatile **out_memory)
{
  Scrub *self = scrub_of (file);
  int code = self->real->xShmMap (file, region, size, extends, out_memory);

  if (code == SQLITE_OK && region == 0)
    self->index = (void *) *out_memory;
  if (code == SQLITE_OK && extends && !may_write ((void *) *out_memory, (gsize) size))
    return SQLITE_IOERR_SHMSIZE;
  return code;
}

static int
scrub_shm_unmap (sqlite3_file *file, int deletes)
{
  scrub_of (file)->index = NULL;
  return scrub_of (file)->real->xShmUnmap (file, deletes);
}

/* behind an exclusive lock the index is written to: a reader without one goes on with
 * what another has noted there */
static int
scrub_shm_lock (sqlite3_file *file, int offset, int n, int flags)
{
  const int takes = SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE;
  Scrub *self = scrub_of (file);

  if ((flags & takes) == takes && self->index &&
      !may_write (self->index,
                  offset < FIRST_READ_LOCK ? INDEX_PART_BYTES : INDEX_HEAD_BYTES))
    return offset >= FIRST_READ_LOCK ? SQLITE_BUSY : SQLITE_FULL;
  return self->real->xShmLock (file, offset, n, flags);
}

/* Behind this SQLite notes how far the log was carried: the kernel may have written the
 * index back by then, and take room for it anew. */
static int
scrub_sync (sqlite3_file *file, int flags)
{
  Scrub *self = scrub_of (file);
  int code = self->real->xSync (file, flags);

  if (code == SQLITE_OK && self->index && !may_write (self->index, INDEX_HEAD_BYTES))
    return SQLITE_FULL;
  return code;
}

/* only the database itself is looked into; what else is opened is as it always was */
static int
scrub_open (sqlite3_vfs *vfs,
            const char *name,
            sqlite3_file *file,
            int flags,
            int *out_flags)
{
  sqlite3_vfs *base = vfs->pAppData;
  Scrub *self = scrub_of (file);
  int code = base->xOpen (base, name, file, flags, out_flags);

  if (code != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB))
    return code;
  *self = (Scrub){ .methods = *file->pMethods, .real = file->pMethods };
  self->methods.xWrite = scrub_write;
  self->methods.xSync = scrub_sync;
  self->methods.xClose = scrub_close;
  self->methods.xShmMap = scrub_shm_map;
  self->methods.xShmLock = scrub_shm_lock;
  self->methods.xShmUnmap = scrub_shm_unmap;
  file->pMethods = &self->methods;
  return SQLITE_OK;
}

/**
 * clip_scrub_vfs_name:
 *
 * Returns: the name to open a history by, for sqlite3_open_v2()
 */
const char *
clip_scrub_vfs_name (void)
{
  static sqlite3_vfs scrub;
  static gsize once = 0;

  if (g_once_init_enter (&once))
    {
      sqlite3_vfs *base = sqlite3_vfs_find (NULL);

      scrub = *base;
      scrub.zName = NAME;
      scrub_offset = ((gsize) base->szOsFile + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
      scrub.szOsFile = (int) (scrub_offset + sizeof (Scrub));
      scrub.pAppData = base;
      scrub.xOpen = scrub_open;
      sqlite3_vfs_register (&scrub, FALSE);
      g_once_init_leave (&once, 1);
    }
  return NAME;
}

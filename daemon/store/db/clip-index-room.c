/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SQLite indexes its log in a file beside the database, which all that have the history
 * open map. Who opens it first makes that file anew, and writes one byte to each page of
 * it so that it has its place on the disk. Where blocks are smaller than pages, or what
 * is written again takes a new place (ext4 with blocks of 1 KiB, btrfs), that is not
 * enough: on a full disk the process ends with SIGBUS. So whoever comes first looks
 * whether there is room.
 */
#include "clip-index-room.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* by the list of the kernel: a descriptor of the file would take away the locks that
 * another connection of this process has when it is closed */
static gboolean
is_locked (ino_t inode)
{
  g_autofree char *locks = NULL;
  g_autofree char *words = g_strdup_printf (":%" G_GUINT64_FORMAT " ", (guint64) inode);

  return !g_file_get_contents ("/proc/locks", &locks, NULL, NULL) ||
         strstr (locks, words);
}

/**
 * clip_index_room_is_short:
 * @path: the database
 *
 * Returns: whether nobody has the history open, and the disk lacks the room for the index
 * of the log
 */
gboolean
clip_index_room_is_short (const char *path)
{
  g_autofree char *index = g_strconcat (path, "-shm", NULL);
  struct statvfs disk;
  struct stat status;

  if (statvfs (path, &disk) < 0 || disk.f_bavail * disk.f_frsize >= CLIP_INDEX_ROOM_BYTES)
    return FALSE;
  return stat (index, &status) < 0 || !is_locked (status.st_ino);
}

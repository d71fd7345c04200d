/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Thumbnails are made by whoever shows them, and go with the last entry that has the
 * image. Whoever makes one looks for the entry once more when there is a file, and again
 * when that has its name, and we look for files when the rows are gone: one of the two
 * comes later, and removes it, half made or whole.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-thumbnail-sweep.h"

#include "clip-directory.h"
#include "clip-thumbnail-name.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* what is being made has another name until it is whole, and is so sooner than this */
#define LEFTOVER_SECONDS 120

static gboolean
is_leftover (int folder_fd, const char *name)
{
  struct stat status;

  return fstatat (folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG (status.st_mode) && time (NULL) - status.st_mtime > LEFTOVER_SECONDS;
}

/* 40 bits of the hash are enough to know that there is none; what is being made of an
 * image that is there stays while somebody may be at it */
static gboolean
is_unused (ClipTransaction *transaction, int folder_fd, const char *name)
{
  ClipHash hash;
  gint64 entry;
  gboolean is_whole = clip_thumbnail_name_parse (folder_fd, name, &hash);

  if (!is_whole && !clip_thumbnail_part_parse (folder_fd, name, &hash))
    return is_leftover (folder_fd, name);
  if (clip_statements_number (clip_transaction_db (transaction), CLIP_SQL_FIND_DUPS,
                              &entry, NULL, "ii", clip_hash_short (&hash),
                              (gint64) 1) == CLIP_ROWS_END)
    return TRUE;
  return !is_whole && is_leftover (folder_fd, name);
}

/**
 * clip_thumbnail_sweep:
 * @dir: the folder of the history
 *
 * Outside of a transaction: removes the thumbnails of images that no entry has any more.
 */
void
clip_thumbnail_sweep (ClipTransaction *transaction, const char *dir)
{
  g_autofree char *path = g_build_filename (dir, CLIP_THUMBNAILS_DIR, NULL);
  clip_autodir DIR *folder = clip_directory_open (AT_FDCWD, path);
  const char *name;

  clip_transaction_set_mark (transaction, CLIP_MARK_IMAGE, FALSE);
  while ((name = clip_directory_next (folder)))
    if (is_unused (transaction, dirfd (folder), name) &&
        unlinkat (dirfd (folder), name, 0) < 0 && errno != ENOENT)
      g_warning ("a thumbnail stays: %s", g_strerror (errno));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An open file outlives its name, and what is written to it then is lost. As
 * long as it is open, its number is given to no other: so one look at the path tells
 * whether that still leads to it.
 */
#include "clip-file-id.h"

#include <sys/stat.h>

/* of the file that @path leads to; none where there is none, or it cannot be looked at */
void
clip_file_id_take (ClipFileId *self, const char *path)
{
  struct stat status = { 0 };

  if (stat (path, &status) < 0)
    status = (struct stat){ 0 };
  self->device = status.st_dev;
  self->inode = status.st_ino;
}

/**
 * clip_file_id_is_at:
 *
 * Whether @path leads to the file that @self was taken from. The caller has that file
 * open.
 */
gboolean
clip_file_id_is_at (const ClipFileId *self, const char *path)
{
  ClipFileId there;

  clip_file_id_take (&there, path);
  return there.inode != 0 && there.inode == self->inode && there.device == self->device;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-directory.h"

#include "clip-fd.h"

#include <fcntl.h>
#include <string.h>

/* (nullable): below @dir_fd, where it is a folder itself and no link to one */
DIR *
clip_directory_open (int dir_fd, const char *name)
{
  clip_autofd int fd =
      openat (dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = fd >= 0 ? fdopendir (fd) : NULL;

  if (folder)
    (void) g_steal_fd (&fd);
  return folder;
}

/* @folder: (nullable). Returns: (nullable): a name in it, until the next is asked for */
const char *
clip_directory_next (DIR *folder)
{
  const struct dirent *item;

  while (folder && (item = readdir (folder)))
    if (strcmp (item->d_name, ".") != 0 && strcmp (item->d_name, "..") != 0)
      return item->d_name;
  return NULL;
}

void
clip_directory_close (DIR **folder)
{
  if (*folder)
    closedir (*folder);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether a folder and its files are the user's own, and who listens at an address. What
 * another user has made, can write to, or has put a link in the place of, would hand him
 * the history, or have us write to files of his choice. Root is trusted: it can do all of
 * that anyway.
 */
#include "clip-ownership.h"

#include "clip-directory.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean G_GNUC_PRINTF (3, 4)
    refuse (GError **error, const char *path, const char *format, ...)
{
  g_autofree char *why = NULL;
  va_list args;

  va_start (args, format);
  why = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM, "'%s' is refused: %s", path, why);
  return FALSE;
}

/* whether it is ours, or root's */
gboolean
clip_ownership_is_trusted (const struct stat *status)
{
  return status->st_uid == geteuid () || status->st_uid == 0;
}

#define UNMAPPED_USER 65534

/**
 * clip_ownership_is_trusted_server:
 * @fd: connected to a server
 *
 * An address may outlive its server, in a folder where another user may listen next.
 * unix(7), SO_PEERCRED: who has called listen(). A server outside our container has no
 * process number here, and may have no user number either: the kernel gives 65534 for
 * that (user_namespaces(7)). Behind TCP it may be any user.
 *
 * Returns: whether the server is ours, or root's, as far as the kernel tells
 */
gboolean
clip_ownership_is_trusted_server (int fd)
{
  struct ucred peer = { 0 };
  socklen_t size = sizeof peer;

  return getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == 0 || peer.uid == geteuid () ||
          (peer.pid == 0 && peer.uid == UNMAPPED_USER));
}

/* `sudo -E` keeps the folders of who called it */
static const char *
hint_for (uid_t owner)
{
  const char *caller = g_getenv ("SUDO_UID");
  g_autofree char *wanted = g_strdup_printf ("%u", owner);

  return geteuid () == 0 && g_strcmp0 (caller, wanted) == 0 ? "; call it without sudo"
                                                            : "";
}

static gboolean
check_owner (const struct stat *status, const char *path, GError **error)
{
  if (!clip_ownership_is_trusted (status))
    return refuse (error, path, "it belongs to another user (%u)%s", status->st_uid,
                   hint_for (status->st_uid));
  if (status->st_mode & (S_IWGRP | S_IWOTH))
    return refuse (error, path, "other users may write to it (mode %04o)",
                   status->st_mode & 07777);
  return TRUE;
}

/**
 * clip_ownership_check_link:
 * @path: what is there now may be nothing, or no link
 *
 * Links above it are the system's, or in a folder where the kernel follows no other
 * user's.
 *
 * Errors: %G_FILE_ERROR_PERM where @path is a link of another user.
 */
gboolean
clip_ownership_check_link (const char *path, GError **error)
{
  struct stat status;

  if (lstat (path, &status) == 0 && S_ISLNK (status.st_mode) &&
      !clip_ownership_is_trusted (&status))
    return refuse (error, path, "it is a link of another user (%u)", status.st_uid);
  return TRUE;
}

/**
 * clip_ownership_check_special:
 * @status: of what is at @path, which is no plain file, or was none a moment ago
 *
 * Errors: %G_FILE_ERROR_PERM where it is a pipe that another user has made, and reads, or
 * a plain file now.
 */
gboolean
clip_ownership_check_special (const struct stat *status, const char *path, GError **error)
{
  if (S_ISFIFO (status->st_mode) && !clip_ownership_is_trusted (status))
    return refuse (error, path, "it is a pipe of another user (%u)", status->st_uid);
  if (S_ISREG (status->st_mode))
    return refuse (error, path, "another file is there now");
  return TRUE;
}

/**
 * clip_ownership_open_folder:
 *
 * Returns: a descriptor of the folder, or -1
 *
 * Errors: %G_FILE_ERROR_PERM where it belongs to another user, others may write to it, or
 * a link of another user leads to it; %G_FILE_ERROR.
 */
int
clip_ownership_open_folder (const char *path, GError **error)
{
  clip_autofd int fd = -1;
  struct stat status;

  if (!clip_ownership_check_link (path, error))
    return -1;
  fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 || fstat (fd, &status) < 0)
    {
      clip_set_errno (error, errno, "open folder '%s'", path);
      return -1;
    }
  return check_owner (&status, path, error) ? g_steal_fd (&fd) : -1;
}

/**
 * clip_ownership_make_folder:
 * @path: created with its parents where it is missing, mode 0700
 *
 * As clip_ownership_open_folder().
 */
int
clip_ownership_make_folder (const char *path, GError **error)
{
  if (!clip_ownership_check_link (path, error))
    return -1;
  if (g_mkdir_with_parents (path, 0700) < 0)
    {
      clip_set_errno (error, errno, "create folder '%s'", path);
      return -1;
    }
  return clip_ownership_open_folder (path, error);
}

/**
 * clip_ownership_make_inner_folder:
 * @path: in the folder of the history
 *
 * As clip_ownership_make_folder(), but refuses any link: what is made, moved and set
 * right in there is not to be another folder of the user's.
 */
int
clip_ownership_make_inner_folder (const char *path, GError **error)
{
  struct stat status;

  if (lstat (path, &status) == 0 && S_ISLNK (status.st_mode))
    {
      refuse (error, path, "it is a link");
      return -1;
    }
  return clip_ownership_make_folder (path, error);
}

/**
 * clip_ownership_check_inner_folders:
 * @dir_fd: of a folder
 * @path: the same
 *
 * Errors: %G_FILE_ERROR_PERM where a link is in it, or a folder of another user, or one
 * that others may write to; %G_FILE_ERROR.
 */
gboolean
clip_ownership_check_inner_folders (int dir_fd, const char *path, GError **error)
{
  clip_autodir DIR *folder = clip_directory_open (dir_fd, ".");
  const char *name;

  if (!folder)
    return clip_set_errno (error, errno, "look into folder '%s'", path);
  while ((name = clip_directory_next (folder)))
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      struct stat status;

      if (fstatat (dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        continue; /* removed meanwhile */
      if (S_ISLNK (status.st_mode))
        return refuse (error, inner, "it is a link");
      if (S_ISDIR (status.st_mode) && !check_owner (&status, inner, error))
        return FALSE;
    }
  return TRUE;
}

/* A journal may end in the name of another file, which SQLite removes once it has played
 * the journal back ("Database File Format" of SQLite, 3). Ours name none, as we change
 * one database at a time. */
static gboolean
names_another (const char *journal, goffset size)
{
  static const guint8 mark[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
  clip_autofd int fd = open (journal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  guint8 end[sizeof mark];

  return fd >= 0 &&
         pread (fd, end, sizeof end, size - (goffset) sizeof end) == sizeof end &&
         memcmp (end, mark, sizeof mark) == 0;
}

/**
 * clip_ownership_check_database:
 * @dir: a folder of clip_ownership_open_folder()
 *
 * The files of the database that are there. Opens none of them but the journal: to close
 * one again would drop the locks that this process has.
 *
 * Errors: %G_FILE_ERROR_PERM where one is a link, no plain file, of another user, or
 * others may write to it; and where the journal names another file.
 */
gboolean
clip_ownership_check_database (const char *dir, GError **error)
{
  static const char *const names[] = {
    CLIP_DATABASE_NAME,
    CLIP_DATABASE_NAME "-wal",
    CLIP_DATABASE_NAME "-shm",
    CLIP_DATABASE_NAME "-journal",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (dir, names[i], NULL);
      struct stat status;

      if (lstat (path, &status) < 0)
        continue; /* to open it says why */
      if (S_ISLNK (status.st_mode))
        return refuse (error, path, "it is a link");
      if (!S_ISREG (status.st_mode))
        return refuse (error, path, "it is no plain file");
      if (!check_owner (&status, path, error))
        return FALSE;
      if (i == G_N_ELEMENTS (names) - 1 && names_another (path, status.st_size))
        return refuse (error, path, "it names another file");
    }
  return TRUE;
}

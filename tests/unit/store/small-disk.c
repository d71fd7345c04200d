/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "small-disk.h"

#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

static char *disk;

static gboolean
write_line (const char *path, const char *line)
{
  clip_autofd int fd = open (path, O_WRONLY | O_CLOEXEC);

  return fd >= 0 && clip_write_all (fd, line, strlen (line), NULL);
}

/* a user who is unknown there could make no files: so that is the one who we are */
static gboolean
enter_user_namespace (void)
{
  uid_t uid = getuid ();
  gid_t gid = getgid ();
  g_autofree char *users = g_strdup_printf ("%u %u 1", uid, uid);
  g_autofree char *groups = g_strdup_printf ("%u %u 1", gid, gid);

  return unshare (CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
         write_line ("/proc/self/setgroups", "deny") &&
         write_line ("/proc/self/uid_map", users) &&
         write_line ("/proc/self/gid_map", groups);
}

/* a tmpfs over a folder, for this process alone. FALSE where that may not be: `errno`
   says why */
gboolean
small_disk_mount_at (const char *folder, gsize bytes)
{
  g_autofree char *options = g_strdup_printf ("mode=0700,size=%" G_GSIZE_FORMAT, bytes);

  return (getuid () == 0 ? unshare (CLONE_NEWNS) == 0 : enter_user_namespace ()) &&
         mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         mount ("tmpfs", folder, "tmpfs", 0, options) == 0;
}

/* FALSE where that may not be: all facts are skipped then */
gboolean
small_disk_mount (void)
{
  disk = hoard_make_dir ();
  if (small_disk_mount_at (disk, SMALL_DISK_BYTES))
    return TRUE;
  g_print ("1..0 # SKIP no file system can be mounted here: %s\n", g_strerror (errno));
  hoard_remove_dir (disk);
  g_clear_pointer (&disk, g_free);
  return FALSE;
}

/* Returns: @status, of the tests that ran there */
int
small_disk_unmount (int status)
{
  umount2 (disk, MNT_DETACH);
  hoard_remove_dir (disk);
  g_clear_pointer (&disk, g_free);
  return status;
}

Hoard *
small_disk_hoard (void)
{
  g_autoptr (GError) error = NULL;
  Hoard *hoard = g_new0 (Hoard, 1);

  hoard->dir = g_build_filename (disk, "history", NULL);
  hoard->store = clip_store_open (hoard->dir, 0, &error);
  g_assert_no_error (error);
  return hoard;
}

/* texts of their own, each as long as that */
void
small_disk_add_words (Hoard *hoard, guint n, gsize length)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strnfill (length, 'a');
      g_autofree char *number = g_strdup_printf ("%05u", i);

      memcpy (text, number, strlen (number));
      hoard_add_text (hoard->store, text);
    }
}

/* to the last block, but for so many bytes */
void
small_disk_fill (goffset but_bytes)
{
  g_autofree char *path = g_build_filename (disk, "other", NULL);
  clip_autofd int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  g_autofree char *block = g_malloc0 (4096);
  struct statvfs status;

  g_assert_cmpint (lseek (fd, 0, SEEK_END), >=, 0);
  while (fstatvfs (fd, &status) == 0 &&
         (goffset) (status.f_bavail * status.f_frsize) > but_bytes &&
         write (fd, block, 4096) > 0)
    continue;
}

static gboolean
is_empty (void)
{
  struct statvfs status;

  g_assert_cmpint (statvfs (disk, &status), ==, 0);
  return status.f_bfree == status.f_blocks;
}

/* For the next test. What was dropped while it came in is given back by a thread of its
   own. */
void
small_disk_empty (Hoard *hoard)
{
  g_autofree char *path = g_build_filename (disk, "other", NULL);
  gint64 latest_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  hoard_free (hoard);
  g_assert_cmpint (unlink (path), ==, 0);
  while (!is_empty ())
    {
      g_assert_cmpint (g_get_monotonic_time (), <, latest_us);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

/* as the command and the daemon have them where nobody has chosen any */
ClipLimits
small_disk_limits (void)
{
  ClipLimits limits = CLIP_NO_LIMITS;

  limits.min_free_percent = 5;
  limits.cautious = CLIP_LIMIT_SPACE;
  return limits;
}

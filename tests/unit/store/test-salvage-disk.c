/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A damaged database on a disk that does not give all of it. */
#include "hoard.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_TEXTS 600
#define TEXT_BYTES 2500
#define PAGE_BYTES 4096

/* a page of two or three texts each */
#define LOST_PAGE 200

typedef ssize_t (*ReadFunc) (int fd, void *data, size_t length, off_t offset);

static ReadFunc read_well;
static ino_t bad_inode;
static guint n_refused;

/* a disk with one page that it does not give */
static ssize_t
read_badly (int fd, void *data, size_t length, off_t offset)
{
  const off_t bad = LOST_PAGE * (off_t) PAGE_BYTES;
  struct stat status;

  if (fstat (fd, &status) < 0 || status.st_ino != bad_inode ||
      offset >= bad + PAGE_BYTES || offset + (off_t) length <= bad)
    return read_well (fd, data, length, offset);
  n_refused++;
  errno = EIO;
  return -1;
}

/* SQLite has one of the two, and knows no other name for it */
static void
spoil_disk (const char *path)
{
  static const char *const names[] = { "pread", "pread64" };
  sqlite3_vfs *vfs = sqlite3_vfs_find (NULL);
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_size, >, (LOST_PAGE + 1) * PAGE_BYTES);
  bad_inode = status.st_ino;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      sqlite3_syscall_ptr present = vfs->xGetSystemCall (vfs, names[i]);

      if (!present)
        continue;
      read_well = (ReadFunc) present;
      vfs->xSetSystemCall (vfs, names[i], (sqlite3_syscall_ptr) read_badly);
    }
}

static void
add_texts (Hoard *hoard)
{
  for (gint64 id = 1; id <= N_TEXTS; id++)
    {
      g_autofree char *text = g_strnfill (TEXT_BYTES, 'a');
      g_autofree char *number = g_strdup_printf ("%05d", (int) id);

      memcpy (text, number, strlen (number));
      hoard_add_text (hoard->store, text);
    }
}

/* and not the MiB that it is in */
static void
test_page (void)
{
  Hoard *hoard = hoard_new (0);
  g_autofree char *path = g_build_filename (hoard->dir, "history.db", NULL);
  g_autoptr (GError) error = NULL;
  ClipTotals totals;

  add_texts (hoard);
  clip_store_close (hoard->store);
  g_clear_object (&hoard->store);
  spoil_disk (path);
  clip_store_repair_closed (hoard->dir, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_refused, >, 0);
  sqlite3_vfs_find (NULL)->xSetSystemCall (sqlite3_vfs_find (NULL), NULL, NULL);
  hoard_reopen (hoard, 0);
  clip_store_get_totals (hoard->store, &totals);
  g_assert_cmpint (totals.count, <, N_TEXTS);
  g_assert_cmpint (totals.count, >=, N_TEXTS - 5);
  hoard_free (hoard);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/salvage-disk/a-page-that-cannot-be-read-is-all-that-is-lost",
                   test_page);
  return g_test_run ();
}

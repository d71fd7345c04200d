/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-check.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-scrub-vfs.h"
#include "clip-sql-functions.h"
#include "hoard.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/capability.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOB_BYTES (200 * 1024)
#define N_WORDS 60

/* entries 1 to N_WORDS are words, the next has two types, the last is a blob; closed */
typedef struct
{
  Hoard *hoard;
  char *database;
  char *blob; /* the path of the only one */
} Place;

static void
set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  place->hoard = hoard_new (0);
  place->database = g_build_filename (place->hoard->dir, "history.db", NULL);
  for (gint64 id = 1; id <= N_WORDS; id++)
    {
      g_autofree char *word = hoard_word (id);

      g_assert_cmpint (hoard_add_text (place->hoard->store, word), ==, id);
    }
  hoard_add (place->hoard->store,
             hoard_draft (place->hoard->store, "text/plain", "plain", "text/html",
                          "<b>rich</b>", NULL),
             NULL);
  hoard_add_blob (place->hoard->store, BLOB_BYTES, 5);
  place->blob = hoard_find_blob (place->hoard->dir);
  hoard_reopen (place->hoard, 0);
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
}

static void
tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_free (place->hoard);
  g_free (place->database);
  g_free (place->blob);
}

/* below SQLite's checks, and with the log left as it is */
static void
run_sql_into_log (Place *place, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (place->database, &db), ==, SQLITE_OK);
  sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_wal_autocheckpoint (db, 0);
  g_assert_true (clip_sql_functions_register (db, NULL));
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
overwrite (const char *path, goffset offset, const void *bytes, gsize length)
{
  clip_autofd int fd = -1;

  g_assert_cmpint (chmod (path, 0600), ==, 0);
  fd = open (path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (pwrite (fd, bytes, length, offset), ==, length);
}

static void
flip (const char *path, goffset offset)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC);
  guint8 byte;

  g_assert_true (clip_read_exactly (fd, &byte, 1, offset, NULL));
  byte ^= 4;
  overwrite (path, offset, &byte, 1);
}

static goffset
size_of (const char *path)
{
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_size;
}

/* (transfer full): "KIND ID;" of every finding, but for the modes that a test changed to
 * get at the bytes; the same one after the other counts once */
static char *
look (Place *place)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReport) report = clip_check (place->hoard->dir, NULL, &error);
  g_autofree char *last = g_strdup ("");
  GString *all = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < report->findings->len; i++)
    {
      const ClipFinding *finding = report->findings->pdata[i];
      char *line = g_strdup_printf ("%s %d;", clip_finding_name (finding->kind),
                                    (int) finding->id);

      if (finding->kind != CLIP_FINDING_MODE && !g_str_equal (line, last))
        g_string_append (all, line);
      g_free (last);
      last = line;
    }
  return g_string_free (all, FALSE);
}

static void
assert_found (Place *place, const char *expected)
{
  g_autofree char *found = look (place);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_whole (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReport) report = clip_check (place->hoard->dir, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report->findings->len, ==, 0);
  g_assert_cmpint (report->n_entries, ==, N_WORDS + 2);
  g_assert_cmpint (report->n_contents, ==, 1);
  g_assert_cmpint (report->n_blobs, ==, 1);
  g_assert_cmpint (report->n_bytes, ==, BLOB_BYTES);
  g_assert_cmpint (report->n_pages, ==, size_of (place->database) / 4096);
}

static void
test_header (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 zeros[100] = { 0 };

  flip (place->database, 3);
  assert_found (place, "database 0;");
  flip (place->database, 3);
  assert_found (place, "");
  overwrite (place->database, 0, zeros, sizeof zeros);
  assert_found (place, "database 0;");
}

static void
test_truncated (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpint (truncate (place->database, size_of (place->database) / 2), ==, 0);
  assert_found (place, "database 0;");
}

static void
test_page_zeroed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree guint8 *zeros = g_malloc0 (4096);

  overwrite (place->database, size_of (place->database) / 4096 / 2 * 4096, zeros, 4096);
  assert_found (place, "database 0;");
}

static goffset
find_bytes (const char *path, const char *needle)
{
  g_autofree char *all = NULL;
  gsize length;
  const char *found;

  g_assert_true (g_file_get_contents (path, &all, &length, NULL));
  found = memmem (all, length, needle, strlen (needle));
  g_assert_nonnull (found);
  return found - all;
}

/* what SQLite does not see */
static void
test_bit_in_a_content (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *word = hoard_word (23);

  flip (place->database, find_bytes (place->database, word) + 50);
  assert_found (place, "entry 23;");
}

static void
test_bit_in_a_second_content (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *expected = g_strdup_printf ("entry %d;", N_WORDS + 1);

  flip (place->database, find_bytes (place->database, "<b>rich") + 4);
  assert_found (place, expected);
}

static void
test_blob_damaged (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *expected = g_strdup_printf ("blob-damaged %d;", N_WORDS + 2);
  g_autofree char *missing = g_strdup_printf ("blob-missing %d;", N_WORDS + 2);
  static const guint8 zeros[512] = { 0 };

  flip (place->blob, BLOB_BYTES / 2);
  assert_found (place, expected);
  flip (place->blob, BLOB_BYTES / 2);
  assert_found (place, "");
  overwrite (place->blob, 4096, zeros, sizeof zeros);
  assert_found (place, expected);
  g_assert_cmpint (truncate (place->blob, 1000), ==, 0);
  assert_found (place, expected);
  g_assert_cmpint (g_unlink (place->blob), ==, 0);
  assert_found (place, missing);
}

static void
test_files_without_a_row (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *stray = g_strconcat (place->blob, ".1", NULL);

  g_assert_true (g_file_set_contents (stray, "stray", -1, NULL));
  assert_found (place, "stray-file 0;");
  g_assert_cmpint (g_unlink (stray), ==, 0);
  assert_found (place, "");
}

static void
test_modes (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *blobs = g_build_filename (place->hoard->dir, "blobs", NULL);
  g_autoptr (ClipReport) report = NULL;

  g_assert_cmpint (chmod (blobs, 0755), ==, 0);
  g_assert_cmpint (chmod (place->database, 0644), ==, 0);
  report = clip_check (place->hoard->dir, NULL, NULL);
  g_assert_cmpuint (report->findings->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (((ClipFinding *) report->findings->pdata[i])->kind, ==,
                     CLIP_FINDING_MODE);
}

/* what root can do beside what the modes say; of this thread. Elsewhere there is none. */
static void
set_may_do_all (gboolean may)
{
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct data[2];

  g_assert_cmpint (syscall (SYS_capget, &header, data), ==, 0);
  data[0].effective &=
      ~((1u << CAP_DAC_OVERRIDE) | (1u << CAP_DAC_READ_SEARCH)); /* both below 32 */
  if (may)
    data[0].effective = data[0].permitted;
  g_assert_cmpint (syscall (SYS_capset, &header, data), ==, 0);
}

static void
test_blob_that_may_not_be_read (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ClipReport) report = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (chmod (place->blob, 0), ==, 0);
  set_may_do_all (FALSE);
  report = clip_check (place->hoard->dir, NULL, &error);
  set_may_do_all (TRUE);
  g_assert_null (report);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES);
}

/* with any number of descriptors a check says that all is well, or that it could not
   look */
static void
test_no_descriptors (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  struct rlimit limit;
  guint n_failed = 0;
  gboolean looked = FALSE;

  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  for (rlim_t n = 3; n < MIN (limit.rlim_cur, 64) && !looked; n++)
    {
      struct rlimit few = { n, limit.rlim_max };
      g_autoptr (ClipReport) report = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &few), ==, 0);
      report = clip_check (place->hoard->dir, NULL, &error);
      g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
      g_assert_true (!report == (error != NULL));
      if (report)
        for (guint i = 0; i < report->findings->len; i++)
          g_error ("%s", ((ClipFinding *) report->findings->pdata[i])->text);
      looked = report != NULL;
      n_failed += !report;
    }
  g_assert_true (looked);
  g_assert_cmpuint (n_failed, >, 0);
}

/* --- a disk that does not answer --- */

static sqlite3_vfs disk;
static sqlite3_io_methods disk_methods;
static int (*read_disk) (sqlite3_file *, void *, int, sqlite3_int64);
static sqlite3_int64 bad_offset; /* -1: all of it is bad */

static int
read_badly (sqlite3_file *file, void *buffer, int length, sqlite3_int64 offset)
{
  return offset == bad_offset || bad_offset < 0
             ? SQLITE_IOERR_READ
             : read_disk (file, buffer, length, offset);
}

static int
open_badly (sqlite3_vfs *vfs G_GNUC_UNUSED,
            const char *name,
            sqlite3_file *file,
            int flags,
            int *out_flags)
{
  sqlite3_vfs *real = sqlite3_vfs_find ("unix");
  int code = real->xOpen (real, name, file, flags, out_flags);

  if (code == SQLITE_OK && (flags & SQLITE_OPEN_MAIN_DB))
    {
      disk_methods = *file->pMethods;
      disk_methods.iVersion = 2; /* without what is mapped */
      read_disk = disk_methods.xRead;
      disk_methods.xRead = read_badly;
      file->pMethods = &disk_methods;
    }
  return code;
}

static void
use_bad_disk (void)
{
  disk = *sqlite3_vfs_find ("unix");
  disk.xOpen = open_badly;
  sqlite3_vfs_find (clip_scrub_vfs_name ())->pAppData = &disk;
}

static void
use_good_disk (void)
{
  sqlite3_vfs_find (clip_scrub_vfs_name ())->pAppData = sqlite3_vfs_find ("unix");
}

/* whichever page it is, but for one that nothing is in */
static void
test_page_that_cannot_be_read (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  goffset size = size_of (place->database);
  guint n_found = 0;

  use_bad_disk ();
  for (bad_offset = 4096; bad_offset < size; bad_offset += 4096)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClipReport) report = clip_check (place->hoard->dir, NULL, &error);
      const ClipFinding *last = NULL;

      g_assert_no_error (error);
      if (report->findings->len == 0)
        continue;
      last = report->findings->pdata[report->findings->len - 1];
      g_assert_cmpint (last->kind, ==, CLIP_FINDING_DATABASE);
      g_assert_cmpstr (last->text, ==, "the disk does not give 1 of its pages");
      n_found++;
    }
  g_assert_cmpuint (n_found, >, 5);
  use_good_disk ();
}

/* it is not the history that is damaged */
static void
test_disk_that_gives_nothing (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  use_bad_disk ();
  bad_offset = -1;
  g_assert_null (clip_check (place->hoard->dir, NULL, &error));
  g_assert_nonnull (error);
  g_assert_false (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_CORRUPT));
  use_good_disk ();
}

static void
test_rows_that_do_not_fit (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  run_sql_into_log (place, "INSERT INTO dup VALUES (1, 9999)");
  assert_found (place, "tables 9999;");
  run_sql_into_log (place, "DELETE FROM dup WHERE entry IN (9999, 1)");
  assert_found (place, "tables 1;");
  run_sql_into_log (place, "UPDATE totals SET bytes = bytes + 1");
  assert_found (place, "tables 1;tables 0;");
  run_sql_into_log (
      place, "UPDATE totals SET bytes = bytes - 1; INSERT INTO tag VALUES (9998, 1)");
  assert_found (place, "tables 1;tables 9998;");
  run_sql_into_log (place, "UPDATE entry SET size = 9223372036854775807 WHERE id = 5");
  assert_found (place, "entry 5;tables 1;tables 9998;tables 0;");
}

static void
test_row_of_a_blob (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  run_sql_into_log (place,
                    "INSERT INTO blob (name, hash, size) SELECT name || '.7', hash, size"
                    " FROM blob");
  assert_found (place, "tables 0;");
  run_sql_into_log (place, "DELETE FROM blob");
  assert_found (place, "entry 62;stray-file 0;");
}

static void
test_stopped (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  gint stops = 1;

  g_assert_null (clip_check (place->hoard->dir, &stops, &error));
  g_assert_nonnull (error);
}

/* what is found in another's folder would be moved out of it */
static void
test_folder_that_is_not_ours (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_path_get_dirname (place->blob);
  g_autoptr (GError) error = NULL;

  g_chmod (path, 0770);
  g_assert_null (clip_check (place->hoard->dir, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  g_assert_nonnull (strstr (error->message, "' is refused: other users may write to it"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Place, NULL, set_up, function, tear_down)
  ADD ("/check/whole", test_whole);
  ADD ("/check/header-of-the-database", test_header);
  ADD ("/check/truncated-database", test_truncated);
  ADD ("/check/page-zeroed", test_page_zeroed);
  ADD ("/check/bit-in-a-content", test_bit_in_a_content);
  ADD ("/check/bit-in-a-second-content", test_bit_in_a_second_content);
  ADD ("/check/blob-damaged", test_blob_damaged);
  ADD ("/check/files-without-a-row", test_files_without_a_row);
  ADD ("/check/modes", test_modes);
  ADD ("/check/folder-that-is-not-ours", test_folder_that_is_not_ours);
  ADD ("/check/blob-that-may-not-be-read", test_blob_that_may_not_be_read);
  ADD ("/check/no-descriptors", test_no_descriptors);
  ADD ("/check/page-that-cannot-be-read", test_page_that_cannot_be_read);
  ADD ("/check/disk-that-gives-nothing", test_disk_that_gives_nothing);
  ADD ("/check/rows-that-do-not-fit", test_rows_that_do_not_fit);
  ADD ("/check/row-of-a-blob", test_row_of_a_blob);
  ADD ("/check/stopped", test_stopped);
#undef ADD
  return g_test_run ();
}

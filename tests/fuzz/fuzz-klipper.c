/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Klipper's database, of which some bytes are others: each three of the input say where and what. A
 * database is read by its name, so it lies in a folder of its own. */
#include "fuzz.h"

#include "clip-fd.h"
#include "clip-foreign.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdlib.h>

#define UUID "da39a3ee5e6b4b0d3255bfef95601890afd80709"
#define PAGE_BYTES 512

static const char made_sql[] =
    "PRAGMA page_size = 512;"
    "CREATE TABLE main (uuid char(40) primary key, added_time real not null, "
    "last_used_time real,"
    " mimetypes text not null, text ntext, starred boolean);"
    "CREATE TABLE aux (uuid char(40) not null, mimetype text not null, data_uuid "
    "char(40) not null,"
    " primary key (uuid, mimetype));"
    "INSERT INTO main VALUES ('" UUID "', 1.5, 2.5, 'text/plain', 'some text', 1);"
    "INSERT INTO main VALUES ('0000000000000000000000000000000000000000', 1, NULL, '', "
    "'x', 0);"
    "INSERT INTO aux VALUES ('" UUID "', 'text/plain', '" UUID "');"
    "INSERT INTO aux VALUES ('" UUID "', 'text/html', '" UUID "');";

static char *folder;
static char *path;
static unsigned char *whole;
static sqlite3_int64 whole_length;

static void
remove_folder (void)
{
  unlink (path);
  rmdir (folder);
}

static void
make_database (void)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, made_sql, NULL, NULL, NULL), ==, SQLITE_OK);
  whole = sqlite3_serialize (db, "main", &whole_length, 0);
  g_assert_cmpint (whole_length, >, PAGE_BYTES);
  sqlite3_close (db);
  folder = g_strdup ("/dev/shm/fuzz-klipper-XXXXXX");
  g_assert_nonnull (g_mkdtemp (folder));
  path = g_build_filename (folder, "history3.sqlite", NULL);
  atexit (remove_folder);
}

static void
write_patched (const guint8 *data, gsize length)
{
  g_autofree guint8 *image = g_memdup2 (whole, (gsize) whole_length);
  clip_autofd int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  for (gsize i = 0; i + 3 <= length; i += 3)
    image[(data[i] | data[i + 1] << 8) % whole_length] = data[i + 2];
  g_assert_true (clip_write_all (fd, image, (gsize) whole_length, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  g_autoptr (ClipForeign) foreign = NULL;
  ClipForeignEntry *entry;

  if (!whole)
    make_database ();
  write_patched (data, length);
  if (!clip_foreign_open (folder, "klipper", &foreign, NULL) || !foreign)
    return 0;
  while ((entry = clip_foreign_next (foreign, NULL)))
    clip_foreign_entry_free (entry);
  return 0;
}

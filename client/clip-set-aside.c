/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What repairs have set aside is no part of the history any more, and yet copies of entries
 * lie in it: a whole database, after some damage. So they do in a database of the existing tool
 * that was taken over, and is kept. Who deletes a secret later has to know.
 */
#include "clip-set-aside.h"

#include "clip-check.h"
#include "clip-db-file.h"
#include "clip-facts.h"
#include "clip-paths.h"
#include "clip-units.h"
#include "clip-words.h"

#include <sys/stat.h>

/* @seen: inodes: a repair may have given a file two names */
static gint64
count_bytes (const char *path, GHashTable *seen)
{
  struct stat status;
  g_autoptr (GDir) folder = NULL;
  gint64 bytes = 0;
  const char *name;

  if (lstat (path, &status) < 0)
    return 0;
  if (!S_ISDIR (status.st_mode))
    return g_hash_table_add (seen, GSIZE_TO_POINTER (status.st_ino)) ? status.st_size : 0;
  folder = g_dir_open (path, 0, NULL);
  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      bytes += count_bytes (below, seen);
    }
  return bytes;
}

/* (transfer full): the databases that the history was taken over from. @store: its folder */
static GPtrArray *
list_kept (const char *store)
{
  g_autofree char *db_file = clip_paths_db_file (store);

  return db_file ? clip_db_file_list_kept (db_file) : g_ptr_array_new ();
}

/* @store: the folder of the history */
gint64
clip_set_aside_bytes (const char *store)
{
  g_autofree char *path = g_build_filename (store, CLIP_ASIDE_NAME, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) kept = list_kept (store);
  gint64 bytes = count_bytes (path, seen);

  for (guint i = 0; i < kept->len; i++)
    bytes += count_bytes (g_ptr_array_index (kept, i), seen);
  return bytes;
}

static void
append_path (GString *out, const char *path)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  gint64 bytes = count_bytes (path, seen);
  g_autofree char *size = clip_format_size (bytes);

  if (bytes > 0)
    clip_facts_append_format (
        out, _ ("set aside"),
        _ ("%s in %s, until “cliphist wipe”: what was deleted since may be there"), size,
        path);
}

/* a line for each place where there is something */
void
clip_set_aside_append (GString *out, const char *store)
{
  g_autofree char *path = g_build_filename (store, CLIP_ASIDE_NAME, NULL);
  g_autoptr (GPtrArray) kept = list_kept (store);

  append_path (out, path);
  for (guint i = 0; i < kept->len; i++)
    append_path (out, g_ptr_array_index (kept, i));
}

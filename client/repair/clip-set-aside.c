/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What repairs have set aside is no part of the history any more, and yet copies of
 * entries lie in it: a whole database, after some damage. So they do in a database of the
 * existing tool that was taken over, and is kept. Who deletes a secret later has to know.
 */
#include "clip-set-aside.h"

#include "clip-check.h"
#include "clip-db-file.h"
#include "clip-directory.h"
#include "clip-facts.h"
#include "clip-paths.h"
#include "clip-text.h"
#include "clip-units.h"
#include "clip-words.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* of each repair; how many more there are is said */
#define MOST_NAMES 6

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

/* (transfer full): the databases that the history was taken over from. @store: its
   folder */
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
        _ ("%s in %s, where deleted entries may still be; “cliphist wipe” removes it"),
        size, path);
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

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* (transfer full): sorted; none behind a link, which leads elsewhere */
static GPtrArray *
list_names (const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  clip_autodir DIR *folder = clip_directory_open (AT_FDCWD, path);
  const char *name;

  while ((name = clip_directory_next (folder)))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

static void
append_repair (GString *out, const char *path, const char *date)
{
  g_autofree char *folder = g_build_filename (path, date, NULL);
  g_autoptr (GPtrArray) names = list_names (folder);

  if (names->len == 0)
    return;
  g_string_append_printf (out, "  %s:", date);
  for (guint i = 0; i < MIN (names->len, MOST_NAMES); i++)
    {
      g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
      g_autofree char *file = g_build_filename (folder, names->pdata[i], NULL);
      g_autofree char *size = clip_format_size (count_bytes (file, seen));

      g_string_append_printf (out, "%s %s (%s)", i > 0 ? "," : "",
                              (const char *) names->pdata[i], size);
    }
  if (names->len > MOST_NAMES)
    g_string_append_printf (out, ", … (%u)", names->len);
  g_string_append_c (out, '\n');
}

/* a line for each repair, with what it has set aside: a database of which all that can be
 * read was saved, contents that are damaged, files that no entry has */
void
clip_set_aside_append_names (GString *out, const char *store)
{
  g_autofree char *path = g_build_filename (store, CLIP_ASIDE_NAME, NULL);
  g_autoptr (GPtrArray) dates = list_names (path);
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < dates->len; i++)
    append_repair (lines, path, dates->pdata[i]);
  clip_text_append_visible (out, lines->str, lines->len);
}

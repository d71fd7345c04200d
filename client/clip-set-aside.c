/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What repairs have set aside is no part of the history any more, and yet copies of entries
 * lie in it: a whole database, after some damage. Who deletes a secret later has to know.
 */
#include "clip-set-aside.h"

#include "clip-check.h"
#include "clip-facts.h"
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

/* @store: the folder of the history */
gint64
clip_set_aside_bytes (const char *store)
{
  g_autofree char *path = g_build_filename (store, CLIP_ASIDE_NAME, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  return count_bytes (path, seen);
}

/* a line, where there is something */
void
clip_set_aside_append (GString *out, const char *store)
{
  g_autofree char *path = g_build_filename (store, CLIP_ASIDE_NAME, NULL);
  gint64 bytes = clip_set_aside_bytes (store);
  g_autofree char *size = clip_format_size (bytes);

  if (bytes > 0)
    clip_facts_append_format (
        out, _ ("set aside"),
        _ ("%s in %s, until “cliphist wipe”: what was deleted since may be there"), size,
        path);
}

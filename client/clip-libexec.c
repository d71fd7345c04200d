/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-libexec.h"

#include <string.h>
#include <unistd.h>

static char *
find_in (const char *const *dirs, const char *program)
{
  for (guint i = 0; dirs[i]; i++)
    {
      g_autofree char *path = g_build_filename (dirs[i], program, NULL);

      if (*dirs[i] && access (path, X_OK) == 0)
        return g_steal_pointer (&path);
    }
  return NULL;
}

/**
 * clip_libexec_find:
 * @program: one of our own that is not in PATH
 *
 * Looks into $CLIPHIST_LIBEXEC (folders, separated by colons: a build tree has several),
 * into the folder that the build was configured with, and into that of this program.
 *
 * Returns: (transfer full): its path
 */
char *
clip_libexec_find (const char *program)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *self_dir = self ? g_path_get_dirname (self) : g_strdup ("");
  const char *configured[] = { CLIP_LIBEXEC, self_dir, NULL };
  g_auto (GStrv) named = g_strsplit (g_getenv ("CLIPHIST_LIBEXEC") ?: "", ":", -1);
  char *found = find_in ((const char *const *) named, program);

  if (!found)
    found = find_in (configured, program);
  return found ? found : g_build_filename (CLIP_LIBEXEC, program, NULL);
}

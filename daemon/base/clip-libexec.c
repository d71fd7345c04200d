/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-libexec.h"

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
 * Looks into $CLIPHIST_LIBEXEC (folders, separated by colons: a build tree has several)
 * and nowhere else where that is set; otherwise beside this program, and where the build
 * installs it.
 *
 * Returns: (transfer full): its path, whether it is there or not
 */
char *
clip_libexec_find (const char *program)
{
  const char *named = g_getenv ("CLIPHIST_LIBEXEC");
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *self_dir = self ? g_path_get_dirname (self) : g_strdup ("");
  const char *usual[] = { self_dir, CLIP_LIBEXEC, NULL };
  g_auto (GStrv) dirs = named && *named ? g_strsplit (named, ":", -1) : NULL;
  char *found = find_in (dirs ? (const char *const *) dirs : usual, program);

  return found ? found : g_build_filename (CLIP_LIBEXEC, program, NULL);
}

/**
 * clip_libexec_find_command:
 *
 * Returns: (transfer full): the path of `cliphist` itself, for what others are to run
 */
char *
clip_libexec_find_command (void)
{
  char *found = g_find_program_in_path ("cliphist");

  return found ? found : g_build_filename (CLIP_BIN, "cliphist", NULL);
}

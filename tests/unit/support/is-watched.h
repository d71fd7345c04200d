/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib/gstdio.h>
#include <string.h>

/* whether this process hears from the kernel what happens in that folder */
static inline gboolean
is_watched (const char *folder)
{
  g_autoptr (GDir) infos = g_dir_open ("/proc/self/fdinfo", 0, NULL);
  g_autofree char *wanted = NULL;
  gboolean found = FALSE;
  const char *name;
  GStatBuf info;

  if (g_stat (folder, &info) < 0)
    return FALSE;
  wanted = g_strdup_printf (" ino:%lx ", (gulong) info.st_ino);
  while (!found && (name = g_dir_read_name (infos)))
    {
      g_autofree char *path = g_build_filename ("/proc/self/fdinfo", name, NULL);
      g_autofree char *text = NULL;

      found = g_file_get_contents (path, &text, NULL, NULL) &&
              strstr (text, "inotify wd:") && strstr (text, wanted);
    }
  return found;
}

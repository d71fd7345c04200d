/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-configure.h"

#include "clip-libexec.h"

/**
 * clip_configure_start:
 * @words: behind `cliphist`
 *
 * Returns: (transfer full): the command, whose output and words come by one pipe
 *
 * Errors: %G_SPAWN_ERROR, where it is not installed.
 */
GSubprocess *
clip_configure_start (const char *const *words, GError **error)
{
  g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
  g_autofree char *path = clip_libexec_find_command ();
  g_auto (GStrv) whole = NULL;

  g_strv_builder_add (argv, path);
  g_strv_builder_addv (argv, (const char **) words);
  whole = g_strv_builder_end (argv);
  return g_subprocess_newv (
      (const char *const *) whole,
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-configure.h"

#include "clip-libexec.h"

/**
 * clip_configure_start:
 * @key: of a setting
 * @value: (nullable): what it is to be; %NULL to read it
 *
 * Returns: (transfer full): `cliphist config`, whose output and words come by one pipe
 *
 * Errors: %G_SPAWN_ERROR, where it is not installed.
 */
GSubprocess *
clip_configure_start (const char *key, const char *value, GError **error)
{
  g_autofree char *path = clip_libexec_find_command ();

  return g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                               G_SUBPROCESS_FLAGS_STDERR_MERGE,
                           error, path, "config", key, value, NULL);
}

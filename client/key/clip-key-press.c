/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-key-press.h"

#include "clip-key.h"
#include "clip-libexec.h"

#include <string.h>

/**
 * clip_key_press_start:
 * @asked: "which", "can", or the name of a key
 * @how: (nullable): %CLIP_KEY_NOW or %CLIP_KEY_HELD
 *
 * Returns: (transfer full): the program, whose output and words come by one pipe
 *
 * Errors: %G_SPAWN_ERROR, where it is not installed.
 */
GSubprocess *
clip_key_press_start (const char *asked, const char *how, GError **error)
{
  g_autofree char *path = clip_libexec_find ("cliphist-key");

  return g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                               G_SUBPROCESS_FLAGS_STDERR_MERGE,
                           error, path, asked, how, NULL);
}

/**
 * clip_key_press_answer:
 * @program: that has ended
 * @said: (nullable): all of its output
 *
 * Returns: (transfer full): what it printed: of "which" the name of a key
 *
 * Errors: %G_IO_ERROR with its own words, where no key was pressed;
 * %G_IO_ERROR_CANCELLED, where that is because the clipboard holds something else by now.
 */
char *
clip_key_press_answer (GSubprocess *program, const char *said, GError **error)
{
  const char *asks = said && g_str_has_prefix (said, CLIP_KEY_ASKS "\n") ? said : NULL;
  const char *answer = asks ? asks + strlen (CLIP_KEY_ASKS "\n") : said ?: "";
  g_autofree char *words = g_strchomp (g_strdup (answer));

  if (g_subprocess_get_successful (program))
    return g_steal_pointer (&words);
  if (*words)
    g_set_error_literal (error, G_IO_ERROR,
                         g_subprocess_get_if_exited (program) &&
                                 g_subprocess_get_exit_status (program) ==
                                     CLIP_KEY_SUPERSEDED
                             ? G_IO_ERROR_CANCELLED
                             : G_IO_ERROR_FAILED,
                         words);
  else
    g_spawn_check_wait_status (g_subprocess_get_status (program), error);
  return NULL;
}

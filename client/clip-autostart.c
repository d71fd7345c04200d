/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-autostart.h"

#include "clip-compositor.h"
#include "clip-facts.h"
#include "clip-words.h"

/* what it includes is not looked at */
static gboolean
names_daemon (const char *path)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && g_strrstr (text, "cliphistd");
}

/**
 * clip_autostart_append:
 * @program: the path of the daemon
 *
 * The line that starts it with the session, where the compositor that is running needs
 * one, and does not have it.
 */
void
clip_autostart_append (GString *out, const char *program)
{
  const ClipCompositor *compositor = clip_compositor_find ();
  g_autofree char *path = NULL;
  g_auto (GStrv) around = compositor ? g_strsplit (compositor->start, "%s", 2) : NULL;
  g_autofree char *line = NULL;

  if (!compositor)
    return;
  path = g_build_filename (g_get_user_config_dir (), compositor->start_file, NULL);
  if (names_daemon (path))
    return;
  line = g_strconcat (around[0], program, around[1], NULL);
  clip_facts_append (out, _ ("at login"), line);
  clip_facts_append_format (out, "", _ ("(a line of %s, that starts the daemon)"), path);
}

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

static gboolean
is_set (const char *variable)
{
  const char *value = g_getenv (variable);

  return value && *value;
}

/* by startx or xdm, and what runs there is no desktop: only the user's script starts
   anything */
static gboolean
is_started_by_script (void)
{
  return is_set ("DISPLAY") && !is_set ("WAYLAND_DISPLAY") &&
         !is_set ("XDG_CURRENT_DESKTOP") && !is_set ("DESKTOP_SESSION") &&
         !is_set ("SSH_CONNECTION");
}

/* (transfer full): the one that is there */
static char *
find_script (void)
{
  g_autofree char *session = g_build_filename (g_get_home_dir (), ".xsession", NULL);

  return g_file_test (session, G_FILE_TEST_EXISTS)
             ? g_steal_pointer (&session)
             : g_build_filename (g_get_home_dir (), ".xinitrc", NULL);
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
  g_autofree char *line = NULL;
  g_auto (GStrv) around = NULL;

  if (!compositor && !is_started_by_script ())
    return;
  path = compositor
             ? g_build_filename (g_get_user_config_dir (), compositor->start_file, NULL)
             : find_script ();
  if (names_daemon (path))
    return;
  around = g_strsplit (compositor ? compositor->start : "%s &", "%s", 2);
  line = g_strconcat (around[0], program, around[1], NULL);
  clip_facts_append (out, _ ("at login"), line);
  clip_facts_append_format (out, "", _ ("(a line of %s, that starts the daemon)"), path);
}

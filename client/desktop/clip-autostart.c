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

/* by startx or xdm, and what runs there is no desktop */
static gboolean
is_started_by_script (void)
{
  return is_set ("DISPLAY") && !is_set ("WAYLAND_DISPLAY") &&
         !is_set ("XDG_CURRENT_DESKTOP") && !is_set ("DESKTOP_SESSION") &&
         !is_set ("SSH_CONNECTION");
}

static char *
own_file (const ClipCompositor *compositor)
{
  return g_build_filename (g_get_user_config_dir (), compositor->start_file, NULL);
}

/* (transfer full) (nullable): the user's, that is there */
static char *
find_script (void)
{
  static const char *const names[] = { ".xsession", ".xinitrc" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (g_get_home_dir (), names[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static void
append_line (GString *out, const char *line, const char *program)
{
  g_auto (GStrv) around = g_strsplit (line, "%s", 2);
  g_autofree char *text = g_strconcat (around[0], program, around[1], NULL);

  clip_facts_append (out, _ ("at login"), text);
}

static void
append_file (GString *out, const ClipCompositor *compositor, const char *program)
{
  g_autofree char *path = own_file (compositor);

  append_line (out, compositor->start, program);
  clip_facts_append_format (out, "", _ ("(a line of %s, that starts the daemon)"), path);
}

/* A script of the user's, where there is one, is what starts the window manager, and one
 * made for that line alone would start nothing else. Behind the window manager, with
 * which the script ends, nothing is run. */
static void
append_script (GString *out, const char *program)
{
  const ClipCompositor *manager = clip_compositor_ask ();
  g_autofree char *file = manager ? own_file (manager) : NULL;
  g_autofree char *script = find_script ();

  if ((file && names_daemon (file)) || (script && names_daemon (script)))
    return;
  if (manager && !script)
    {
      append_file (out, manager, program);
      return;
    }
  if (!script)
    script = g_build_filename (g_get_home_dir (), ".xinitrc", NULL);
  append_line (out, "%s &", program);
  clip_facts_append_format (
      out, "", _ ("(a line of %s, above the window manager, that starts the daemon)"),
      script);
}

/**
 * clip_autostart_append:
 * @program: the path of the daemon
 *
 * The line that starts it with the session, where the compositor or window manager that
 * is running needs one, and does not have it.
 */
void
clip_autostart_append (GString *out, const char *program)
{
  const ClipCompositor *compositor = clip_compositor_find ();
  g_autofree char *path = compositor ? own_file (compositor) : NULL;

  if (compositor && !names_daemon (path))
    append_file (out, compositor, program);
  else if (!compositor && is_started_by_script ())
    append_script (out, program);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compositors and window managers that start neither what XDG autostart names nor a
 * graphical session of the user manager: there the daemon starts with the session only by
 * a line of their own file.
 */
#include "clip-autostart.h"

#include "clip-facts.h"
#include "clip-words.h"

typedef struct
{
  const char *variable; /* that it sets; of XDG_CURRENT_DESKTOP, with @desktop */
  const char *desktop;
  const char *file;   /* below the folder of configurations */
  const char *format; /* of the line, with the path of the daemon */
} Starter;

static const Starter starters[] = {
  { "SWAYSOCK", NULL, "sway/config", "exec %s" },
  { "HYPRLAND_INSTANCE_SIGNATURE", NULL, "hypr/hyprland.conf", "exec-once = %s" },
  { "NIRI_SOCKET", NULL, "niri/config.kdl", "spawn-at-startup \"%s\"" },
  { "I3SOCK", NULL, "i3/config", "exec --no-startup-id %s" },
  { "XDG_CURRENT_DESKTOP", "labwc", "labwc/autostart", "%s &" },
  { "XDG_CURRENT_DESKTOP", "river", "river/init", "%s &" },
  { "XDG_CURRENT_DESKTOP", "openbox", "openbox/autostart", "%s &" },
};

static const Starter *
find_starter (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (starters); i++)
    {
      const char *value = g_getenv (starters[i].variable);
      g_autofree char *folded = value ? g_ascii_strdown (value, -1) : NULL;

      if (folded && *folded &&
          (!starters[i].desktop || g_str_has_prefix (folded, starters[i].desktop)))
        return &starters[i];
    }
  return NULL;
}

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
  const Starter *starter = find_starter ();
  g_autofree char *path = NULL;
  g_auto (GStrv) around = starter ? g_strsplit (starter->format, "%s", 2) : NULL;
  g_autofree char *line = NULL;

  if (!starter)
    return;
  path = g_build_filename (g_get_user_config_dir (), starter->file, NULL);
  if (names_daemon (path))
    return;
  line = g_strconcat (around[0], program, around[1], NULL);
  clip_facts_append (out, _ ("at login"), line);
  clip_facts_append_format (out, "", _ ("(a line of %s, that starts the daemon)"), path);
}

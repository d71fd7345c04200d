/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Those that start neither what XDG autostart names nor a graphical session of the user
 * manager, and have no settings of keys but their own file.
 */
#include "clip-compositor.h"

#include "clip-libexec.h"

#define OF_SWAY \
  { \
    { "Mod4", "Ctrl", "Mod1", "Shift" }, "+", "+" \
  }
#define OF_OPENBOX \
  { \
    { "W", "C", "A", "S" }, "-", "-" \
  }
#define KEY_OF_OPENBOX \
  "<keybind key=\"%s\"><action " \
  "name=\"Execute\"><command>%s</command></action></keybind>"

static const ClipCompositor compositors[] = {
  { .variable = "SWAYSOCK",
    .desktop = "sway",
    .start_file = "sway/config",
    .start = "exec %s",
    .key_file = "sway/config",
    .key = "bindsym %s exec %s",
    .taken = "abdefhjklrsvw",
    .chord = OF_SWAY },
  { .variable = "HYPRLAND_INSTANCE_SIGNATURE",
    .desktop = "hyprland",
    .start_file = "hypr/hyprland.conf",
    .start = "exec-once = %s",
    .key_file = "hypr/hyprland.conf",
    .key = "bind = %s, exec, %s",
    .taken = "cejmpqrsv",
    .chord = { { "SUPER", "CTRL", "ALT", "SHIFT" }, " ", ", " } },
  { .variable = "NIRI_SOCKET",
    .desktop = "niri",
    .start_file = "niri/config.kdl",
    .start = "spawn-at-startup \"%s\"",
    .key_file = "niri/config.kdl",
    .key = "%s { spawn %s; }",
    .splits = TRUE,
    .taken = "cdfhijkloqrtuvw",
    .chord = { { "Super", "Ctrl", "Alt", "Shift" }, "+", "+" } },
  { .variable = "I3SOCK",
    .desktop = "i3",
    .start_file = "i3/config",
    .start = "exec --no-startup-id %s",
    .key_file = "i3/config",
    .key = "bindsym %s exec --no-startup-id %s",
    .taken = "adefhjklrsvw",
    .chord = OF_SWAY },
  { .desktop = "labwc",
    .start_file = "labwc/autostart",
    .start = "%s &",
    .key_file = "labwc/rc.xml",
    .key = KEY_OF_OPENBOX,
    .key_place = "<keyboard>",
    .chord = OF_OPENBOX },
  { .desktop = "river",
    .start_file = "river/init",
    .start = "%s &",
    .key_file = "river/init",
    .key = "riverctl map normal %s spawn '%s'",
    .chord = { { "Super", "Control", "Alt", "Shift" }, "+", " " } },
  { .desktop = "openbox",
    .start_file = "openbox/autostart",
    .start = "%s &",
    .key_file = "openbox/rc.xml",
    .key = KEY_OF_OPENBOX,
    .key_place = "<keyboard>",
    .chord = OF_OPENBOX },
};

static gboolean
is_running (const ClipCompositor *self)
{
  const char *set = self->variable ? g_getenv (self->variable) : NULL;
  const char *desktop = g_getenv ("XDG_CURRENT_DESKTOP");
  /* all that a display manager says of a window manager that is no desktop */
  const char *named = desktop && *desktop ? desktop : g_getenv ("DESKTOP_SESSION");
  g_autofree char *folded = named ? g_ascii_strdown (named, -1) : NULL;

  return (set && *set) || (folded && g_str_has_prefix (folded, self->desktop));
}

/**
 * clip_compositor_find:
 *
 * Returns: (nullable): the one that is running
 */
const ClipCompositor *
clip_compositor_find (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (compositors); i++)
    if (is_running (&compositors[i]))
      return &compositors[i];
  return NULL;
}

/* (transfer full) (nullable): a window manager that startx has started, which no variable
   names */
static char *
ask_x11 (void)
{
  g_autofree char *program = clip_libexec_find ("cliphist-key");
  char *argv[] = { program, (char *) "manager", NULL };
  char *name = NULL;

  if (g_getenv ("WAYLAND_DISPLAY") || !g_getenv ("DISPLAY"))
    return NULL;
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &name, NULL,
                NULL, NULL);
  return name;
}

/**
 * clip_compositor_ask:
 *
 * As clip_compositor_find(), and a window manager that startx has started: an X server
 * knows its name.
 */
const ClipCompositor *
clip_compositor_ask (void)
{
  const ClipCompositor *found = clip_compositor_find ();
  const char *desktop = g_getenv ("XDG_CURRENT_DESKTOP");
  g_autofree char *name = found || (desktop && *desktop) ? NULL : ask_x11 ();
  g_autofree char *folded = name ? g_ascii_strdown (name, -1) : NULL;

  for (guint i = 0; folded && i < G_N_ELEMENTS (compositors); i++)
    if (g_str_has_prefix (folded, compositors[i].desktop))
      return &compositors[i];
  return found;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is typed to paste. The codes are where a keyboard of a PC has these keys: some
 * programs look at the place of a key rather than at its meaning. */
#include "clip-key.h"

#include <linux/input-event-codes.h>
#include <string.h>

struct ClipKey
{
  const char *name;
  guint32 modifiers;
  guint32 code;
  guint32 keysym;
};

typedef struct
{
  guint32 mask;
  guint32 code;
  guint32 keysym;
} Modifier;

static const Modifier modifiers[] = {
  { CLIP_KEY_CONTROL, KEY_LEFTCTRL, 0xffe3 },
  { CLIP_KEY_SHIFT, KEY_LEFTSHIFT, 0xffe1 },
};

enum
{
  CTRL_V,
  SHIFT_INSERT,
  CTRL_SHIFT_V,
};

static const ClipKey keys[] = {
  [CTRL_V] = { "ctrl+v", CLIP_KEY_CONTROL, KEY_V, 'v' },
  [SHIFT_INSERT] = { "shift+insert", CLIP_KEY_SHIFT, KEY_INSERT, 0xff63 },
  [CTRL_SHIFT_V] = { "ctrl+shift+v", CLIP_KEY_CONTROL | CLIP_KEY_SHIFT, KEY_V, 'v' },
};

/* In terminals ctrl+v is a character for the program inside. Most paste the clipboard on
 * ctrl+shift+v; the older ones know the primary selection alone. Names as windows have
 * them: of desktop files with or without their domain, or classes on X11. */
static const struct
{
  const char *app;
  int key;
} terminals[] = {
  { "alacritty", CTRL_SHIFT_V },
  { "aterm", SHIFT_INSERT },
  { "blackbox", CTRL_SHIFT_V },
  { "console", CTRL_SHIFT_V },
  { "contour", CTRL_SHIFT_V },
  { "cool-retro-term", CTRL_SHIFT_V },
  { "cosmicterm", CTRL_SHIFT_V },
  { "deepin-terminal", CTRL_SHIFT_V },
  { "eterm", SHIFT_INSERT },
  { "foot", CTRL_SHIFT_V },
  { "footclient", CTRL_SHIFT_V },
  { "ghostty", CTRL_SHIFT_V },
  { "gnome-terminal", CTRL_SHIFT_V },
  { "gnome-terminal-server", CTRL_SHIFT_V },
  { "guake", CTRL_SHIFT_V },
  { "kgx", CTRL_SHIFT_V },
  { "kitty", CTRL_SHIFT_V },
  { "konsole", CTRL_SHIFT_V },
  { "lxterminal", CTRL_SHIFT_V },
  { "mate-terminal", CTRL_SHIFT_V },
  { "mlterm", SHIFT_INSERT },
  { "ptyxis", CTRL_SHIFT_V },
  { "qterminal", CTRL_SHIFT_V },
  { "rio", CTRL_SHIFT_V },
  { "rxvt", SHIFT_INSERT },
  { "sakura", CTRL_SHIFT_V },
  { "st", CTRL_SHIFT_V },
  { "st-256color", CTRL_SHIFT_V },
  { "terminal", CTRL_SHIFT_V },
  { "terminator", CTRL_SHIFT_V },
  { "terminology", CTRL_SHIFT_V },
  { "termite", CTRL_SHIFT_V },
  { "tilda", CTRL_SHIFT_V },
  { "tilix", CTRL_SHIFT_V },
  { "urxvt", SHIFT_INSERT },
  { "uxterm", SHIFT_INSERT },
  { "wezterm", CTRL_SHIFT_V },
  { "xfce4-terminal", CTRL_SHIFT_V },
  { "xterm", SHIFT_INSERT },
  { "yakuake", CTRL_SHIFT_V },
};

/**
 * clip_key_find:
 * @name: (nullable): %NULL for the usual one
 *
 * Returns: (nullable): %NULL where there is none of that name
 */
const ClipKey *
clip_key_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (!name || g_ascii_strcasecmp (keys[i].name, name) == 0)
      return &keys[i];
  return NULL;
}

/**
 * clip_key_of_app:
 * @app: (nullable): the name of a window's program; %NULL where it is unknown
 *
 * Returns: what pastes there
 */
const ClipKey *
clip_key_of_app (const char *app)
{
  const char *dot = app ? strrchr (app, '.') : NULL;

  for (guint i = 0; app && i < G_N_ELEMENTS (terminals); i++)
    if (g_ascii_strcasecmp (terminals[i].app, dot ? dot + 1 : app) == 0)
      return &keys[terminals[i].key];
  return &keys[CTRL_V];
}

const char *
clip_key_name (const ClipKey *self)
{
  return self->name;
}

/* whether some programs paste the primary selection on it, and not the clipboard */
gboolean
clip_key_pastes_primary (const ClipKey *self)
{
  return self == &keys[SHIFT_INSERT];
}

/* whether it is one of those that paste in terminals alone */
gboolean
clip_key_is_of_terminals (const ClipKey *self)
{
  return self != &keys[CTRL_V];
}

static void
add_stroke (ClipStroke strokes[CLIP_KEY_MAX_STROKES], guint *n, ClipStroke stroke)
{
  strokes[(*n)++] = stroke;
}

/**
 * clip_key_strokes:
 * @strokes: (out): what is pressed and released, in that order
 *
 * Returns: how many they are
 */
guint
clip_key_strokes (const ClipKey *self, ClipStroke strokes[CLIP_KEY_MAX_STROKES])
{
  guint32 held = 0;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (modifiers); i++)
    if (self->modifiers & modifiers[i].mask)
      {
        held |= modifiers[i].mask;
        add_stroke (strokes, &n,
                    (ClipStroke){ modifiers[i].code, modifiers[i].keysym, TRUE, held });
      }
  add_stroke (strokes, &n, (ClipStroke){ self->code, self->keysym, TRUE, held });
  add_stroke (strokes, &n, (ClipStroke){ self->code, self->keysym, FALSE, held });
  for (guint i = G_N_ELEMENTS (modifiers); i-- > 0;)
    if (self->modifiers & modifiers[i].mask)
      {
        held &= ~modifiers[i].mask;
        add_stroke (strokes, &n,
                    (ClipStroke){ modifiers[i].code, modifiers[i].keysym, FALSE, held });
      }
  return n;
}

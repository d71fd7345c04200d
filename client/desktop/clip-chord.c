/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-chord.h"

#include <string.h>

const ClipChordStyle clip_chord_of_people = { { "super", "ctrl", "alt", "shift" },
                                              "+",
                                              "+" };
const ClipChordStyle clip_chord_of_gtk = { { "<Super>", "<Control>", "<Alt>", "<Shift>" },
                                           "",
                                           "" };

/* what the modifiers are called beside their names in clip_chord_of_people */
static const struct
{
  const char *name;
  guint modifier;
} modifiers[] = {
  { "super", CLIP_CHORD_SUPER },  { "win", CLIP_CHORD_SUPER },
  { "meta", CLIP_CHORD_SUPER },   { "mod4", CLIP_CHORD_SUPER },
  { "ctrl", CLIP_CHORD_CTRL },    { "control", CLIP_CHORD_CTRL },
  { "primary", CLIP_CHORD_CTRL }, { "alt", CLIP_CHORD_ALT },
  { "mod1", CLIP_CHORD_ALT },     { "shift", CLIP_CHORD_SHIFT },
};

static const char *const keys[] = {
  "space", "Insert", "Pause", "Print", "Menu", "Home", "End", "F1",  "F2",  "F3",
  "F4",    "F5",     "F6",    "F7",    "F8",   "F9",   "F10", "F11", "F12", NULL,
};

static gboolean
add_modifier (const char *name, ClipChord *chord)
{
  for (guint i = 0; i < G_N_ELEMENTS (modifiers); i++)
    if (g_ascii_strcasecmp (name, modifiers[i].name) == 0)
      {
        chord->modifiers |= 1u << modifiers[i].modifier;
        return TRUE;
      }
  return FALSE;
}

static gboolean
set_key (const char *name, ClipChord *chord)
{
  if (g_ascii_isalnum (name[0]) && name[1] == '\0')
    {
      chord->key[0] = g_ascii_tolower (name[0]);
      return TRUE;
    }
  for (guint i = 0; keys[i]; i++)
    if (g_ascii_strcasecmp (name, keys[i]) == 0)
      {
        g_strlcpy (chord->key, keys[i], sizeof chord->key);
        return TRUE;
      }
  return FALSE;
}

/**
 * clip_chord_parse:
 * @text: of people: ctrl+alt+v
 *
 * Returns: whether it is one that types nothing: a key with Ctrl, Alt or Super
 */
gboolean
clip_chord_parse (const char *text, ClipChord *out_chord)
{
  g_auto (GStrv) words = g_strsplit (text, "+", -1);
  guint n = g_strv_length (words);

  memset (out_chord, 0, sizeof *out_chord);
  for (guint i = 0; i + 1 < n; i++)
    if (!add_modifier (words[i], out_chord))
      return FALSE;
  return n > 0 && set_key (words[n - 1], out_chord) &&
         (out_chord->modifiers & ~(1u << CLIP_CHORD_SHIFT)) != 0;
}

/**
 * clip_chord_parse_accelerator:
 * @text: of GTK: `<Super>v`
 *
 * Returns: whether it is a chord that clip_chord_parse() can make, too
 */
gboolean
clip_chord_parse_accelerator (const char *text, ClipChord *out_chord)
{
  memset (out_chord, 0, sizeof *out_chord);
  while (*text == '<')
    {
      const char *end = strchr (text, '>');
      g_autofree char *name = end ? g_strndup (text + 1, (gsize) (end - text - 1)) : NULL;

      if (!name || !add_modifier (name, out_chord))
        return FALSE;
      text = end + 1;
    }
  return set_key (text, out_chord);
}

/* Returns: whether programs copy, cut or paste on it: it would do so no more, and not for
 * `insert` either */
gboolean
clip_chord_is_of_clipboard (const ClipChord *self)
{
  static const char *const names[] = { "c", "v", "x", "Insert", NULL };

  return (self->modifiers & ~(1u << CLIP_CHORD_SHIFT)) == 1u << CLIP_CHORD_CTRL &&
         g_strv_contains (names, self->key);
}

gboolean
clip_chord_equals (const ClipChord *a, const ClipChord *b)
{
  return a->modifiers == b->modifiers && g_str_equal (a->key, b->key);
}

/**
 * clip_chord_format:
 *
 * Returns: (transfer full): as a desktop writes it
 */
char *
clip_chord_format (const ClipChord *self, const ClipChordStyle *style)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < CLIP_CHORD_N_MODIFIERS; i++)
    if (self->modifiers & (1u << i))
      g_string_append_printf (out, "%s%s", out->len > 0 ? style->between : "",
                              style->names[i]);
  g_string_append_printf (out, "%s%s", style->before_key, self->key);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is typed to paste. The codes are where a keyboard of a PC has these keys: some programs look
 * at the place of a key rather than at its meaning. */
#include "clip-key.h"

#include <linux/input-event-codes.h>

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

static const ClipKey keys[] = {
  { "ctrl+v", CLIP_KEY_CONTROL, KEY_V, 'v' },
  { "shift+insert", CLIP_KEY_SHIFT, KEY_INSERT, 0xff63 },
  { "ctrl+shift+v", CLIP_KEY_CONTROL | CLIP_KEY_SHIFT, KEY_V, 'v' },
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

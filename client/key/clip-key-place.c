/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a layout has v: in its usual place, on no key, or elsewhere (Dvorak, Turkish F).
 * In one that is unknown, or has another Latin letter in that place, it may be Ctrl+C.
 */
#include "clip-key-place.h"

#include <linux/input-event-codes.h>
#include <xkbcommon/xkbcommon.h>

/* codes of X are those of the kernel, and eight more */
#define PLACE (KEY_V + 8)

typedef struct
{
  ClipKeyPlace *place;
  gboolean has_v;
  xkb_keysym_t there; /* what the key in the usual place of v means */
} Look;

static void
look_at (struct xkb_keymap *keymap, xkb_keycode_t code, void *data)
{
  const xkb_keysym_t *signs;
  Look *look = data;
  const int n = xkb_keymap_key_get_syms_by_level (keymap, code, 0, 0, &signs);

  for (int i = 0; i < n; i++)
    if (signs[i] == XKB_KEY_v)
      {
        look->has_v = TRUE;
        look->place->moves |= code != PLACE;
      }
  if (code == PLACE && n > 0)
    look->there = signs[0];
}

/* @variant: "" for none */
void
clip_key_place_add (ClipKeyPlace *self, const char *layout, const char *variant)
{
  const struct xkb_rule_names names = { .layout = layout, .variant = variant };
  struct xkb_context *context = *layout ? xkb_context_new (XKB_CONTEXT_NO_FLAGS) : NULL;
  struct xkb_keymap *keymap = NULL;
  Look look = { .place = self };

  if (context)
    {
      xkb_context_set_log_level (context, XKB_LOG_LEVEL_CRITICAL);
      keymap = xkb_keymap_new_from_names (context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS);
    }
  if (keymap)
    xkb_keymap_key_for_each (keymap, look_at, &look);
  self->moves |= !keymap || (!look.has_v && look.there < 0x80);
  self->lacks |= keymap && !look.has_v;
  xkb_keymap_unref (keymap);
  xkb_context_unref (context);
}

/**
 * clip_key_place_add_lists:
 * @layouts: with commas between them
 * @variants: the same, as far as there are some
 */
void
clip_key_place_add_lists (ClipKeyPlace *self, const char *layouts, const char *variants)
{
  g_auto (GStrv) names = g_strsplit (layouts, ",", -1);
  g_auto (GStrv) theirs = g_strsplit (variants, ",", -1);
  const guint n = g_strv_length (theirs);

  for (guint i = 0; names[i]; i++)
    clip_key_place_add (self, g_strstrip (names[i]), i < n ? g_strstrip (theirs[i]) : "");
}

/* whether v is to be pressed by its place, since a layout that may be in use has no such
 * sign: only where none can have another one there */
gboolean
clip_key_place_is_sure (const ClipKeyPlace *self)
{
  return self->lacks && !self->moves;
}

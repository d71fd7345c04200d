/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A key with others held down, as super+v. */

enum
{
  CLIP_CHORD_SUPER,
  CLIP_CHORD_CTRL,
  CLIP_CHORD_ALT,
  CLIP_CHORD_SHIFT,
  CLIP_CHORD_N_MODIFIERS,
};

typedef struct
{
  guint modifiers; /* a bit for each */
  char key[16];    /* its keysym; a letter is a small one */
} ClipChord;

/* how a desktop writes one */
typedef struct
{
  const char *names[CLIP_CHORD_N_MODIFIERS];
  const char *between;
  const char *before_key;
} ClipChordStyle;

gboolean clip_chord_parse (const char *text, ClipChord *out_chord);
gboolean clip_chord_parse_accelerator (const char *text, ClipChord *out_chord);
gboolean clip_chord_is_of_clipboard (const ClipChord *self);
gboolean clip_chord_equals (const ClipChord *a, const ClipChord *b);
char *clip_chord_format (const ClipChord *self, const ClipChordStyle *style);

extern const ClipChordStyle clip_chord_of_people;
extern const ClipChordStyle clip_chord_of_gtk;

G_END_DECLS

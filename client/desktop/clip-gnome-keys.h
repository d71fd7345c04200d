/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-chord.h"
G_BEGIN_DECLS

/* The keys of GNOME, in the settings of its shell and of its settings daemon. */

/* who has a chord; free what is in it */
typedef struct
{
  char *schema; /* (nullable): where it is a shortcut of the user's own */
  char *key;
  char *what; /* for people, in their language */
  char *rest; /* of its chords, as `gsettings set` takes them */
} ClipGnomeOwner;

gboolean clip_gnome_keys_can_bind (void);
gboolean clip_gnome_keys_find_owner (const ClipChord *chord, ClipGnomeOwner *out_owner);
void clip_gnome_owner_clear (ClipGnomeOwner *owner);
gboolean clip_gnome_keys_bind (const ClipChord *chord,
                               const char *name,
                               const char *command);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClipGnomeOwner, clip_gnome_owner_clear)
G_END_DECLS

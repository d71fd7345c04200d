/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What the layouts that are set say of v; zeroed for none. */
typedef struct
{
  gboolean lacks; /* one has no v */
  gboolean moves; /* one has it in another place, or is unknown */
} ClipKeyPlace;

void clip_key_place_add (ClipKeyPlace *self, const char *layout, const char *variant);
void clip_key_place_add_lists (ClipKeyPlace *self,
                               const char *layouts,
                               const char *variants);
gboolean clip_key_place_is_sure (const ClipKeyPlace *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-key.h"
G_BEGIN_DECLS

gboolean clip_key_layout_places_v (void);
const char *clip_key_layout_method (gboolean places_v,
                                    const ClipStroke *stroke,
                                    guint32 *out_key);

G_END_DECLS

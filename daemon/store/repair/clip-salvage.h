/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-aside.h"
G_BEGIN_DECLS

gboolean clip_salvage (const char *dir,
                       const gint *stops,
                       ClipAside *aside,
                       GError **error);
gboolean clip_salvage_clear (const char *dir, GError **error);
gboolean clip_salvage_closed (const char *dir, GError **error);

G_END_DECLS

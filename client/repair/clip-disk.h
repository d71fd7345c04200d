/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-settings.h"
G_BEGIN_DECLS

void clip_disk_append (GString *out, const char *store, const ClipSettings *settings);
void clip_disk_append_json (GString *out,
                            const char *store,
                            const ClipSettings *settings);

gboolean clip_disk_refuses (const char *store, const ClipSettings *settings);
gboolean clip_disk_is_full (const char *store);

G_END_DECLS

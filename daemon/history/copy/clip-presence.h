/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store.h"
G_BEGIN_DECLS

typedef void (*ClipPresenceMissing) (gint64 id, gpointer user_data);

void clip_presence_ask (ClipStore *store,
                        gint64 id,
                        ClipPresenceMissing missing,
                        GObject *owner);

G_END_DECLS

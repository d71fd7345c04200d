/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-mutter-session.h"
#include "clip-source.h"
G_BEGIN_DECLS

void clip_mutter_serve (ClipMutterSession *session,
                        ClipSource *source,
                        const char *mime,
                        guint32 serial);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-aside.h"
#include "clip-statements.h"
G_BEGIN_DECLS

gboolean clip_orphans_keep (const char *dir,
                            ClipStatements *database,
                            ClipAside *aside,
                            GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-statements.h"
G_BEGIN_DECLS

/* of a database that is a history: "clip" */
#define CLIP_DATABASE_ID 0x636c6970

gboolean clip_schema_check (ClipStatements *database, GError **error);
gboolean clip_schema_make (ClipStatements *database, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-database.h"
G_BEGIN_DECLS

/* of a database that is a history: "clip" */
#define CLIP_DATABASE_ID 0x636c6970

gboolean clip_migrate_check (ClipDatabase *database, GError **error);
gboolean clip_migrate (ClipDatabase *database, GError **error);
gboolean clip_migrate_to (ClipDatabase *database,
                          const char *const *steps,
                          guint n_steps,
                          GError **error);

G_END_DECLS

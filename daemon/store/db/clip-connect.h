/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-paths.h"
#include "clip-statements.h"
G_BEGIN_DECLS

/* the index of a log, before it has its name */
#define CLIP_NEW_INDEX_NAME CLIP_DATABASE_NAME "-new"

ClipStatements *clip_connect_folder (const char *dir, GError **error);
ClipStatements *clip_connect_writer (const char *dir, int dir_fd, GError **error);
sqlite3 *clip_connect_locker (const char *dir,
                              int busy_ms,
                              gboolean *out_busy,
                              GError **error);
void clip_connect_empty_log (sqlite3 *db);
gboolean clip_connect_carry_log (sqlite3 *db, int mode);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

/* by the number of a page: two may share a bit, and then one is asked of SQLite in vain */
#define CLIP_LEAF_LOG_BITS 65536

/* Pages that the log holds, or may hold. */
typedef struct
{
  guint8 bits[CLIP_LEAF_LOG_BITS / 8];
} ClipLeafLog;

gboolean clip_leaf_log_list (ClipLeafLog *self,
                             sqlite3_file *file,
                             const sqlite3_file *log);
gboolean clip_leaf_log_has (const ClipLeafLog *self, guint32 page);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

/* FALSE stops */
typedef gboolean (*ClipLeafFunc) (sqlite3_stmt *row, gpointer user_data);

gboolean clip_salvage_leaves (const char *copy,
                              const char *table,
                              const char *statement,
                              ClipLeafFunc function,
                              gpointer user_data);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

gboolean clip_sql_functions_register (sqlite3 *db, GError **error);

G_END_DECLS

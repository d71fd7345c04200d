/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

gboolean clip_salvage_rows (const char *copy,
                            sqlite3 *target,
                            const gint *stops,
                            gint64 *out_n_entries,
                            GError **error);

G_END_DECLS

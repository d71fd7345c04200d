/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

gboolean clip_salvage_copy (const char *path,
                            const char *copy,
                            sqlite3 *model,
                            GError **error);

G_END_DECLS

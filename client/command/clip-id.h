/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gboolean clip_id_from_line (const char *line,
                            gsize length,
                            gint64 *out_id,
                            GError **error);
gboolean clip_id_refuse (const char *line,
                         gsize length,
                         const char *doing,
                         GError **error);
gboolean clip_id_add_line (GArray *ids, const char *line, gsize length, GError **error);
gboolean clip_id_read_lines (GArray *ids, GError **error);
gboolean clip_id_read_fault (GError **error, int code);
gboolean clip_id_parse (const char *word, gint64 *out_id);

G_END_DECLS

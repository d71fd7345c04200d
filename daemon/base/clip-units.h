/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gboolean clip_parse_int (const char *text, gint64 *out_value);
gboolean clip_parse_size (const char *text, gint64 *out_bytes);
gboolean clip_parse_duration (const char *text, gint64 *out_us);
char *clip_format_size (gint64 bytes);

G_END_DECLS

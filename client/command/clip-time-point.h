/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gboolean clip_time_point_parse (const char *text, gint64 *out_us);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gint64 clip_set_aside_bytes (const char *store);
void clip_set_aside_append (GString *out, const char *store);
void clip_set_aside_append_names (GString *out, const char *store);

G_END_DECLS

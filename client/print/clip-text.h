/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

char *clip_text_quote (const char *text, gsize length);
void clip_text_append_visible (GString *out, const char *text, gsize length);
void clip_text_append_uris (GString *out, const char *list, gsize length);
gboolean clip_text_is_binary (const char *text, gsize length);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

#define CLIP_UTF8_REPLACEMENT "\xEF\xBF\xBD"
#define CLIP_UTF8_ELLIPSIS "\xE2\x80\xA6"

gsize clip_utf8_decode (const guint8 *data, gsize length, gunichar *out_char);
gboolean clip_utf8_is_cut (const guint8 *data, gsize length);
gboolean clip_utf8_is_space (gunichar c);

G_END_DECLS

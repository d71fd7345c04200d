/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* U+FFFD: what stands for a byte of a file that is no UTF-8 */
#define CLIP_CONFIG_NO_TEXT "\xef\xbf\xbd"

/* @value: (nullable): %NULL of a key alone */
typedef void (*ClipConfigFunc) (const char *key,
                                const char *value,
                                guint line,
                                gpointer user_data);

gboolean clip_config_load (const char *path,
                           ClipConfigFunc function,
                           gpointer user_data,
                           GError **error);
char *clip_config_read (const char *path, GError **error);
void clip_config_parse (const char *text, ClipConfigFunc function, gpointer user_data);
char *clip_config_expand (const char *value);

G_END_DECLS

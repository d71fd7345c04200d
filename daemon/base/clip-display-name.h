/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

char *clip_display_name_wayland (const char *named);
gboolean clip_display_name_is_other (const char *watched);
gboolean clip_display_name_is_remote (const char *server);
gboolean clip_display_name_is_gone (void);
gboolean clip_has_display (void);
GVariant *clip_display_name_variables (void);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gboolean clip_has_user_manager (void);
gboolean clip_terminal_is_watched (int fd);
gboolean clip_terminal_is_own (int fd);
gboolean clip_terminal_is_null (int fd);

G_END_DECLS

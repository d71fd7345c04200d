/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

char *clip_libexec_find (const char *program);
char *clip_libexec_find_command (void);

G_END_DECLS

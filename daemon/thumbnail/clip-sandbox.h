/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sys/types.h>
G_BEGIN_DECLS

gboolean clip_sandbox_tie (pid_t parent);
gboolean clip_sandbox_end_within (guint ms);
gboolean clip_sandbox_limit (void);
gboolean clip_sandbox_enter (void);
gboolean clip_sandbox_has_bubblewrap (void);

G_END_DECLS

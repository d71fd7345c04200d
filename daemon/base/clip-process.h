/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sys/types.h>
G_BEGIN_DECLS

/* Whether another process is about to end, by what the kernel shows of it in /proc. A
 * signal to a group is pending on each of its processes before any of them can act on it:
 * who sees that one has ended can look here whether the other is going to. */

void clip_process_seal (void);
void clip_process_unveil (void);
void clip_process_veil (void);

gboolean clip_process_is_shown (pid_t pid);
gint64 clip_process_now_us (void);
gint64 clip_process_start_us (pid_t pid);
gint64 clip_process_tells_start (const char *stat);
gboolean clip_process_is_leaving (pid_t pid);
gboolean clip_process_tells_leaving (const char *status, const char *stat);

G_END_DECLS

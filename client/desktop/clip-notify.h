/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
G_BEGIN_DECLS

/* of the program that shows them, on the bus */
#define CLIP_NOTIFY_NAME "org.freedesktop.Notifications"

gboolean clip_notify_is_shown (void);
guint32 clip_notify (const ClipCommand *command, const char *summary, const char *words);
void clip_notify_close (guint32 id);
void clip_notify_failure (const ClipCommand *command, const char *words);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
G_BEGIN_DECLS

/* of the program that shows notifications, on the bus of the session */
#define CLIP_NOTIFY_NAME "org.freedesktop.Notifications"

void clip_notify (const ClipCommand *command, const char *summary, const char *words);
void clip_notify_failure (const ClipCommand *command, const char *words);

G_END_DECLS

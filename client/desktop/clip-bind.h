/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
G_BEGIN_DECLS

/* The key that opens the window, on the desktop that is running. */
int clip_bind_key (const ClipCommand *command);

G_END_DECLS

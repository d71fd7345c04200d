/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
#include "clip-reader.h"
G_BEGIN_DECLS

gboolean clip_filters_any (const ClipCommand *command);
int clip_filters_read (const ClipCommand *command, ClipQuery *query);

G_END_DECLS

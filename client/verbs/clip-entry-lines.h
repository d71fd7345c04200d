/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
#include "clip-picker-rows.h"
G_BEGIN_DECLS

int clip_entry_lines_print (const ClipCommand *command, ClipQuery *query);
int clip_entry_lines_print_icons (const ClipCommand *command,
                                  ClipQuery *query,
                                  ClipIcons icons);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
#include "clip-picker-rows.h"
#include "clip-reader.h"
G_BEGIN_DECLS

ClipReader *clip_direct_open (const ClipCommand *command, GError **error);
int clip_direct_print (const ClipCommand *command, ClipQuery *query);
int clip_direct_print_icons (const ClipCommand *command,
                             ClipQuery *query,
                             ClipIcons icons);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
G_BEGIN_DECLS

void clip_notice (const ClipCommand *command, const char *summary, const char *words);
void clip_notice_failure (const ClipCommand *command, const char *words);

G_END_DECLS

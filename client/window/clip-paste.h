/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-placement.h"

#include <cliphist.h>
G_BEGIN_DECLS

void clip_paste (ClipPlacement *placement,
                 CliphistHistory *history,
                 guint64 id,
                 CliphistSelectFlags flags);
void clip_paste_tell (const char *words);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
G_BEGIN_DECLS

void clip_spoken_row_append (GString *out,
                             const ClipRow *row,
                             gint64 width,
                             gint64 now_us);

G_END_DECLS

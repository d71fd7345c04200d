/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gsize clip_cells_count (const char *text, gsize length);
void clip_cells_cut (GString *line, gsize start, gsize cells);

G_END_DECLS

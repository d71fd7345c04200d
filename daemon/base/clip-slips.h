/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gboolean clip_slips_is_nearer (const char *word, const char *name, guint *best);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-foreign-entry.h"
G_BEGIN_DECLS

/* Another manager's history, read and never written: its entries, oldest first. What is
 * in it may come from anybody, so it is read by who asks for it, never by the daemon. */
typedef struct ClipForeign ClipForeign;

void clip_foreign_list_names (GPtrArray *names);
gboolean clip_foreign_knows (const char *name);
gboolean clip_foreign_open (const char *path,
                            const char *name,
                            ClipForeign **out_foreign,
                            GError **error);
void clip_foreign_free (ClipForeign *self);

const char *clip_foreign_name (const ClipForeign *self);
const char *clip_foreign_title (const ClipForeign *self);
ClipForeignEntry *clip_foreign_next (ClipForeign *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipForeign, clip_foreign_free)

G_END_DECLS

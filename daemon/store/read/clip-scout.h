/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
G_BEGIN_DECLS

/* A second thread for a search that has to look at much: with a connection of its own it
 * looks at what comes next. */
typedef struct ClipScout ClipScout;

ClipScout *clip_scout_new (const char *dir, const ClipQuery *query);
void clip_scout_free (ClipScout *self);
void clip_scout_send (ClipScout *self, gint64 before, gint64 after);
GArray *clip_scout_wait (ClipScout *self, guint *out_n_given_up);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipScout, clip_scout_free)

G_END_DECLS

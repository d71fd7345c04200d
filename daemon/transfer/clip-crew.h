/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-pipes.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* What all transfers of a process share: hands for the work that may block, room for
 * larger pipes, and the word that it is over. Every call is safe in any thread. */
typedef struct ClipCrew ClipCrew;

ClipCrew *clip_crew_new (GFunc work);
void clip_crew_free (ClipCrew *self);

void clip_crew_push (ClipCrew *self, gpointer data);
void clip_crew_add_hand (ClipCrew *self);
void clip_crew_drop_hand (ClipCrew *self);
void clip_crew_dismiss (ClipCrew *self);
GCancellable *clip_crew_dismissed (ClipCrew *self);
ClipPipes *clip_crew_pipes (ClipCrew *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipCrew, clip_crew_free)

G_END_DECLS

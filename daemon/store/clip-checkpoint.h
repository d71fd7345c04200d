/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Carries the log into the database, on a thread and a connection of its own. */
typedef struct ClipCheckpoint ClipCheckpoint;

ClipCheckpoint *clip_checkpoint_new (const char *dir);
void clip_checkpoint_free (ClipCheckpoint *self);
void clip_checkpoint_restart (ClipCheckpoint *self);
void clip_checkpoint_note (ClipCheckpoint *self, int log_pages, gboolean overwritten);
gboolean clip_checkpoint_is_pending (ClipCheckpoint *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipCheckpoint, clip_checkpoint_free)

G_END_DECLS

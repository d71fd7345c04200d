/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-policy.h"
G_BEGIN_DECLS

/* Remembers, in the store, that what the clipboard holds was not to be kept, where
 * nothing about it says so: a daemon that starts while it is still there would take it
 * for a copy. */
typedef struct ClipDropNote ClipDropNote;

ClipDropNote *clip_drop_note_new (ClipStore *store);
void clip_drop_note_free (ClipDropNote *self);
ClipDrop clip_drop_note_why (ClipDropNote *self);
void clip_drop_note_set (ClipDropNote *self, ClipDrop why);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipDropNote, clip_drop_note_free)

G_END_DECLS

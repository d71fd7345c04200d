/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-policy.h"
G_BEGIN_DECLS

/* Remembers, in the store, that what the clipboard holds was not to be kept, where nothing about it
 * says so: a daemon that starts while it is still there would take it for a copy. */
typedef struct ClipUnwanted ClipUnwanted;

ClipUnwanted *clip_unwanted_new (ClipStore *store);
void clip_unwanted_free (ClipUnwanted *self);
ClipDrop clip_unwanted_why (ClipUnwanted *self);
void clip_unwanted_set (ClipUnwanted *self, ClipDrop why);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipUnwanted, clip_unwanted_free)

G_END_DECLS

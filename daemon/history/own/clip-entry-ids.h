/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store.h"
G_BEGIN_DECLS

/* Entries under their present id: one that is copied again has another id from then
 * on, one that is removed has none. That is followed here, for everybody who holds on to
 * an entry. A signal, once it is known to all:
 *
 *   "changed" (gint64 old_id, gint64 new_id)   0: it was removed
 */
#define CLIP_TYPE_ENTRY_IDS (clip_entry_ids_get_type ())
G_DECLARE_FINAL_TYPE (ClipEntryIds, clip_entry_ids, CLIP, ENTRY_IDS, GObject)

ClipEntryIds *clip_entry_ids_new (ClipStore *store);

/* one entry that is held on to */
typedef struct ClipEntryId ClipEntryId;

ClipEntryId *clip_entry_ids_hold (ClipEntryIds *self, gint64 id);
ClipEntryId *clip_entry_ids_hold_moved (ClipEntryIds *self, gint64 id);
ClipEntryId *clip_entry_id_ref (ClipEntryId *self);
void clip_entry_id_unref (ClipEntryId *self);
gint64 clip_entry_id_get (const ClipEntryId *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipEntryId, clip_entry_id_unref)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-ledger.h"
G_BEGIN_DECLS

/* Keeps the search index behind the entries, a step at a time. Everything runs on the
 * writer's thread, save where it says otherwise. */
typedef struct ClipIndexer ClipIndexer;

/* a text that is longer is not indexed: it is looked at by every search */
#define CLIP_INDEX_BYTES (64 * 1024)

ClipIndexer *clip_indexer_new (const char *dir, ClipLedger *ledger, gboolean builds);
void clip_indexer_free (ClipIndexer *self);
void clip_indexer_set_bytes (ClipIndexer *self, gint64 bytes);
void clip_indexer_restart (ClipIndexer *self);
void clip_indexer_look (ClipIndexer *self);
gboolean clip_indexer_wants (ClipIndexer *self);
void clip_indexer_step (ClipIndexer *self);
gboolean clip_indexer_is_dropping (ClipIndexer *self);
gboolean clip_indexer_is_busy (ClipIndexer *self);
gboolean clip_indexer_forget (ClipLedger *ledger, gint64 id, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipIndexer, clip_indexer_free)

G_END_DECLS

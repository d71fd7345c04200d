/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-entry-ids.h"
G_BEGIN_DECLS

/* Remembers what we own, in the store, so that it is ours again after a restart of ours,
 * if no program owns the clipboard then. */
#define CLIP_TYPE_RECLAIM (clip_reclaim_get_type ())
G_DECLARE_FINAL_TYPE (ClipReclaim, clip_reclaim, CLIP, RECLAIM, GObject)

/* signal "reclaim" (gint64 id, ClipBackend *): own that entry there */

ClipReclaim *clip_reclaim_new (ClipStore *store, ClipEntryIds *ids);
void clip_reclaim_stop (ClipReclaim *self);
void clip_reclaim_look (ClipReclaim *self, ClipBackend *backend);
const char *const *clip_reclaim_types (ClipReclaim *self);
void clip_reclaim_set_owned (ClipReclaim *self, gint64 id, const char *const *types);

G_END_DECLS

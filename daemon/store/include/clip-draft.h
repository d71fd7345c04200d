/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-stage.h"
G_BEGIN_DECLS

/* An entry to be. Contents in the order offered; the primary one first. */
typedef struct ClipDraft ClipDraft;

ClipDraft *clip_draft_new (const char *origin);
void clip_draft_free (ClipDraft *self);
void clip_draft_add (ClipDraft *self, const char *mime, ClipStage *stage, gint64 size);
void clip_draft_add_bytes (ClipDraft *self, const char *mime, GBytes *bytes);
void clip_draft_set_guessed (ClipDraft *self);
void clip_draft_set_primary (ClipDraft *self, guint n);
void clip_draft_set_initial (ClipDraft *self);
void clip_draft_set_begun (ClipDraft *self, gint64 begun_us);
void clip_draft_set_replaces (ClipDraft *self, gint64 id);
void clip_draft_set_times (ClipDraft *self, gint64 first_us, gint64 last_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipDraft, clip_draft_free)

G_END_DECLS

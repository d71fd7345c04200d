/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-ignore.h"
#include "clip-policy.h"
#include "clip-receive.h"
#include "clip-secret-fingerprints.h"
G_BEGIN_DECLS

/* The contents of one copy, as they come, and the entry that they make; or why they make
 * none. Captures and D-Bus callers store through this, and through nothing else. */
typedef struct ClipEntryBuilder ClipEntryBuilder;

ClipEntryBuilder *clip_entry_builder_new (const ClipSettings *settings,
                                          const char *origin);
void clip_entry_builder_free (ClipEntryBuilder *self);
void clip_entry_builder_set_initial (ClipEntryBuilder *self);
void clip_entry_builder_set_replaces (ClipEntryBuilder *self, gint64 id);
void clip_entry_builder_set_guards (ClipEntryBuilder *self,
                                    ClipIgnore *ignore,
                                    ClipSecretFingerprints *fingerprints);

ClipReceiveTerms clip_entry_builder_terms (ClipEntryBuilder *self,
                                           ClipTransferProgress *progress);
goffset clip_entry_builder_bytes (ClipEntryBuilder *self);
void clip_entry_builder_add (ClipEntryBuilder *self, ClipStagedContent *received_take);
gboolean clip_entry_builder_has_primary (ClipEntryBuilder *self);
gboolean clip_entry_builder_is_plain (ClipEntryBuilder *self);
GStrv clip_entry_builder_types (ClipEntryBuilder *self);
gboolean clip_entry_builder_may_look_on (ClipEntryBuilder *self);
guint clip_entry_builder_n_contents (ClipEntryBuilder *self);
ClipEnding clip_entry_builder_last_ending (ClipEntryBuilder *self);
gboolean clip_entry_builder_last_is_small (ClipEntryBuilder *self);
void clip_entry_builder_drop_last (ClipEntryBuilder *self);
void clip_entry_builder_drop_all (ClipEntryBuilder *self);

gboolean clip_entry_builder_has_patterns (ClipEntryBuilder *self);
void clip_entry_builder_look_async (ClipEntryBuilder *self,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean clip_entry_builder_look_finish (ClipEntryBuilder *self,
                                         GAsyncResult *result,
                                         GError **error);

ClipDraft *clip_entry_builder_finish (ClipEntryBuilder *self,
                                      ClipDrop *out_drop,
                                      GError **error);
ClipLimits clip_entry_builder_limits (ClipEntryBuilder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipEntryBuilder, clip_entry_builder_free)

G_END_DECLS

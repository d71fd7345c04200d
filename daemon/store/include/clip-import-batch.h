/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-draft.h"
G_BEGIN_DECLS

/* Entries that somebody brings along, which go in together. One thread at a time. */
typedef struct ClipImportBatch ClipImportBatch;

/* what became of an entry elsewhere; copied */
typedef struct
{
  gint64 id; /* 0 = none */
  gint64 copies;
  gint64 expires_us; /* 0 = never */
  gboolean pinned;
  char **tags; /* (nullable) */
} ClipCourse;

/* what came of batches, one after the other */
typedef struct
{
  gint64 n_added;
  gint64 n_known;     /* that were there already */
  gboolean keeps_ids; /* the history was empty when the first one came */
  gboolean has_begun;
  gint64 last_own_id; /* the entries that were there when the first one came end here */
  gint64 n_tags_left; /* that those have, and keep for themselves */
  gint64 begun_us;    /* monotonic: when the import began */
} ClipImported;

ClipImportBatch *clip_import_batch_new (void);
void clip_import_batch_free (ClipImportBatch *self);
void clip_import_batch_add (ClipImportBatch *self,
                            ClipDraft *draft_take,
                            const ClipCourse *course);
guint clip_import_batch_length (const ClipImportBatch *self);
gboolean clip_import_batch_is_full (const ClipImportBatch *self);
gboolean clip_import_batch_prepare (ClipImportBatch *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipImportBatch, clip_import_batch_free)

G_END_DECLS

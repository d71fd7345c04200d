/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inside of a ClipBatch, for clip-batch, which fills it on the caller's thread, and
 * clip-change-import, which makes rows of it on the writer's. */
#pragma once
#include "clip-batch.h"
G_BEGIN_DECLS

typedef struct
{
  ClipDraft *draft;
  ClipCourse course;
} ClipBatchItem;

struct ClipBatch
{
  GPtrArray *items; /* ClipBatchItem */
  gint64 bytes;     /* of their contents in memory */
  guint n_files;    /* open, with contents */
  guint next;       /* of the items */
  ClipImported imported;
  guint kept_next; /* as of the last commit */
  ClipImported kept;
  ClipImported before; /* this batch */

  GMutex mutex;
  GCond ended;
  gboolean is_under_way; /* from here on guarded by mutex */
  GError *error;
};

void clip_batch_keep (ClipBatch *self);
void clip_batch_revert (ClipBatch *self);
void clip_batch_restart (ClipBatch *self);

G_END_DECLS

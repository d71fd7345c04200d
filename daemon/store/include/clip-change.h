/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-draft.h"
#include "clip-import-batch.h"
#include "clip-limits.h"
G_BEGIN_DECLS

/* One change of the history that is asked for: made by one of these, taken by
 * clip_store_change_async(). */
typedef struct ClipChange ClipChange;

/* what came of it */
typedef struct
{
  gint64 id;           /* of the entry that was added or moved */
  gint64 moved_from;   /* the id that it had before it was added again; 0 = new */
  gboolean is_echo;    /* it was there: that copy was told of before */
  gboolean replaced;   /* it has taken the place of the entry that it was to replace */
  gint64 n;            /* how many entries it removed or changed; a trial, would remove */
  gint64 n_pushed_out; /* how many went for want of room when one was added */
  gboolean took_old;   /* some of them as the disk is almost full */
  /* of a trim: when the oldest that is not pinned was last copied; 0 = there is none, or
   * no limit asks */
  gint64 oldest_us;
  gboolean is_late; /* it had begun to come before a wipe, and was not added */
  guint spared;     /* ClipLimit: those that were not obeyed */
  ClipImported imported;
} ClipOutcome;

ClipChange *clip_change_add (ClipDraft *draft_take, const ClipLimits *limits);
ClipChange *clip_change_delete (const gint64 *ids, gsize n_ids);
ClipChange *clip_change_delete_newest (void);
ClipChange *clip_change_wipe (gboolean pinned_too, gint64 since_us);
ClipChange *clip_change_trim (const ClipLimits *limits, gboolean pretends);
ClipChange *clip_change_move (gint64 id);
ClipChange *clip_change_raise (gint64 id);
ClipChange *clip_change_pin (gint64 id, gboolean pinned);
ClipChange *clip_change_expire (gint64 id, gint64 expires_us);
ClipChange *clip_change_tag (gint64 id, const char *const *tags);
ClipChange *clip_change_note (const char *key, const char *value);
ClipChange *clip_change_touch (void);
ClipChange *clip_change_import (ClipImportBatch *batch_take,
                                const ClipImported *before,
                                const ClipLimits *limits);
void clip_change_free (ClipChange *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipChange, clip_change_free)

G_END_DECLS

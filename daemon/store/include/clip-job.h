/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-draft.h"
#include "clip-limits.h"
G_BEGIN_DECLS

/* One change of the history that is asked for: made by one of these, taken by
 * clip_store_change_async(). */
typedef struct ClipJob ClipJob;

ClipJob *clip_job_add (ClipDraft *draft_take, const ClipLimits *limits);
ClipJob *clip_job_delete (const gint64 *ids, gsize n_ids);
ClipJob *clip_job_delete_matching (GBytes *needle);
ClipJob *clip_job_delete_newest (void);
ClipJob *clip_job_wipe (gboolean pinned_too, gint64 since_us);
ClipJob *clip_job_trim (const ClipLimits *limits, gboolean pretends);
ClipJob *clip_job_move (gint64 id);
ClipJob *clip_job_pin (gint64 id, gboolean pinned);
ClipJob *clip_job_expire (gint64 id, gint64 expires_us);
ClipJob *clip_job_tag (gint64 id, const char *const *tags);
ClipJob *clip_job_note (const char *key, const char *value);
ClipJob *clip_job_touch (void);
void clip_job_free (ClipJob *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipJob, clip_job_free)

G_END_DECLS

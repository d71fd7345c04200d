/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What several kinds of change are made of, within a transaction. */
#pragma once
#include "clip-change-private.h"
#include "clip-entry-rows.h"
G_BEGIN_DECLS

/* the oldest entry that is not pinned */
typedef struct
{
  gint64 id;
  gint64 last_us;
} ClipOldest;

gboolean clip_step_find_oldest (ClipTransaction *transaction,
                                ClipOldest *oldest,
                                GError **error);
gboolean clip_step_remove_oldest (ClipTransaction *transaction,
                                  gint64 id,
                                  gint64 *n_removed,
                                  GError **error);
gboolean clip_step_remove (ClipTransaction *transaction,
                           gint64 id,
                           gint64 *n_removed,
                           GError **error);
gboolean clip_step_remove_each (ClipTransaction *transaction,
                                const GArray *ids,
                                gint64 *n_removed,
                                GError **error);
gboolean clip_step_pin (ClipTransaction *transaction,
                        gint64 id,
                        gboolean pinned,
                        gint64 *n_changed,
                        GError **error);
gboolean clip_step_note (ClipTransaction *transaction,
                         const char *key,
                         const char *value,
                         GError **error);
/* what a wipe is to take, and how far it is */
typedef struct
{
  gint64 since_us; /* only what was last copied since then; 0 = everything */
  gboolean pinned_too;
  gint64 last_id;    /* when it began: what comes later stays; 0 = it has not begun */
  gboolean by_steps; /* because the disk had too little room for all at once */
} ClipWipe;

ClipChangeStep clip_step_wipe (ClipTransaction *transaction,
                               ClipWipe *wanted,
                               gint64 *n_removed,
                               GError **error);
ClipChangeStep clip_step_copy (ClipTransaction *transaction,
                               ClipDraft *draft,
                               GError **error);
ClipChangeStep clip_step_bring_in (ClipTransaction *transaction,
                                   ClipDraft *draft,
                                   const ClipCourse *course,
                                   ClipImported *imported,
                                   GError **error);

gboolean clip_step_obeyed_age (ClipTransaction *transaction,
                               gint64 *out_age_us,
                               GError **error);
gboolean clip_step_weigh (ClipTransaction *transaction,
                          const ClipTotals *totals,
                          const ClipLimits *limits,
                          ClipChangeProgress *progress,
                          GError **error);
ClipChangeStep clip_step_trim (ClipTransaction *transaction,
                               const ClipLimits *limits,
                               gint64 keep_id,
                               ClipOutcome *outcome,
                               GError **error);
ClipChangeStep clip_step_make_room (ClipTransaction *transaction,
                                    const ClipDraft *draft,
                                    ClipChangeProgress *progress,
                                    GError **error);
gboolean clip_step_check_room (ClipTransaction *transaction,
                               const ClipLimits *limits,
                               GError **error);
gboolean clip_step_find_floor (ClipTransaction *transaction,
                               ClipChangeProgress *progress,
                               GError **error);
ClipChangeStep clip_step_trim_to_floor (ClipTransaction *transaction,
                                        ClipChangeProgress *progress,
                                        GError **error);

G_END_DECLS

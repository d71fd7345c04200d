/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-batch.h"
#include "clip-draft.h"
#include "clip-ledger.h"
#include "clip-limits.h"
G_BEGIN_DECLS

/* How far a change has come. */
typedef enum
{
  CLIP_CHANGE_FAILED,
  CLIP_CHANGE_DONE,
  CLIP_CHANGE_MORE,  /* this much is to be committed; called again, it goes on */
  CLIP_CHANGE_AGAIN, /* nothing was done: prepare it again */
} ClipChangeStep;

/* Each is called within a transaction. */
ClipChangeStep clip_change_add (ClipLedger *ledger,
                                ClipDraft *draft,
                                const ClipLimits *limits,
                                ClipAdded *out_added,
                                GError **error);
gboolean clip_change_remove (ClipLedger *ledger,
                             gint64 id,
                             gint64 *n_removed,
                             GError **error);
gboolean clip_change_collect (ClipLedger *ledger,
                              sqlite3_stmt *rows_take,
                              GArray *ids,
                              GError **error);
gboolean clip_change_obeyed_age (ClipLedger *ledger, gint64 *out_age_us, GError **error);
gboolean clip_change_spare (ClipLedger *ledger,
                            ClipLimits *limits,
                            guint *out_spared,
                            GError **error);
ClipChangeStep clip_change_make_room (ClipLedger *ledger,
                                      const ClipLimits *limits,
                                      const ClipDraft *draft,
                                      ClipAdded *added,
                                      GError **error);
ClipChangeStep clip_change_trim_all (ClipLedger *ledger,
                                     const ClipLimits *limits,
                                     ClipTrimmed *trimmed,
                                     GError **error);
ClipChangeStep clip_change_preview (ClipLedger *ledger,
                                    const ClipLimits *limits,
                                    ClipTrimmed *trimmed,
                                    GError **error);
gboolean clip_change_find_floor (ClipLedger *ledger,
                                 const ClipLimits *limits,
                                 ClipTrimmed *trimmed,
                                 GError **error);
ClipChangeStep clip_change_trim_to_floor (ClipLedger *ledger,
                                          const ClipLimits *limits,
                                          ClipTrimmed *trimmed,
                                          GError **error);
gboolean clip_change_check_room (ClipLedger *ledger,
                                 const ClipLimits *limits,
                                 GError **error);
ClipChangeStep clip_change_add_as (ClipLedger *ledger,
                                   ClipDraft *draft,
                                   const ClipCourse *course,
                                   gboolean keeps_id,
                                   ClipImported *imported,
                                   GError **error);
ClipChangeStep clip_change_import (ClipLedger *ledger,
                                   ClipBatch *batch,
                                   const ClipLimits *limits,
                                   GError **error);
ClipChangeStep clip_change_trim (ClipLedger *ledger,
                                 const ClipLimits *limits,
                                 gint64 keep_id,
                                 gint64 *n_removed,
                                 GError **error);
ClipChangeStep clip_change_delete (ClipLedger *ledger,
                                   const GArray *ids,
                                   gint64 *n_removed,
                                   GError **error);
GHashTable *clip_change_search_blobs (int blobs_fd, GBytes *needle, const gint *stops);
ClipChangeStep clip_change_delete_matching (ClipLedger *ledger,
                                            GBytes *needle,
                                            GHashTable *verdicts,
                                            gint64 *n_removed,
                                            GError **error);
ClipChangeStep clip_change_delete_newest (ClipLedger *ledger,
                                          gint64 *n_removed,
                                          GError **error);
ClipChangeStep clip_change_wipe (ClipLedger *ledger,
                                 gboolean pinned_too,
                                 gint64 since_us,
                                 gint64 *n_removed,
                                 GError **error);
ClipChangeStep clip_change_move (ClipLedger *ledger,
                                 gint64 id,
                                 gint64 *out_id,
                                 GError **error);
ClipChangeStep clip_change_pin (ClipLedger *ledger,
                                gint64 id,
                                gboolean pinned,
                                gint64 *n_changed,
                                GError **error);
ClipChangeStep clip_change_expire_at (ClipLedger *ledger,
                                      gint64 id,
                                      gint64 expires_us,
                                      gint64 *n_changed,
                                      GError **error);
ClipChangeStep clip_change_tag (ClipLedger *ledger,
                                gint64 id,
                                const char *const *tags,
                                gint64 *n_changed,
                                GError **error);
ClipChangeStep clip_change_note (ClipLedger *ledger,
                                 const char *key,
                                 const char *value,
                                 GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-change.h"
#include "clip-reader.h"
#include "clip-stage.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* The store's façade. Every call returns at once; results arrive on the caller's main
 * context, and a change is reported done only when it would survive a power cut. */
#define CLIP_TYPE_STORE (clip_store_get_type ())
G_DECLARE_FINAL_TYPE (ClipStore, clip_store, CLIP, STORE, GObject)

typedef enum
{
  CLIP_STORE_SESSION = 1 << 0, /* the one that sweeps, and watches for other writers */
} ClipStoreFlags;

ClipStore *clip_store_open (const char *dir, ClipStoreFlags flags, GError **error);
void clip_store_close (ClipStore *self);
const char *clip_store_dir (ClipStore *self);
gboolean clip_store_was_in_use (ClipStore *self);

ClipStage *clip_store_stage (ClipStore *self, GError **error);
ClipStage *clip_store_stage_full (ClipStore *self, int fd_take);
void clip_store_change_async (ClipStore *self,
                              ClipChange *change_take,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean clip_store_change_finish (ClipStore *self,
                                   GAsyncResult *result,
                                   ClipOutcome *out_outcome,
                                   GError **error);

/* the same, for a thread that has time */
gboolean clip_store_change_wait (ClipStore *self,
                                 ClipChange *change_take,
                                 ClipOutcome *out_outcome,
                                 GError **error);

/* a small value that belongs to the history and outlives the daemon (pause, who owned
 * what) */
char *clip_store_get_note (ClipStore *self, const char *key);

/* reading, on a small pool of threads with a read connection each */
void clip_store_lookup_async (ClipStore *self,
                              gint64 id,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
ClipEntry *clip_store_lookup_finish (ClipStore *self,
                                     GAsyncResult *result,
                                     GError **error);
void clip_store_open_content_async (ClipStore *self,
                                    gint64 id,
                                    const char *mime,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
ClipPayload *clip_store_open_content_finish (ClipStore *self,
                                             GAsyncResult *result,
                                             GError **error);
void clip_store_list_async (ClipStore *self,
                            const ClipQuery *query,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
GPtrArray *clip_store_list_finish (ClipStore *self, GAsyncResult *result, GError **error);
gint64 clip_store_newest (ClipStore *self);
void clip_store_get_totals (ClipStore *self, ClipTotals *out_totals);
gint64 clip_store_next_expiry (ClipStore *self);
gboolean clip_store_is_overwriting (ClipStore *self);

/* signals, on the main context, after the commit, whoever wrote:
 *   entry-added (ClipEntry *), entry-moved (gint64 old, gint64 new),
 *   entries-removed (GArray of gint64), entry-changed (ClipEntry *),
 *   expiry-changed: what clip_store_next_expiry() says is another time,
 *   entries-imported (gint64: how many; they are not announced one by one),
 *   room-made: the disk is almost full, and old entries have gone for a new one,
 *   notes-changed: what clip_store_get_note() says may be another value,
 *   pushed-out (gint64: how many): of what is removed, what went for what we added,
 *   wiped (gint64: how many): likewise, what went as the file at db-path was removed,
 *   repaired: what was damaged is not any more, and part of it may have been set aside,
 *   lost: there was no database, and what else was left of a history was set aside */

/* what takes long; meanwhile everything else goes on. A search for what is to be deleted
 * has a thread of its own, the others come one after the other */
void clip_store_delete_matching_async (ClipStore *self,
                                       GBytes *needle,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
void clip_store_check_async (ClipStore *self,
                             gboolean repair,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
GVariant *clip_store_check_finish (ClipStore *self, GAsyncResult *result, GError **error);
gboolean clip_store_repair_closed (const char *dir, GError **error);
void clip_store_compact_async (ClipStore *self,
                               GAsyncReadyCallback callback,
                               gpointer user_data);

G_END_DECLS

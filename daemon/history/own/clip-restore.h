/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-store.h"
#include "clip-traffic.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* The way out to a display: an entry that we offer as the owner of a selection, and the
 * requests of the programs that paste it. */
#define CLIP_TYPE_RESTORE (clip_restore_get_type ())
G_DECLARE_FINAL_TYPE (ClipRestore, clip_restore, CLIP, RESTORE, GObject)

ClipRestore *clip_restore_new (ClipStore *store,
                               ClipTransfers *transfers,
                               ClipTraffic *traffic,
                               ClipSelection selection);

/* own even where somebody else does, with all types or with the plain text alone; or only fill a
 * clipboard that its owner left empty */
typedef enum
{
  CLIP_RESTORE_TAKE,
  CLIP_RESTORE_TAKE_PLAIN,
  CLIP_RESTORE_FILL,
} ClipRestoreMode;

void clip_restore_own_async (ClipRestore *self,
                             ClipBackend *backend,
                             gint64 id,
                             ClipRestoreMode mode,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean clip_restore_own_finish (ClipRestore *self,
                                  GAsyncResult *result,
                                  GError **error);
gint64 clip_restore_id (ClipRestore *self);
gint64 clip_restore_lapsed (ClipRestore *self);
void clip_restore_forget (ClipRestore *self);
gboolean clip_restore_empty (ClipRestore *self, ClipBackend *backend, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-entry-ids.h"
#include "clip-long-transfers.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* The way out to a display: an entry that we offer as the owner of a selection, and the
 * requests of the programs that paste it. */
#define CLIP_TYPE_SELECTION_OWNER (clip_selection_owner_get_type ())
G_DECLARE_FINAL_TYPE (ClipSelectionOwner,
                      clip_selection_owner,
                      CLIP,
                      SELECTION_OWNER,
                      GObject)

ClipSelectionOwner *clip_selection_owner_new (ClipStore *store,
                                              ClipEntryIds *ids,
                                              ClipTransfers *transfers,
                                              ClipLongTransfers *long_transfers,
                                              ClipSelection selection);

/* own even where another program does, with all types or with the plain text alone; or
 * only fill a clipboard that its owner left empty, with what was there */
typedef enum
{
  CLIP_OWN_TAKE,
  CLIP_OWN_TAKE_PLAIN,
  CLIP_OWN_FILL,
} ClipOwnMode;

void clip_selection_owner_own_async (ClipSelectionOwner *self,
                                     ClipBackend *backend,
                                     gint64 id,
                                     ClipOwnMode mode,
                                     const char *const *types,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean clip_selection_owner_own_finish (ClipSelectionOwner *self,
                                          GAsyncResult *result,
                                          GError **error);
gint64 clip_selection_owner_id (ClipSelectionOwner *self);
gint64 clip_selection_owner_lapsed (ClipSelectionOwner *self);
const char *const *clip_selection_owner_types (ClipSelectionOwner *self);
void clip_selection_owner_forget (ClipSelectionOwner *self);
gboolean clip_selection_owner_empty (ClipSelectionOwner *self,
                                     ClipBackend *backend,
                                     GError **error);

G_END_DECLS

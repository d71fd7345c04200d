/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blobs.h"
#include "clip-database.h"
G_BEGIN_DECLS

/* The folder of a history that is open, which others may remove or move meanwhile. The
 * writer's. */
typedef struct ClipStoreFolder ClipStoreFolder;

ClipStoreFolder *clip_store_folder_new (const char *dir, ClipBlobs *blobs);
void clip_store_folder_free (ClipStoreFolder *self);
gboolean clip_store_folder_has_database (ClipStoreFolder *self);
gboolean clip_store_folder_has_another (ClipStoreFolder *self);
gboolean clip_store_folder_has_log (ClipStoreFolder *self);
ClipDatabase *clip_store_folder_open (const char *dir, GError **error);
ClipDatabase *clip_store_folder_begin_anew (ClipStoreFolder *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipStoreFolder, clip_store_folder_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blobs.h"
#include "clip-statements.h"
G_BEGIN_DECLS

/* The folder of a history that is open, which others may remove or move meanwhile. The
 * writer's. */
typedef struct ClipHistoryFolder ClipHistoryFolder;

ClipHistoryFolder *clip_history_folder_new (const char *dir, ClipBlobs *blobs);
void clip_history_folder_free (ClipHistoryFolder *self);
gboolean clip_history_folder_has_database (ClipHistoryFolder *self);
gboolean clip_history_folder_has_another (ClipHistoryFolder *self);
gboolean clip_history_folder_has_log (ClipHistoryFolder *self);
ClipStatements *clip_history_folder_open (const char *dir, GError **error);
ClipStatements *clip_history_folder_begin_anew (ClipHistoryFolder *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipHistoryFolder, clip_history_folder_free)

G_END_DECLS

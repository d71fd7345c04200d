/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blobs.h"
#include "clip-database.h"
G_BEGIN_DECLS

/* The folder of a history that is open, which others may remove or move meanwhile. The
 * writer's. */
typedef struct ClipPlace ClipPlace;

ClipPlace *clip_place_new (const char *dir, ClipBlobs *blobs);
void clip_place_free (ClipPlace *self);
gboolean clip_place_has_database (ClipPlace *self);
gboolean clip_place_has_another (ClipPlace *self);
gboolean clip_place_has_log (ClipPlace *self);
ClipDatabase *clip_place_open (const char *dir, GError **error);
ClipDatabase *clip_place_begin_anew (ClipPlace *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPlace, clip_place_free)

G_END_DECLS

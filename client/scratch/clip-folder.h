/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A private folder in memory, which goes with all that is in it. */
typedef struct ClipFolder ClipFolder;

ClipFolder *clip_folder_new (GError **error);
void clip_folder_free (ClipFolder *self);
const char *clip_folder_path (const ClipFolder *self);
int clip_folder_lock (const ClipFolder *self);
void clip_folder_leave (ClipFolder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipFolder, clip_folder_free)

G_END_DECLS

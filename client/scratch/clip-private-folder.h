/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A private folder in memory, which goes with all that is in it. */
typedef struct ClipPrivateFolder ClipPrivateFolder;

ClipPrivateFolder *clip_private_folder_new (GError **error);
void clip_private_folder_free (ClipPrivateFolder *self);
const char *clip_private_folder_path (const ClipPrivateFolder *self);
int clip_private_folder_lock (const ClipPrivateFolder *self);
void clip_private_folder_leave (ClipPrivateFolder *self);

void clip_private_folder_sweep (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPrivateFolder, clip_private_folder_free)

G_END_DECLS

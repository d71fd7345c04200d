/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Hears when another process has written to the database, or has taken it away; and the
 * same of the file at db-path. */
typedef struct ClipFolderWatch ClipFolderWatch;
typedef void (*ClipFolderWatchFunc) (gpointer user_data);

ClipFolderWatch *clip_folder_watch_new (const char *dir,
                                        const char *name,
                                        GMainContext *context,
                                        ClipFolderWatchFunc function,
                                        gpointer user_data,
                                        GError **error);
gboolean clip_folder_watch_renew (ClipFolderWatch *self, const char *dir, GError **error);
void clip_folder_watch_free (ClipFolderWatch *self);
void clip_folder_watch_touch (const char *dir);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipFolderWatch, clip_folder_watch_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* A file that may not be there yet, nor its folder: what happens to it is told at
   once. */
typedef struct ClipFileWatch ClipFileWatch;

typedef void (*ClipFileWatchFunc) (GFileMonitorEvent event, gpointer user_data);

ClipFileWatch *clip_file_watch_new (const char *path,
                                    ClipFileWatchFunc changed,
                                    gpointer user_data);
void clip_file_watch_free (ClipFileWatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipFileWatch, clip_file_watch_free)

G_END_DECLS

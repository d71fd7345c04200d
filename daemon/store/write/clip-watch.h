/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Hears when another process has written to the database, or has taken it away; and the
 * same of the file at db-path. */
typedef struct ClipWatch ClipWatch;
typedef void (*ClipWatchFunc) (gpointer user_data);

ClipWatch *clip_watch_new (const char *dir,
                           const char *name,
                           GMainContext *context,
                           ClipWatchFunc function,
                           gpointer user_data,
                           GError **error);
gboolean clip_watch_renew (ClipWatch *self, const char *dir, GError **error);
void clip_watch_free (ClipWatch *self);
void clip_watch_touch (const char *dir);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWatch, clip_watch_free)

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Asks the displays: once that has ended, all that they know of the clipboard by now
 * has been told. */
typedef struct ClipDisplaySync ClipDisplaySync;

ClipDisplaySync *clip_display_sync_new (GPtrArray *backends);
void clip_display_sync_free (ClipDisplaySync *self);
void clip_display_sync_expect (ClipDisplaySync *self);
void clip_display_sync_lost (ClipDisplaySync *self);
void clip_display_sync_found (ClipDisplaySync *self);
gboolean clip_display_sync_is_needed (ClipDisplaySync *self);
void clip_display_sync_run_async (ClipDisplaySync *self,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean clip_display_sync_finish (GAsyncResult *result, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

#define CLIP_TYPE_HISTORY_WINDOW (clip_history_window_get_type ())
G_DECLARE_FINAL_TYPE (ClipHistoryWindow,
                      clip_history_window,
                      CLIP,
                      HISTORY_WINDOW,
                      GtkWindow)

ClipHistoryWindow *clip_history_window_new (void);
void clip_history_window_open (ClipHistoryWindow *self, const char *words);
void clip_history_window_close (ClipHistoryWindow *self);
gboolean clip_history_window_has_draft (ClipHistoryWindow *self);

G_END_DECLS

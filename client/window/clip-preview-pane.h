/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
#include <gtk/gtk.h>
G_BEGIN_DECLS

#define CLIP_TYPE_PREVIEW_PANE (clip_preview_pane_get_type ())
G_DECLARE_FINAL_TYPE (ClipPreviewPane, clip_preview_pane, CLIP, PREVIEW_PANE, GtkWidget)

void clip_preview_pane_show (ClipPreviewPane *self,
                             CliphistHistory *history,
                             CliphistEntry *entry);
void clip_preview_pane_clear (ClipPreviewPane *self);
void clip_preview_pane_show_about (ClipPreviewPane *self, CliphistEntry *entry);
gboolean clip_preview_pane_copy (ClipPreviewPane *self);

G_END_DECLS

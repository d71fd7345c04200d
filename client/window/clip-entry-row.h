/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-choice.h"
#include "clip-row-pictures.h"
G_BEGIN_DECLS

#define CLIP_TYPE_ENTRY_ROW (clip_entry_row_get_type ())
G_DECLARE_FINAL_TYPE (ClipEntryRow, clip_entry_row, CLIP, ENTRY_ROW, GtkWidget)

GtkWidget *clip_entry_row_new (ClipRowPictures *thumbnails, CliphistHistory *history);
void clip_entry_row_show_order (ClipEntryRow *self, const ClipChoice *choice);

G_END_DECLS

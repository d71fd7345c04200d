/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
#include <gtk/gtk.h>
G_BEGIN_DECLS

#define CLIP_TYPE_ENTRY_EDITOR (clip_entry_editor_get_type ())
G_DECLARE_FINAL_TYPE (ClipEntryEditor, clip_entry_editor, CLIP, ENTRY_EDITOR, GtkWidget)

void clip_entry_editor_edit_text (ClipEntryEditor *self,
                                  CliphistHistory *history,
                                  CliphistEntry *entry);
void clip_entry_editor_edit_tags (ClipEntryEditor *self,
                                  CliphistHistory *history,
                                  CliphistEntry *entry);
gboolean clip_entry_editor_has_draft (ClipEntryEditor *self);
void clip_entry_editor_forget_draft (ClipEntryEditor *self);

G_END_DECLS

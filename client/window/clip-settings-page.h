/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

#define CLIP_TYPE_SETTINGS_PAGE (clip_settings_page_get_type ())
G_DECLARE_FINAL_TYPE (ClipSettingsPage,
                      clip_settings_page,
                      CLIP,
                      SETTINGS_PAGE,
                      GtkWidget)

void clip_settings_page_load (ClipSettingsPage *self);
void clip_settings_page_save_left (ClipSettingsPage *self);
gboolean clip_settings_page_leave (ClipSettingsPage *self);
void clip_settings_page_forget_draft (ClipSettingsPage *self);
gboolean clip_settings_page_has_draft (ClipSettingsPage *self);
gboolean clip_settings_page_is_told_wrong (ClipSettingsPage *self);

G_END_DECLS

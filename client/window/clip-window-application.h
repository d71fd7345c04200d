/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

#define CLIP_WINDOW_ID "org.cliphist.Cliphist"

#define CLIP_TYPE_WINDOW_APPLICATION (clip_window_application_get_type ())
G_DECLARE_FINAL_TYPE (ClipWindowApplication,
                      clip_window_application,
                      CLIP,
                      WINDOW_APPLICATION,
                      GtkApplication)

ClipWindowApplication *clip_window_application_new (void);

G_END_DECLS

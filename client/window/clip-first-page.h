/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

/* What the first start says: what is kept, what to press, and the key of the window. */
#define CLIP_TYPE_FIRST_PAGE (clip_first_page_get_type ())
G_DECLARE_FINAL_TYPE (ClipFirstPage, clip_first_page, CLIP, FIRST_PAGE, GtkWidget)

gboolean clip_first_page_is_due (void);
void clip_first_page_load (ClipFirstPage *self);
void clip_first_page_ask_key (ClipFirstPage *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

typedef struct ClipPlacementX11 ClipPlacementX11;

ClipPlacementX11 *clip_placement_x11_new (GtkWindow *window);
void clip_placement_x11_free (ClipPlacementX11 *self);
void clip_placement_x11_show (ClipPlacementX11 *self);
gboolean clip_placement_x11_has_lost (ClipPlacementX11 *self);
void clip_placement_x11_give_back (ClipPlacementX11 *self);

G_END_DECLS

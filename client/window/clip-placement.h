/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

/* Where the window stands, and who has the focus before and after it. */
typedef struct ClipPlacement ClipPlacement;

ClipPlacement *clip_placement_new (GtkWindow *window);
void clip_placement_free (ClipPlacement *self);
void clip_placement_show (ClipPlacement *self);
gboolean clip_placement_has_lost (const ClipPlacement *self);
void clip_placement_hide (ClipPlacement *self);
gboolean clip_placement_is_shown (const ClipPlacement *self);
gboolean clip_placement_is_covered (const ClipPlacement *self);
gboolean clip_placement_waits_for_key (const ClipPlacement *self);
gboolean clip_placement_has_focus (const ClipPlacement *self);
void clip_placement_watch_focus (ClipPlacement *self,
                                 GCallback changed,
                                 gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPlacement, clip_placement_free)

G_END_DECLS

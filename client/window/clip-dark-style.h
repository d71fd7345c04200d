/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

/* Dark where the desktop is: follows the settings portal. GTK does so by itself from 4.20
 * on, before that only libadwaita. */
typedef struct ClipDarkStyle ClipDarkStyle;

ClipDarkStyle *clip_dark_style_new (GDBusConnection *bus);
void clip_dark_style_free (ClipDarkStyle *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipDarkStyle, clip_dark_style_free)

G_END_DECLS

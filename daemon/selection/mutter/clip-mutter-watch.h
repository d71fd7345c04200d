/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Whether there is a Mutter on the session bus, and when to ask it (again). */
typedef struct ClipMutterWatch ClipMutterWatch;

/* it is known whether there is one; or it came, went, or unlocked the screen */
typedef void (*ClipMutterWatchChanged) (gpointer user_data);

ClipMutterWatch *clip_mutter_watch_new (ClipMutterWatchChanged changed,
                                        gpointer user_data);
void clip_mutter_watch_free (ClipMutterWatch *self);
gboolean clip_mutter_watch_is_known (ClipMutterWatch *self);
GDBusConnection *clip_mutter_watch_bus (ClipMutterWatch *self);
const char *clip_mutter_watch_peer (ClipMutterWatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipMutterWatch, clip_mutter_watch_free)
G_END_DECLS

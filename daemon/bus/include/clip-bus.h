/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-history.h"
#include "clip-screen-lock.h"
G_BEGIN_DECLS

/* org.cliphist.History1 on a connection: the session bus, or the socket of a private
 * daemon.
 *
 *   "chosen" (gboolean)   the desktop's own search has put an entry on the clipboard, or
 *                         could not */
#define CLIP_TYPE_BUS (clip_bus_get_type ())
G_DECLARE_FINAL_TYPE (ClipBus, clip_bus, CLIP, BUS, GObject)

ClipBus *clip_bus_new (ClipHistory *history);
gboolean clip_bus_export (ClipBus *self, GDBusConnection *connection, GError **error);
void clip_bus_hold (ClipBus *self);
void clip_bus_open (ClipBus *self);
void clip_bus_finish_calls (ClipBus *self);
ClipScreenLock *clip_bus_screen_lock (ClipBus *self);

G_END_DECLS

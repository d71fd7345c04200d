/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backlog.h"
#include "clip-callers.h"
#include "clip-gate.h"
#include "clip-history.h"
#include "clip-screen-lock.h"
G_BEGIN_DECLS

/* What the desktop's own search finds of the history, and puts on the clipboard: GNOME
 * Shell and KRunner ask, each in its own words. Nothing is found while the screen is
 * locked.
 *
 *   "chosen" (gboolean)   an entry that was found is on the clipboard, or could not be
 *                         put there */
#define CLIP_TYPE_FINDER (clip_finder_get_type ())
G_DECLARE_FINAL_TYPE (ClipFinder, clip_finder, CLIP, FINDER, GObject)

ClipFinder *clip_finder_new (ClipHistory *history,
                             ClipGate *gate,
                             ClipCallers *callers,
                             ClipBacklog *backlog);
gboolean clip_finder_export (ClipFinder *self,
                             GDBusConnection *connection,
                             GError **error);
ClipScreenLock *clip_finder_screen_lock (ClipFinder *self);

G_END_DECLS

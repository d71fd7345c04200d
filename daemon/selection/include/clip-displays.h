/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

/* Finds the displays of the session and keeps a backend connected to what is there: the
 * best of ext-data-control, wlr-data-control, GNOME's own way and X11. Signals:
 * "connected" (ClipBackend *), "disconnected" (ClipBackend *), "refusal-changed",
 * "searched": what can be reached is connected, or nothing can. Where there is none, it
 * waits for a socket to appear, without polling. */
#define CLIP_TYPE_DISPLAYS (clip_displays_get_type ())
G_DECLARE_FINAL_TYPE (ClipDisplays, clip_displays, CLIP, DISPLAYS, GObject)

ClipDisplays *clip_displays_new (void);
void clip_displays_set_primary (ClipDisplays *self, gboolean primary);
void clip_displays_start (ClipDisplays *self);
gboolean clip_displays_look_at (ClipDisplays *self, const char *const *environment);
void clip_displays_look_beside (ClipDisplays *self);
const char *clip_displays_refusal (ClipDisplays *self);
const char *clip_displays_watched (ClipDisplays *self);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

struct wl_registry;

/* Which program has the focus, where the compositor tells. */
typedef struct ClipWaylandFocus ClipWaylandFocus;

/* a protocol that tells it */
typedef struct ClipWaylandFocusKind ClipWaylandFocusKind;

const ClipWaylandFocusKind *clip_wayland_focus_find (const char *interface,
                                                     guint32 version);

ClipWaylandFocus *clip_wayland_focus_new (const ClipWaylandFocusKind *kind,
                                          struct wl_registry *registry,
                                          guint32 global,
                                          guint32 version);
void clip_wayland_focus_free (ClipWaylandFocus *self);
const char *clip_wayland_focus_app (ClipWaylandFocus *self);
gboolean clip_wayland_focus_is_sure (ClipWaylandFocus *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWaylandFocus, clip_wayland_focus_free)
G_END_DECLS

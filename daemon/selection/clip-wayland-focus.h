/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

struct wl_registry;

#define CLIP_WAYLAND_FOCUS_INTERFACE "zwlr_foreign_toplevel_manager_v1"

/* Which program has the focus, where the compositor tells. */
typedef struct ClipWaylandFocus ClipWaylandFocus;

ClipWaylandFocus *clip_wayland_focus_new (struct wl_registry *registry, guint32 global);
void clip_wayland_focus_free (ClipWaylandFocus *self);
const char *clip_wayland_focus_app (ClipWaylandFocus *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWaylandFocus, clip_wayland_focus_free)
G_END_DECLS

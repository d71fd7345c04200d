/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-data-control.h"
#include "clip-wayland-focus.h"
G_BEGIN_DECLS

/* What a compositor has for us: seats, and at best a data-control manager. */
typedef struct ClipWaylandRegistry ClipWaylandRegistry;

typedef struct
{
  /* all that was there at first has been announced: clip_wayland_registry_bind() */
  void (*listed) (gpointer user_data);
  void (*seat_added) (guint32 global, struct wl_seat *seat_take, gpointer user_data);
  void (*seat_removed) (guint32 global, gpointer user_data); /* or some other global */
  /* the manager that was bound serves no longer */
  void (*withdrawn) (gpointer user_data);
} ClipWaylandRegistryEvents;

ClipWaylandRegistry *clip_wayland_registry_new (struct wl_display *display,
                                                const ClipWaylandRegistryEvents *events,
                                                gpointer user_data);
void clip_wayland_registry_free (ClipWaylandRegistry *self);
ClipDataControl *clip_wayland_registry_bind (ClipWaylandRegistry *self, GError **error);
ClipWaylandFocus *clip_wayland_registry_bind_focus (ClipWaylandRegistry *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWaylandRegistry, clip_wayland_registry_free)
G_END_DECLS

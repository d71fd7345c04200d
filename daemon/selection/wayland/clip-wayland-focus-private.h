/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For the protocols that tell of windows. */
#pragma once
#include "clip-wayland-focus.h"
G_BEGIN_DECLS

struct ClipWaylandFocusKind
{
  const char *interface;
  guint32 min_version;
  guint32 max_version; /* that we know all events of */
  /* (transfer full): the manager */
  gpointer (*bind) (ClipWaylandFocus *focus,
                    struct wl_registry *registry,
                    guint32 global,
                    guint32 version);
  void (*unbind) (gpointer manager);
  void (*destroy_window) (gpointer proxy);
};

extern const ClipWaylandFocusKind clip_wayland_focus_wlr_kind;
extern const ClipWaylandFocusKind clip_wayland_focus_plasma_kind;

typedef struct
{
  ClipWaylandFocus *focus;
  gpointer proxy;
  char *app;      /* (nullable) */
  gboolean known; /* what there was to say of it has been said */
  gboolean active;
} ClipWaylandWindow;

ClipWaylandWindow *clip_wayland_focus_add_window (ClipWaylandFocus *self, gpointer proxy);
void clip_wayland_window_set_app (ClipWaylandWindow *self, const char *app);
void clip_wayland_window_gone (ClipWaylandWindow *self);
void clip_wayland_focus_finished (ClipWaylandFocus *self);

G_END_DECLS

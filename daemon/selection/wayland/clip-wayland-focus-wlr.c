/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wlr-foreign-toplevel-management-unstable-v1: sway, Hyprland, labwc, niri and others. */
#include "clip-wayland-focus-private.h"

#include "wlr-foreign-toplevel-management-unstable-v1-client-protocol.h"

static void
on_title (void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, const char *title)
{
}

static void
on_app_id (void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, const char *app)
{
  clip_wayland_window_set_app (data, app);
}

static void
on_output (void *data,
           struct zwlr_foreign_toplevel_handle_v1 *proxy,
           struct wl_output *output)
{
}

static void
on_state (void *data,
          struct zwlr_foreign_toplevel_handle_v1 *proxy,
          struct wl_array *states)
{
  ClipWaylandWindow *window = data;
  guint32 *state;

  window->active = FALSE;
  wl_array_for_each (state, states)
    if (*state == ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED)
      window->active = TRUE;
}

static void
on_done (void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy)
{
  ((ClipWaylandWindow *) data)->known = TRUE;
}

static void
on_closed (void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy)
{
  clip_wayland_window_gone (data);
}

static const struct zwlr_foreign_toplevel_handle_v1_listener window_listener = {
  .title = on_title,
  .app_id = on_app_id,
  .output_enter = on_output,
  .output_leave = on_output,
  .state = on_state,
  .done = on_done,
  .closed = on_closed,
};

static void
on_toplevel (void *data,
             struct zwlr_foreign_toplevel_manager_v1 *proxy,
             struct zwlr_foreign_toplevel_handle_v1 *window_proxy)
{
  zwlr_foreign_toplevel_handle_v1_add_listener (
      window_proxy, &window_listener, clip_wayland_focus_add_window (data, window_proxy));
}

static void
on_finished (void *data, struct zwlr_foreign_toplevel_manager_v1 *proxy)
{
  clip_wayland_focus_finished (data);
  zwlr_foreign_toplevel_manager_v1_destroy (proxy);
}

static const struct zwlr_foreign_toplevel_manager_v1_listener manager_listener = {
  .toplevel = on_toplevel,
  .finished = on_finished,
};

static gpointer
bind_manager (ClipWaylandFocus *focus,
              struct wl_registry *registry,
              guint32 global,
              guint32 version)
{
  struct zwlr_foreign_toplevel_manager_v1 *manager = wl_registry_bind (
      registry, global, &zwlr_foreign_toplevel_manager_v1_interface, version);

  zwlr_foreign_toplevel_manager_v1_add_listener (manager, &manager_listener, focus);
  return manager;
}

static void
unbind_manager (gpointer manager)
{
  zwlr_foreign_toplevel_manager_v1_stop (manager);
  zwlr_foreign_toplevel_manager_v1_destroy (manager);
}

static void
destroy_window (gpointer proxy)
{
  zwlr_foreign_toplevel_handle_v1_destroy (proxy);
}

const ClipWaylandFocusKind clip_wayland_focus_wlr_kind = {
  .interface = "zwlr_foreign_toplevel_manager_v1",
  .min_version = 1,
  .max_version = 1,
  .bind = bind_manager,
  .unbind = unbind_manager,
  .destroy_window = destroy_window,
};

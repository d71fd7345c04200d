/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* org_kde_plasma_window_management. KWin shows it only to programs whose desktop file
 * asks for it, by the path in its Exec: ours does (data/desktop). */
#include "clip-wayland-focus-private.h"

#include "plasma-window-management-client-protocol.h"

typedef struct org_kde_plasma_window_management Management;
typedef struct org_kde_plasma_window Plasma;

/* --- what a window says and is not used here --- */

static void
on_string (void *data, Plasma *proxy, const char *value)
{
}

static void
on_strings (void *data, Plasma *proxy, const char *first, const char *second)
{
}

static void
on_int (void *data, Plasma *proxy, gint32 value)
{
}

static void
on_uint (void *data, Plasma *proxy, guint32 value)
{
}

static void
on_nothing (void *data, Plasma *proxy)
{
}

static void
on_parent (void *data, Plasma *proxy, Plasma *parent)
{
}

static void
on_geometry (void *data, Plasma *proxy, gint32 x, gint32 y, guint32 width, guint32 height)
{
}

/* --- and what it says of itself --- */

static void
on_app_id (void *data, Plasma *proxy, const char *app)
{
  clip_wayland_window_set_app (data, app);
}

static void
on_state (void *data, Plasma *proxy, guint32 flags)
{
  ClipWaylandWindow *window = data;

  window->active = (flags & ORG_KDE_PLASMA_WINDOW_MANAGEMENT_STATE_ACTIVE) != 0;
}

static void
on_initial_state (void *data, Plasma *proxy)
{
  ((ClipWaylandWindow *) data)->known = TRUE;
}

static void
on_unmapped (void *data, Plasma *proxy)
{
  clip_wayland_window_gone (data);
}

static const struct org_kde_plasma_window_listener window_listener = {
  .title_changed = on_string,
  .app_id_changed = on_app_id,
  .state_changed = on_state,
  .virtual_desktop_changed = on_int,
  .themed_icon_name_changed = on_string,
  .unmapped = on_unmapped,
  .initial_state = on_initial_state,
  .parent_window = on_parent,
  .geometry = on_geometry,
  .icon_changed = on_nothing,
  .pid_changed = on_uint,
  .virtual_desktop_entered = on_string,
  .virtual_desktop_left = on_string,
  .application_menu = on_strings,
  .activity_entered = on_string,
  .activity_left = on_string,
  .resource_name_changed = on_string,
};

/* --- the windows --- */

static void
on_number (void *data, Management *proxy, guint32 value)
{
}

static void
on_order (void *data, Management *proxy, struct wl_array *ids)
{
}

static void
on_named_order (void *data, Management *proxy, const char *names)
{
}

static void
on_changed (void *data, Management *proxy)
{
}

static void
on_window (void *data, Management *proxy, guint32 id, const char *name)
{
  Plasma *window = org_kde_plasma_window_management_get_window_by_uuid (proxy, name);

  org_kde_plasma_window_add_listener (window, &window_listener,
                                      clip_wayland_focus_add_window (data, window));
}

static const struct org_kde_plasma_window_management_listener manager_listener = {
  .show_desktop_changed = on_number,
  .window = on_number,
  .stacking_order_changed = on_order,
  .stacking_order_uuid_changed = on_named_order,
  .window_with_uuid = on_window,
  .stacking_order_changed_2 = on_changed,
};

static gpointer
bind_manager (ClipWaylandFocus *focus,
              struct wl_registry *registry,
              guint32 global,
              guint32 version)
{
  Management *manager = wl_registry_bind (
      registry, global, &org_kde_plasma_window_management_interface, version);

  org_kde_plasma_window_management_add_listener (manager, &manager_listener, focus);
  return manager;
}

static void
unbind_manager (gpointer manager)
{
  org_kde_plasma_window_management_destroy (manager);
}

static void
destroy_window (gpointer proxy)
{
  org_kde_plasma_window_destroy (proxy);
}

const ClipWaylandFocusKind clip_wayland_focus_plasma_kind = {
  .interface = "org_kde_plasma_window_management",
  .min_version = ORG_KDE_PLASMA_WINDOW_MANAGEMENT_WINDOW_WITH_UUID_SINCE_VERSION,
  .max_version = 17,
  .bind = bind_manager,
  .unbind = unbind_manager,
  .destroy_window = destroy_window,
};

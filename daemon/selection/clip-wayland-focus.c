/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wayland tells nobody whose a selection is. But a program may copy only while it has the focus, and
 * the compositor tells taskbars which one has: that is whom a copy is taken to be of. */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-wayland-focus.h"

#include "wlr-foreign-toplevel-management-unstable-v1-client-protocol.h"

struct ClipWaylandFocus
{
  struct zwlr_foreign_toplevel_manager_v1 *proxy; /* NULL once it has finished */
  GPtrArray *windows;                             /* of Window */
};

typedef struct
{
  ClipWaylandFocus *focus;
  struct zwlr_foreign_toplevel_handle_v1 *proxy;
  char *app; /* (nullable) */
  gboolean active;
} Window;

static void
window_free (gpointer data)
{
  Window *self = data;

  zwlr_foreign_toplevel_handle_v1_destroy (self->proxy);
  g_free (self->app);
  g_free (self);
}

static void
on_title (void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, const char *title)
{
}

static void
on_app_id (void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy, const char *app)
{
  Window *self = data;

  g_free (self->app);
  self->app = g_utf8_make_valid (app, -1);
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
  Window *self = data;
  guint32 *state;

  self->active = FALSE;
  wl_array_for_each (state, states)
    if (*state == ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED)
      self->active = TRUE;
}

static void
on_done (void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy)
{
}

static void
on_closed (void *data, struct zwlr_foreign_toplevel_handle_v1 *proxy)
{
  Window *self = data;

  g_ptr_array_remove_fast (self->focus->windows, self);
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
  ClipWaylandFocus *self = data;
  Window *window = g_new0 (Window, 1);

  window->focus = self;
  window->proxy = window_proxy;
  zwlr_foreign_toplevel_handle_v1_add_listener (window_proxy, &window_listener, window);
  g_ptr_array_add (self->windows, window);
}

static void
on_finished (void *data, struct zwlr_foreign_toplevel_manager_v1 *proxy)
{
  ClipWaylandFocus *self = data;

  g_clear_pointer (&self->proxy, zwlr_foreign_toplevel_manager_v1_destroy);
}

static const struct zwlr_foreign_toplevel_manager_v1_listener manager_listener = {
  .toplevel = on_toplevel,
  .finished = on_finished,
};

/* @global: a %CLIP_WAYLAND_FOCUS_INTERFACE; of later versions we want nothing */
ClipWaylandFocus *
clip_wayland_focus_new (struct wl_registry *registry, guint32 global)
{
  ClipWaylandFocus *self = g_new0 (ClipWaylandFocus, 1);

  self->windows = g_ptr_array_new_with_free_func (window_free);
  self->proxy =
      wl_registry_bind (registry, global, &zwlr_foreign_toplevel_manager_v1_interface, 1);
  zwlr_foreign_toplevel_manager_v1_add_listener (self->proxy, &manager_listener, self);
  return self;
}

/* with the connection */
void
clip_wayland_focus_free (ClipWaylandFocus *self)
{
  g_ptr_array_unref (self->windows);
  if (self->proxy)
    {
      zwlr_foreign_toplevel_manager_v1_stop (self->proxy);
      zwlr_foreign_toplevel_manager_v1_destroy (self->proxy);
    }
  g_free (self);
}

/* (transfer none) (nullable): the program whose window has the focus; %NULL where none has, or it
 * has no name */
const char *
clip_wayland_focus_app (ClipWaylandFocus *self)
{
  for (guint i = 0; i < self->windows->len; i++)
    {
      const Window *window = self->windows->pdata[i];

      if (window->active)
        return window->app;
    }
  return NULL;
}

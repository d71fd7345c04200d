/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which window has the focus, where the compositor tells taskbars (not on GNOME and
   KDE). */
#include "clip-key-wayland.h"
#include "clip-key.h"

#include "wlr-foreign-toplevel-management-unstable-v1-client-protocol.h"

#include <wayland-client.h>

typedef struct zwlr_foreign_toplevel_manager_v1 Manager;
typedef struct zwlr_foreign_toplevel_handle_v1 Toplevel;

typedef struct
{
  Toplevel *proxy;
  char *app;
  gboolean active;
} Window;

typedef struct
{
  Manager *manager;   /* NULL: no protocol tells */
  GPtrArray *windows; /* of Window */
} Glance;

static void
window_free (gpointer data)
{
  Window *self = data;

  zwlr_foreign_toplevel_handle_v1_destroy (self->proxy);
  g_free (self->app);
  g_free (self);
}

static void
on_app_id (void *data, Toplevel *proxy, const char *app)
{
  Window *self = data;

  g_free (self->app);
  self->app = g_utf8_make_valid (app, -1);
}

static void
on_state (void *data, Toplevel *proxy, struct wl_array *states)
{
  const guint32 *all = states->data;
  Window *self = data;

  self->active = FALSE;
  for (gsize i = 0; i < states->size / sizeof *all; i++)
    self->active |= all[i] == ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED;
}

static void
on_text (void *data, Toplevel *proxy, const char *text)
{
}

static void
on_output (void *data, Toplevel *proxy, struct wl_output *output)
{
}

static void
on_event (void *data, Toplevel *proxy)
{
}

static const struct zwlr_foreign_toplevel_handle_v1_listener window_listener = {
  on_text, on_app_id, on_output, on_output, on_state, on_event, on_event,
};

static void
on_toplevel (void *data, Manager *manager, Toplevel *proxy)
{
  Glance *self = data;
  Window *window = g_new0 (Window, 1);

  window->proxy = proxy;
  g_ptr_array_add (self->windows, window);
  zwlr_foreign_toplevel_handle_v1_add_listener (proxy, &window_listener, window);
}

static void
on_finished (void *data, Manager *manager)
{
}

static const struct zwlr_foreign_toplevel_manager_v1_listener manager_listener = {
  on_toplevel,
  on_finished,
};

static void
on_global (void *data,
           struct wl_registry *registry,
           guint32 name,
           const char *interface,
           guint32 version)
{
  Glance *self = data;

  if (self->manager ||
      !g_str_equal (interface, zwlr_foreign_toplevel_manager_v1_interface.name))
    return;
  self->manager =
      wl_registry_bind (registry, name, &zwlr_foreign_toplevel_manager_v1_interface, 1);
  zwlr_foreign_toplevel_manager_v1_add_listener (self->manager, &manager_listener, self);
}

static void
on_global_remove (void *data, struct wl_registry *registry, guint32 name)
{
}

static const struct wl_registry_listener registry_listener = { on_global,
                                                               on_global_remove };

static char *
glance (struct wl_display *display)
{
  Glance self = { .windows = g_ptr_array_new_with_free_func (window_free) };
  struct wl_registry *registry = wl_display_get_registry (display);
  char *app = NULL;

  wl_registry_add_listener (registry, &registry_listener, &self);
  /* what there is, and then its windows */
  if (clip_key_wayland_await (display, NULL) && self.manager)
    clip_key_wayland_await (display, NULL);
  for (guint i = 0; i < self.windows->len && !app; i++)
    {
      const Window *window = self.windows->pdata[i];

      app = window->active ? g_strdup (window->app) : NULL;
    }
  g_ptr_array_unref (self.windows);
  g_clear_pointer (&self.manager, zwlr_foreign_toplevel_manager_v1_destroy);
  wl_registry_destroy (registry);
  return app;
}

char *
clip_key_focus_wayland (void)
{
  struct wl_display *display = wl_display_connect (NULL);
  char *app = display ? glance (display) : NULL;

  g_clear_pointer (&display, wl_display_disconnect);
  return app;
}

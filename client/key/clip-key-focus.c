/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which window has the focus, where the compositor tells taskbars (not on GNOME and
   KDE). */
#include "clip-key-wayland.h"
#include "clip-key.h"

#include "wlr-foreign-toplevel-management-unstable-v1-client-protocol.h"

#include <wayland-client.h>

/* for the compositor: to give the focus on, when a launcher or our own window has gone */
#define FOCUS_PATIENCE_US (1 * G_USEC_PER_SEC)
#define LOOK_EVERY_US 5000

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
  struct wl_registry *registry;
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
on_done (void *data, Toplevel *proxy)
{
}

static void
on_closed (void *data, Toplevel *proxy)
{
  Window *self = data;

  self->active = FALSE;
}

static const struct zwlr_foreign_toplevel_handle_v1_listener window_listener = {
  on_text, on_app_id, on_output, on_output, on_state, on_done, on_closed,
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

static void
glance_close (Glance *self)
{
  g_ptr_array_unref (self->windows);
  g_clear_pointer (&self->manager, zwlr_foreign_toplevel_manager_v1_destroy);
  wl_registry_destroy (self->registry);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Glance, glance_close)

static void
glance_open (Glance *self, struct wl_display *display)
{
  self->windows = g_ptr_array_new_with_free_func (window_free);
  self->registry = wl_display_get_registry (display);
  wl_registry_add_listener (self->registry, &registry_listener, self);
  /* what there is, and then its windows */
  if (clip_key_wayland_await (display, NULL) && self->manager)
    clip_key_wayland_await (display, NULL);
}

static const Window *
find_active (const Glance *self)
{
  for (guint i = 0; i < self->windows->len; i++)
    {
      const Window *window = self->windows->pdata[i];

      if (window->active)
        return window;
    }
  return NULL;
}

/* Returns: (nullable): the window that has the focus */
static const Window *
await_focus (const Glance *self, struct wl_display *display)
{
  gint64 deadline_us = g_get_monotonic_time () + FOCUS_PATIENCE_US;
  const Window *window = find_active (self);

  while (!window && self->windows->len > 0 && g_get_monotonic_time () < deadline_us &&
         clip_key_wayland_await (display, NULL))
    {
      g_usleep (LOOK_EVERY_US);
      window = find_active (self);
    }
  return window;
}

/* Returns: whether a window has the focus; TRUE where the compositor does not tell. A
   launcher or a panel is none, as it is not known of them. */
gboolean
clip_key_wayland_has_focus (struct wl_display *display)
{
  g_auto (Glance) glance = { 0 };

  glance_open (&glance, display);
  return !glance.manager || await_focus (&glance, display);
}

static char *
get_app (struct wl_display *display)
{
  g_auto (Glance) glance = { 0 };
  const Window *window;

  glance_open (&glance, display);
  window = await_focus (&glance, display);
  return window ? g_strdup (window->app) : NULL;
}

char *
clip_key_focus_wayland (void)
{
  struct wl_display *display = wl_display_connect (NULL);
  char *app = display ? get_app (display) : NULL;

  g_clear_pointer (&display, wl_display_disconnect);
  return app;
}

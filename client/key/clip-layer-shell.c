/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether a compositor lets programs show something above all windows, that has the
   keyboard. */
#include "clip-layer-shell.h"

#include "clip-key-wayland.h"

#include <wayland-client.h>

static void
on_global (void *data,
           struct wl_registry *registry,
           guint32 name,
           const char *interface,
           guint32 version)
{
  gboolean *found = data;

  *found |= g_str_equal (interface, "zwlr_layer_shell_v1");
}

static void
on_global_remove (void *data, struct wl_registry *registry, guint32 name)
{
}

static const struct wl_registry_listener listener = {
  .global = on_global,
  .global_remove = on_global_remove,
};

gboolean
clip_layer_shell_is_offered (void)
{
  struct wl_display *display = wl_display_connect (NULL);
  struct wl_registry *registry;
  gboolean found = FALSE;

  if (!display)
    return FALSE;
  registry = wl_display_get_registry (display);
  wl_registry_add_listener (registry, &listener, &found);
  clip_key_wayland_await (display, NULL);
  wl_registry_destroy (registry);
  wl_display_disconnect (display);
  return found;
}

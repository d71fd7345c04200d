/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-wayland-registry.h"

#include "clip-error.h"

struct ClipWaylandRegistry
{
  struct wl_display *display;
  struct wl_registry *proxy;
  struct wl_callback *listing; /* NULL once all that was there at first is announced */
  int manager_rank;            /* of the best manager announced, or -1 */
  guint32 manager_global;
  guint32 manager_version;
  const ClipWaylandFocusKind *focus_kind; /* NULL: no protocol tells who has it */
  guint32 focus_global;
  guint32 focus_version;
  gboolean bound;
  const ClipWaylandRegistryEvents *events;
  gpointer user_data;
};

static void
on_global (void *data,
           struct wl_registry *proxy,
           guint32 global,
           const char *interface,
           guint32 version)
{
  ClipWaylandRegistry *self = data;
  int rank = clip_data_control_rank (interface);

  if (g_str_equal (interface, wl_seat_interface.name))
    {
      /* a seat can be given back since that version; of the rest of it we use nothing */
      version = MIN (version, WL_SEAT_RELEASE_SINCE_VERSION);
      self->events->seat_added (
          global, wl_registry_bind (proxy, global, &wl_seat_interface, version),
          self->user_data);
      return;
    }
  if (!self->focus_kind &&
      (self->focus_kind = clip_wayland_focus_find (interface, version)))
    {
      self->focus_global = global;
      self->focus_version = version;
    }
  if (rank <= self->manager_rank || self->bound)
    return;
  self->manager_rank = rank;
  self->manager_global = global;
  self->manager_version = version;
}

static void
on_global_remove (void *data, struct wl_registry *proxy, guint32 global)
{
  ClipWaylandRegistry *self = data;

  if (self->focus_kind && global == self->focus_global)
    self->focus_kind = NULL;
  if (self->bound && global == self->manager_global)
    self->events->withdrawn (self->user_data);
  else
    self->events->seat_removed (global, self->user_data);
}

static const struct wl_registry_listener registry_listener = {
  .global = on_global,
  .global_remove = on_global_remove,
};

static void
on_listed (void *data, struct wl_callback *callback, guint32 serial)
{
  ClipWaylandRegistry *self = data;

  g_clear_pointer (&self->listing, wl_callback_destroy);
  self->events->listed (self->user_data);
}

static const struct wl_callback_listener listing_listener = { .done = on_listed };

/* @display: outlives the result */
ClipWaylandRegistry *
clip_wayland_registry_new (struct wl_display *display,
                           const ClipWaylandRegistryEvents *events,
                           gpointer user_data)
{
  ClipWaylandRegistry *self = g_new0 (ClipWaylandRegistry, 1);

  self->display = display;
  self->manager_rank = -1;
  self->events = events;
  self->user_data = user_data;
  self->proxy = wl_display_get_registry (display);
  wl_registry_add_listener (self->proxy, &registry_listener, self);
  self->listing = wl_display_sync (display);
  wl_callback_add_listener (self->listing, &listing_listener, self);
  return self;
}

void
clip_wayland_registry_free (ClipWaylandRegistry *self)
{
  g_clear_pointer (&self->listing, wl_callback_destroy);
  wl_registry_destroy (self->proxy);
  g_free (self);
}

/**
 * clip_wayland_registry_bind:
 *
 * Returns: (transfer full): the best data-control manager that was announced
 *
 * Errors: %CLIP_ERROR_NO_BACKEND when there is none.
 */
ClipDataControl *
clip_wayland_registry_bind (ClipWaylandRegistry *self, GError **error)
{
  if (self->manager_rank < 0)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                   "compositor has no data-control protocol");
      return NULL;
    }
  self->bound = TRUE;
  return clip_data_control_bind (self->manager_rank, self->display, self->proxy,
                                 self->manager_global, self->manager_version);
}

/* (transfer full) (nullable): %NULL where the compositor does not tell who has the
   focus */
ClipWaylandFocus *
clip_wayland_registry_bind_focus (ClipWaylandRegistry *self)
{
  return self->focus_kind
             ? clip_wayland_focus_new (self->focus_kind, self->proxy, self->focus_global,
                                       self->focus_version)
             : NULL;
}

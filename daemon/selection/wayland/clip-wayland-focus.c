/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wayland does not say whose a selection is. But a program may copy only while it has the
 * focus, and the compositor tells taskbars which one has: that is whom a copy is taken to
 * be of. */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-wayland-focus-private.h"

struct ClipWaylandFocus
{
  const ClipWaylandFocusKind *kind;
  gpointer manager;   /* NULL once it has finished */
  GPtrArray *windows; /* of ClipWaylandWindow */
};

static const ClipWaylandFocusKind *const kinds[] = {
  &clip_wayland_focus_wlr_kind,
  &clip_wayland_focus_plasma_kind,
};

/* (nullable): the protocol of a global that was announced; %NULL where it tells nothing
   of windows */
const ClipWaylandFocusKind *
clip_wayland_focus_find (const char *interface, guint32 version)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i]->interface, interface) && version >= kinds[i]->min_version)
      return kinds[i];
  return NULL;
}

static void
window_free (gpointer data)
{
  ClipWaylandWindow *self = data;

  self->focus->kind->destroy_window (self->proxy);
  g_free (self->app);
  g_free (self);
}

/* (transfer none): what its listener gets */
ClipWaylandWindow *
clip_wayland_focus_add_window (ClipWaylandFocus *self, gpointer proxy)
{
  ClipWaylandWindow *window = g_new0 (ClipWaylandWindow, 1);

  window->focus = self;
  window->proxy = proxy;
  g_ptr_array_add (self->windows, window);
  return window;
}

void
clip_wayland_window_set_app (ClipWaylandWindow *self, const char *app)
{
  g_free (self->app);
  self->app = g_utf8_make_valid (app, -1);
}

void
clip_wayland_window_gone (ClipWaylandWindow *self)
{
  g_ptr_array_remove_fast (self->focus->windows, self);
}

/* the compositor will tell of nothing more, and the manager is the caller's */
void
clip_wayland_focus_finished (ClipWaylandFocus *self)
{
  self->manager = NULL;
}

/* @global: of @kind; of versions later than we know we want nothing */
ClipWaylandFocus *
clip_wayland_focus_new (const ClipWaylandFocusKind *kind,
                        struct wl_registry *registry,
                        guint32 global,
                        guint32 version)
{
  ClipWaylandFocus *self = g_new0 (ClipWaylandFocus, 1);

  self->kind = kind;
  self->windows = g_ptr_array_new_with_free_func (window_free);
  self->manager = kind->bind (self, registry, global, MIN (version, kind->max_version));
  return self;
}

/* with the connection */
void
clip_wayland_focus_free (ClipWaylandFocus *self)
{
  g_ptr_array_unref (self->windows);
  if (self->manager)
    self->kind->unbind (self->manager);
  g_free (self);
}

/* (transfer none) (nullable): the program whose window has the focus; %NULL where none
 * has, or it has no name */
const char *
clip_wayland_focus_app (ClipWaylandFocus *self)
{
  for (guint i = 0; i < self->windows->len; i++)
    {
      const ClipWaylandWindow *window = self->windows->pdata[i];

      if (window->active)
        return window->app;
    }
  return NULL;
}

/* a window that has just come may have it, and is to be asked: by the next answer of the
 * compositor it has been */
gboolean
clip_wayland_focus_is_sure (ClipWaylandFocus *self)
{
  for (guint i = 0; i < self->windows->len; i++)
    if (!((const ClipWaylandWindow *) self->windows->pdata[i])->known)
      return FALSE;
  return TRUE;
}

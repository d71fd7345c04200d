/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layer shell where compositor and library have it. Elsewhere an ordinary window of a
 * fixed size, which tiling compositors float and others centre.
 *
 * A surface of layer shell asks for the keyboard alone until it has it, since some
 * compositors give it to no other; then it shares it, so that a click elsewhere can take
 * it away.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-placement.h"

#ifdef CLIP_HAVE_X11
#  include "clip-placement-x11.h"
#endif

#ifdef CLIP_HAVE_LAYER_SHELL
#  include <gtk4-layer-shell.h>
#endif

struct ClipPlacement
{
  GtkWindow *window;
  GtkEventController
      *focus; /* (nullable): on a surface of layer shell; owned by the window */
#ifdef CLIP_HAVE_X11
  ClipPlacementX11 *x11; /* (nullable): on another display */
#endif
};

#ifdef CLIP_HAVE_LAYER_SHELL
static void
on_keyboard (ClipPlacement *self)
{
  gtk_layer_set_keyboard_mode (self->window, GTK_LAYER_SHELL_KEYBOARD_MODE_ON_DEMAND);
}

static void
use_layer (ClipPlacement *self)
{
  if (!gtk_layer_is_supported ())
    return;
  gtk_layer_init_for_window (self->window);
  gtk_layer_set_namespace (self->window, "cliphist");
  gtk_layer_set_layer (self->window, GTK_LAYER_SHELL_LAYER_OVERLAY);
  self->focus = gtk_event_controller_focus_new ();
  g_signal_connect_swapped (self->focus, "enter", G_CALLBACK (on_keyboard), self);
  gtk_widget_add_controller (GTK_WIDGET (self->window), self->focus);
}
#endif

ClipPlacement *
clip_placement_new (GtkWindow *window)
{
  ClipPlacement *self = g_new0 (ClipPlacement, 1);

  self->window = window;
#ifdef CLIP_HAVE_LAYER_SHELL
  use_layer (self);
#endif
#ifdef CLIP_HAVE_X11
  self->x11 = clip_placement_x11_new (window);
#endif
  return self;
}

void
clip_placement_free (ClipPlacement *self)
{
#ifdef CLIP_HAVE_X11
  g_clear_pointer (&self->x11, clip_placement_x11_free);
#endif
  g_free (self);
}

void
clip_placement_show (ClipPlacement *self)
{
#ifdef CLIP_HAVE_LAYER_SHELL
  if (self->focus)
    gtk_layer_set_keyboard_mode (self->window, GTK_LAYER_SHELL_KEYBOARD_MODE_EXCLUSIVE);
#endif
#ifdef CLIP_HAVE_X11
  if (self->x11)
    {
      clip_placement_x11_show (self->x11);
      return;
    }
#endif
  gtk_window_present (self->window);
}

/**
 * clip_placement_hide:
 *
 * Unmaps the window, and gives the focus back where nobody else does. On return the
 * display has done it: a key that is pressed then reaches the window from before.
 */
void
clip_placement_hide (ClipPlacement *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->window), FALSE);
#ifdef CLIP_HAVE_X11
  if (self->x11)
    clip_placement_x11_give_back (self->x11);
#endif
  gdk_display_sync (gtk_widget_get_display (GTK_WIDGET (self->window)));
}

/* whether keys come to the window, or to a popover of it */
gboolean
clip_placement_has_focus (const ClipPlacement *self)
{
  if (self->focus)
    return gtk_event_controller_focus_contains_focus (
        GTK_EVENT_CONTROLLER_FOCUS (self->focus));
  return gtk_window_is_active (self->window);
}

/**
 * clip_placement_watch_focus:
 * @changed: gets @user_data alone
 */
void
clip_placement_watch_focus (ClipPlacement *self, GCallback changed, gpointer user_data)
{
  if (self->focus)
    g_signal_connect_swapped (self->focus, "notify::contains-focus", changed, user_data);
  else
    g_signal_connect_swapped (self->window, "notify::is-active", changed, user_data);
}

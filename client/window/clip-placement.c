/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layer shell where compositor and library have it. Elsewhere an ordinary window of a
 * fixed size, which tiling compositors float and others centre.
 *
 * A surface of layer shell has the keyboard for itself: who shares it is not given it at
 * all by some compositors, and loses it at once on others. So no click elsewhere takes it
 * away, and the surface is as large as the screen, to see that click itself.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-placement.h"

#include <string.h>

#ifdef GDK_WINDOWING_WAYLAND
#  include <gdk/wayland/gdkwayland.h>
#endif

#ifdef CLIP_HAVE_X11
#  include "clip-placement-x11.h"
#endif

#ifdef CLIP_HAVE_LAYER_SHELL
#  include <gtk4-layer-shell.h>
#endif

#define SHELL "org.gnome.Shell"
#define SHELL_PATH "/org/gnome/Shell"

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
on_clicked (ClipPlacement *self, int n, double x, double y)
{
  GtkWidget *window = GTK_WIDGET (self->window);

  if (gtk_widget_pick (window, x, y, GTK_PICK_DEFAULT) == window)
    gtk_window_close (self->window);
}

static void
use_layer (ClipPlacement *self)
{
  GtkGesture *click;

  if (!gtk_layer_is_supported ())
    return;
  gtk_layer_init_for_window (self->window);
  gtk_window_set_resizable (self->window, TRUE);
  gtk_layer_set_namespace (self->window, "cliphist");
  gtk_layer_set_layer (self->window, GTK_LAYER_SHELL_LAYER_OVERLAY);
  gtk_layer_set_keyboard_mode (self->window, GTK_LAYER_SHELL_KEYBOARD_MODE_EXCLUSIVE);
  gtk_layer_set_exclusive_zone (self->window, -1); /* over panels, too */
  for (int edge = 0; edge < GTK_LAYER_SHELL_EDGE_ENTRY_NUMBER; edge++)
    gtk_layer_set_anchor (self->window, (GtkLayerShellEdge) edge, TRUE);
  click = gtk_gesture_click_new ();
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_clicked), self);
  gtk_widget_add_controller (GTK_WIDGET (self->window), GTK_EVENT_CONTROLLER (click));
  self->focus = gtk_event_controller_focus_new ();
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

/* in GNOME's overview no window gets the focus; on another desktop there is none */
static void
leave_overview (void)
{
  GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());

  if (bus)
    g_dbus_connection_call (
        bus, SHELL, SHELL_PATH, "org.freedesktop.DBus.Properties", "Set",
        g_variant_new ("(ssv)", SHELL, "OverviewActive", g_variant_new_boolean (FALSE)),
        NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
}

void
clip_placement_show (ClipPlacement *self)
{
  leave_overview ();
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
 * Gives the focus back where no window manager does, and unmaps the window. On return the
 * display has done it: a key that is pressed then reaches the window from before.
 */
void
clip_placement_hide (ClipPlacement *self)
{
#ifdef CLIP_HAVE_X11
  /* from a window that is unmapped the focus goes to its parent: to GDK that means it
     follows the pointer, for good */
  if (self->x11)
    clip_placement_x11_give_back (self->x11);
#endif
  gtk_widget_set_visible (GTK_WIDGET (self->window), FALSE);
  gdk_display_sync (gtk_widget_get_display (GTK_WIDGET (self->window)));
}

gboolean
clip_placement_is_shown (const ClipPlacement *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self->window));
}

/* whether the window that had the focus before has closed since; only X11 tells */
gboolean
clip_placement_has_lost (const ClipPlacement *self)
{
#ifdef CLIP_HAVE_X11
  if (self->x11)
    return clip_placement_x11_has_lost (self->x11);
#endif
  return FALSE;
}

static gboolean
is_kde (void)
{
  return strstr (g_getenv ("XDG_CURRENT_DESKTOP") ?: "", "KDE") != NULL;
}

/* Whether the window, which was shown a moment ago, is not seen: sway opens it behind one
 * that fills the screen, without the focus. GNOME, which has no layer shell, and KWin
 * show what they keep the focus from. */
gboolean
clip_placement_is_covered (const ClipPlacement *self)
{
#ifdef GDK_WINDOWING_WAYLAND
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (self->window));
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self->window));

  if (GDK_IS_WAYLAND_DISPLAY (display) && !self->focus && !is_kde () &&
      gdk_wayland_display_query_registry (display, "zwlr_layer_shell_v1"))
    return !(gdk_toplevel_get_state (GDK_TOPLEVEL (surface)) &
             GDK_TOPLEVEL_STATE_FOCUSED);
#endif
  return FALSE;
}

/* Whether a window whose menu was closed by a key seems to lose the focus: KWin 5.27
 * calls it inactive until another key comes, which it gets. */
gboolean
clip_placement_waits_for_key (const ClipPlacement *self)
{
#ifdef CLIP_HAVE_X11
  if (self->x11)
    return FALSE;
#endif
  return !self->focus && is_kde ();
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * On X11: centred on the monitor that has the pointer, and above. Without a window
 * manager no program gives the focus, or takes it back: then it is set here, and set
 * back when the window goes. A click takes none away there, so the server is asked to
 * tell of each press of a button, wherever it is (raw events of XInput 2.1), and one
 * on another program's window closes ours.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-placement-x11.h"

#include <gdk/x11/gdkx.h>
#include <X11/extensions/XInput2.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>

G_GNUC_BEGIN_IGNORE_DEPRECATIONS /* GDK's X11 has nothing in the place of these */

    struct ClipPlacementX11
{
  GtkWindow *window;
  GdkDisplay *display;
  Window focus;  /* that had it before; None where a window manager looks after it */
  Window before; /* that had it before, in any case */
  int revert_to;
};

static Atom
atom (const ClipPlacementX11 *self, const char *name)
{
  return gdk_x11_get_xatom_by_name_for_display (self->display, name);
}

static Window
xid (const ClipPlacementX11 *self)
{
  return gdk_x11_surface_get_xid (gtk_native_get_surface (GTK_NATIVE (self->window)));
}

static gboolean
has_manager (const ClipPlacementX11 *self)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);
  unsigned char *data = NULL;
  unsigned long n = 0, left;
  Atom type;
  int format;

  XGetWindowProperty (x, DefaultRootWindow (x), atom (self, "_NET_SUPPORTING_WM_CHECK"),
                      0, 1, False, XA_WINDOW, &type, &format, &n, &left, &data);
  if (data)
    XFree (data);
  return n > 0;
}

/* the area of the monitor that the pointer is on, in pixels of the X server */
static GdkRectangle
find_monitor (const ClipPlacementX11 *self)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);
  GListModel *monitors = gdk_display_get_monitors (self->display);
  GdkRectangle found = { 0, 0, DisplayWidth (x, DefaultScreen (x)),
                         DisplayHeight (x, DefaultScreen (x)) };
  int at_x = 0, at_y = 0, ignored;
  unsigned int mask;
  Window window;

  XQueryPointer (x, DefaultRootWindow (x), &window, &window, &at_x, &at_y, &ignored,
                 &ignored, &mask);
  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);
      int scale = gdk_monitor_get_scale_factor (monitor);
      GdkRectangle area;

      gdk_monitor_get_geometry (monitor, &area);
      area = (GdkRectangle){ area.x * scale, area.y * scale, area.width * scale,
                             area.height * scale };
      if (gdk_rectangle_contains_point (&area, at_x, at_y))
        found = area;
    }
  return found;
}

static void
centre (const ClipPlacementX11 *self)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);
  GdkRectangle monitor = find_monitor (self);
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self->window));
  GtkRequisition size;

  gtk_widget_get_preferred_size (GTK_WIDGET (self->window), NULL, &size);
  XMoveWindow (x, xid (self),
               monitor.x + MAX (0, (monitor.width - size.width * scale) / 2),
               monitor.y + MAX (0, (monitor.height - size.height * scale) / 3));
}

/* as a client asks a window manager: in a message to the root window */
static void
ask_to_be_above (const ClipPlacementX11 *self)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);
  XEvent event = { .xclient = {
                       .type = ClientMessage,
                       .window = xid (self),
                       .message_type = atom (self, "_NET_WM_STATE"),
                       .format = 32,
                       .data.l = { 1, (long) atom (self, "_NET_WM_STATE_ABOVE"),
                                   (long) atom (self, "_NET_WM_STATE_SKIP_TASKBAR"), 1 },
                   } };

  XSendEvent (x, DefaultRootWindow (x), False,
              SubstructureNotifyMask | SubstructureRedirectMask, &event);
}

static void
on_mapped (ClipPlacementX11 *self)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);

  centre (self);
  if (self->focus == None)
    {
      ask_to_be_above (self);
      return;
    }
  gdk_x11_display_error_trap_push (self->display);
  XRaiseWindow (x, xid (self));
  XSetInputFocus (x, xid (self), RevertToParent, CurrentTime);
  gdk_x11_display_error_trap_pop_ignored (self->display);
}

static void
tell_of_clicks (const ClipPlacementX11 *self, gboolean tell)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);
  unsigned char bits[XIMaskLen (XI_LASTEVENT)] = { 0 };
  XIEventMask mask = { XIAllMasterDevices, sizeof bits, bits };

  if (tell)
    XISetMask (bits, XI_RawButtonPress);
  XISelectEvents (x, DefaultRootWindow (x), &mask, 1);
}

/* a popover has a window of its own, which GDK knows, too */
static gboolean
on_event (ClipPlacementX11 *self, const XEvent *event)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);
  Window root, below;
  int ignored;
  unsigned int mask;

  if (self->focus == None || event->type != GenericEvent ||
      event->xcookie.evtype != XI_RawButtonPress)
    return GDK_EVENT_PROPAGATE;
  XQueryPointer (x, DefaultRootWindow (x), &root, &below, &ignored, &ignored, &ignored,
                 &ignored, &mask);
  if (!gdk_x11_surface_lookup_for_display (self->display, below))
    gtk_window_close (self->window);
  return GDK_EVENT_PROPAGATE;
}

/* window managers centre dialogs, and give no other windows of them */
static void
on_realized (ClipPlacementX11 *self)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);
  Atom dialog = atom (self, "_NET_WM_WINDOW_TYPE_DIALOG");

  XChangeProperty (x, xid (self), atom (self, "_NET_WM_WINDOW_TYPE"), XA_ATOM, 32,
                   PropModeReplace, (const unsigned char *) &dialog, 1);
}

/* Returns: (nullable): NULL where the display is no X11 server */
ClipPlacementX11 *
clip_placement_x11_new (GtkWindow *window)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (window));
  ClipPlacementX11 *self;

  if (!GDK_IS_X11_DISPLAY (display))
    return NULL;
  self = g_new0 (ClipPlacementX11, 1);
  self->window = window;
  self->display = display;
  g_signal_connect_swapped (window, "realize", G_CALLBACK (on_realized), self);
  g_signal_connect_swapped (window, "map", G_CALLBACK (on_mapped), self);
  g_signal_connect_swapped (display, "xevent", G_CALLBACK (on_event), self);
  return self;
}

void
clip_placement_x11_free (ClipPlacementX11 *self)
{
  g_signal_handlers_disconnect_by_data (self->display, self);
  g_signal_handlers_disconnect_by_data (self->window, self);
  g_free (self);
}

void
clip_placement_x11_show (ClipPlacementX11 *self)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);

  XGetInputFocus (x, &self->before, &self->revert_to);
  self->focus = has_manager (self) ? None : self->before;
  if (self->focus != None)
    tell_of_clicks (self, TRUE);
  gtk_widget_realize (GTK_WIDGET (self->window));
  /* a key that the window manager has is no event of ours: the server's time says it is
     now */
  gtk_window_present_with_time (
      self->window,
      gdk_x11_get_server_time (gtk_native_get_surface (GTK_NATIVE (self->window))));
}

/* whether the window that had the focus before has closed since */
gboolean
clip_placement_x11_has_lost (ClipPlacementX11 *self)
{
  XWindowAttributes attributes = { .map_state = IsUnmapped };
  gboolean is_window = self->before != None && self->before != PointerRoot;

  gdk_x11_display_error_trap_push (self->display);
  if (is_window)
    XGetWindowAttributes (gdk_x11_display_get_xdisplay (self->display), self->before,
                          &attributes);
  gdk_x11_display_error_trap_pop_ignored (self->display);
  return is_window && attributes.map_state != IsViewable;
}

void
clip_placement_x11_give_back (ClipPlacementX11 *self)
{
  Display *x = gdk_x11_display_get_xdisplay (self->display);

  if (self->focus == None)
    return;
  gdk_x11_display_error_trap_push (self->display);
  XSetInputFocus (x, self->focus, self->revert_to, CurrentTime);
  gdk_x11_display_error_trap_pop_ignored (self->display); /* it may have gone */
  self->focus = None;
  tell_of_clicks (self, FALSE);
}

G_GNUC_END_IGNORE_DEPRECATIONS

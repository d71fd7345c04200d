/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Toolkits own selections with hidden windows, and that say nothing of their
 * program. But a server gives each of its clients a range of numbers for windows: what is
 * in the same range is the same program's. */
#include "clip-x11-client.h"

#include <string.h>

#define MAX_CLASS_BYTES 256
/* windows that are looked at, the newest of them */
#define MAX_WINDOWS 1024

xcb_get_property_cookie_t
clip_x11_client_ask_class (ClipX11Display *display, xcb_window_t window)
{
  return xcb_get_property (clip_x11_display_connection (display), FALSE, window,
                           XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 0, MAX_CLASS_BYTES / 4);
}

/* (transfer full) (nullable): the second of the two names that are there; with PyGTK that
 * of the leader is empty */
char *
clip_x11_client_read_class (ClipX11Display *display, xcb_get_property_cookie_t cookie)
{
  g_autofree xcb_get_property_reply_t *reply =
      xcb_get_property_reply (clip_x11_display_connection (display), cookie, NULL);
  gsize length = reply ? (gsize) xcb_get_property_value_length (reply) : 0;
  const char *value = length > 0 ? xcb_get_property_value (reply) : NULL;
  const char *instance_end = length > 0 ? memchr (value, '\0', length) : NULL;
  gsize rest = instance_end ? length - (gsize) (instance_end + 1 - value) : 0;

  return rest > 0 && instance_end[1] != '\0'
             ? g_utf8_make_valid (instance_end + 1,
                                  (gssize) strnlen (instance_end + 1, rest))
             : NULL;
}

/* what the window manager manages, or where there is none, what the root window holds */
static GArray *
list_windows (ClipX11Display *display)
{
  xcb_connection_t *connection = clip_x11_display_connection (display);
  const xcb_window_t root = clip_x11_display_root (display);
  xcb_get_property_cookie_t managed = xcb_get_property (
      connection, FALSE, root, clip_x11_display_atom (display, CLIP_X11_ATOM_CLIENT_LIST),
      XCB_ATOM_WINDOW, 0, MAX_WINDOWS);
  xcb_query_tree_cookie_t tree = xcb_query_tree (connection, root);
  g_autofree xcb_get_property_reply_t *list =
      xcb_get_property_reply (connection, managed, NULL);
  g_autofree xcb_query_tree_reply_t *children =
      xcb_query_tree_reply (connection, tree, NULL);
  GArray *windows = g_array_new (FALSE, FALSE, sizeof (xcb_window_t));

  if (list && list->format == 32)
    g_array_append_vals (windows, xcb_get_property_value (list), list->value_len);
  if (children)
    g_array_append_vals (windows, xcb_query_tree_children (children),
                         (guint) xcb_query_tree_children_length (children));
  return windows;
}

/* (transfer full) (nullable): the class of any window of the program that @window belongs
   to */
char *
clip_x11_client_find_class (ClipX11Display *display, xcb_window_t window)
{
  g_autoptr (GArray) windows = list_windows (display);
  g_autoptr (GArray) cookies =
      g_array_new (FALSE, FALSE, sizeof (xcb_get_property_cookie_t));
  char *found = NULL;

  for (guint i = 0; i < windows->len && cookies->len < MAX_WINDOWS; i++)
    if (clip_x11_client_is_same (display, g_array_index (windows, xcb_window_t, i),
                                 window))
      {
        xcb_get_property_cookie_t cookie =
            clip_x11_client_ask_class (display, g_array_index (windows, xcb_window_t, i));

        g_array_append_val (cookies, cookie);
      }
  for (guint i = 0; i < cookies->len; i++)
    {
      g_autofree char *name = clip_x11_client_read_class (
          display, g_array_index (cookies, xcb_get_property_cookie_t, i));

      if (!found)
        found = g_steal_pointer (&name);
    }
  return found;
}

xcb_get_property_cookie_t
clip_x11_client_ask_manager (ClipX11Display *display)
{
  return xcb_get_property (
      clip_x11_display_connection (display), FALSE, clip_x11_display_root (display),
      clip_x11_display_atom (display, CLIP_X11_ATOM_WM_CHECK), XCB_ATOM_WINDOW, 0, 1);
}

/* the window that a property names, or none */
xcb_window_t
clip_x11_client_read_window (ClipX11Display *display, xcb_get_property_cookie_t cookie)
{
  g_autofree xcb_get_property_reply_t *reply =
      xcb_get_property_reply (clip_x11_display_connection (display), cookie, NULL);

  if (!reply || reply->format != 32 || reply->value_len < 1)
    return XCB_WINDOW_NONE;
  return *(xcb_window_t *) xcb_get_property_value (reply);
}

gboolean
clip_x11_client_is_same (ClipX11Display *display, xcb_window_t a, xcb_window_t b)
{
  const guint32 mask =
      xcb_get_setup (clip_x11_display_connection (display))->resource_id_mask;

  return (a & ~mask) == (b & ~mask);
}

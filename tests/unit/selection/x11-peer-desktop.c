/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tests' X program as what surrounds a clipboard: windows, their manager, the mouse,
 * and a grab of the server. */
#include <string.h>
#include <xcb/xcbext.h>

#include "x11-peer-private.h"

/* while it holds the server, nobody else's requests are carried out */
void
x11_peer_grab (X11Peer *self, gboolean grab)
{
  if (grab)
    xcb_grab_server (self->connection);
  else
    xcb_ungrab_server (self->connection);
  x11_peer_now (self);
}

static xcb_window_t
root_of (X11Peer *self)
{
  return xcb_setup_roots_iterator (xcb_get_setup (self->connection)).data->root;
}

/* one more window, which says what its program is called */
void
x11_peer_show_window (X11Peer *self, const char *program)
{
  const xcb_window_t window = xcb_generate_id (self->connection);
  g_autofree char *names = g_strconcat ("instance ", program, NULL);

  names[strlen ("instance")] = '\0';
  xcb_create_window (self->connection, XCB_COPY_FROM_PARENT, window, root_of (self), 0, 0,
                     1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL);
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_CLASS,
                       XCB_ATOM_STRING, 8,
                       (guint32) (strlen ("instance") + strlen (program) + 2), names);
  x11_peer_now (self);
}

/* it is the window manager from now on */
void
x11_peer_manage (X11Peer *self)
{
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, root_of (self),
                       x11_peer_atom (self, "_NET_SUPPORTING_WM_CHECK"), XCB_ATOM_WINDOW,
                       32, 1, &self->window);
  x11_peer_now (self);
}

/* the one request of XTEST that is needed here */
typedef struct
{
  guint8 major, minor;
  guint16 length;
  guint8 type, detail;
  guint8 unused_a[2];
  guint32 time, root;
  guint8 unused_b[8];
  gint16 x, y;
  guint8 unused_c[7];
  guint8 device;
} FakeInput;

/* the first button of the mouse */
void
x11_peer_press_button (X11Peer *self, gboolean down)
{
  static xcb_extension_t xtest = { .name = "XTEST" };
  static const xcb_protocol_request_t request = {
    .count = 1,
    .ext = &xtest,
    .opcode = 2,
    .isvoid = 1,
  };
  FakeInput input = { .type = down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, .detail = 1 };
  /* xcb writes before the first part */
  struct iovec parts[3] = { { 0 }, { 0 }, { &input, sizeof input } };

  xcb_send_request (self->connection, 0, parts + 2, &request);
  x11_peer_now (self);
}

void
x11_peer_shut_window (X11Peer *self)
{
  xcb_destroy_window (self->connection, self->window);
  xcb_flush (self->connection);
}

/* any program may */
void
x11_peer_shut_owner (X11Peer *self, const char *selection)
{
  xcb_destroy_window (self->connection, x11_peer_owner_of (self, selection));
  x11_peer_now (self);
}

void
x11_peer_shut_windows_of_others (X11Peer *self)
{
  g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply (
      self->connection, xcb_query_tree (self->connection, root_of (self)), NULL);
  const xcb_window_t *windows = xcb_query_tree_children (tree);

  for (int i = 0; i < xcb_query_tree_children_length (tree); i++)
    if (windows[i] != self->window)
      xcb_destroy_window (self->connection, windows[i]);
  x11_peer_now (self);
}

/* in the name of each of them, which gets what the owner gives */
void
x11_peer_ask_for_windows_of_others (X11Peer *self,
                                    const char *target,
                                    const char *property)
{
  g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply (
      self->connection, xcb_query_tree (self->connection, root_of (self)), NULL);
  const xcb_window_t *windows = xcb_query_tree_children (tree);

  for (int i = 0; i < xcb_query_tree_children_length (tree); i++)
    if (windows[i] != self->window)
      xcb_convert_selection (
          self->connection, windows[i], x11_peer_atom (self, "CLIPBOARD"),
          x11_peer_atom (self, target), x11_peer_atom (self, property), XCB_CURRENT_TIME);
  x11_peer_now (self);
}

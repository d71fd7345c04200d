/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * XTEST, on an X11 server. Its keys are added to those that the user holds down, and a
 * window manager that has started us by a key keeps the keyboard to itself until that key
 * is up: so we wait for the user's fingers, and in the end let go in the user's stead.
 * Nothing is pressed again afterwards, as it is unknown whether it is still held: a
 * key of ours that stays down would be worse.
 */
#include "clip-key.h"

#include "clip-error.h"
#include "clip-words.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>
#include <xcb/xtest.h>

/* for the user: to let go */
#define PATIENCE_US (1 * G_USEC_PER_SEC)
/* for the window manager: to give the focus on */
#define FOCUS_PATIENCE_US (3 * G_USEC_PER_SEC)
#define LOOK_EVERY_US 5000

#define KEYCODES 256

static void
x_disconnect (xcb_connection_t *connection)
{
  if (connection)
    xcb_disconnect (connection);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (xcb_connection_t, x_disconnect)

/* the key that says @keysym; of several the one that needs no other group of the layout.
   0: none */
static xcb_keycode_t
find_keycode (xcb_connection_t *x, guint32 keysym)
{
  const xcb_setup_t *setup = xcb_get_setup (x);
  guint8 n_codes = (guint8) (setup->max_keycode - setup->min_keycode + 1);
  g_autofree xcb_get_keyboard_mapping_reply_t *reply = xcb_get_keyboard_mapping_reply (
      x, xcb_get_keyboard_mapping (x, setup->min_keycode, n_codes), NULL);
  const xcb_keysym_t *keysyms = reply ? xcb_get_keyboard_mapping_keysyms (reply) : NULL;

  for (guint column = 0; keysyms && column < reply->keysyms_per_keycode; column++)
    for (guint i = 0; i < n_codes; i++)
      if (keysyms[i * reply->keysyms_per_keycode + column] == keysym)
        return (xcb_keycode_t) (setup->min_keycode + i);
  return 0;
}

static gboolean
is_held (const guint8 *held, guint code)
{
  return (held[code / 8] >> (code % 8)) & 1;
}

/* Returns: whether any key is down */
static gboolean
look (xcb_connection_t *x, guint8 held[KEYCODES / 8])
{
  g_autofree xcb_query_keymap_reply_t *reply =
      xcb_query_keymap_reply (x, xcb_query_keymap (x), NULL);

  memset (held, 0, KEYCODES / 8);
  if (reply)
    memcpy (held, reply->keys, KEYCODES / 8);
  for (guint i = 0; i < KEYCODES / 8; i++)
    if (held[i])
      return TRUE;
  return FALSE;
}

static void
fake (xcb_connection_t *x, gboolean down, xcb_keycode_t code)
{
  xcb_test_fake_input (x, down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code, XCB_CURRENT_TIME,
                       XCB_WINDOW_NONE, 0, 0, 0);
}

static void
free_the_keyboard (xcb_connection_t *x)
{
  gint64 deadline_us = g_get_monotonic_time () + PATIENCE_US;
  guint8 held[KEYCODES / 8];

  while (look (x, held) && g_get_monotonic_time () < deadline_us)
    g_usleep (LOOK_EVERY_US);
  for (guint code = 0; code < KEYCODES; code++)
    if (is_held (held, code))
      fake (x, FALSE, (xcb_keycode_t) code);
}

static gboolean
fail (GError **error, ClipError code, const char *why)
{
  g_set_error_literal (error, CLIP_ERROR, (int) code, why);
  return FALSE;
}

/* the class of a window, the second of its two names; NULL where it has none, as those
   inside of it */
static char *
get_class (xcb_connection_t *x, xcb_window_t window)
{
  g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply (
      x, xcb_get_property (x, 0, window, XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 0, 256),
      NULL);
  const char *names = reply ? xcb_get_property_value (reply) : NULL;
  gsize length = reply ? (gsize) xcb_get_property_value_length (reply) : 0;
  gsize first = names ? strnlen (names, length) : 0;

  if (first + 1 >= length)
    return NULL;
  names += first + 1;
  return g_utf8_make_valid (names, (gssize) strnlen (names, length - first - 1));
}

static xcb_window_t
get_parent (xcb_connection_t *x, xcb_window_t window)
{
  g_autofree xcb_query_tree_reply_t *reply =
      xcb_query_tree_reply (x, xcb_query_tree (x, window), NULL);

  return reply ? reply->parent : XCB_WINDOW_NONE;
}

static xcb_atom_t
get_atom (xcb_connection_t *x, const char *name)
{
  g_autofree xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply (
      x, xcb_intern_atom (x, TRUE, (guint16) strlen (name), name), NULL);

  return reply ? reply->atom : XCB_ATOM_NONE;
}

static xcb_get_property_reply_t *
get_property (xcb_connection_t *x, xcb_window_t window, const char *name)
{
  return xcb_get_property_reply (x,
                                 xcb_get_property (x, 0, window, get_atom (x, name),
                                                   XCB_GET_PROPERTY_TYPE_ANY, 0, 1024),
                                 NULL);
}

/* 0: none that says who it is */
static xcb_window_t
find_manager (xcb_connection_t *x)
{
  g_autofree xcb_get_property_reply_t *check =
      get_property (x, xcb_setup_roots_iterator (xcb_get_setup (x)).data->root,
                    "_NET_SUPPORTING_WM_CHECK");

  return check && check->format == 32 && xcb_get_property_value_length (check) >= 4
             ? *(xcb_window_t *) xcb_get_property_value (check)
             : XCB_WINDOW_NONE;
}

char *
clip_key_manager_x11 (void)
{
  g_autoptr (xcb_connection_t) x = xcb_connect (NULL, NULL);
  xcb_window_t manager =
      xcb_connection_has_error (x) ? XCB_WINDOW_NONE : find_manager (x);
  g_autofree xcb_get_property_reply_t *name =
      manager ? get_property (x, manager, "_NET_WM_NAME") : NULL;

  return name && name->format == 8
             ? g_utf8_make_valid (xcb_get_property_value (name),
                                  xcb_get_property_value_length (name))
             : NULL;
}

/* (transfer full): the windows of programs, as the window manager lists them (EWMH) */
static xcb_get_property_reply_t *
list_clients (xcb_connection_t *x)
{
  return get_property (x, xcb_setup_roots_iterator (xcb_get_setup (x)).data->root,
                       "_NET_CLIENT_LIST");
}

/* a panel gets none, nor what is minimized or on another desktop */
static gboolean
may_get_focus (xcb_connection_t *x, xcb_window_t window)
{
  g_autofree xcb_get_window_attributes_reply_t *attributes =
      xcb_get_window_attributes_reply (x, xcb_get_window_attributes (x, window), NULL);
  g_autofree xcb_get_property_reply_t *type =
      get_property (x, window, "_NET_WM_WINDOW_TYPE");

  return attributes && attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
         !(type && type->format == 32 && type->value_len > 0 &&
           *(xcb_atom_t *) xcb_get_property_value (type) ==
               get_atom (x, "_NET_WM_WINDOW_TYPE_DOCK"));
}

/* Returns: whether the window manager may give the focus to one */
static gboolean
has_clients (xcb_connection_t *x)
{
  g_autofree xcb_get_property_reply_t *list = list_clients (x);
  const xcb_window_t *clients = list ? xcb_get_property_value (list) : NULL;

  if (!list || list->type == XCB_ATOM_NONE)
    return TRUE;
  for (guint i = 0; list->format == 32 && i < list->value_len; i++)
    if (may_get_focus (x, clients[i]))
      return TRUE;
  return FALSE;
}

/* Returns: whether it, or what it lies in, is a window of a program */
static gboolean
is_managed (xcb_connection_t *x, xcb_window_t window)
{
  g_autofree xcb_get_property_reply_t *list = list_clients (x);
  const xcb_window_t *clients = list ? xcb_get_property_value (list) : NULL;
  guint n = list && list->format == 32 ? list->value_len : 0;

  for (; window > XCB_INPUT_FOCUS_POINTER_ROOT; window = get_parent (x, window))
    for (guint i = 0; i < n; i++)
      if (clients[i] == window)
        return TRUE;
  return FALSE;
}

/* @out_class: (transfer full) (nullable): of the program that it is a window of */
static xcb_window_t
look_for_focus (xcb_connection_t *x, char **out_class)
{
  g_autofree xcb_get_input_focus_reply_t *reply =
      xcb_get_input_focus_reply (x, xcb_get_input_focus (x), NULL);
  xcb_window_t focus = reply ? reply->focus : XCB_INPUT_FOCUS_NONE;
  xcb_window_t window = focus;

  *out_class = NULL;
  while (window > XCB_INPUT_FOCUS_POINTER_ROOT && !(*out_class = get_class (x, window)))
    window = get_parent (x, window);
  return focus;
}

/* When a window goes that had the focus, the server gives that to what was around it,
 * which is no program's, and the window manager then to the next one (Xlib manual,
 * XSetInputFocus; ICCCM 4.1.7): a key in between would be lost. */
static xcb_window_t
await_focus (xcb_connection_t *x, char **out_class)
{
  gint64 deadline_us = g_get_monotonic_time () + FOCUS_PATIENCE_US;
  xcb_window_t focus = look_for_focus (x, out_class);

  if (*out_class || find_manager (x) == XCB_WINDOW_NONE)
    return focus;
  while (!*out_class && has_clients (x) && g_get_monotonic_time () < deadline_us)
    {
      g_usleep (LOOK_EVERY_US);
      focus = look_for_focus (x, out_class);
    }
  return focus;
}

char *
clip_key_focus_x11 (void)
{
  g_autoptr (xcb_connection_t) x = xcb_connect (NULL, NULL);
  char *class = NULL;

  if (!xcb_connection_has_error (x))
    await_focus (x, &class);
  return class;
}

/* Returns: whether a program is connected to the server of $DISPLAY. Some compositors
 * start that as soon as one connects, which we would be for nothing. */
static gboolean
has_programs (void)
{
  const char *number = strchr (g_getenv ("DISPLAY") ?: "", ':');
  g_autofree char *pattern = g_strdup_printf (" 0001 03 +[0-9]+ @?/tmp/\\.X11-unix/X%d$",
                                              number ? atoi (number + 1) : 0);
  g_autofree char *sockets = NULL;

  return g_file_get_contents ("/proc/net/unix", &sockets, NULL, NULL) &&
         g_regex_match_simple (pattern, sockets, G_REGEX_MULTILINE, 0);
}

/* below a compositor, which takes the focus from its windows when another one gets it */
char *
clip_key_focus_xwayland (void)
{
  g_autoptr (xcb_connection_t) x = has_programs () ? xcb_connect (NULL, NULL) : NULL;
  char *class = NULL;

  if (x && !xcb_connection_has_error (x))
    look_for_focus (x, &class);
  return class;
}

static gboolean
has_xtest (xcb_connection_t *x, GError **error)
{
  if (xcb_connection_has_error (x))
    return fail (error, CLIP_ERROR_NO_BACKEND, _ ("there is no X11 server"));
  return xcb_get_extension_data (x, &xcb_test_id)->present ||
         fail (error, CLIP_ERROR_NO_BACKEND,
               _ ("the X11 server lacks the extension XTEST"));
}

gboolean
clip_key_can_x11 (GError **error)
{
  g_autoptr (xcb_connection_t) x = xcb_connect (NULL, NULL);

  return has_xtest (x, error);
}

gboolean
clip_key_send_x11 (const ClipKey *self, GError **error)
{
  g_autoptr (xcb_connection_t) x = xcb_connect (NULL, NULL);
  g_autofree xcb_get_input_focus_reply_t *done = NULL;
  g_autofree char *class = NULL;
  xcb_keycode_t codes[CLIP_KEY_MAX_STROKES];
  ClipStroke strokes[CLIP_KEY_MAX_STROKES];
  guint n = clip_key_strokes (self, strokes);
  xcb_window_t focus;

  if (!has_xtest (x, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if ((codes[i] = find_keycode (x, strokes[i].keysym)) == 0)
      return fail (error, CLIP_ERROR_FAILED, _ ("the keyboard has no such key"));
  free_the_keyboard (x);
  focus = await_focus (x, &class);
  /* what no program has is the root, or the window manager's own */
  if (focus == XCB_INPUT_FOCUS_NONE ||
      (!class && find_manager (x) != XCB_WINDOW_NONE && !is_managed (x, focus)))
    return fail (error, CLIP_ERROR_FAILED, _ ("no window has the focus"));
  for (guint i = 0; i < n; i++)
    fake (x, strokes[i].down, codes[i]);
  done = xcb_get_input_focus_reply (x, xcb_get_input_focus (x), NULL);
  return done ||
         fail (error, CLIP_ERROR_FAILED, _ ("the X11 server closed the connection"));
}

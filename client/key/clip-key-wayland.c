/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A keyboard that we play, where the compositor lets us (virtual-keyboard-unstable-v1).
 * It has a keymap of its own, with the few keys that are typed, and modifiers of its own:
 * those that the user holds down on another keyboard do not count for what is typed on
 * this one. It goes as soon as the compositor has had all of it.
 */
#include "clip-key-wayland.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-key.h"
#include "clip-words.h"
#include "virtual-keyboard-unstable-v1-client-protocol.h"

#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <wayland-client.h>

/* of a compositor: to answer */
#define PATIENCE_US (5 * G_USEC_PER_SEC)

/* Complete in itself: what "include" would find is another matter on each machine, and in
 * each sandbox. Xwayland wants the first four types to be there. GTK 3 finds nothing on
 * the last key, which is none that is pressed. */
static const char keymap[] =
    "xkb_keymap {\n"
    "xkb_keycodes \"paste\" {\n"
    "  minimum = 8; maximum = 255;\n"
    "  <LCTL> = 37; <LFSH> = 50; <AB04> = 55; <INS> = 118; <LAST> = 255;\n"
    "};\n"
    "xkb_types \"paste\" {\n"
    "  type \"ONE_LEVEL\" { modifiers = none; level_name[Level1] = \"Any\"; };\n"
    "  type \"TWO_LEVEL\" { modifiers = Shift; map[Shift] = Level2;\n"
    "    level_name[Level1] = \"Base\"; level_name[Level2] = \"Shift\"; };\n"
    "  type \"ALPHABETIC\" { modifiers = Shift + Lock;\n"
    "    map[Shift] = Level2; map[Lock] = Level2;\n"
    "    level_name[Level1] = \"Base\"; level_name[Level2] = \"Caps\"; };\n"
    "  type \"KEYPAD\" { modifiers = Shift; map[Shift] = Level2;\n"
    "    level_name[Level1] = \"Base\"; level_name[Level2] = \"Number\"; };\n"
    "};\n"
    "xkb_compatibility \"paste\" {\n"
    "  interpret Any + AnyOf (all) { action = SetMods (modifiers = modMapMods); };\n"
    "};\n"
    "xkb_symbols \"paste\" {\n"
    "  name[Group1] = \"paste\";\n"
    "  key <LCTL> { [ Control_L ] };\n"
    "  key <LFSH> { [ Shift_L ] };\n"
    "  key <AB04> { type = \"ALPHABETIC\", [ v, V ] };\n"
    "  key <INS> { [ Insert ] };\n"
    "  modifier_map Control { <LCTL> };\n"
    "  modifier_map Shift { <LFSH> };\n"
    "};\n"
    "};\n";

typedef struct
{
  struct wl_display *display;
  struct wl_registry *registry;
  struct zwp_virtual_keyboard_manager_v1 *manager;
  GPtrArray *seats;     /* of wl_seat */
  struct wl_seat *seat; /* the first one with a keyboard; NULL if there is none */
} Desk;

static void
on_capabilities (void *data, struct wl_seat *seat, guint32 capabilities)
{
  Desk *self = data;

  if (!self->seat && capabilities & WL_SEAT_CAPABILITY_KEYBOARD)
    self->seat = seat;
}

static const struct wl_seat_listener seat_listener = { .capabilities = on_capabilities };

static void
on_global (void *data,
           struct wl_registry *registry,
           guint32 name,
           const char *interface,
           guint32 version)
{
  Desk *self = data;

  if (g_str_equal (interface, wl_seat_interface.name))
    {
      struct wl_seat *seat = wl_registry_bind (registry, name, &wl_seat_interface, 1);

      wl_seat_add_listener (seat, &seat_listener, self);
      g_ptr_array_add (self->seats, seat);
    }
  else if (!self->manager &&
           g_str_equal (interface, zwp_virtual_keyboard_manager_v1_interface.name))
    self->manager =
        wl_registry_bind (registry, name, &zwp_virtual_keyboard_manager_v1_interface, 1);
}

static void
on_global_remove (void *data, struct wl_registry *registry, guint32 name)
{
}

static const struct wl_registry_listener registry_listener = {
  .global = on_global,
  .global_remove = on_global_remove,
};

static gboolean
desk_open (Desk *self)
{
  self->display = wl_display_connect (NULL);
  if (!self->display)
    return FALSE;
  self->seats = g_ptr_array_new_with_free_func ((GDestroyNotify) wl_seat_destroy);
  self->registry = wl_display_get_registry (self->display);
  wl_registry_add_listener (self->registry, &registry_listener, self);
  return TRUE;
}

static void
desk_close (Desk *self)
{
  if (!self->display)
    return;
  g_clear_pointer (&self->manager, zwp_virtual_keyboard_manager_v1_destroy);
  g_ptr_array_unref (self->seats);
  wl_registry_destroy (self->registry);
  wl_display_disconnect (self->display);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Desk, desk_close)

static void
on_answered (void *data, struct wl_callback *callback, guint32 serial)
{
  *(gboolean *) data = TRUE;
}

static const struct wl_callback_listener answered_listener = { on_answered };

/* Returns: whether there was something to read before @deadline_us */
static gboolean
read_some (struct wl_display *display, gint64 deadline_us)
{
  struct pollfd waited = { .fd = wl_display_get_fd (display), .events = POLLIN };
  gint64 left_ms;

  while (wl_display_prepare_read (display) < 0)
    if (wl_display_dispatch_pending (display) < 0)
      return FALSE;
  wl_display_flush (display);
  left_ms = (deadline_us - g_get_monotonic_time ()) / 1000;
  if (left_ms <= 0 || poll (&waited, 1, (int) left_ms) <= 0)
    {
      wl_display_cancel_read (display);
      return FALSE;
    }
  return wl_display_read_events (display) == 0 &&
         wl_display_dispatch_pending (display) >= 0;
}

static gboolean
fail (struct wl_display *display, GError **error)
{
  const struct wl_interface *interface = NULL;
  guint32 id;
  guint32 code = wl_display_get_error (display) == EPROTO
                     ? wl_display_get_protocol_error (display, &interface, &id)
                     : 0;

  if (interface == &zwp_virtual_keyboard_manager_v1_interface &&
      code == ZWP_VIRTUAL_KEYBOARD_MANAGER_V1_ERROR_UNAUTHORIZED)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                 _ ("the compositor does not allow a virtual keyboard"));
  else
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 wl_display_get_error (display)
                     ? _ ("the compositor closed the connection")
                     : _ ("the compositor does not answer"));
  return FALSE;
}

/* Returns: whether the compositor has read all that it was sent, and told what follows
   from it */
gboolean
clip_key_wayland_await (struct wl_display *display, GError **error)
{
  struct wl_callback *callback = wl_display_sync (display);
  gint64 deadline_us = g_get_monotonic_time () + PATIENCE_US;
  gboolean answered = FALSE;
  gboolean alive = TRUE;

  wl_callback_add_listener (callback, &answered_listener, &answered);
  while (!answered && alive)
    alive = read_some (display, deadline_us);
  wl_callback_destroy (callback);
  return answered || fail (display, error);
}

static gboolean
send_keymap (struct zwp_virtual_keyboard_v1 *keyboard, GError **error)
{
  clip_autofd int fd = memfd_create ("keymap", MFD_CLOEXEC);

  if (fd < 0 || !clip_write_all (fd, keymap, sizeof keymap, NULL))
    return clip_set_errno (error, errno, "make a keymap");
  zwp_virtual_keyboard_v1_keymap (keyboard, WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1, fd,
                                  sizeof keymap);
  return TRUE;
}

static void
type (struct zwp_virtual_keyboard_v1 *keyboard, const ClipKey *key)
{
  ClipStroke strokes[CLIP_KEY_MAX_STROKES];
  guint n = clip_key_strokes (key, strokes);
  guint32 held = 0;

  for (guint i = 0; i < n; i++)
    {
      zwp_virtual_keyboard_v1_key (keyboard, (guint32) (g_get_monotonic_time () / 1000),
                                   strokes[i].code,
                                   strokes[i].down ? WL_KEYBOARD_KEY_STATE_PRESSED
                                                   : WL_KEYBOARD_KEY_STATE_RELEASED);
      if (strokes[i].modifiers != held)
        zwp_virtual_keyboard_v1_modifiers (keyboard, strokes[i].modifiers, 0, 0, 0);
      held = strokes[i].modifiers;
    }
}

/* a compositor may refuse a keyboard only when it is asked for */
static gboolean
send_with (Desk *self, const ClipKey *key, GError **error)
{
  struct zwp_virtual_keyboard_v1 *keyboard =
      zwp_virtual_keyboard_manager_v1_create_virtual_keyboard (self->manager, self->seat);
  gboolean sent =
      send_keymap (keyboard, error) && clip_key_wayland_await (self->display, error);

  if (sent)
    {
      type (keyboard, key);
      sent = clip_key_wayland_await (self->display, error);
    }
  zwp_virtual_keyboard_v1_destroy (keyboard);
  return sent && clip_key_wayland_await (self->display, error);
}

/* what there is, and then which seat has a keyboard */
static gboolean
desk_look (Desk *self, GError **error)
{
  if (!desk_open (self))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                   _ ("there is no Wayland compositor"));
      return FALSE;
    }
  if (!clip_key_wayland_await (self->display, error) ||
      !clip_key_wayland_await (self->display, error))
    return FALSE;
  if (!self->manager)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                 _ ("the compositor does not offer a virtual keyboard"));
  return self->manager != NULL;
}

gboolean
clip_key_can_wayland (GError **error)
{
  g_auto (Desk) desk = { 0 };

  return desk_look (&desk, error);
}

gboolean
clip_key_send_wayland (const ClipKey *self, GError **error)
{
  g_auto (Desk) desk = { 0 };

  if (!desk_look (&desk, error))
    return FALSE;
  if (!desk.seat)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                   _ ("no keyboard is connected, so no window has its focus"));
      return FALSE;
    }
  if (!clip_key_wayland_has_focus (desk.display))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, _ ("no window has the focus"));
      return FALSE;
    }
  return send_with (&desk, self, error);
}

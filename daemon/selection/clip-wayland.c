/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A Wayland compositor with a data-control protocol. Every seat has a clipboard of its
 * own: each is watched, and what we own we own on all of them. A selection counts as
 * cleared, and a source as cancelled, when the last seat says so.
 *
 * No content passes here: a pipe end goes to the compositor in one direction, to history
 * in the other. */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-wayland.h"

#include <wayland-client.h>

#include "clip-backend-private.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-wayland-device.h"
#include "clip-wayland-display.h"
#include "clip-wayland-owned.h"

/* how long a compositor may take to list what it has */
#define ANSWER_US (2 * G_USEC_PER_SEC)

/* since this version a seat can be given back */
#define SEAT_VERSION 5

typedef struct
{
  guint32 global;
  struct wl_seat *proxy;
  ClipWaylandDevice *device; /* NULL after the compositor has finished it */
} Seat;

#define CLIP_TYPE_WAYLAND (clip_wayland_get_type ())
G_DECLARE_FINAL_TYPE (ClipWayland, clip_wayland, CLIP, WAYLAND, ClipBackend)

struct _ClipWayland
{
  ClipBackend parent_instance;
  GSource *display; /* NULL once the connection is lost */
  struct wl_registry *registry;
  ClipDataControl *control;
  int manager_rank; /* of the best manager announced, or -1 */
  guint32 manager_global;
  guint32 manager_version;
  struct wl_callback *registering;
  gboolean registered; /* all that was there at first has been announced */
  gboolean primary;
  GPtrArray *seats;
  GPtrArray *claims; /* of ClipWaylandOwned */
};

G_DEFINE_FINAL_TYPE (ClipWayland, clip_wayland, CLIP_TYPE_BACKEND)

static void
seat_free (Seat *seat)
{
  g_clear_pointer (&seat->device, clip_wayland_device_free);
  if (wl_seat_get_version (seat->proxy) >= WL_SEAT_RELEASE_SINCE_VERSION)
    wl_seat_release (seat->proxy);
  else
    wl_seat_destroy (seat->proxy);
  g_free (seat);
}

static gboolean
is_selected_anywhere (ClipWayland *self, ClipSelection selection)
{
  for (guint i = 0; i < self->seats->len; i++)
    {
      Seat *seat = self->seats->pdata[i];

      if (seat->device && clip_wayland_device_offer (seat->device, selection))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_claimed_anywhere (ClipWayland *self, ClipSource *source)
{
  for (guint i = 0; i < self->claims->len; i++)
    if (clip_wayland_owned_source (self->claims->pdata[i]) == source)
      return TRUE;
  return FALSE;
}

static void
cancel_unless_claimed (ClipWayland *self, ClipSource *source)
{
  if (!is_claimed_anywhere (self, source))
    clip_source_cancel (source);
}

static void
clear_unless_selected (ClipWayland *self, ClipSelection selection)
{
  if (!is_selected_anywhere (self, selection))
    clip_backend_emit_cleared (CLIP_BACKEND (self), selection);
}

/* (transfer full): the sources that @device serves no longer */
static GPtrArray *
drop_claims_of (ClipWayland *self, ClipWaylandDevice *device)
{
  GPtrArray *sources = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = self->claims->len; i-- > 0;)
    {
      ClipWaylandOwned *owned = self->claims->pdata[i];

      if (clip_wayland_owned_device (owned) != device)
        continue;
      g_ptr_array_add (sources, g_object_ref (clip_wayland_owned_source (owned)));
      g_ptr_array_remove_index (self->claims, i);
    }
  return sources;
}

static void
drop_device (ClipWayland *borrowed, Seat *seat)
{
  g_autoptr (ClipWayland) self = g_object_ref (borrowed); /* through several signals */
  ClipWaylandDevice *device = g_steal_pointer (&seat->device);
  gboolean had_clipboard =
      clip_wayland_device_offer (device, CLIP_SELECTION_CLIPBOARD) != NULL;
  gboolean had_primary =
      clip_wayland_device_offer (device, CLIP_SELECTION_PRIMARY) != NULL;
  g_autoptr (GPtrArray) sources = drop_claims_of (self, device);

  clip_wayland_device_free (device);
  for (guint i = 0; i < sources->len; i++)
    cancel_unless_claimed (self, sources->pdata[i]);
  if (had_clipboard)
    clear_unless_selected (self, CLIP_SELECTION_CLIPBOARD);
  if (had_primary)
    clear_unless_selected (self, CLIP_SELECTION_PRIMARY);
}

static void
on_changed (ClipWaylandDevice *device, ClipSelection selection, gpointer user_data)
{
  ClipWayland *self = user_data;
  ClipOffer *offer = clip_wayland_device_offer (device, selection);

  if (offer)
    clip_backend_emit_offered (CLIP_BACKEND (self), offer);
  else
    clear_unless_selected (self, selection);
}

static void
on_finished (ClipWaylandDevice *device, gpointer user_data)
{
  ClipWayland *self = user_data;

  for (guint i = 0; i < self->seats->len; i++)
    {
      Seat *seat = self->seats->pdata[i];

      if (seat->device != device)
        continue;
      g_debug ("seat %u: data control finished", seat->global);
      drop_device (self, seat);
      return;
    }
}

static const ClipWaylandDeviceEvents device_events = { on_changed, on_finished };

static void
watch_seat (ClipWayland *self, Seat *seat)
{
  seat->device = clip_wayland_device_new (
      self->control, seat->proxy,
      self->primary && clip_data_control_has_primary (self->control), &device_events,
      self);
}

static void
add_seat (ClipWayland *self, guint32 global, guint32 version)
{
  Seat *seat = g_new0 (Seat, 1);

  seat->global = global;
  seat->proxy = wl_registry_bind (self->registry, global, &wl_seat_interface,
                                  MIN (version, SEAT_VERSION));
  g_ptr_array_add (self->seats, seat);
  if (self->control)
    watch_seat (self, seat);
}

static void
tear_down (ClipWayland *self)
{
  g_ptr_array_set_size (self->claims, 0);
  g_ptr_array_set_size (self->seats, 0);
  g_clear_pointer (&self->control, clip_data_control_free);
  g_clear_pointer (&self->registering, wl_callback_destroy);
  g_clear_pointer (&self->registry, wl_registry_destroy);
  if (self->display)
    g_source_destroy (self->display);
  g_clear_pointer (&self->display, g_source_unref);
}

static void
on_lost (const char *why, gpointer user_data)
{
  ClipWayland *self = user_data;

  tear_down (self);
  clip_backend_emit_disconnected (CLIP_BACKEND (self), why);
}

static void
on_global (void *data,
           struct wl_registry *registry,
           guint32 global,
           const char *interface,
           guint32 version)
{
  ClipWayland *self = data;
  int rank = clip_data_control_rank (interface);

  if (g_str_equal (interface, wl_seat_interface.name))
    add_seat (self, global, version);
  if (rank <= self->manager_rank || self->control)
    return;
  self->manager_rank = rank;
  self->manager_global = global;
  self->manager_version = version;
}

static void
on_global_remove (void *data, struct wl_registry *registry, guint32 global)
{
  ClipWayland *self = data;
  Seat *seat = NULL;

  if (self->control && global == self->manager_global)
    {
      on_lost ("compositor withdrew data control", self);
      return;
    }
  for (guint i = 0; i < self->seats->len && !seat; i++)
    if (((Seat *) self->seats->pdata[i])->global == global)
      seat = g_ptr_array_steal_index (self->seats, i);
  if (!seat)
    return;
  if (seat->device)
    drop_device (self, seat);
  seat_free (seat);
}

static const struct wl_registry_listener registry_listener = { on_global,
                                                               on_global_remove };

static void
on_registered (void *data, struct wl_callback *callback, guint32 serial)
{
  ClipWayland *self = data;

  g_clear_pointer (&self->registering, wl_callback_destroy);
  self->registered = TRUE;
}

static const struct wl_callback_listener registered_listener = { on_registered };

static const char *
wayland_get_name (ClipBackend *backend)
{
  ClipWayland *self = CLIP_WAYLAND (backend);

  return self->control ? clip_data_control_name (self->control) : "wayland";
}

static void
wayland_receive (ClipBackend *backend,
                 ClipOffer *offer,
                 const char *mime,
                 int sink_fd_take,
                 GTask *task_take)
{
  ClipWayland *self = CLIP_WAYLAND (backend);
  g_autoptr (GTask) task = task_take;
  clip_autofd int sink_fd = sink_fd_take;
  g_autoptr (GError) error = NULL;
  gboolean asked = FALSE;

  for (guint i = 0; i < self->seats->len && !asked; i++)
    {
      Seat *seat = self->seats->pdata[i];

      asked = seat->device &&
              clip_wayland_device_receive (seat->device, offer, mime, sink_fd);
    }
  if (!asked)
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                             "receive '%s': the offer has gone", mime);
  else if (!clip_wayland_display_flush (self->display, &error))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_int (task, CLIP_VERDICT_EOF);
}

static void
on_cancelled (ClipWaylandOwned *owned, gpointer user_data)
{
  ClipWayland *self = user_data;
  g_autoptr (ClipSource) source = g_object_ref (clip_wayland_owned_source (owned));

  g_ptr_array_remove (self->claims, owned);
  cancel_unless_claimed (self, source);
}

static void
claim (ClipWayland *self, Seat *seat, ClipSelection selection, ClipSource *source)
{
  ClipWaylandOwned *owned =
      clip_wayland_owned_new (self->control, seat->device, selection, source);

  clip_wayland_owned_watch (owned, on_cancelled, self);
  g_ptr_array_add (self->claims, owned);
}

static gboolean
wayland_own (ClipBackend *backend,
             ClipSelection selection,
             ClipSource *source,
             GError **error)
{
  ClipWayland *self = CLIP_WAYLAND (backend);
  guint n_claimed = 0;

  if (self->control && selection == CLIP_SELECTION_PRIMARY &&
      !clip_data_control_has_primary (self->control))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                   "own primary selection: the compositor has none");
      return FALSE;
    }
  for (guint i = 0; i < self->seats->len; i++)
    {
      Seat *seat = self->seats->pdata[i];

      if (!seat->device)
        continue;
      claim (self, seat, selection, source);
      n_claimed++;
    }
  if (n_claimed > 0)
    return clip_wayland_display_flush (self->display, error);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
               "own selection: the compositor has no seat");
  return FALSE;
}

static void
wayland_disown (ClipBackend *backend, ClipSelection selection)
{
  ClipWayland *self = CLIP_WAYLAND (backend);

  for (guint i = 0; i < self->claims->len; i++)
    if (clip_wayland_owned_selection (self->claims->pdata[i]) == selection)
      clip_wayland_owned_give_up (self->claims->pdata[i]);
  if (self->display)
    clip_wayland_display_flush (self->display, NULL);
}

static void
clip_wayland_dispose (GObject *object)
{
  tear_down (CLIP_WAYLAND (object));
  G_OBJECT_CLASS (clip_wayland_parent_class)->dispose (object);
}

static void
clip_wayland_finalize (GObject *object)
{
  ClipWayland *self = CLIP_WAYLAND (object);

  g_ptr_array_unref (self->claims);
  g_ptr_array_unref (self->seats);
  G_OBJECT_CLASS (clip_wayland_parent_class)->finalize (object);
}

static void
clip_wayland_class_init (ClipWaylandClass *klass)
{
  ClipBackendClass *backend_class = CLIP_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = clip_wayland_dispose;
  G_OBJECT_CLASS (klass)->finalize = clip_wayland_finalize;
  backend_class->get_name = wayland_get_name;
  backend_class->receive = wayland_receive;
  backend_class->own = wayland_own;
  backend_class->disown = wayland_disown;
}

static void
clip_wayland_init (ClipWayland *self)
{
  self->manager_rank = -1;
  self->seats = g_ptr_array_new_with_free_func ((GDestroyNotify) seat_free);
  self->claims =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_wayland_owned_free);
}

static gboolean
list_globals (ClipWayland *self, GError **error)
{
  struct wl_display *display = clip_wayland_display_get (self->display);

  self->registry = wl_display_get_registry (display);
  wl_registry_add_listener (self->registry, &registry_listener, self);
  self->registering = wl_display_sync (display);
  wl_callback_add_listener (self->registering, &registered_listener, self);
  return clip_wayland_display_wait (self->display, &self->registered,
                                    g_get_monotonic_time () + ANSWER_US, error);
}

/**
 * clip_wayland_new:
 * @display_name: (nullable): as in WAYLAND_DISPLAY, which %NULL stands for
 * @primary: whether to follow the primary selection too, where there is one
 *
 * Connects, and waits for the compositor to list what it has: 2 s at most. What is
 * selected already is announced from the thread's default main context, as initial.
 *
 * Errors: %CLIP_ERROR_NO_BACKEND: no compositor, none that answers, or none with a
 * data-control protocol.
 */
ClipBackend *
clip_wayland_new (const char *display_name, gboolean primary, GError **error)
{
  g_autoptr (ClipWayland) self = g_object_new (CLIP_TYPE_WAYLAND, NULL);

  self->primary = primary;
  self->display = clip_wayland_display_open (display_name, error);
  if (!self->display || !list_globals (self, error))
    return NULL;
  if (self->manager_rank < 0)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                   "compositor has no data-control protocol");
      return NULL;
    }
  self->control = clip_data_control_bind (
      self->manager_rank, clip_wayland_display_get (self->display), self->registry,
      self->manager_global, self->manager_version);
  for (guint i = 0; i < self->seats->len; i++)
    watch_seat (self, self->seats->pdata[i]);
  clip_wayland_display_watch (self->display, on_lost, self);
  if (!clip_wayland_display_flush (self->display, error))
    return NULL;
  return CLIP_BACKEND (g_steal_pointer (&self));
}

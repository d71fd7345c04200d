/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every seat has selections of its own. Each is watched, and what we own we own on all of
 * them. A selection counts as cleared when no seat has one any more, and a source as
 * cancelled when the last seat has selected something else. */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-wayland-seats.h"

#include "clip-backend-private.h"
#include "clip-error.h"
#include "clip-wayland-device.h"
#include "clip-wayland-owned.h"

typedef struct
{
  guint32 global;
  struct wl_seat *proxy;
  ClipWaylandDevice *device; /* NULL before the start, and once finished */
} Seat;

struct ClipWaylandSeats
{
  ClipBackend *backend; /* owns us */
  ClipDataControl *control;
  gboolean primary;
  GPtrArray *seats;
  GPtrArray *claims; /* of ClipWaylandOwned */
};

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

/* @backend: whose signals tell what happens; it frees the result */
ClipWaylandSeats *
clip_wayland_seats_new (ClipBackend *backend)
{
  ClipWaylandSeats *self = g_new0 (ClipWaylandSeats, 1);

  self->backend = backend;
  self->seats = g_ptr_array_new_with_free_func ((GDestroyNotify) seat_free);
  self->claims =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_wayland_owned_free);
  return self;
}

/* "cancelled" is not emitted: what was owned is not lost to another program */
void
clip_wayland_seats_free (ClipWaylandSeats *self)
{
  g_ptr_array_unref (self->claims);
  g_ptr_array_unref (self->seats);
  g_free (self);
}

static gboolean
is_selected_anywhere (ClipWaylandSeats *self, ClipSelection selection)
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
is_claimed_anywhere (ClipWaylandSeats *self, ClipSource *source)
{
  for (guint i = 0; i < self->claims->len; i++)
    if (clip_wayland_owned_source (self->claims->pdata[i]) == source)
      return TRUE;
  return FALSE;
}

static void
cancel_unless_claimed (ClipWaylandSeats *self, ClipSource *source)
{
  if (!is_claimed_anywhere (self, source))
    clip_source_cancel (source);
}

static void
clear_unless_selected (ClipWaylandSeats *self, ClipSelection selection)
{
  if (!is_selected_anywhere (self, selection))
    clip_backend_emit_cleared (self->backend, selection);
}

/* (transfer full): the sources that @device serves no longer */
static GPtrArray *
drop_claims_of (ClipWaylandSeats *self, ClipWaylandDevice *device)
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
drop_device (ClipWaylandSeats *self, Seat *seat)
{
  ClipWaylandDevice *device = g_steal_pointer (&seat->device);
  gboolean had_clipboard =
      clip_wayland_device_offer (device, CLIP_SELECTION_CLIPBOARD) != NULL;
  gboolean had_primary =
      clip_wayland_device_offer (device, CLIP_SELECTION_PRIMARY) != NULL;
  g_autoptr (GPtrArray) sources = drop_claims_of (self, device);

  clip_wayland_device_free (device);
  g_object_ref (self->backend); /* through several signals */
  for (guint i = 0; i < sources->len; i++)
    cancel_unless_claimed (self, sources->pdata[i]);
  if (had_clipboard)
    clear_unless_selected (self, CLIP_SELECTION_CLIPBOARD);
  if (had_primary)
    clear_unless_selected (self, CLIP_SELECTION_PRIMARY);
  g_object_unref (self->backend);
}

static void
on_changed (ClipWaylandDevice *device, ClipSelection selection, gpointer user_data)
{
  ClipWaylandSeats *self = user_data;
  ClipOffer *offer = clip_wayland_device_offer (device, selection);

  if (offer)
    clip_backend_emit_offered (self->backend, offer);
  else
    clear_unless_selected (self, selection);
}

static void
on_finished (ClipWaylandDevice *device, gpointer user_data)
{
  ClipWaylandSeats *self = user_data;

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

static const ClipWaylandDeviceEvents device_events = {
  .changed = on_changed,
  .finished = on_finished,
};

static void
watch_seat (ClipWaylandSeats *self, Seat *seat)
{
  seat->device = clip_wayland_device_new (self->control, seat->proxy, self->primary,
                                          &device_events, self);
}

/**
 * clip_wayland_seats_start:
 * @control: outlives the seats
 * @primary: whether to follow the primary selection too, where there is one
 *
 * Watches the seats that are there, and those that come.
 */
void
clip_wayland_seats_start (ClipWaylandSeats *self,
                          ClipDataControl *control,
                          gboolean primary)
{
  self->control = control;
  self->primary = primary && clip_data_control_has_primary (control);
  for (guint i = 0; i < self->seats->len; i++)
    watch_seat (self, self->seats->pdata[i]);
}

void
clip_wayland_seats_add (ClipWaylandSeats *self, guint32 global, struct wl_seat *seat_take)
{
  Seat *seat = g_new0 (Seat, 1);

  seat->global = global;
  seat->proxy = seat_take;
  g_ptr_array_add (self->seats, seat);
  if (self->control)
    watch_seat (self, seat);
}

/* what was selected there is gone; nothing where @global is no seat */
void
clip_wayland_seats_remove (ClipWaylandSeats *self, guint32 global)
{
  Seat *seat = NULL;

  for (guint i = 0; i < self->seats->len && !seat; i++)
    if (((Seat *) self->seats->pdata[i])->global == global)
      seat = g_ptr_array_steal_index (self->seats, i);
  if (!seat)
    return;
  if (seat->device)
    drop_device (self, seat);
  seat_free (seat);
}

/**
 * clip_wayland_seats_receive:
 * @sink_fd: stays the caller's, who closes it
 *
 * Returns: whether any seat has @offer still
 */
gboolean
clip_wayland_seats_receive (ClipWaylandSeats *self,
                            ClipOffer *offer,
                            const char *mime,
                            int sink_fd)
{
  for (guint i = 0; i < self->seats->len; i++)
    {
      Seat *seat = self->seats->pdata[i];

      if (seat->device &&
          clip_wayland_device_receive (seat->device, offer, mime, sink_fd))
        return TRUE;
    }
  return FALSE;
}

static void
on_cancelled (ClipWaylandOwned *owned, gpointer user_data)
{
  ClipWaylandSeats *self = user_data;
  g_autoptr (ClipSource) source = g_object_ref (clip_wayland_owned_source (owned));

  g_ptr_array_remove (self->claims, owned);
  cancel_unless_claimed (self, source);
}

static void
claim (ClipWaylandSeats *self, Seat *seat, ClipSelection selection, ClipSource *source)
{
  ClipWaylandOwned *owned =
      clip_wayland_owned_new (self->control, seat->device, selection, source);

  clip_wayland_owned_watch (owned, on_cancelled, self);
  g_ptr_array_add (self->claims, owned);
}

/**
 * clip_wayland_seats_own:
 *
 * Errors: %CLIP_ERROR_NO_BACKEND where there is no such selection, or no seat.
 */
gboolean
clip_wayland_seats_own (ClipWaylandSeats *self,
                        ClipSelection selection,
                        ClipSource *source,
                        GError **error)
{
  gboolean exists = selection == CLIP_SELECTION_CLIPBOARD ||
                    clip_data_control_has_primary (self->control);
  guint n_claimed = 0;

  for (guint i = 0; i < self->seats->len && exists; i++)
    {
      Seat *seat = self->seats->pdata[i];

      if (!seat->device)
        continue;
      claim (self, seat, selection, source);
      n_claimed++;
    }
  if (n_claimed > 0)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND, "own selection: %s",
               exists ? "the compositor has no seat"
                      : "the compositor has no primary selection");
  return FALSE;
}

void
clip_wayland_seats_disown (ClipWaylandSeats *self, ClipSelection selection)
{
  for (guint i = 0; i < self->claims->len; i++)
    if (clip_wayland_owned_selection (self->claims->pdata[i]) == selection)
      clip_wayland_owned_give_up (self->claims->pdata[i]);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A compositor introduces an offer, names its types, and only then says whether it is the
 * clipboard or the primary selection. Until that word the offer waits here; it lives on
 * until the next of its kind. Both ends are ours to destroy, also when the word never
 * comes. */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-wayland-device.h"

/* offers that nothing was said about yet; a compositor has one at a time, perhaps two */
#define MAX_WAITING 4

#define N_SELECTIONS (CLIP_SELECTION_PRIMARY + 1)

typedef struct
{
  ClipOffer *offer;
  struct ext_data_control_offer_v1 *proxy;
} Introduced;

struct ClipWaylandDevice
{
  struct ext_data_control_device_v1 *proxy;
  ClipDataControl *control;    /* borrowed */
  struct wl_callback *asking;  /* (nullable): see on_data_offer() */
  struct wl_callback *syncing; /* NULL once all that was there at first has been heard */
  GPtrArray *waiting;          /* of Introduced, oldest first */
  Introduced *current[N_SELECTIONS];
  gboolean primary;
  const ClipWaylandDeviceEvents *events;
  gpointer user_data;
};

static void
introduced_free (Introduced *self)
{
  clip_offer_set_replaced (self->offer);
  g_object_unref (self->offer);
  ext_data_control_offer_v1_destroy (self->proxy);
  g_free (self);
}

static void
on_mime (void *data, struct ext_data_control_offer_v1 *proxy, const char *mime)
{
  clip_offer_add_mime (((Introduced *) data)->offer, mime);
}

static const struct ext_data_control_offer_v1_listener offer_listener = { on_mime };

/* A compositor gives a connection up for which it has more to say than goes into the
 * socket, as of an offer of very many types, and closes it no sooner than it hears from
 * it again (wl_client_connection_data() of libwayland). So it is asked for something each
 * time; what it answers does not matter. */
static void
on_data_offer (void *data,
               struct ext_data_control_device_v1 *proxy,
               struct ext_data_control_offer_v1 *offer_proxy)
{
  ClipWaylandDevice *self = data;
  Introduced *introduced = g_new0 (Introduced, 1);

  introduced->offer = clip_offer_new (CLIP_SELECTION_CLIPBOARD, self->syncing != NULL);
  introduced->proxy = offer_proxy;
  ext_data_control_offer_v1_add_listener (offer_proxy, &offer_listener, introduced);
  if (self->waiting->len == MAX_WAITING)
    g_ptr_array_remove_index (self->waiting, 0);
  g_ptr_array_add (self->waiting, introduced);
  g_clear_pointer (&self->asking, wl_callback_destroy);
  self->asking = clip_data_control_sync (self->control);
}

/* what was introduced before it can be meant no longer */
static Introduced *
take_waiting (ClipWaylandDevice *self, struct ext_data_control_offer_v1 *proxy)
{
  for (guint i = 0; i < self->waiting->len; i++)
    {
      Introduced *introduced = self->waiting->pdata[i];

      if (introduced->proxy != proxy)
        continue;
      g_ptr_array_steal_index (self->waiting, i);
      g_ptr_array_remove_range (self->waiting, 0, i);
      return introduced;
    }
  return NULL;
}

static void
select_offer (ClipWaylandDevice *self,
              ClipSelection selection,
              struct ext_data_control_offer_v1 *proxy)
{
  Introduced *introduced = proxy ? take_waiting (self, proxy) : NULL;
  Introduced *previous = self->current[selection];

  if (proxy ? !introduced : !previous)
    return; /* said before */
  if (introduced)
    clip_offer_set_selection (introduced->offer, selection);
  self->current[selection] = introduced;
  g_clear_pointer (&previous, introduced_free);
  self->events->changed (self, selection, self->user_data);
}

static void
on_selection (void *data,
              struct ext_data_control_device_v1 *proxy,
              struct ext_data_control_offer_v1 *offer_proxy)
{
  select_offer (data, CLIP_SELECTION_CLIPBOARD, offer_proxy);
}

static void
on_primary_selection (void *data,
                      struct ext_data_control_device_v1 *proxy,
                      struct ext_data_control_offer_v1 *offer_proxy)
{
  ClipWaylandDevice *self = data;
  Introduced *unwanted;

  if (self->primary)
    {
      select_offer (self, CLIP_SELECTION_PRIMARY, offer_proxy);
      return;
    }
  unwanted = offer_proxy ? take_waiting (self, offer_proxy) : NULL;
  g_clear_pointer (&unwanted, introduced_free);
}

static void
on_finished (void *data, struct ext_data_control_device_v1 *proxy)
{
  ClipWaylandDevice *self = data;

  self->events->finished (self, self->user_data);
}

static const struct ext_data_control_device_v1_listener device_listener = {
  .data_offer = on_data_offer,
  .selection = on_selection,
  .finished = on_finished,
  .primary_selection = on_primary_selection,
};

static void
on_synced (void *data, struct wl_callback *callback, guint32 serial)
{
  ClipWaylandDevice *self = data;

  g_clear_pointer (&self->syncing, wl_callback_destroy);
}

static const struct wl_callback_listener synced_listener = { on_synced };

/**
 * clip_wayland_device_new:
 * @primary: whether to follow the primary selection too
 *
 * Watches @seat. What is selected there already comes as an initial offer.
 */
ClipWaylandDevice *
clip_wayland_device_new (ClipDataControl *control,
                         struct wl_seat *seat,
                         gboolean primary,
                         const ClipWaylandDeviceEvents *events,
                         gpointer user_data)
{
  ClipWaylandDevice *self = g_new0 (ClipWaylandDevice, 1);

  self->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) introduced_free);
  self->primary = primary;
  self->events = events;
  self->user_data = user_data;
  self->control = control;
  self->proxy = clip_data_control_get_device (control, seat);
  ext_data_control_device_v1_add_listener (self->proxy, &device_listener, self);
  self->syncing = clip_data_control_sync (control);
  wl_callback_add_listener (self->syncing, &synced_listener, self);
  return self;
}

/* nothing can be received from its offers any more */
void
clip_wayland_device_free (ClipWaylandDevice *self)
{
  for (guint i = 0; i < N_SELECTIONS; i++)
    g_clear_pointer (&self->current[i], introduced_free);
  g_ptr_array_unref (self->waiting);
  g_clear_pointer (&self->asking, wl_callback_destroy);
  g_clear_pointer (&self->syncing, wl_callback_destroy);
  ext_data_control_device_v1_destroy (self->proxy);
  g_free (self);
}

/* (transfer none) (nullable): what is selected at the moment */
ClipOffer *
clip_wayland_device_offer (ClipWaylandDevice *self, ClipSelection selection)
{
  return self->current[selection] ? self->current[selection]->offer : NULL;
}

/**
 * clip_wayland_device_receive:
 * @sink_fd: stays the caller's, who closes it
 *
 * Asks the owner of @offer for @mime, without sending it off yet.
 *
 * Returns: %FALSE if @offer is none of this device
 */
gboolean
clip_wayland_device_receive (ClipWaylandDevice *self,
                             ClipOffer *offer,
                             const char *mime,
                             int sink_fd)
{
  Introduced *current = self->current[clip_offer_selection (offer)];

  if (!current || current->offer != offer)
    return FALSE;
  ext_data_control_offer_v1_receive (current->proxy, mime, sink_fd);
  return TRUE;
}

/* (nullable) @source: NULL empties the selection */
void
clip_wayland_device_select (ClipWaylandDevice *self,
                            ClipSelection selection,
                            struct ext_data_control_source_v1 *source)
{
  if (selection == CLIP_SELECTION_PRIMARY)
    ext_data_control_device_v1_set_primary_selection (self->proxy, source);
  else
    ext_data_control_device_v1_set_selection (self->proxy, source);
}

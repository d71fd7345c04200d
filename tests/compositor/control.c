/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both data-control protocols from the compositor's side. As in the daemon, one wire: the
 * events and the request tables of ext serve wlr as well, only objects are made with the
 * interface of the protocol spoken. What the protocol forbids a client is answered with
 * its error, so that a daemon that misbehaves loses its connection here as it would
 * elsewhere. */
#include "compositor.h"

#include <unistd.h>

#include "ext-data-control-v1-server-protocol.h"
#include "wlr-data-control-unstable-v1-server-protocol.h"

typedef struct
{
  const char *name;
  const struct wl_interface *manager;
  const struct wl_interface *device;
  const struct wl_interface *source;
  const struct wl_interface *offer;
  int version;
  int primary_since;
} Protocol;

#define WLR \
  &zwlr_data_control_manager_v1_interface, &zwlr_data_control_device_v1_interface, \
      &zwlr_data_control_source_v1_interface, &zwlr_data_control_offer_v1_interface

static const Protocol protocols[] = {
  { "ext", &ext_data_control_manager_v1_interface, &ext_data_control_device_v1_interface,
    &ext_data_control_source_v1_interface, &ext_data_control_offer_v1_interface, 1, 1 },
  { "wlr", WLR, 2, 2 },
  { "wlr1", WLR, 1, 2 },
};

static const Protocol *protocol;
static Compositor *the_compositor;

static void
destroy_resource (struct wl_client *client, struct wl_resource *resource)
{
  wl_resource_destroy (resource);
}

/* offers */

/* has the owner write @mime into @fd_take */
void
control_ask (Source *source, const char *mime, int fd_take)
{
  if (!source->resource)
    {
      program_send (source, mime, fd_take);
      return;
    }
  ext_data_control_source_v1_send_send (source->resource, mime, fd_take);
  close (fd_take);
}

static void
offer_receive (struct wl_client *client,
               struct wl_resource *resource,
               const char *mime,
               int fd)
{
  Source *source = wl_resource_get_user_data (resource);

  if (source)
    control_ask (source, mime, fd);
  else
    close (fd); /* the owner has gone */
}

static const struct ext_data_control_offer_v1_interface offer_requests = {
  offer_receive,
  destroy_resource,
};

static void
on_offer_destroyed (struct wl_resource *resource)
{
  Source *source = wl_resource_get_user_data (resource);

  the_compositor->n_offers--;
  if (source)
    g_ptr_array_remove (source->offers, resource);
}

static struct wl_resource *
send_offer (struct wl_resource *device, Source *source)
{
  struct wl_resource *offer =
      wl_resource_create (wl_resource_get_client (device), protocol->offer, 1, 0);

  the_compositor->n_offers++;
  g_ptr_array_add (source->offers, offer);
  wl_resource_set_implementation (offer, &offer_requests, source, on_offer_destroyed);
  ext_data_control_device_v1_send_data_offer (device, offer);
  for (guint i = 0; i < source->mimes->len; i++)
    ext_data_control_offer_v1_send_offer (offer, source->mimes->pdata[i]);
  return offer;
}

static void
send_selection (struct wl_resource *device, Kind kind, Source *source)
{
  struct wl_resource *offer;

  if (kind == KIND_PRIMARY && wl_resource_get_version (device) < protocol->primary_since)
    return;
  offer = source ? send_offer (device, source) : NULL;
  if (kind == KIND_PRIMARY)
    ext_data_control_device_v1_send_primary_selection (device, offer);
  else
    ext_data_control_device_v1_send_selection (device, offer);
}

/* sources */

Source *
control_source_new (void)
{
  Source *source = g_new0 (Source, 1);

  source->mimes = g_ptr_array_new_with_free_func (g_free);
  source->offers = g_ptr_array_new ();
  return source;
}

static void
source_free (Source *source)
{
  for (guint i = 0; i < source->offers->len; i++)
    wl_resource_set_user_data (source->offers->pdata[i], NULL);
  g_ptr_array_unref (source->offers);
  g_ptr_array_unref (source->mimes);
  g_clear_pointer (&source->contents, g_hash_table_unref);
  g_free (source);
}

static void
source_offer (struct wl_client *client, struct wl_resource *resource, const char *mime)
{
  Source *source = wl_resource_get_user_data (resource);

  if (source->used)
    wl_resource_post_error (resource, EXT_DATA_CONTROL_SOURCE_V1_ERROR_INVALID_OFFER,
                            "type offered after the source was selected");
  else
    g_ptr_array_add (source->mimes, g_strdup (mime));
}

static const struct ext_data_control_source_v1_interface source_requests = {
  source_offer,
  destroy_resource,
};

static void
on_source_destroyed (struct wl_resource *resource)
{
  Source *source = wl_resource_get_user_data (resource);

  source->resource = NULL;
  for (guint i = 0; i < the_compositor->seats->len; i++)
    for (Kind kind = 0; kind < N_KINDS; kind++)
      {
        Seat *seat = the_compositor->seats->pdata[i];

        if (seat->selected[kind] != source)
          continue;
        seat->selected[kind] = NULL;
        control_select (seat, kind, NULL);
      }
  source_free (source);
}

static void
lose (Source *source)
{
  if (source->resource)
    ext_data_control_source_v1_send_cancelled (source->resource);
  else
    source_free (source);
}

void
control_select (Seat *seat, Kind kind, Source *source)
{
  Source *previous = seat->selected[kind];

  seat->selected[kind] = source;
  if (source)
    source->used = TRUE;
  if (previous)
    lose (previous);
  for (guint i = 0; i < seat->devices->len; i++)
    send_selection (seat->devices->pdata[i], kind, source);
}

/* names an offer of which nothing is said later; the source goes, the offers stay */
void
control_introduce (Seat *seat, Source *source)
{
  for (guint i = 0; i < seat->devices->len; i++)
    send_offer (seat->devices->pdata[i], source);
  source_free (source);
}

/* devices: the user data is the seat, or NULL once finished */

static void
device_select (struct wl_resource *device, Kind kind, struct wl_resource *resource)
{
  Seat *seat = wl_resource_get_user_data (device);
  Source *source = resource ? wl_resource_get_user_data (resource) : NULL;

  if (source && source->used)
    wl_resource_post_error (device, EXT_DATA_CONTROL_DEVICE_V1_ERROR_USED_SOURCE,
                            "source selected twice");
  else if (seat)
    control_select (seat, kind, source);
}

static void
device_set_selection (struct wl_client *client,
                      struct wl_resource *device,
                      struct wl_resource *source)
{
  device_select (device, KIND_CLIPBOARD, source);
}

static void
device_set_primary_selection (struct wl_client *client,
                              struct wl_resource *device,
                              struct wl_resource *source)
{
  device_select (device, KIND_PRIMARY, source);
}

static const struct ext_data_control_device_v1_interface device_requests = {
  device_set_selection,
  destroy_resource,
  device_set_primary_selection,
};

static void
on_device_destroyed (struct wl_resource *device)
{
  Seat *seat = wl_resource_get_user_data (device);

  if (seat)
    g_ptr_array_remove (seat->devices, device);
}

void
control_finish (Seat *seat)
{
  for (guint i = 0; i < seat->devices->len; i++)
    {
      ext_data_control_device_v1_send_finished (seat->devices->pdata[i]);
      wl_resource_set_user_data (seat->devices->pdata[i], NULL);
    }
  g_ptr_array_set_size (seat->devices, 0);
}

/* the manager */

static void
manager_create_data_source (struct wl_client *client,
                            struct wl_resource *manager,
                            guint32 id)
{
  Source *source = control_source_new ();

  source->resource = wl_resource_create (client, protocol->source, 1, id);
  wl_resource_set_implementation (source->resource, &source_requests, source,
                                  on_source_destroyed);
}

static void
manager_get_data_device (struct wl_client *client,
                         struct wl_resource *manager,
                         guint32 id,
                         struct wl_resource *seat_resource)
{
  Seat *seat = wl_resource_get_user_data (seat_resource);
  struct wl_resource *device = wl_resource_create (client, protocol->device,
                                                   wl_resource_get_version (manager), id);

  wl_resource_set_implementation (device, &device_requests, seat, on_device_destroyed);
  if (!seat)
    {
      ext_data_control_device_v1_send_finished (device);
      return;
    }
  g_ptr_array_add (seat->devices, device);
  for (Kind kind = 0; kind < N_KINDS; kind++)
    send_selection (device, kind, seat->selected[kind]);
}

static const struct ext_data_control_manager_v1_interface manager_requests = {
  manager_create_data_source,
  manager_get_data_device,
  destroy_resource,
};

static void
on_manager_destroyed (struct wl_resource *manager)
{
  if (the_compositor->bound_manager == manager)
    the_compositor->bound_manager = NULL;
}

static void
bind_manager (struct wl_client *client, void *data, guint32 version, guint32 id)
{
  struct wl_resource *manager =
      wl_resource_create (client, protocol->manager, (int) version, id);

  the_compositor->bound_manager = manager;
  wl_resource_set_implementation (manager, &manager_requests, NULL, on_manager_destroyed);
}

/* @name: ext, wlr, wlr1 (version 1: without the primary selection) or none */
gboolean
control_start (Compositor *compositor, const char *name)
{
  the_compositor = compositor;
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (g_str_equal (name, protocols[i].name))
      protocol = &protocols[i];
  if (protocol)
    compositor->manager = wl_global_create (compositor->display, protocol->manager,
                                            protocol->version, NULL, bind_manager);
  return protocol || g_str_equal (name, "none");
}

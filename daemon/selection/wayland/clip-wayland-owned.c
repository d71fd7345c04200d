/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-wayland-owned.h"

#include "clip-mime.h"

struct ClipWaylandOwned
{
  ClipWaylandDevice *device; /* outlives us */
  ClipSelection selection;
  ClipSource *source;
  struct ext_data_control_source_v1 *proxy;
  gboolean given_up;
  ClipWaylandCancelled cancelled;
  gpointer user_data;
};

/* a compositor passes on any type a client asks for, our token too */
static void
on_send (void *data,
         struct ext_data_control_source_v1 *proxy,
         const char *mime,
         int sink_fd_take)
{
  ClipWaylandOwned *self = data;
  g_autoptr (ClipRequest) request = clip_request_new (mime, sink_fd_take, NULL, NULL);
  g_autoptr (ClipSource) source = g_object_ref (self->source);

  if (g_strv_contains (clip_source_mimes (source), mime))
    clip_source_request (source, request);
}

static void
on_cancelled (void *data, struct ext_data_control_source_v1 *proxy)
{
  ClipWaylandOwned *self = data;

  self->cancelled (self, self->user_data);
}

static const struct ext_data_control_source_v1_listener source_listener = {
  .send = on_send,
  .cancelled = on_cancelled,
};

/**
 * clip_wayland_owned_new:
 * @device: outlives the result
 *
 * Selects the types of @source on one seat, and with them the token by which we know the
 * offer as our own when it comes back.
 */
ClipWaylandOwned *
clip_wayland_owned_new (ClipDataControl *control,
                        ClipWaylandDevice *device,
                        ClipSelection selection,
                        ClipSource *source)
{
  ClipWaylandOwned *self = g_new0 (ClipWaylandOwned, 1);

  self->device = device;
  self->selection = selection;
  self->source = g_object_ref (source);
  self->proxy = clip_data_control_create_source (control);
  for (const char *const *mime = clip_source_mimes (source); *mime; mime++)
    if (clip_mime_is_valid (*mime)) /* one that fills a message ends the connection */
      ext_data_control_source_v1_offer (self->proxy, *mime);
  ext_data_control_source_v1_offer (self->proxy, clip_source_token ());
  clip_wayland_device_select (device, selection, self->proxy);
  return self;
}

/* requests that were handed on already are not touched */
void
clip_wayland_owned_free (ClipWaylandOwned *self)
{
  ext_data_control_source_v1_destroy (self->proxy);
  g_object_unref (self->source);
  g_free (self);
}

/* @cancelled: called when the seat has selected something else: free it then */
void
clip_wayland_owned_watch (ClipWaylandOwned *self,
                          ClipWaylandCancelled cancelled,
                          gpointer user_data)
{
  self->cancelled = cancelled;
  self->user_data = user_data;
  ext_data_control_source_v1_add_listener (self->proxy, &source_listener, self);
}

/**
 * clip_wayland_owned_give_up:
 *
 * Empties the selection that we own; the compositor answers by cancelling. Once: a second
 * time could empty what another program has selected meanwhile.
 */
void
clip_wayland_owned_give_up (ClipWaylandOwned *self)
{
  if (!self->given_up)
    clip_wayland_device_select (self->device, self->selection, NULL);
  self->given_up = TRUE;
}

ClipWaylandDevice *
clip_wayland_owned_device (ClipWaylandOwned *self)
{
  return self->device;
}

ClipSelection
clip_wayland_owned_selection (ClipWaylandOwned *self)
{
  return self->selection;
}

ClipSource *
clip_wayland_owned_source (ClipWaylandOwned *self)
{
  return self->source;
}

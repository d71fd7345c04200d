/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-data-control.h"
#include "clip-offer.h"
G_BEGIN_DECLS

/* The data-control device of one seat: what is selected there. */
typedef struct ClipWaylandDevice ClipWaylandDevice;

typedef struct
{
  /* there is another offer, or none any more: clip_wayland_device_offer() */
  void (*changed) (ClipWaylandDevice *self, ClipSelection selection, gpointer user_data);
  /* the compositor has ended it: free it */
  void (*finished) (ClipWaylandDevice *self, gpointer user_data);
} ClipWaylandDeviceEvents;

ClipWaylandDevice *clip_wayland_device_new (ClipDataControl *control,
                                            struct wl_seat *seat,
                                            gboolean primary,
                                            const ClipWaylandDeviceEvents *events,
                                            gpointer user_data);
void clip_wayland_device_free (ClipWaylandDevice *self);

ClipOffer *clip_wayland_device_offer (ClipWaylandDevice *self, ClipSelection selection);
gboolean clip_wayland_device_receive (ClipWaylandDevice *self,
                                      ClipOffer *offer,
                                      const char *mime,
                                      int sink_fd);
void clip_wayland_device_select (ClipWaylandDevice *self,
                                 ClipSelection selection,
                                 struct ext_data_control_source_v1 *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWaylandDevice, clip_wayland_device_free)
G_END_DECLS

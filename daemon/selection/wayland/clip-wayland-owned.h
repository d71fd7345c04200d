/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-source.h"
#include "clip-wayland-device.h"
G_BEGIN_DECLS

/* A source as one seat has it: the protocol allows each to be selected only once. */
typedef struct ClipWaylandOwned ClipWaylandOwned;

typedef void (*ClipWaylandCancelled) (ClipWaylandOwned *self, gpointer user_data);

ClipWaylandOwned *clip_wayland_owned_new (ClipDataControl *control,
                                          ClipWaylandDevice *device,
                                          ClipSelection selection,
                                          ClipSource *source);
void clip_wayland_owned_free (ClipWaylandOwned *self);
void clip_wayland_owned_watch (ClipWaylandOwned *self,
                               ClipWaylandCancelled cancelled,
                               gpointer user_data);
void clip_wayland_owned_give_up (ClipWaylandOwned *self);

ClipWaylandDevice *clip_wayland_owned_device (ClipWaylandOwned *self);
ClipSelection clip_wayland_owned_selection (ClipWaylandOwned *self);
ClipSource *clip_wayland_owned_source (ClipWaylandOwned *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWaylandOwned, clip_wayland_owned_free)
G_END_DECLS

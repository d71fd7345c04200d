/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-data-control.h"
G_BEGIN_DECLS

/* All seats of a compositor, as if they were one. */
typedef struct ClipWaylandSeats ClipWaylandSeats;

ClipWaylandSeats *clip_wayland_seats_new (ClipBackend *backend);
void clip_wayland_seats_free (ClipWaylandSeats *self);
void clip_wayland_seats_start (ClipWaylandSeats *self,
                               ClipDataControl *control,
                               gboolean primary);
void clip_wayland_seats_add (ClipWaylandSeats *self,
                             guint32 global,
                             struct wl_seat *seat_take);
void clip_wayland_seats_remove (ClipWaylandSeats *self, guint32 global);

gboolean clip_wayland_seats_receive (ClipWaylandSeats *self,
                                     ClipOffer *offer,
                                     const char *mime,
                                     int sink_fd);
gboolean clip_wayland_seats_own (ClipWaylandSeats *self,
                                 ClipSelection selection,
                                 ClipSource *source,
                                 GError **error);
void clip_wayland_seats_disown (ClipWaylandSeats *self, ClipSelection selection);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWaylandSeats, clip_wayland_seats_free)
G_END_DECLS

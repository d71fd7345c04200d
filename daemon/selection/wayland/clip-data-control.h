/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>

#include "ext-data-control-v1-client-protocol.h"
G_BEGIN_DECLS

/* The manager of either data-control protocol, bound. */
typedef struct ClipDataControl ClipDataControl;

int clip_data_control_rank (const char *interface);
ClipDataControl *clip_data_control_bind (int rank,
                                         struct wl_display *display,
                                         struct wl_registry *registry,
                                         guint32 global,
                                         guint32 version);
void clip_data_control_free (ClipDataControl *self);

const char *clip_data_control_name (ClipDataControl *self);
gboolean clip_data_control_has_primary (ClipDataControl *self);
struct ext_data_control_device_v1 *clip_data_control_get_device (ClipDataControl *self,
                                                                 struct wl_seat *seat);
struct ext_data_control_source_v1 *clip_data_control_create_source (
    ClipDataControl *self);
struct wl_callback *clip_data_control_sync (ClipDataControl *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipDataControl, clip_data_control_free)
G_END_DECLS

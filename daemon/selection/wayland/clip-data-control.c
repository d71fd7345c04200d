/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ext-data-control-v1 and wlr-data-control-unstable-v1 are one wire under two sets of
 * names. So the code generated for ext drives both: a request that makes no object names
 * no interface, and a listener is a row of functions in the order of the opcodes. Only
 * where an object is made has its interface to be the right one: those places are here.
 */
#include "clip-data-control.h"

#include "wlr-data-control-unstable-v1-client-protocol.h"

G_STATIC_ASSERT (ZWLR_DATA_CONTROL_MANAGER_V1_CREATE_DATA_SOURCE ==
                 EXT_DATA_CONTROL_MANAGER_V1_CREATE_DATA_SOURCE);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_MANAGER_V1_GET_DATA_DEVICE ==
                 EXT_DATA_CONTROL_MANAGER_V1_GET_DATA_DEVICE);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_MANAGER_V1_DESTROY ==
                 EXT_DATA_CONTROL_MANAGER_V1_DESTROY);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_DEVICE_V1_SET_SELECTION ==
                 EXT_DATA_CONTROL_DEVICE_V1_SET_SELECTION);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_DEVICE_V1_DESTROY ==
                 EXT_DATA_CONTROL_DEVICE_V1_DESTROY);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_DEVICE_V1_SET_PRIMARY_SELECTION ==
                 EXT_DATA_CONTROL_DEVICE_V1_SET_PRIMARY_SELECTION);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_SOURCE_V1_OFFER == EXT_DATA_CONTROL_SOURCE_V1_OFFER);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_SOURCE_V1_DESTROY ==
                 EXT_DATA_CONTROL_SOURCE_V1_DESTROY);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_OFFER_V1_RECEIVE == EXT_DATA_CONTROL_OFFER_V1_RECEIVE);
G_STATIC_ASSERT (ZWLR_DATA_CONTROL_OFFER_V1_DESTROY == EXT_DATA_CONTROL_OFFER_V1_DESTROY);

typedef struct
{
  const char *name;
  const struct wl_interface *manager;
  const struct wl_interface *device;
  const struct wl_interface *source;
  guint32 newest;
  guint32 primary_since;
} Wire;

/* the worst first: the index is the rank */
static const Wire wires[] = {
  { "wlr", &zwlr_data_control_manager_v1_interface,
    &zwlr_data_control_device_v1_interface, &zwlr_data_control_source_v1_interface, 2,
    2 },
  { "ext", &ext_data_control_manager_v1_interface, &ext_data_control_device_v1_interface,
    &ext_data_control_source_v1_interface, 1, 1 },
};

struct ClipDataControl
{
  const Wire *wire;
  struct wl_display *display;
  struct ext_data_control_manager_v1 *manager;
};

/**
 * clip_data_control_rank:
 * @interface: the name of a global
 *
 * Returns: how good a data-control manager it is (0 or more), or -1 if it is none
 */
int
clip_data_control_rank (const char *interface)
{
  for (guint i = 0; i < G_N_ELEMENTS (wires); i++)
    if (g_strcmp0 (interface, wires[i].manager->name) == 0)
      return (int) i;
  return -1;
}

/**
 * clip_data_control_bind:
 * @rank: of clip_data_control_rank()
 * @display: outlives the result
 * @version: as advertised; what we do not know of it is not asked for
 */
ClipDataControl *
clip_data_control_bind (int rank,
                        struct wl_display *display,
                        struct wl_registry *registry,
                        guint32 global,
                        guint32 version)
{
  ClipDataControl *self = g_new0 (ClipDataControl, 1);

  self->wire = &wires[rank];
  self->display = display;
  self->manager = wl_registry_bind (registry, global, self->wire->manager,
                                    MIN (version, self->wire->newest));
  return self;
}

/* devices and sources made by it stay alive */
void
clip_data_control_free (ClipDataControl *self)
{
  ext_data_control_manager_v1_destroy (self->manager);
  g_free (self);
}

const char *
clip_data_control_name (ClipDataControl *self)
{
  return self->wire->name;
}

/* a wlr manager of version 1 ends the connection of a client that asks for it */
gboolean
clip_data_control_has_primary (ClipDataControl *self)
{
  return ext_data_control_manager_v1_get_version (self->manager) >=
         self->wire->primary_since;
}

static void *
create (ClipDataControl *self,
        guint32 opcode,
        const struct wl_interface *interface,
        struct wl_seat *seat)
{
  struct wl_proxy *manager = (struct wl_proxy *) self->manager;

  return wl_proxy_marshal_flags (manager, opcode, interface,
                                 wl_proxy_get_version (manager), 0, NULL, seat);
}

struct ext_data_control_device_v1 *
clip_data_control_get_device (ClipDataControl *self, struct wl_seat *seat)
{
  return create (self, EXT_DATA_CONTROL_MANAGER_V1_GET_DATA_DEVICE, self->wire->device,
                 seat);
}

struct ext_data_control_source_v1 *
clip_data_control_create_source (ClipDataControl *self)
{
  return create (self, EXT_DATA_CONTROL_MANAGER_V1_CREATE_DATA_SOURCE, self->wire->source,
                 NULL);
}

/* answered once the compositor has done everything asked for before */
struct wl_callback *
clip_data_control_sync (ClipDataControl *self)
{
  return wl_display_sync (self->display);
}

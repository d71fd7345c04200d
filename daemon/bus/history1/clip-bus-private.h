/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the handlers share: clip-bus-read.c answers what looks, clip-bus-stream.c what
 * writes many entries into a descriptor, clip-bus-write.c what changes, clip-bus-care.c
 * what looks after the history as a whole. */
#pragma once
#include "clip-backlog.h"
#include "clip-bus-error.h"
#include "clip-bus-progress.h"
#include "clip-bus.h"
#include "clip-callers.h"
#include "clip-dbus.h"
#include "clip-finder.h"
#include "clip-gate.h"
G_BEGIN_DECLS

struct _ClipBus
{
  GObject parent_instance;
  ClipHistory *history;
  ClipDbusHistory *skeleton;
  ClipGate *gate;
  ClipFinder *finder; /* (nullable) */
  ClipCallers *callers;
  ClipBacklog *backlog; /* (nullable): of who speaks to us alone */
  guint removing_timer; /* while something deleted is still on the disk */
  guint removing_ms;
};

/* a call that is answered later */
typedef struct
{
  ClipBus *bus;
  GDBusMethodInvocation *invocation;
  GCancellable *cancellable; /* of a call that lasts; otherwise NULL */
  int fd;                    /* -1, or what the reply takes along */
  ClipBusProgress *progress; /* of a transfer; otherwise NULL */
} ClipBusCall;

ClipBusCall *clip_bus_call_new (ClipBus *bus, GDBusMethodInvocation *invocation);
ClipBusCall *clip_bus_call_begin (ClipBus *bus,
                                  GDBusMethodInvocation *invocation,
                                  GError **error);
ClipBusCall *clip_bus_call_begin_transfer (ClipBus *bus,
                                           GDBusMethodInvocation *invocation,
                                           guint64 id,
                                           const char *direction,
                                           GVariant *options,
                                           GError **error);
ClipTransferProgress *clip_bus_call_progress (ClipBusCall *self);
void clip_bus_call_free (ClipBusCall *self);

int clip_bus_take_fd (GUnixFDList *sent, GVariant *handle, GError **error);
gboolean clip_bus_is_for_us (ClipBus *self,
                             GDBusMethodInvocation *invocation,
                             GVariant *options);
gint64 clip_bus_resolve (ClipBus *bus, guint64 id);

typedef void (*ClipBusRefresh) (gpointer user_data);

ClipDbusHistory *clip_bus_skeleton_new (ClipGate *gate);
void clip_bus_skeleton_set_refresh (ClipDbusHistory *skeleton,
                                    ClipBusRefresh refresh,
                                    gpointer user_data);

/* a method, as the skeleton names its signal */
typedef struct
{
  const char *name; /* "handle-delete-matching" */
  GCallback callback;
} ClipBusHandler;

void clip_bus_connect (ClipBus *self, const ClipBusHandler *handlers, gsize n);
void clip_bus_connect_reads (ClipBus *self);
void clip_bus_connect_streams (ClipBus *self);
void clip_bus_connect_writes (ClipBus *self);
void clip_bus_connect_care (ClipBus *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipBusCall, clip_bus_call_free)

G_END_DECLS

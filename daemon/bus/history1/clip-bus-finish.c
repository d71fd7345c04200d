/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end in good order. Once the name is released, or lost, the bus sends no call to us
 * any more that was meant for it; but what it had sent before may still be on its way.
 * That is here when the bus has answered a question asked later. Then these calls are
 * finished as ever, and their callers told.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-bus-private.h"

#define BUS "org.freedesktop.DBus"

/* a peer that stalls for longer, such as the writer of a pipe, is not waited for */
#define PATIENCE_MS 2000

typedef struct
{
  gboolean is_answered;
  guint timer; /* 0 once it is too late */
} Ending;

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Ending *ending = user_data;
  GVariant *reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);

  g_clear_pointer (&reply, g_variant_unref);
  ending->is_answered = TRUE;
}

static gboolean
on_late (gpointer user_data)
{
  ((Ending *) user_data)->timer = 0;
  return G_SOURCE_REMOVE;
}

static void
ask (GDBusConnection *connection, GCancellable *cancellable, Ending *ending)
{
  g_dbus_connection_call (
      connection, BUS, "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping", NULL,
      NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, cancellable, on_answered, ending);
}

/**
 * clip_bus_finish_calls:
 *
 * Waits until every call that was sent to us by now has been answered, for a bounded
 * time. The bus sends no other caller to us once the name is not ours.
 */
void
clip_bus_finish_calls (ClipBus *self)
{
  GDBusConnection *connection = g_dbus_interface_skeleton_get_connection (
      G_DBUS_INTERFACE_SKELETON (self->skeleton));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Ending ending = { 0 };

  if (!connection)
    return;
  ending.timer = g_timeout_add (PATIENCE_MS, on_late, &ending);
  ask (connection, cancellable, &ending);
  while (ending.timer && !(ending.is_answered && clip_gate_is_idle (self->gate)))
    g_main_context_iteration (NULL, TRUE);
  g_clear_handle_id (&ending.timer, g_source_remove);
  g_cancellable_cancel (cancellable);
  while (!ending.is_answered)
    g_main_context_iteration (NULL, TRUE);
  g_dbus_connection_flush_sync (connection, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end in good order. Once the name is released, or lost, the bus sends no call to us
 * any more that was meant for it; but what it had sent before may still be on its way.
 * That is here when the bus has answered. Then these calls are finished as ever, and
 * their callers told. A bus that takes nothing is not waited for.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-bus-private.h"
#include "clip-paths.h"

#define BUS "org.freedesktop.DBus"

/* a peer that stalls for longer, such as the writer of a pipe, or the bus, is not waited
 * for */
#define PATIENCE_MS 2000
#define FLUSH_MS 500

/* the last one to come, or to give up, frees it */
typedef struct
{
  gboolean is_answered;
  gboolean is_flushed;
  guint timer; /* 0 once it is too late */
} Ending;

static void
on_answered (GObject *source, GAsyncResult *result, gpointer ending_take)
{
  Ending *ending = ending_take;
  GVariant *reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);

  g_clear_pointer (&reply, g_variant_unref);
  ending->is_answered = TRUE;
  g_rc_box_release (ending);
}

static void
on_flushed (GObject *source, GAsyncResult *result, gpointer ending_take)
{
  Ending *ending = ending_take;

  g_dbus_connection_flush_finish (G_DBUS_CONNECTION (source), result, NULL);
  ending->is_flushed = TRUE;
  g_rc_box_release (ending);
}

static gboolean
on_late (gpointer user_data)
{
  ((Ending *) user_data)->timer = 0;
  return G_SOURCE_REMOVE;
}

/* of a name that is not ours, too, the bus says so */
static void
release_name (GDBusConnection *connection, Ending *ending)
{
  g_dbus_connection_call (connection, BUS, "/org/freedesktop/DBus", BUS, "ReleaseName",
                          g_variant_new ("(s)", CLIP_BUS_NAME), NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, on_answered,
                          g_rc_box_acquire (ending));
}

/**
 * clip_bus_finish_calls:
 *
 * Gives the name up, and waits until every call that was sent to us by now has been
 * answered, for a bounded time. The bus sends no other caller to us then.
 */
void
clip_bus_finish_calls (ClipBus *self)
{
  GDBusConnection *connection = g_dbus_interface_skeleton_get_connection (
      G_DBUS_INTERFACE_SKELETON (self->skeleton));
  Ending *ending;

  if (!connection)
    return;
  ending = g_rc_box_new0 (Ending);
  ending->timer = g_timeout_add (PATIENCE_MS, on_late, ending);
  release_name (connection, ending);
  while (ending->timer && !(ending->is_answered && clip_gate_is_idle (self->gate)))
    g_main_context_iteration (NULL, TRUE);
  g_clear_handle_id (&ending->timer, g_source_remove);
  ending->timer = g_timeout_add (FLUSH_MS, on_late, ending);
  g_dbus_connection_flush (connection, NULL, on_flushed, g_rc_box_acquire (ending));
  while (ending->timer && !ending->is_flushed)
    g_main_context_iteration (NULL, TRUE);
  g_clear_handle_id (&ending->timer, g_source_remove);
  g_rc_box_release (ending);
}

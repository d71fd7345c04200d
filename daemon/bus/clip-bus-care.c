/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The methods that look after the history as a whole. */
#include "clip-bus-private.h"
#include "clip-convert.h"

static void
on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) report =
      clip_store_check_finish (CLIP_STORE (source), result, &error);

  if (report)
    clip_dbus_history_complete_check (NULL, call->invocation, report);
  else
    clip_bus_return_error (call->invocation, error);
}

static gboolean
on_check (ClipBus *self, GDBusMethodInvocation *invocation, GVariant *options)
{
  g_autoptr (GError) error = NULL;
  gboolean repair = FALSE;

  if (!clip_bus_is_for_us (self, invocation, options))
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  if (clip_convert_option (options, "repair", "b", &repair, &error))
    clip_store_check_async (clip_history_store (self->history), repair, on_checked,
                            clip_bus_call_new (self, invocation));
  else
    clip_bus_return_error (invocation, error);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
on_compacted (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    clip_dbus_history_complete_compact (NULL, call->invocation);
  else
    clip_bus_return_error (call->invocation, error);
}

static gboolean
on_compact (ClipBus *self, GDBusMethodInvocation *invocation, GVariant *options)
{
  if (clip_bus_is_for_us (self, invocation, options))
    clip_store_compact_async (clip_history_store (self->history), on_compacted,
                              clip_bus_call_new (self, invocation));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

void
clip_bus_connect_care (ClipBus *self)
{
  g_signal_connect_object (self->skeleton, "handle-check", G_CALLBACK (on_check), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->skeleton, "handle-compact", G_CALLBACK (on_compact),
                           self, G_CONNECT_SWAPPED);
}

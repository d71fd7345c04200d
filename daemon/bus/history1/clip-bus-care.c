/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The methods that look after the history as a whole. */
#include "clip-bus-private.h"
#include "clip-convert.h"
#include "clip-display-name.h"
#include "clip-error.h"
#include "clip-paths.h"

#include <string.h>

#define MAX_VALUE_BYTES 4096

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
  ClipBusCall *call = NULL;
  gboolean repair = FALSE;

  if (!clip_bus_is_for_us (self, invocation, options))
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  if (clip_convert_option (options, "repair", "b", &repair, &error))
    call = clip_bus_call_begin (self, invocation, &error);
  if (call)
    clip_store_check_async (clip_history_store (self->history), repair, call->cancellable,
                            on_checked, call);
  else
    clip_bus_return_error (invocation, error);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
on_compacted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_store_change_finish (CLIP_STORE (source), result, NULL, &error))
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

static void
on_display_used (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_auto (GStrv) backends = clip_history_backends (CLIP_HISTORY (source));

  g_task_propagate_boolean (G_TASK (result), NULL);
  clip_dbus_history_complete_use_display (NULL, call->invocation,
                                          (const char *const *) backends);
}

/* (transfer container) (nullable): names and values in turn, of all that are known, as
 * keys of an earlier login open no server of this one; or none where they name no
 * display; NULL with the error set */
static GPtrArray *
read_environment (GVariant *environment, GError **error)
{
  static const char *const known[] = { CLIP_DISPLAY_VARIABLES };
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();
  gboolean names_display = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const char *value = "";

      g_variant_lookup (environment, known[i], "&s", &value);
      if (strlen (value) > MAX_VALUE_BYTES)
        {
          g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                       "%s has more than %d bytes", known[i], MAX_VALUE_BYTES);
          return NULL;
        }
      if (g_str_equal (known[i], "DISPLAY") && clip_display_name_is_remote (value))
        {
          g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                       "'%s' is a display of another machine, and left alone", value);
          return NULL;
        }
      names_display |= *value && !g_str_equal (known[i], "XAUTHORITY");
      g_ptr_array_add (pairs, (gpointer) known[i]);
      g_ptr_array_add (pairs, (gpointer) value);
    }
  if (!names_display)
    g_ptr_array_set_size (pairs, 0);
  g_ptr_array_add (pairs, NULL);
  return g_steal_pointer (&pairs);
}

static gboolean
on_use_display (ClipBus *self,
                GDBusMethodInvocation *invocation,
                GVariant *environment,
                GVariant *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pairs = read_environment (environment, &error);

  if (pairs)
    clip_history_use_display_async (self->history, (const char *const *) pairs->pdata,
                                    on_display_used,
                                    clip_bus_call_new (self, invocation));
  else
    clip_bus_return_error (invocation, error);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

void
clip_bus_connect_care (ClipBus *self)
{
  static const ClipBusHandler handlers[] = {
    { "handle-check", G_CALLBACK (on_check) },
    { "handle-compact", G_CALLBACK (on_compact) },
    { "handle-use-display", G_CALLBACK (on_use_display) },
  };

  clip_bus_connect (self, handlers, G_N_ELEMENTS (handlers));
}

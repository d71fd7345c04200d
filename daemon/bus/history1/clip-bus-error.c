/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-bus-error.h"

#include "clip-error.h"

#define GAVE_WAY "clip-gave-way"

/* what ends the call from now on is that it gave way to others */
void
clip_bus_error_note_limits (GDBusMethodInvocation *invocation)
{
  g_object_set_data (G_OBJECT (invocation), GAVE_WAY, GINT_TO_POINTER (TRUE));
}

/* an error of ours under its name; one of the system's, whose code no caller can act on,
 * as Failed */
void
clip_bus_return_error (GDBusMethodInvocation *invocation, const GError *error)
{
  const char *name = NULL;

  if (g_object_get_data (G_OBJECT (invocation), GAVE_WAY))
    {
      g_dbus_method_invocation_return_dbus_error (
          invocation, clip_error_bus_name (CLIP_ERROR_LIMITS),
          "it moved too little, and gave way to others");
      return;
    }
  if (error->domain == CLIP_ERROR)
    name = clip_error_bus_name ((ClipError) error->code);
  g_dbus_method_invocation_return_dbus_error (
      invocation, name ?: clip_error_bus_name (CLIP_ERROR_FAILED), error->message);
}

/* from a filter, on GIO's thread: with %CLIP_ERROR_LIMITS, where an answer is expected */
void
clip_bus_error_refuse (GDBusConnection *bus, GDBusMessage *call, const char *why)
{
  g_autoptr (GDBusMessage) answer = NULL;

  if (g_dbus_message_get_flags (call) & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED)
    return;
  answer = g_dbus_message_new_method_error_literal (
      call, clip_error_bus_name (CLIP_ERROR_LIMITS), why);
  g_dbus_connection_send_message (bus, answer, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL,
                                  NULL);
}

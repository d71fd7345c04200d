/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-bus-error.h"

#include "clip-error.h"

/* an error of ours under its name; one of the system's, whose code no caller can act on,
 * as Failed */
void
clip_bus_return_error (GDBusMethodInvocation *invocation, const GError *error)
{
  const char *name = NULL;

  if (error->domain == CLIP_ERROR)
    name = clip_error_bus_name ((ClipError) error->code);
  g_dbus_method_invocation_return_dbus_error (
      invocation, name ?: clip_error_bus_name (CLIP_ERROR_FAILED), error->message);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cliphist-error.h"

#include "cliphist-call.h"

#define NAMES "org.cliphist.History1.Error."

static const GDBusErrorEntry entries[] = {
  { CLIPHIST_ERROR_FAILED, NAMES "Failed" },
  { CLIPHIST_ERROR_NOT_FOUND, NAMES "NotFound" },
  { CLIPHIST_ERROR_NO_SUCH_FORMAT, NAMES "NoSuchFormat" },
  { CLIPHIST_ERROR_TOO_LARGE, NAMES "TooLarge" },
  { CLIPHIST_ERROR_NO_SPACE, NAMES "NoSpace" },
  { CLIPHIST_ERROR_CORRUPT, NAMES "Corrupt" },
  { CLIPHIST_ERROR_NEWER_DATABASE, NAMES "NewerDatabase" },
  { CLIPHIST_ERROR_OTHER_STORE, NAMES "OtherStore" },
  { CLIPHIST_ERROR_NO_BACKEND, NAMES "NoBackend" },
  { CLIPHIST_ERROR_LIMITS, NAMES "Limits" },
  { CLIPHIST_ERROR_STALLED, NAMES "Stalled" },
  { CLIPHIST_ERROR_INVALID_ARGUMENT, NAMES "InvalidArgument" },
  { CLIPHIST_ERROR_SANDBOXED, NAMES "Sandboxed" },
};

/**
 * cliphist_error_quark:
 *
 * Returns: the domain of [error@Error]
 */
GQuark
cliphist_error_quark (void)
{
  static gsize quark;

  g_dbus_error_register_error_domain ("cliphist-error-quark", &quark, entries,
                                      G_N_ELEMENTS (entries));
  return (GQuark) quark;
}

/* what the bus itself says where the daemon does not answer */
static gboolean
is_unavailable (const GError *error)
{
  static const GDBusError codes[] = {
    G_DBUS_ERROR_SERVICE_UNKNOWN,
    G_DBUS_ERROR_NAME_HAS_NO_OWNER,
    G_DBUS_ERROR_NO_REPLY,
    G_DBUS_ERROR_NO_SERVER,
    G_DBUS_ERROR_DISCONNECTED,
    G_DBUS_ERROR_SPAWN_EXEC_FAILED,
    G_DBUS_ERROR_SPAWN_FORK_FAILED,
    G_DBUS_ERROR_SPAWN_CHILD_EXITED,
    G_DBUS_ERROR_SPAWN_CHILD_SIGNALED,
    G_DBUS_ERROR_SPAWN_FAILED,
    G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND,
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, G_DBUS_ERROR, (int) codes[i]))
      return TRUE;
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
}

/* (transfer full): as the documentation has it, of what GDBus says */
GError *
cliphist_error_from_call (GError *error_take)
{
  g_autoptr (GError) error = error_take;

  g_dbus_error_strip_remote_error (error);
  if (error->domain == CLIPHIST_ERROR ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_steal_pointer (&error);
  return g_error_new_literal (CLIPHIST_ERROR,
                              is_unavailable (error) ? CLIPHIST_ERROR_UNAVAILABLE
                                                     : CLIPHIST_ERROR_FAILED,
                              error->message);
}

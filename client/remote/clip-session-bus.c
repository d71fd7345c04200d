/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-session-bus.h"

#include "clip-ownership.h"
#include "clip-words.h"

#define CONNECT_MS 2000

/* whether there should be one: GIO would start a bus with dbus-launch where there is an
 * X11 display and no bus */
gboolean
clip_session_bus_is_named (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  const char *dir = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *socket = g_build_filename (dir ?: "", "bus", NULL);

  return (address && *address) || (dir && g_file_test (socket, G_FILE_TEST_EXISTS));
}

typedef struct
{
  GDBusConnection *bus;
  GError *error;
  gboolean done;
} Attempt;

static void
on_connected (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Attempt *attempt = user_data;

  attempt->bus = g_dbus_connection_new_for_address_finish (result, &attempt->error);
  attempt->done = TRUE;
}

static gboolean
on_late (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_CONTINUE;
}

/**
 * clip_session_bus_at:
 *
 * Returns: (transfer full): the bus at @address; a socket that never answers is given up
 * after @ms
 *
 * Errors: %G_IO_ERROR; %G_IO_ERROR_CANCELLED where it was given up.
 */
GDBusConnection *
clip_session_bus_at (const char *address, guint ms, GError **error)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint timer = g_timeout_add (ms, on_late, cancellable);
  Attempt attempt = { 0 };

  g_dbus_connection_new_for_address (address,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                         G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                     NULL, cancellable, on_connected, &attempt);
  while (!attempt.done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  if (attempt.error)
    g_propagate_error (error, attempt.error);
  return attempt.bus;
}

/* A session may have ended, and left its address to us (in a terminal that goes on, say):
 * who listens there now is handed what is stored. */
static gboolean
is_trusted (GDBusConnection *bus)
{
  GIOStream *stream = g_dbus_connection_get_stream (bus);

  return !G_IS_SOCKET_CONNECTION (stream) ||
         clip_ownership_is_trusted_server (g_socket_get_fd (
             g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream))));
}

/**
 * clip_session_bus:
 *
 * Returns: (transfer full): the session bus; a socket that never answers is given up
 * after two seconds
 *
 * Errors: %G_IO_ERROR; %G_IO_ERROR_PERMISSION_DENIED where it is another user's.
 */
GDBusConnection *
clip_session_bus (GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree char *address = NULL;
  GDBusConnection *bus;

  if (clip_session_bus_is_named ())
    address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, error);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         _ ("there is no session bus"));
  if (!address)
    return NULL;
  bus = clip_session_bus_at (address, CONNECT_MS, &failure);
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                         _ ("the session bus does not answer"));
  else if (failure)
    g_propagate_prefixed_error (error, g_steal_pointer (&failure), "%s",
                                _ ("the session bus cannot be reached: "));
  else if (!is_trusted (bus))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                           _ ("the session bus is another user's"));
      g_setenv ("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE); /* for whom we start */
      g_clear_object (&bus);
    }
  return bus;
}

/**
 * clip_session_bus_hand_on:
 *
 * Before a program is started that may speak to the bus of the environment, also of what
 * it shows (accessibility): it has none where that is another user's.
 */
void
clip_session_bus_hand_on (void)
{
  GDBusConnection *bus = clip_session_bus (NULL);

  g_clear_object (&bus);
}

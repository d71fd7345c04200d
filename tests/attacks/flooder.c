/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * flooder ADDRESS N: sends N calls on one connection, faster than anyone answers, and
 * waits for none of them. Among these are some whose answers it wants: it says how many
 * of them were refused, and how many of those that come behind them.
 */
#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME "org.cliphist.History1"
#define PATH "/org/cliphist/History1"

/* a bus lets a connection wait for 128 */
#define WANTED 100

/* each is a message there and back */
#define MOST_TRIES 100000

static int n_refused;
static int n_answered;

static void
send_unwanted (GDBusConnection *connection)
{
  g_autoptr (GDBusMessage) call =
      g_dbus_message_new_method_call (NAME, PATH, NAME, "Lookup");

  g_dbus_message_set_flags (call, G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED);
  g_dbus_message_set_body (call, g_variant_new_parsed ("(@t 0,)"));
  g_dbus_connection_send_message (connection, call, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL,
                                  NULL);
}

static void
on_reply (GObject *source, GAsyncResult *result, gpointer user_data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  g_autofree char *name = reply ? NULL : g_dbus_error_get_remote_error (error);

  n_answered++;
  n_refused += g_strcmp0 (name, NAME ".Error.Limits") == 0;
}

static void
send_wanted (GDBusConnection *connection)
{
  g_dbus_connection_call (connection, NAME, PATH, NAME, "Lookup",
                          g_variant_new_parsed ("(@t 0,)"), NULL, G_DBUS_CALL_FLAGS_NONE,
                          G_MAXINT, NULL, on_reply, NULL);
}

static void
wait_for_wanted (int n)
{
  while (n_answered < n)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int argc, char *argv[])
{
  const int n = argc == 3 ? atoi (argv[2]) : 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = g_dbus_connection_new_for_address_sync (
      argv[1],
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);

  if (!connection)
    g_error ("%s", error->message);
  for (int i = 0; i < n; i++)
    {
      send_unwanted (connection);
      if (i % (n / WANTED) == 0)
        send_wanted (connection);
    }
  wait_for_wanted (WANTED);
  printf ("%d refused\n", n_refused);
  fflush (stdout);
  /* those before may still wait: the last answer was a refusal, which waits for none */
  for (int tries = 0; tries == 0 || (n_refused > 0 && tries < MOST_TRIES); tries++)
    {
      n_answered = n_refused = 0;
      send_wanted (connection);
      wait_for_wanted (1);
    }
  printf ("%d refused\n", n_refused);
  return 0;
}

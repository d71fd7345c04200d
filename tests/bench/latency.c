/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * latency CALLS ID SEND-ID: how long the daemon takes to answer `Lookup` of ID, and to
 * `Send` SEND-ID into a pipe of ours until it has replied and every byte was read. One
 * call after the other. Before them the bus itself is asked for its id, after them
 * bare-server for as much: what anybody waits for then is the machine, and the bus. One
 * line for each four, in microseconds: bus, Lookup, Send, bare Send.
 */
#include <err.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NAME "org.cliphist.History1"
#define PATH "/org/cliphist/History1"
#define BARE_NAME "org.cliphist.Bare1"
#define BARE_PATH "/org/cliphist/Bare1"

static void
call (GDBusConnection *bus,
      const char *name,
      const char *path,
      const char *method,
      GVariant *body,
      GUnixFDList *fds)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_with_unix_fd_list_sync (
      bus, name, path, name, method, body, NULL, G_DBUS_CALL_FLAGS_NONE, -1, fds, NULL,
      NULL, &error);

  if (!answer)
    errx (1, "%s: %s", method, error->message);
}

static gint64
ask_bus (GDBusConnection *bus)
{
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_sync (
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "GetId", NULL, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);

  if (!answer)
    errx (1, "GetId: %s", error->message);
  return g_get_monotonic_time () - start_us;
}

static gint64
look_up (GDBusConnection *bus, guint64 id)
{
  gint64 start_us = g_get_monotonic_time ();

  call (bus, NAME, PATH, "Lookup", g_variant_new ("(t)", id), NULL);
  return g_get_monotonic_time () - start_us;
}

static gpointer
read_all (gpointer data)
{
  static char block[128 * 1024];
  int fd = GPOINTER_TO_INT (data);

  while (read (fd, block, sizeof block) > 0)
    continue;
  close (fd);
  return NULL;
}

/* @body_take: of a `Send` whose first descriptor is the pipe */
static gint64
send_once (GDBusConnection *bus, const char *name, const char *path, GVariant *body_take)
{
  g_autoptr (GUnixFDList) list = NULL;
  GThread *reader;
  gint64 start_us;
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) < 0)
    err (1, "pipe");
  reader = g_thread_new ("reader", read_all, GINT_TO_POINTER (fds[0]));
  list = g_unix_fd_list_new_from_array (&fds[1], 1);
  start_us = g_get_monotonic_time ();
  call (bus, name, path, "Send", body_take, list);
  g_clear_object (&list);
  g_thread_join (reader);
  return g_get_monotonic_time () - start_us;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = NULL;

  if (argc != 4)
    errx (2, "usage: latency CALLS ID SEND-ID");
  bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (!bus)
    errx (1, "%s", error->message);
  for (int left = atoi (argv[1]); left > 0; left--)
    {
      gint64 bus_us = ask_bus (bus);
      gint64 lookup_us = look_up (bus, g_ascii_strtoull (argv[2], NULL, 10));
      gint64 send_us = send_once (
          bus, NAME, PATH,
          g_variant_new ("(tsh@a{sv})", g_ascii_strtoull (argv[3], NULL, 10), "", 0,
                         g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0)));
      gint64 bare_us = send_once (bus, BARE_NAME, BARE_PATH, g_variant_new ("(h)", 0));

      printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
              " %" G_GINT64_FORMAT "\n",
              bus_us, lookup_us, send_us, bare_us);
    }
  return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bare-server FILE: the least that a service on the bus can do. It owns NAME, and answers
 * each `Send` by splicing FILE, of 1 MiB at most, into the pipe that came along, which it
 * enlarges first; each `Store` by writing a page to FILE that begins with what it reads
 * of the descriptor, and syncing it. What it takes to call it is what the machine, the
 * bus and GIO take. Says "ready", and ends with its standard input.
 */
#include <err.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <stdio.h>
#include <unistd.h>

#define NAME "org.cliphist.Bare1"
#define PATH "/org/cliphist/Bare1"
#define MOST_BYTES (1024 * 1024)
#define PAGE_BYTES 4096

static const char interface[] = "<node><interface name='" NAME "'><method name='Send'>"
                                "<arg name='sink' type='h' direction='in'/>"
                                "</method><method name='Store'>"
                                "<arg name='contents' type='a(sh)' direction='in'/>"
                                "<arg name='options' type='a{sv}' direction='in'/>"
                                "</method></interface></node>";

static void
serve (const char *path, int sink)
{
  int file = open (path, O_RDONLY | O_CLOEXEC);

  if (file < 0 || fcntl (sink, F_SETPIPE_SZ, MOST_BYTES) < 0)
    err (1, "%s", path);
  while (splice (file, NULL, sink, NULL, MOST_BYTES, SPLICE_F_MOVE) > 0)
    continue;
  close (file);
}

static void
store (const char *path, int source)
{
  int file = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  char page[PAGE_BYTES] = { 0 };

  if (file < 0 || read (source, page, sizeof page) < 0 ||
      write (file, page, sizeof page) != sizeof page || fdatasync (file) < 0)
    err (1, "%s", path);
  close (file);
}

static void
on_call (GDBusConnection *connection G_GNUC_UNUSED,
         const char *sender G_GNUC_UNUSED,
         const char *object G_GNUC_UNUSED,
         const char *name G_GNUC_UNUSED,
         const char *method,
         GVariant *parameters G_GNUC_UNUSED,
         GDBusMethodInvocation *invocation,
         gpointer user_data)
{
  GDBusMessage *message = g_dbus_method_invocation_get_message (invocation);
  GUnixFDList *list = g_dbus_message_get_unix_fd_list (message);
  g_autoptr (GError) error = NULL;
  int fd = g_unix_fd_list_get (list, 0, &error);

  if (fd < 0)
    errx (1, "%s", error->message);
  if (g_str_equal (method, "Send"))
    serve (user_data, fd);
  else
    store (user_data, fd);
  close (fd);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
on_owned (GDBusConnection *connection G_GNUC_UNUSED,
          const char *name G_GNUC_UNUSED,
          gpointer user_data G_GNUC_UNUSED)
{
  puts ("ready");
  fflush (stdout);
}

static gboolean
on_input (int fd G_GNUC_UNUSED, GIOCondition condition G_GNUC_UNUSED, gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_REMOVE;
}

int
main (int argc, char *argv[])
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_call };
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (interface, NULL);
  guint owned;

  if (argc != 2)
    errx (2, "usage: bare-server FILE");
  if (!bus || !g_dbus_connection_register_object (bus, PATH, node->interfaces[0], &vtable,
                                                  argv[1], NULL, NULL))
    errx (1, "no session bus");
  owned = g_bus_own_name_on_connection (bus, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, on_owned,
                                        NULL, NULL, NULL);
  g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, on_input, loop);
  g_main_loop_run (loop);
  g_bus_unown_name (owned);
  return 0;
}
